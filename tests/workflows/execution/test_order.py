"""Which steps run, and when: conditions, needs, errors that stop and errors that do not."""

import threading
from datetime import datetime
from itertools import pairwise
from typing import Any

import httpx
import pytest

from signoff.kit import clock
from tests.house import House
from tests.wire import fails
from tests.workflows.script import Script, done, given


@pytest.fixture
def script(house: House) -> Script:
    return Script(house)


def test_a_step_whose_condition_is_false_is_skipped_and_what_needs_it_goes_on(script: Script):
    steps = (
        {"id": "a", "agent": script.agent("a", {"amount": 5})},
        {"id": "b", "agent": script.agent("b"), "when": "amount > 100"},
        {"id": "c", "agent": script.echo("c"), "input": {"b": {"path": "steps.b", "default": "none"}}},
    )
    run = script.ran(*steps)
    assert script.states(run["id"]) == {"a": "succeeded", "b": "skipped", "c": "succeeded"}
    assert (run["status"], run["output"]) == ("completed", {"amount": 5, "b": "none"})
    assert script.asked("b") == []


def test_a_condition_that_fails_names_its_step_and_ends_the_run(script: Script):
    steps = (
        {"id": "a", "agent": script.agent("a")},
        {"id": "b", "name": "Second", "agent": script.agent("b"), "when": "missing > 1", "retries": 3},
    )
    run = script.ran(*steps)
    assert (run["status"], run["error"]["step"]) == ("failed", "b")
    assert run["error"]["message"].startswith("Step 2 of 2, Second: its condition failed")
    assert script.steps(run["id"])["b"]["attempt"] == 1


def test_a_missing_path_names_its_step_and_itself(script: Script):
    steps = (
        {"id": "a", "agent": script.agent("a", {"x": {"y": 1}})},
        {"id": "b", "agent": script.agent("b"), "input": {"z": "x.nothing"}},
    )
    run = script.ran(*steps)
    assert run["error"]["message"] == "Step 2 of 2, b: `x.nothing`, for its input `z`, is not in the context."
    assert (run["error"]["step"], run["error"]["step_number"], run["error"]["steps"]) == ("b", 2, 2)


def test_steps_that_need_the_same_run_at_the_same_time(script: Script):
    both = threading.Barrier(2)

    def meet(request: dict[str, Any]) -> dict[str, Any]:
        both.wait(30)
        return done({given(request)["me"]: True})

    steps = (
        {"id": "a", "agent": script.agent("a", {"n": 1})},
        {"id": "b", "agent": script.playing("b", meet), "needs": ["a"], "input": {"me": {"const": "b"}}},
        {"id": "c", "agent": script.playing("c", meet), "needs": ["a"], "input": {"me": {"const": "c"}}},
        {"id": "d", "agent": script.echo("d"), "needs": ["b", "c"]},
    )
    run = script.ran(*steps)
    assert run["output"] == {"n": 1, "b": True, "c": True}
    assert script.steps(run["id"])["d"]["input"] == {"n": 1, "b": True, "c": True}


def test_a_failed_step_stops_the_run_and_what_runs_beside_it(script: Script):
    hang = threading.Event()

    def slow(_request: dict[str, Any]) -> dict[str, Any]:
        hang.wait(30)
        return done({})

    steps = (
        {"id": "good", "agent": script.agent("good", {"kept": [1, None]})},
        {"id": "slow", "agent": script.playing("slow", slow), "needs": ["good"]},
        {"id": "bad", "agent": script.playing("bad", lambda _: fails(400, "broken")), "needs": ["good"]},
        {"id": "late", "agent": script.agent("late"), "needs": ["slow", "bad"]},
    )
    run = script.ran(*steps)
    found = script.steps(run["id"])
    hang.set()
    assert {name: each["status"] for name, each in found.items()} == {
        "good": "succeeded",
        "slow": "cancelled",
        "bad": "failed",
        "late": "cancelled",
    }
    assert script.house.ended(found["slow"]["run_id"])["status"] == "cancelled"
    assert found["good"]["output"] == {"kept": [1, None]}
    assert script.asked("late") == []


@pytest.mark.parametrize("by", ["step", "workflow"])
def test_an_error_that_does_not_stop_lets_the_rest_go_on(script: Script, by: str):
    bad = {"id": "bad", "agent": script.playing("bad", lambda _: fails(400, "broken"))}
    last = {"id": "last", "agent": script.agent("last", {"made": 1})}
    if by == "step":
        run = script.ran(bad | {"stop_on_error": False}, last)
    else:
        run = script.ran(bad, last, stop_on_error=False)
    assert (run["status"], run["output"]) == ("completed", {"made": 1})
    found = script.steps(run["id"])["bad"]
    assert (found["status"], found["output"]) == ("failed", None)
    assert "broken" in found["error"]["message"]
    assert run["summary"] == "1 of 2 steps succeeded. Failed: bad."


def test_a_step_may_stop_a_workflow_that_otherwise_goes_on(script: Script):
    bad = {"id": "bad", "agent": script.playing("bad", lambda _: fails(400, "broken")), "stop_on_error": True}
    run = script.ran(bad, {"id": "last", "agent": script.agent("last")}, stop_on_error=False)
    assert (run["status"], script.states(run["id"])["last"]) == ("failed", "cancelled")


def test_a_failed_step_is_tried_again_and_only_the_last_try_counts(script: Script):
    script_of = iter([fails(400, "broken"), fails(400, "broken"), done({"third": True})])
    step = {"id": "a", "agent": script.playing("a", lambda _: next(script_of)), "retries": 2}
    run = script.ran(step | {"retry_backoff_seconds": 0.01})
    found = script.steps(run["id"])["a"]
    assert (run["status"], run["output"], found["attempt"]) == ("completed", {"third": True}, 3)
    assert found["error"] is None


def test_a_further_try_gets_what_a_person_made_of_the_input(script: Script, house: House):
    seen = list[Any]()

    def answering(request: dict[str, Any]) -> dict[str, Any]:
        seen.append(given(request))
        return fails(400, "broken") if len(seen) == 1 else done({"ok": True})

    step = {"id": "a", "agent": script.playing("a", answering), "checkpoint": "before", "retries": 1}
    run_id = script.start(script.workflow(step | {"retry_backoff_seconds": 0.01}), {"amount": 1})
    house.answer(house.ask(run_id), arguments={"amount": 2})
    assert house.ended(run_id)["status"] == "completed"
    assert seen == [{"amount": 2}, {"amount": 2}]
    assert script.steps(run_id)["a"]["input"] == {"amount": 2}


def test_it_waits_between_tries_twice_as_long_each_time(script: Script):
    step = {"id": "a", "agent": script.playing("a", lambda _: fails(400, "broken")), "retries": 2}
    run = script.ran(step | {"retry_backoff_seconds": 0.05})
    runs = sorted(script.children(run["id"]), key=lambda child: child["created_at"])
    times = [(datetime.fromisoformat(each["created_at"]), datetime.fromisoformat(each["ended_at"])) for each in runs]
    waits = [(begin - end).total_seconds() for (_, end), (begin, _) in pairwise(times)]
    assert (run["status"], len(runs)) == ("failed", 3)
    assert waits[0] >= 0.05
    assert waits[1] >= 0.1


def test_an_input_that_a_workflow_does_not_take_is_named_with_its_place(script: Script):
    schema = {"type": "object", "required": ["n"], "properties": {"n": {"type": "number"}}}
    inner = script.workflow({"id": "a", "agent": script.agent("a")}, short="inner", input_schema=schema)
    run = script.ran({"id": "inner", "workflow": inner})
    wanted = "Step 1 of 1, inner: The input does not fit the workflow's schema. input: 'n' is missing."
    assert run["error"]["message"] == wanted


def test_a_workflow_inside_another_says_of_which_one_it_is_a_part(script: Script):
    inner = script.workflow({"id": "a", "agent": script.agent("a")}, short="inner")
    run = script.ran({"id": "part", "name": "The part", "workflow": inner})
    child = script.house.run(script.steps(run["id"])["part"]["run_id"])
    assert child["title"] == f"The part · {run['title']}"


@pytest.mark.parametrize("how", ["cancel", "complete"])
def test_no_step_of_a_run_that_a_person_ends_seems_to_be_under_way(script: Script, how: str):
    waits = threading.Event()

    def wait(_request: dict[str, Any]) -> dict[str, Any]:
        waits.wait(30)
        return done({})

    slug = script.workflow({"id": "a", "agent": script.playing("a", wait)}, {"id": "b", "agent": script.agent("b")})
    run = script.start(slug)
    script.house.until(lambda: script.states(run)["a"] == "running")
    script.house.post(f"/api/runs/{run}/{how}")
    waits.set()
    assert script.states(run) == {"a": "cancelled", "b": "cancelled"}
    a = script.steps(run)["a"]
    assert a["ended_at"] == script.house.run(run)["ended_at"]
    dashboard = script.house.get("/api/runs/dashboard")
    assert [each["kind"] for each in dashboard["needs_attention"] if run in (each["id"], each["parent_id"])] == [
        "workflow"
    ]


def paused(client: httpx.Client, enabled: bool) -> None:
    client.post("/api/pause-all", json={"enabled": enabled}).raise_for_status()


def test_while_everything_is_paused_no_step_begins_and_afterwards_it_goes_on(script: Script, house: House):
    slug = script.workflow(
        {"id": "a", "agent": script.agent("a", {"x": 1}), "checkpoint": "after"},
        {"id": "b", "agent": script.agent("b", {"y": 2})},
    )
    waiting = script.start(slug)
    ask = house.ask(waiting)
    paused(house.client, True)
    try:
        later = script.start(slug)
        house.answer(ask)
        assert house.get("/api/pause-all")["held_runs"] == 2
        assert script.states(waiting) == {"a": "waiting", "b": "pending"}
    finally:
        lifted = clock.now().isoformat()
        paused(house.client, False)
    house.answer(house.ask(later))
    assert [house.ended(each)["output"] for each in (waiting, later)] == [{"x": 1, "y": 2}] * 2
    begun = [script.steps(run)[step]["started_at"] for run, step in ((waiting, "b"), (later, "a"), (later, "b"))]
    assert min(begun).removesuffix("Z") >= lifted.removesuffix("+00:00"), "nothing began before"
    assert len(script.asked("a")) == 2
