"""What a run's own columns and its tool say about a call reaches the rules; what a call cost reaches the run."""

from typing import Any

import pytest
from sqlalchemy import update
from sqlalchemy.orm import Session

from signoff.runs.models import Run
from signoff.tools.registry import ToolFailed, tool
from tests.contract.ruling import put_rules, rule
from tests.contract.scenes import WRITE, agent_that
from tests.house import House
from tests.wire import DONE, call, says


@pytest.fixture
def kind() -> str:
    return "sqlite"


def dear(name: str = "") -> str:
    """Cost something."""
    if name == "broken":
        raise ToolFailed("it is broken")
    return "done"


FIRST = says("", WRITE)
SECOND = says("", call("write_file", {"path": "b.txt", "content": "two"}))


def field(path: str, value: str) -> dict[str, Any]:
    return {"data_threshold": {"field": path, "operator": "==", "value": value}}


def test_workflow_step_and_schedule_of_a_run_reach_the_rules(house: House) -> None:
    agents = {
        "workflow": {"workflow": "invoices"},
        "step": field("context.step", "pay"),
        "schedule": field("context.schedule", "every monday"),
        "scheduled": {"scheduled": True},
        # And where the run has another one, the rule is silent.
        "other": {"workflow": "orders", "scheduled": False},
    }
    names = {about: agent_that(house, FIRST, SECOND, DONE, tools=("write_file",)) for about in agents}
    put_rules(house, *(rule(names[about], "deny", about, **when) for about, when in agents.items()))
    runs = {about: house.start(name) for about, name in names.items()}
    asked = {about: house.asks(run) or [house.ask(run)] for about, run in runs.items()}

    def belongs(session: Session) -> None:
        values = {"workflow": "invoices", "step": "pay", "schedule_id": "every monday"}
        session.execute(update(Run).where(Run.id.in_(runs.values())).values(values))

    house.parts.db.write(belongs)
    for about, (ask,) in asked.items():
        house.answer(ask, "deny", note="try another")
        if about == "other":
            house.answer(house.ask(runs[about]))
        house.ended(runs[about])
    second = {about: house.calls(run)[1] for about, run in runs.items()}
    verdicts = {about: (made["verdict"]["verdict"], made["verdict"]["rule"]) for about, made in second.items()}
    assert verdicts == {about: ("ask", None) if about == "other" else ("deny", about) for about in agents}


def test_the_cost_of_a_tool_reaches_the_rules(house: House) -> None:
    house.parts.context.registry.register(tool(name="dear", estimated_cost_credits=5, risk="low")(dear))
    agent = agent_that(house, says("", call("dear", {})), tools=("dear",), autonomy="full")
    put_rules(house, rule(agent, "deny", "too dear", cost="> 4"))
    run = house.ended(house.start(agent))
    (made, _) = house.calls(run["id"])
    assert (made["verdict"]["rule"], made["cost_credits"], run["cost_credits"]) == ("too dear", 0, 0)


def test_what_a_call_cost_counts_for_its_run_and_what_failed_costs_nothing(house: House) -> None:
    house.parts.context.registry.register(tool(name="dear", estimated_cost_credits=1.5, risk="low")(dear))
    replies = (says("", call("dear", {})), says("", call("dear", {"name": "broken"})), says("", call("dear", {})))
    agent = agent_that(house, *replies, DONE, tools=("dear",), autonomy="full")
    run = house.ended(house.start(agent))
    assert [made["cost_credits"] for made in house.calls(run["id"])] == [1.5, 0, 1.5, 0]
    assert run["cost_credits"] >= 3


def test_a_tools_cost_reaches_the_limit(house: House) -> None:
    house.parts.context.registry.register(tool(name="dear", estimated_cost_credits=6, risk="low")(dear))
    agent = agent_that(house, *[says("", call("dear", {}))] * 9, tools=("dear",), autonomy="full")
    run = house.ended(house.start(agent, limits={"max_cost_credits": 10}))
    assert (run["status"], run["completion_reason"]) == ("timeout", "max_cost")
    assert [made["cost_credits"] for made in house.calls(run["id"])] == [6, 6]


@pytest.mark.parametrize("beside", [[], [call("complete_task", {"summary": "all done"})]], ids=["alone", "completing"])
def test_of_many_calls_in_one_reply_those_beyond_the_limit_are_not_run(house: House, beside: list[Any]) -> None:
    house.parts.context.registry.register(tool(name="dear", estimated_cost_credits=6, risk="low")(dear))
    many = [call("dear", {"name": str(number)}) for number in range(9)]
    agent = agent_that(house, says("", *many, *beside), tools=("dear",), autonomy="full")
    run = house.ended(house.start(agent, limits={"max_cost_credits": 10}))
    assert (run["status"], run["completion_reason"], run["cost_credits"]) == ("timeout", "max_cost", 12)
    assert [made["status"] for made in house.calls(run["id"])] == ["succeeded"] * 2 + ["failed"] * (7 + len(beside))


def test_calls_that_only_read_stop_at_the_limit_too(house: House) -> None:
    reading = tool(name="look", estimated_cost_credits=6, risk="low", operation_type="read", idempotent=True)
    house.parts.context.registry.register(reading(dear))
    many = [call("look", {"name": str(number)}) for number in range(5)]
    agent = agent_that(house, says("", *many), tools=("look",), autonomy="full")
    run = house.ended(house.start(agent, limits={"max_cost_credits": 10}))
    assert (run["completion_reason"], run["cost_credits"]) == ("max_cost", 12)
