"""What Python calls equal is not the same to a tool: 0 is not false, and 1 is not 1.0."""

from typing import Any

import pytest

from signoff.asks.answers.outcome import Answer, outcome
from signoff.asks.answers.plan_choice import chosen_steps
from signoff.asks.models import Ask
from signoff.kit.jsons import same
from signoff.tools.registry import ToolFailed, tool
from tests.contract.ruling import put_rules, rule, somebody
from tests.contract.scenes import agent_that, problem
from tests.house import House
from tests.wire import call, says

PAIRS: list[tuple[Any, Any]] = [(0, False), (1, True), (1, 1.0)]


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


@pytest.fixture(scope="module")
def switched(house: House) -> list[Any]:
    """What a tool was really called with; the first call of each run fails."""
    seen = list[Any]()

    def switch(to: Any, run: str) -> str:
        """Switch something."""
        seen.append((run, to))
        if [each for each, _ in seen].count(run) == 1:
            raise ToolFailed("not now")
        return "switched"

    house.parts.context.registry.register(tool(operation_type="financial_transaction", risk="high")(switch))
    return seen


def ask_for(house: House, run: str, seen: set[str]) -> dict[str, Any]:
    return house.until(lambda: next((each for each in house.asks(run) if each["id"] not in seen), None))


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_an_approval_covers_no_retry_with_another_value(
    house: House, switched: list[Any], one: Any, other: Any
) -> None:
    name = f"retry {one} {other}"
    calls = [says("", call("switch", {"to": to, "run": name})) for to in (one, other)]
    run = house.start(agent_that(house, *calls, tools=("switch",)))
    first = house.ask(run)
    house.answer(first)
    second = ask_for(house, run, {first["id"]})
    assert repr(second["arguments"]["to"]) == repr(other)
    assert [repr(to) for each, to in switched if each == name] == [repr(one)]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_what_an_approver_changed_is_what_runs(house: House, switched: list[Any], one: Any, other: Any) -> None:
    name = f"edit {one} {other}"
    run = house.start(agent_that(house, says("", call("switch", {"to": one, "run": name})), tools=("switch",)))
    house.answer(house.ask(run), arguments={"to": other, "run": name})
    house.ended(run)
    assert [repr(to) for each, to in switched if each == name] == [repr(other)]


def test_a_deny_rule_sees_what_a_batch_was_changed_to(house: House, switched: list[Any]) -> None:
    calls = [call("switch", {"to": 0, "run": f"batch {number}"}, f"c{number}") for number in range(2)]
    agent = agent_that(house, says("", *calls), tools=("switch",))
    false = {"field": "to", "operator": "==", "value": False}
    put_rules(
        house,
        rule(agent, "deny", tool="switch", data_threshold=false),
        rule(agent, {"batch_alike": True}, tool="switch"),
    )
    ask = house.ask(house.start(agent))
    changed = {"calls": [{"to": False, "run": "batch 0"}, None]}
    refused = problem(somebody(house).answer(ask, arguments=changed), 422)
    assert [each["path"] for each in refused["errors"]] == ["arguments.calls.0"]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_a_change_that_python_does_not_see_is_an_edit(one: Any, other: Any) -> None:
    assert same({"a": [one]}, {"a": [one]})
    assert not same({"a": [one]}, {"a": [other]})
    ask = Ask(kind="approval", arguments={"a": one}, arguments_schema={})
    assert "arguments" in outcome(ask, Answer("approve", arguments={"a": other})).answer
    plan = {"steps": [{"id": "s", "tool": "t", "arguments": {"a": one}}]}
    assert chosen_steps(plan, [{"id": "s", "arguments": {"a": other}}])[0]["edited"]
