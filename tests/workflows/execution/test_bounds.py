"""How far workflows go: in time, which people do not use up, in money, and in what they hand on."""

import asyncio
import json
import threading
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import bindparam, event, text

from signoff.kit.clock import now
from signoff.kit.db.columns import UtcTime
from signoff.tools.registry import tool
from tests.contract.scenes import QUESTION
from tests.house import House
from tests.wire import says
from tests.workflows.script import Script, done, given

WORDS = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


@pytest.fixture
def script(house: House) -> Script:
    return Script(house)


def hanging(script: Script, *first: dict[str, Any], **fields: Any) -> tuple[str, threading.Event]:
    """An agent that says something first, if it is given, and does not come to an end before it is let go."""
    hang, replies = threading.Event(), list(first)

    def wait(_request: dict[str, Any]) -> dict[str, Any]:
        if replies:
            return replies.pop(0)
        hang.wait(30)
        return done({"late": True})

    return script.playing("slow", wait, **fields), hang


def test_a_workflow_whose_time_is_used_up_ends_with_what_is_under_way(script: Script):
    slow, hang = hanging(script)
    run = script.ran({"id": "slow", "agent": slow}, timeout_seconds=0.3)
    hang.set()
    assert (run["status"], run["completion_reason"]) == ("timeout", "max_duration")
    assert script.states(run["id"]) == {"slow": "cancelled"}


def test_a_nested_workflow_has_the_time_of_its_step(script: Script):
    slow, hang = hanging(script)
    inner = script.workflow({"id": "slow", "agent": slow}, short="inner")
    run = script.ran({"id": "inner", "workflow": inner, "timeout_seconds": 0.3})
    hang.set()
    assert (run["status"], run["error"]["step"]) == ("failed", "inner")
    assert "time limit of 0.3 seconds is reached" in run["error"]["message"]


def test_a_step_whose_time_is_used_up_does_not_wait_for_its_model(script: Script):
    slow, hang = hanging(script)
    run = script.ran({"id": "slow", "agent": slow, "timeout_seconds": 0.3})
    hang.set()
    assert (run["status"], run["error"]["step"]) == ("failed", "slow")
    assert run["error"]["completion_reason"] == "max_duration"
    assert run["error"]["message"] == "Step 1 of 1, slow: The time limit of 0.3 seconds is reached."


def test_time_that_a_person_takes_does_not_count(script: Script):
    asking = script.saying("a", says("", QUESTION), done({"ok": 1}))
    run = script.start(script.workflow({"id": "a", "agent": asking}, timeout_seconds=60))
    ask = script.house.ask(run_of(script, run, "a"))
    # An hour goes by.
    changed(script, f"UPDATE asks SET created_at = :before WHERE id = '{ask['id']}'")
    changed(script, f"UPDATE runs SET started_at = :before WHERE id = '{run}'")
    script.house.answer(ask, "respond", value="yes")
    assert script.house.ended(run)["status"] == "completed"


def test_time_in_which_it_is_paused_does_not_count(script: Script):
    slow, hang = hanging(script)
    run = script.start(script.workflow({"id": "a", "agent": slow}, timeout_seconds=60))
    run_of(script, run, "a")
    script.house.post(f"/api/runs/{run}/pause")
    # An hour goes by.
    changed(script, f"UPDATE runs SET started_at = :before WHERE id = '{run}'")
    changed(script, f"UPDATE audit SET at = :before WHERE run_id = '{run}' AND action = 'run.paused'")
    script.house.post(f"/api/runs/{run}/resume")
    hang.set()
    assert script.house.ended(run)["status"] == "completed"


def test_while_a_person_thinks_a_workflow_with_a_time_of_its_own_is_not_looked_at(script: Script):
    slug = script.workflow({"id": "a", "agent": script.saying("a", says("", QUESTION))}, timeout_seconds=60)
    run = script.start(slug)
    ask = script.house.ask(run_of(script, run, "a"))
    # Whoever looks at it by its old time finds that there is none any more.
    changed(script, f"UPDATE runs SET wake_at = :before WHERE id = '{run}' AND owner IS NULL")
    script.house.parts.engine.ready([run])
    script.house.until(lambda: row(script, run)[1] is None)
    script.house.answer(ask, "respond", value="yes")
    assert script.house.ended(run)["status"] == "completed"


@pytest.mark.parametrize("clarifies", [False, True], ids=["waiting", "clarifying"])
def test_its_clock_goes_on_as_soon_as_a_person_is_done(script: Script, clarifies: bool):
    slow, hang = hanging(script, says("", QUESTION), clarify=clarifies)
    slug = script.workflow({"id": "a", "agent": slow}, timeout_seconds=60)
    run = script.start(slug)
    ask = script.house.ask(run_of(script, run, "a"))
    changed(script, f"UPDATE runs SET wake_at = :before WHERE id = '{run}' AND owner IS NULL")
    script.house.parts.engine.ready([run])
    script.house.until(lambda: row(script, run)[1] is None)
    script.house.answer(ask, "respond", value="yes")
    # Sooner than the model is through, whose end would wake it as well.
    assert script.house.until(lambda: row(script, run)[1], 20)
    hang.set()
    assert script.house.ended(run)["status"] == "completed"


def changed(script: Script, statement: str) -> None:
    given_ = {"before": now() - timedelta(hours=1)}
    told = text(statement).bindparams(bindparam("before", type_=UtcTime))
    script.house.parts.db.write(lambda s: s.execute(told, given_))


def run_of(script: Script, run_id: str, step: str) -> str:
    return script.house.until(lambda: script.steps(run_id)[step]["run_id"])


def row(script: Script, run_id: str) -> tuple[Any, Any]:
    """How often a run was claimed, and when it will be."""
    read = "SELECT fence, wake_at FROM runs WHERE id = :run"
    return tuple(script.house.parts.db.read(lambda s: s.execute(text(read), {"run": run_id}).one()))


def test_what_a_step_has_cost_is_not_there_for_the_next(script: Script):
    spent = script.agent("spent", {"a": 1})
    slug = script.workflow({"id": "a", "agent": spent}, {"id": "b", "agent": script.agent("b")})
    limits = {"max_iterations": 1}
    run = script.house.post("/api/runs", {"workflow": slug, "input": {}, "limits": limits}, 201)["id"]
    ended = script.house.ended(run)
    assert (ended["status"], ended["completion_reason"]) == ("timeout", "max_iterations")
    assert script.asked("b") == []
    assert script.steps(run)["a"]["output"] == {"a": 1}


def test_what_a_nested_workflow_makes_reaches_the_next_step_however_large(script: Script):
    large = "x" * 1_500_000
    inner = script.workflow({"id": "a", "agent": script.agent("large", {"blob": large})}, short="inner")
    run = script.ran(
        {"id": "inner", "workflow": inner}, {"id": "next", "agent": script.agent("n"), "input": {"b": "blob"}}
    )
    assert run["status"] == "completed", run["error"]
    assert script.steps(run["id"])["next"]["input"] == {"b": large}


def test_an_item_that_lacks_what_is_mapped_fails_the_step_by_its_number(script: Script):
    step = {"id": "many", "agent": script.echo(), "each": "rows", "input": {"id": "item.id"}}
    run = script.ran(step, given={"rows": [{"id": 1}, {"name": "no id"}]})
    assert (run["status"], run["error"]["step"], run["error"]["item"]) == ("failed", "many", 1)
    assert "`item.id`" in run["error"]["message"]


def test_a_step_does_not_see_what_others_make_beside_it(script: Script):
    waits = threading.Event()

    def late(request: dict[str, Any]) -> dict[str, Any]:
        if given(request)["item"] == 1:
            waits.wait(30)
        return done(given(request)["item"])

    def other(_request: dict[str, Any]) -> dict[str, Any]:
        return done({"list": ["replaced"]})

    slug = script.workflow(
        {"id": "many", "agent": script.playing("many", late), "needs": [], "each": {"path": "list", "max_parallel": 1}},
        {"id": "other", "agent": script.playing("other", other), "needs": []},
    )
    run = script.start(slug, {"list": [1, 2, 3]})
    script.until_step(run, "other", "succeeded")
    waits.set()
    assert script.house.ended(run)["output"]["many"] == [1, 2, 3]


def test_an_edit_at_a_checkpoint_fits_the_schema_of_the_output_and_keeps_the_rest(script: Script):
    made = {"text": "draft", "number": 12345678901234567890}
    step = {"id": "a", "agent": script.agent("a", made), "output_schema": WORDS, "checkpoint": "after"}
    run = script.start(script.workflow(step))
    ask = script.house.ask(run)
    script.house.answer(ask, status=422, arguments={"text": 5})
    script.house.answer(ask, arguments={**made, "text": "final"})
    assert script.house.ended(run)["output"] == {**made, "text": "final"}


def test_what_is_too_large_for_people_is_shown_in_part_and_approved_as_a_whole(script: Script):
    large = {"blob": "x" * 300_000}
    run = script.start(script.workflow({"id": "a", "agent": script.agent("a", large), "checkpoint": "after"}))
    ask = script.house.ask(run)
    assert len(json.dumps(ask["arguments"])) < 30_000
    assert len(ask["arguments"]["sha256"]) == 64
    script.house.answer(ask, status=422, arguments={"blob": "other"})
    script.house.answer(ask)
    assert script.house.ended(run)["output"] == large


def test_a_long_list_takes_no_more_statements_for_its_last_items_than_for_its_first(script: Script):
    parts, counts = script.house.parts, dict[int, int]()
    statements, agent = [0], script.agent("item", 1)
    event.listen(parts.db.writer, "before_cursor_execute", lambda *_: statements.__setitem__(0, statements[0] + 1))
    for number in (10, 40):
        statements[0] = 0
        step = {"id": "many", "agent": agent, "each": {"path": "list", "max_parallel": 5}, "input": {}}
        run = script.ran(step, given={"list": list(range(number))}, short=f"list-of-{number}")
        assert run["status"] == "completed", run["error"]
        counts[number] = statements[0]
    assert counts[40] < 5 * counts[10]


def test_a_step_that_is_one_tool_has_no_more_than_its_time(script: Script):
    @tool(idempotent=True, operation_type="query", risk="low")
    async def look_forever() -> str:
        """Never comes back."""
        return await asyncio.Future[str]()

    script.house.parts.context.registry.register(look_forever)
    run = script.ran({"id": "look", "tool": "look_forever", "input": {}, "timeout_seconds": 0.3})
    assert (run["status"], run["error"]["step"]) == ("failed", "look")
    assert "look_forever took longer than" in run["error"]["message"]


def test_where_waiting_counts_a_workflow_does_not_wait_beyond_its_time(script: Script):
    slug = script.workflow({"id": "a", "agent": script.agent("a"), "checkpoint": "before"})
    limits = {"max_duration_hours": 0.0001, "waiting_counts": True}
    run = script.house.post("/api/runs", {"workflow": slug, "input": {}, "limits": limits}, 201)["id"]
    ended = script.house.ended(run)
    assert (ended["status"], ended["completion_reason"]) == ("timeout", "max_duration")


def test_what_is_said_about_a_workflows_run_reaches_its_agents(script: Script):
    inner = script.workflow({"id": "b", "agent": script.agent("b")}, short="inner")
    slug = script.workflow({"id": "a", "agent": script.agent("a")}, {"id": "inner", "workflow": inner})
    body = {"workflow": slug, "input": {}, "context": "It is for the board."}
    script.house.ended(script.house.post("/api/runs", body, 201)["id"])
    for agent in ("a", "b"):
        assert "It is for the board." in str(script.asked(agent)[0]["messages"])
