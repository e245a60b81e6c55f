"""Going on from the last good step: what was done well stays, what a person changed is shown again."""

from typing import Any

import pytest

from tests.contract.scenes import at_once
from tests.house import House
from tests.wire import call, fails, says
from tests.workflows.script import Script, done, given


@pytest.fixture
def script(house: House) -> Script:
    return Script(house)


class Breaks:
    """Fails at one input until it is mended, and notes all that it got."""

    def __init__(self, field: str, at: Any) -> None:
        self.field, self.at, self.seen = field, at, list[Any]()

    def __call__(self, request: dict[str, Any]) -> dict[str, Any]:
        value = given(request)[self.field]
        self.seen.append(value)
        return fails(400, "broken") if value == self.at else done({self.field: value})


def resumed(script: Script, run_id: str, status: int = 201) -> dict[str, Any]:
    return script.house.post(f"/api/runs/{run_id}/retry", {"from": "last_good"}, status)


def test_what_a_person_made_of_the_input_is_what_they_are_asked_about_again(script: Script):
    pay = Breaks("amount", 50)
    slug = script.workflow({"id": "pay", "agent": script.playing("pay", pay), "checkpoint": "before"})
    first = script.start(slug, {"amount": 100})
    script.house.answer(script.house.ask(first), arguments={"amount": 50})
    assert script.house.ended(first)["status"] == "failed"
    pay.at = None
    second = resumed(script, first)["id"]
    ask = script.house.ask(second)
    assert ask["arguments"] == {"amount": 50}, "what was lowered does not come back"
    script.house.answer(ask)
    assert script.house.ended(second)["output"] == {"amount": 50}
    assert pay.seen == [50, 50]


def test_items_that_were_done_well_are_not_done_again(script: Script):
    work = Breaks("item", 2)
    step = {"id": "many", "agent": script.playing("many", work), "each": {"path": "l", "max_parallel": 1}}
    first = script.ran(step, given={"l": [1, 2, 3]})
    assert first["status"] == "failed"
    work.at = None
    second = script.house.ended(resumed(script, first["id"])["id"])
    assert (second["status"], second["output"]["many"]) == ("completed", [{"item": 1}, {"item": 2}, {"item": 3}])
    assert work.seen == [1, 2, 2, 3]


def test_a_step_whose_data_was_deleted_is_no_good_step(script: Script):
    slug = script.workflow(
        {"id": "a", "agent": script.agent("a", {"x": 1})},
        {"id": "b", "agent": script.playing("b", lambda _: fails(400, "broken"))},
    )
    run = script.house.ended(script.start(slug))
    script.house.client.delete(f"/api/runs/{script.steps(run['id'])['a']['run_id']}").raise_for_status()
    assert "What the step a made was deleted" in resumed(script, run["id"], 409)["detail"]


def test_what_was_deleted_is_not_resumed(script: Script):
    broken = script.playing("b", Breaks("amount", 1))
    run = script.ran({"id": "a", "agent": script.agent("a")}, {"id": "b", "agent": broken}, given={"amount": 1})
    assert run["status"] == "failed"
    assert script.house.client.delete(f"/api/workflows/{run['workflow']}").status_code == 204
    resumed(script, run["id"], 404)


def test_a_run_is_not_deleted_while_the_workflow_above_needs_what_it_made(script: Script):
    slug = script.workflow(
        {"id": "a", "agent": script.agent("a", {"x": 1})},
        {"id": "b", "agent": script.echo("b"), "checkpoint": "before"},
    )
    run = script.start(slug)
    ask = script.house.ask(run)
    made_by = f"/api/runs/{script.steps(run)['a']['run_id']}"
    refused = script.house.client.delete(made_by)
    assert (refused.status_code, refused.json()["status"]) == (409, 409), refused.text
    script.house.answer(ask)
    assert script.house.ended(run)["output"] == {"x": 1}
    assert script.house.client.delete(made_by).is_success


def test_what_a_person_refused_is_not_tried_again(script: Script):
    writes = says("", call("write_file", {"path": "a.md", "content": "a"}))
    agent = script.saying("writer", writes, *[done({})] * 3, tools=["write_file"], autonomy="approve_all")
    run = script.start(script.workflow({"id": "a", "agent": agent, "retries": 3, "retry_backoff_seconds": 0.01}))
    step = script.until_step(run, "a", "waiting")
    script.house.answer(script.house.ask(step["run_id"]), "deny", end_run=True, note="never")
    ended = script.house.ended(run)
    assert (ended["status"], ended["completion_reason"]) == ("cancelled", "rejected")
    assert script.steps(run)["a"]["attempt"] == 1


@pytest.mark.parametrize(
    ("on_timeout", "status", "reason"),
    [("cancel", "cancelled", "ask_expired"), ("deny", "cancelled", "rejected"), ("fail", "failed", "ask_expired")],
)
def test_a_checkpoint_that_nobody_decides_ends_the_workflow_as_it_says(
    script: Script, on_timeout: str, status: str, reason: str
):
    checkpoint = {"when": "before", "timeout_minutes": 0.002, "on_timeout": on_timeout}
    run = script.ran({"id": "a", "agent": script.agent("a"), "checkpoint": checkpoint})
    assert (run["status"], run["completion_reason"]) == (status, reason)
    assert run["error"]["message"].startswith("Checkpoint before a was not decided in time")


def test_a_run_keeps_the_revision_that_it_began_with(script: Script):
    slug = script.workflow({"id": "a", "agent": script.echo("a"), "checkpoint": "before"})
    run = script.start(slug, {"x": 1})
    ask = script.house.ask(run)
    newer = {"slug": slug, "name": slug, "steps": [{"id": "a", "agent": script.agent("b", {"x": "newer"})}]}
    script.house.client.put(f"/api/workflows/{slug}", json=newer).raise_for_status()
    script.house.post(f"/api/workflows/{slug}/deploy")
    script.house.answer(ask)
    ended = script.house.ended(run)
    assert (ended["workflow_revision"], ended["output"]) == (1, {"x": 1})


def test_a_list_whose_items_were_all_done_well_goes_on_where_a_person_refused_it(script: Script):
    step = {"id": "many", "agent": script.echo("many"), "each": {"path": "l"}, "checkpoint": "after"}
    first = script.start(script.workflow(step), {"l": [1, 2]})
    script.house.answer(script.house.ask(first), "deny", end_run=True, note="not yet")
    script.house.ended(first)
    second = resumed(script, first)["id"]
    script.house.answer(script.house.ask(second))
    ended = script.house.ended(second)
    assert (ended["status"], len(ended["output"]["many"])) == ("completed", 2)
    assert len(script.asked("many")) == 2, "no item was done again"


def test_an_item_whose_output_is_of_no_use_is_done_again(script: Script):
    made = [{"n": 1}, {"n": "two"}, {"n": 2}]
    inner = script.workflow({"id": "in", "agent": script.playing("in", lambda _: done(made.pop(0)))}, short="inner")
    wants = {"type": "object", "properties": {"n": {"type": "integer"}}}
    each = {"path": "l", "max_parallel": 1}
    first = script.ran({"id": "many", "workflow": inner, "each": each, "output_schema": wants}, given={"l": [1, 2]})
    assert (first["status"], first["error"]["item"]) == ("failed", 1)
    second = script.house.ended(resumed(script, first["id"])["id"])
    assert (second["status"], [each["n"] for each in second["output"]["many"]]) == ("completed", [1, 2])


def test_items_of_another_list_are_done_anew(script: Script):
    answers, work = [fails(400, "broken"), done({"list": [8, 9]})], Breaks("item", 2)
    slug = script.workflow(
        {"id": "finds", "agent": script.playing("finds", lambda _: answers.pop(0)), "stop_on_error": False},
        {"id": "many", "agent": script.playing("many", work), "each": {"path": "list", "max_parallel": 1}},
    )
    first = script.house.ended(script.start(slug, {"list": [1, 2]}))
    assert (first["status"], work.seen) == ("failed", [1, 2])
    second = script.house.ended(resumed(script, first["id"])["id"])
    assert second["output"]["many"] == [{"item": 8}, {"item": 9}]


def test_a_step_whose_work_is_done_is_not_done_again_for_the_sake_of_its_checkpoint(script: Script):
    step = {"id": "pay", "agent": script.agent("pay", {"paid": 5}), "checkpoint": "after"}
    first = script.start(script.workflow(step))
    script.house.ask(first)
    script.house.post(f"/api/runs/{first}/cancel")
    second = resumed(script, first)["id"]
    ask = script.house.ask(second)
    assert ask["arguments"] == {"paid": 5}
    # What it made is its own: the run before may be deleted while people think.
    script.house.client.delete(f"/api/runs/{first}").raise_for_status()
    script.house.answer(ask)
    assert script.house.ended(second)["output"] == {"paid": 5}
    assert len(script.asked("pay")) == 1


def test_what_a_person_refused_is_done_again_when_the_workflow_is_taken_up(script: Script):
    step = {"id": "write", "agent": script.agent("write", {"text": "Dear"}), "checkpoint": "after"}
    first = script.start(script.workflow(step))
    script.house.answer(script.house.ask(first), "deny", end_run=True, note="too short")
    script.house.ended(first)
    second = resumed(script, first)["id"]
    script.house.answer(script.house.ask(second))
    assert script.house.ended(second)["status"] == "completed"
    assert len(script.asked("write")) == 2


@pytest.mark.parametrize("changed", [False, True])
def test_a_nested_workflow_goes_on_from_its_own_last_good_step_if_it_gets_the_same(script: Script, changed: bool):
    work = Breaks("order", 1)
    inner = script.workflow(
        {"id": "read", "agent": script.echo("read")},
        {"id": "work", "agent": script.playing("work", work), "input": {"order": "input.order"}},
        short="inner",
    )
    step = {"id": "inner", "workflow": inner, "input": {"order": "order"}, "checkpoint": "before"}
    first = script.start(script.workflow(step), {"order": 1})
    script.house.answer(script.house.ask(first))
    assert script.house.ended(first)["status"] == "failed"
    newer = {"slug": inner, "name": inner, "steps": [{"id": "other", "agent": script.agent("other")}]}
    script.house.client.put(f"/api/workflows/{inner}", json=newer).raise_for_status()
    work.at = None
    second = resumed(script, first)["id"]
    script.house.answer(script.house.ask(second), arguments={"order": 2 if changed else 1})
    assert script.house.ended(second)["status"] == "completed"
    below = script.steps(second)["inner"]["run_id"]
    if changed:
        assert set(script.steps(below)) == {"other"}
    else:
        assert (len(script.asked("read")), work.seen) == (1, [1, 1])
        assert script.house.run(below)["retries_id"] == script.steps(first)["inner"]["run_id"]


def test_an_input_that_what_is_deployed_now_does_not_take_starts_nothing(script: Script):
    slug = script.workflow({"id": "a", "agent": script.agent("a")})
    run = script.house.ended(script.start(slug, {"x": 1}))["id"]
    wants = {"type": "object", "properties": {"y": {"type": "integer"}}, "required": ["y"]}
    newer = {"slug": slug, "name": slug, "input_schema": wants, "steps": [{"id": "b", "agent": script.agent("b")}]}
    script.house.client.put(f"/api/workflows/{slug}", json=newer).raise_for_status()
    refused = script.house.post(f"/api/runs/{run}/retry", {"from": "start"}, 422)
    assert "does not fit the workflow's schema" in refused["detail"]
    # As it ran, it still goes on.
    assert set(script.steps(resumed(script, run)["id"])) == {"a"}


def test_a_further_try_of_a_nested_workflow_does_not_do_its_good_steps_again(script: Script):
    answers = [fails(400, "broken"), done({"worked": True})]
    inner = script.workflow(
        {"id": "pay", "agent": script.agent("pay", {"paid": 5})},
        {"id": "work", "agent": script.playing("work", lambda _: answers.pop(0))},
        short="inner",
    )
    run = script.ran({"id": "inner", "workflow": inner, "retries": 1, "retry_backoff_seconds": 0.01})
    assert (run["status"], run["output"]) == ("completed", {"paid": 5, "worked": True})
    assert len(script.asked("pay")) == 1
    assert script.steps(run["id"])["inner"]["attempt"] == 2


def paying(script: Script) -> tuple[str, list[dict[str, Any]]]:
    """A workflow's run whose first step is good and whose second one failed; and what the second one will say."""
    answers: list[dict[str, Any]] = [fails(400, "broken")]
    slug = script.workflow(
        {"id": "a", "agent": script.agent("a", {"x": 1})},
        {"id": "b", "agent": script.playing("b", lambda _: answers.pop(0) if answers else done({"paid": 5}))},
    )
    return script.house.ended(script.start(slug))["id"], answers


@pytest.mark.both_databases
def test_four_who_resume_a_run_at_once_do_the_rest_once(script: Script):
    run, _ = paying(script)
    answers = at_once(4, lambda _: script.house.client.post(f"/api/runs/{run}/retry", json={"from": "last_good"}))
    (made,) = [answer.json() for answer in answers if answer.status_code == 201]
    assert script.house.ended(made["id"])["status"] == "completed"
    for answer in answers:
        if answer.status_code != 201:
            assert (answer.status_code, answer.json()["state"]["run_id"]) == (409, made["id"])
    later = resumed(script, run, 409)
    assert later["state"] == {"status": "failed", "run_id": made["id"], "run_status": "completed"}
    assert f"the run {made['id']} completed it" in later["detail"]
    assert len(script.asked("b")) == 2, "once in vain, and once more"
    # All of it anew is something else.
    again = script.house.post(f"/api/runs/{run}/retry", {"from": "start"}, 201)
    assert script.house.ended(again["id"])["status"] == "completed"


def test_where_the_run_that_went_on_ended_badly_another_goes_on(script: Script):
    run, answers = paying(script)
    answers.append(fails(400, "broken"))
    second = resumed(script, run)["id"]
    assert script.house.ended(second)["status"] == "failed"
    third = resumed(script, second)["id"]
    assert script.house.ended(third)["status"] == "completed"
    # The same work is done, whichever of the runs before it somebody takes up.
    for each in (run, second):
        assert resumed(script, each, 409)["state"]["run_id"] == third
