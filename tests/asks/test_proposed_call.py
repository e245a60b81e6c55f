"""What was judged is frozen on the ask: whoever judges again reads it there, whatever became of the run meanwhile."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

import signoff
from signoff.asks.models import Ask
from signoff.asks.proposed_call import read_proposed_call
from signoff.policy.call import ProposedCall
from signoff.policy.impact import Impact, ImpactKind
from signoff.runs.models import Run
from tests.contract.ruling import put_rules, rule, text_of
from tests.contract.scenes import agent_that, problem
from tests.house import House
from tests.wire import call, says

SMALL, BIG = {"path": "small.txt", "content": "x"}, {"path": "big.txt", "content": "x"}
WRITE = call("write_file", SMALL)
PLAN = call("propose_plan", {"steps": [{"tool": "write_file", "arguments": SMALL}]})


@pytest.fixture
def kind() -> str:
    return "sqlite"


def frozen(house: House, ask: dict[str, Any], arguments: dict[str, Any]) -> ProposedCall | None:
    return house.parts.db.read(lambda session: read_proposed_call(session.get_one(Ask, ask["id"]), arguments))


def forget_what_it_was_about(house: House, run: str) -> None:
    other = {"input": {"vip": False}, "title": "another", "mode": "plan", "created_by": "nobody@example.org"}
    house.parts.db.write(lambda session: session.execute(update(Run).where(Run.id == run).values(**other)))


def vip_big(agent: str) -> dict[str, Any]:
    looks = [
        {"field": "path", "operator": "==", "value": "big.txt"},
        {"field": "context.input.vip", "operator": "==", "value": True},
    ]
    return rule(agent, "deny", data_threshold=looks)


def test_an_ask_keeps_all_that_policy_saw(house: House) -> None:
    agent = agent_that(house, says("", call("write_file", SMALL | {"_confidence": 0.5})), tools=("write_file",))
    run = house.start(agent, title="Notes", input={"vip": True})
    ask = house.ask(run)
    forget_what_it_was_about(house, run)
    found = frozen(house, ask, SMALL)
    assert found is not None
    tool = house.parts.context.registry.get("write_file")
    assert tool is not None
    stated = Impact((ImpactKind.STAYS_IN_FOLDER,), "New file in its own folder", reversible=True)
    assert (found.tool, found.operation_type) == ("write_file", tool.operation_type)
    assert found.assessment == replace(tool.assessment, impact=stated)
    assert (found.confidence, found.agent, found.scope, found.schema) == (0.5, agent, run, tool.schema)
    seen = house.run(run)
    assert found.fields["input"] == {"vip": True}
    assert (found.fields["title"], found.fields["mode"]) == ("Notes", "auto")
    assert seen["title"] == "another"


@pytest.mark.parametrize("proposed", [WRITE, PLAN], ids=["call", "plan"])
def test_an_edit_is_judged_by_what_was_frozen(house: House, proposed: dict[str, Any]) -> None:
    mode = "plan" if proposed is PLAN else "auto"
    agent = agent_that(house, says("", proposed), tools=("write_file",), mode=mode)
    put_rules(house, vip_big(agent))
    run = house.start(agent, input={"vip": True})
    ask = house.ask(run)
    forget_what_it_was_about(house, run)
    changed = {"steps": [{"id": "1", "arguments": BIG}]} if proposed is PLAN else {"arguments": BIG}
    refused = house.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve", **changed})
    assert "A rule forbids this change" in problem(refused, 422)["detail"]


def test_a_replay_judges_by_what_was_frozen(house: House) -> None:
    agent = agent_that(house, says("", call("write_file", BIG)), tools=("write_file",))
    run = house.start(agent, input={"vip": True})
    house.ask(run)
    forget_what_it_was_about(house, run)
    replayed = house.post("/api/rules/simulate", {"yaml": text_of(vip_big(agent))})
    assert [(each["before"], each["after"]) for each in replayed["changed"]] == [("ask", "deny")]


def test_no_module_declares_the_runs_table_a_second_time() -> None:
    source = Path(signoff.__file__).parent
    declares: Callable[[str], Any] = re.compile(r'table\(\s*"runs"').search
    found = [path.relative_to(source).as_posix() for path in source.rglob("*.py") if declares(path.read_text())]
    # There the columns are those of the mixin that `Run` has them from.
    assert [each for each in found if not each.startswith("migrations/")] == ["claims/models.py"]
