"""What runs may spend together: those at work beside each other share it."""

from typing import Any

import pytest

from signoff.tools.registry import tool
from tests.house import House
from tests.wire import call, says
from tests.workflows.script import Script

MOST = 10
# What one call costs; those under way when the money ends may still be paid for.
PRICE = 3


def dear() -> str:
    return "done"


@pytest.fixture
def script(house: House) -> Script:
    house.parts.context.registry.register(tool(name="dear", estimated_cost_credits=PRICE, risk="low")(dear))
    return Script(house)


def spender(script: Script, short: str) -> str:
    """An agent that goes on spending until somebody stops it."""
    return script.playing(short, lambda _request: says("", call("dear", {})), "dear", autonomy="full")


def spent(script: Script, run_id: str) -> float:
    return sum(each["cost_credits"] for each in script.children(run_id))


@pytest.mark.both_databases
def test_items_at_work_beside_each_other_share_what_the_workflow_may_spend(script: Script):
    step = {"id": "many", "agent": spender(script, "many"), "each": {"path": "list", "max_parallel": 4}, "input": {}}
    given: dict[str, Any] = {"workflow": script.workflow(step), "input": {"list": [1, 2, 3, 4]}}
    run = script.house.post("/api/runs", given | {"limits": {"max_cost_credits": MOST}}, 201)["id"]
    ended = script.house.ended(run)
    assert (ended["status"], ended["completion_reason"]) == ("timeout", "max_cost")
    assert MOST <= spent(script, run) <= MOST + 4 * PRICE


def test_steps_of_a_nested_workflow_spend_what_the_one_above_has_left(script: Script):
    inner = script.workflow({"id": "a", "agent": spender(script, "a")}, short="inner")
    beside = {"id": "b", "agent": spender(script, "b"), "needs": []}
    slug = script.workflow({"id": "inner", "workflow": inner}, beside)
    given = {"workflow": slug, "input": {}, "limits": {"max_cost_credits": MOST}}
    run = script.house.post("/api/runs", given, 201)["id"]
    ended = script.house.ended(run)
    assert (ended["status"], ended["completion_reason"]) == ("timeout", "max_cost")
    assert spent(script, run) <= MOST + 2 * PRICE


def test_runs_that_an_agent_starts_share_what_it_has_left(script: Script):
    worker = spender(script, "worker")
    wanted = {"agent": worker, "task": "Spend"}
    boss = script.saying(
        "boss",
        says("", *[call("start_run", wanted) for _ in range(3)]),
        *[says("", call("complete_task", {"summary": "x"}))] * 2,
    )
    run = script.house.ended(script.house.start(boss, limits={"max_cost_credits": MOST}))
    assert spent(script, run["id"]) <= MOST + 3 * PRICE
    assert {each["completion_reason"] for each in script.children(run["id"])} <= {"max_cost"}
