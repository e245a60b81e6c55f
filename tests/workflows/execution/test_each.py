"""One run per item: in order, bounded, and none of them twice."""

import threading
from typing import Any

import pytest

from signoff.tools.registry import tool
from tests.house import House
from tests.wire import fails
from tests.workflows.script import Script, done, given


@pytest.fixture
def script(house: House) -> Script:
    return Script(house)


class AtWork:
    """Counts how many models are at work at the same time. The first one is done only when the third has begun."""

    def __init__(self) -> None:
        self.now = self.most = 0
        self.begins_beside = False
        self.lock, self.third = threading.Lock(), threading.Event()
        self.seen = list[Any]()

    def __call__(self, request: dict[str, Any]) -> dict[str, Any]:
        item = given(request)["item"]
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
            self.seen.append(item)
        if item == 3:
            self.third.set()
        elif item == 1:
            self.begins_beside = self.third.wait(20)
        elif item == 2:
            # Gives a third the time to be one too many.
            self.third.wait(0.3)
        with self.lock:
            self.now -= 1
        return done(item * 10)


def test_results_stand_in_the_order_of_the_list_and_no_more_run_at_once_than_said(script: Script):
    at_work = AtWork()
    step = {"id": "many", "agent": script.playing("many", at_work), "each": {"path": "list", "max_parallel": 2}}
    run = script.ran(step, given={"list": [1, 2, 3, 4, 5]})
    assert run["output"] == {"list": [1, 2, 3, 4, 5], "many": [10, 20, 30, 40, 50]}
    assert at_work.most == 2
    assert at_work.begins_beside, "the third one waits for nothing but the end of the second"
    runs = script.steps(run["id"])["many"]["runs"]
    assert [each["index"] for each in runs] == [0, 1, 2, 3, 4]
    assert script.house.run(runs[3]["run_id"])["output"] == 40


def test_an_item_comes_under_its_name_with_its_place_and_what_else_was_mapped(script: Script):
    step = {
        "id": "many",
        "agent": script.echo(),
        "each": {"path": "rows", "as": "row"},
        "input": {"id": "row.id", "lang": "lang"},
    }
    run = script.ran(step, given={"rows": [{"id": 7}, {"id": 8}], "lang": "de"})
    assert run["output"]["many"] == [
        {"row": {"id": 7}, "index": 0, "id": 7, "lang": "de"},
        {"row": {"id": 8}, "index": 1, "id": 8, "lang": "de"},
    ]


def test_an_empty_list_makes_an_empty_list(script: Script):
    step = {"id": "many", "agent": script.echo(), "each": "list"}
    run = script.ran(step, {"id": "after", "agent": script.agent("after", {"ok": 1})}, given={"list": []})
    assert run["output"] == {"list": [], "many": [], "ok": 1}
    assert script.states(run["id"])["many"] == "succeeded"


def test_one_item_makes_a_list_of_one(script: Script):
    run = script.ran({"id": "many", "agent": script.echo(), "each": "list"}, given={"list": ["x"]})
    assert run["output"]["many"] == [{"list": ["x"], "item": "x", "index": 0}]


@pytest.mark.parametrize("given_", [{"list": {"a": 1}}, {}])
def test_what_is_no_list_fails_the_step(script: Script, given_: dict[str, Any]):
    run = script.ran({"id": "many", "agent": script.echo(), "each": "list"}, given=given_)
    assert (run["status"], run["error"]["step"]) == ("failed", "many")
    assert "`list`" in run["error"]["message"]


def test_an_item_that_fails_ends_the_others_and_no_more_begin(script: Script):
    hang = threading.Event()

    def play(request: dict[str, Any]) -> dict[str, Any]:
        item = given(request)["item"]
        if item == "bad":
            return fails(400, "broken")
        hang.wait(30)
        return done(item)

    step = {"id": "many", "agent": script.playing("many", play), "each": {"path": "list", "max_parallel": 2}}
    steps = (step | {"stop_on_error": False}, {"id": "after", "agent": script.agent("after", {"ok": 1})})
    run = script.ran(*steps, given={"list": ["slow", "bad", "never"]})
    hang.set()
    assert (run["status"], run["output"]["ok"], "many" in run["output"]) == ("completed", 1, False)
    found = script.steps(run["id"])["many"]
    assert (found["status"], found["error"]["item"]) == ("failed", 1)
    assert script.house.ended(found["runs"][0]["run_id"])["status"] == "cancelled"
    assert found["runs"][2]["run_id"] is None


def test_only_the_items_that_failed_are_tried_again(script: Script):
    seen, lock = list[int](), threading.Lock()

    def play(request: dict[str, Any]) -> dict[str, Any]:
        item = given(request)["item"]
        with lock:
            seen.append(item)
        return fails(400, "broken") if item == 2 and seen.count(2) == 1 else done(item)

    step = {"id": "many", "agent": script.playing("many", play), "each": "list", "retries": 1}
    run = script.ran(step | {"retry_backoff_seconds": 0.01}, given={"list": [1, 2, 3]})
    assert (run["status"], run["output"]["many"]) == ("completed", [1, 2, 3])
    assert sorted(seen) == [1, 2, 2, 3]


def test_a_tool_gets_for_each_item_its_arguments_and_nothing_beside_them(script: Script):
    mapped = {"id": "mapped", "tool": "list_files", "each": "rows", "input": {"path": "item.folder"}}
    named = {"id": "named", "tool": "list_files", "each": {"path": "folders", "as": "path"}}
    run = script.ran(mapped, named, given={"rows": [{"folder": "."}, {"folder": ""}], "folders": ["."]})
    assert run["status"] == "completed", run["error"]
    steps = script.steps(run["id"])
    calls = [script.house.calls(each["run_id"])[0] for each in steps["mapped"]["runs"]]
    assert [each["arguments"] for each in calls] == [{"path": "."}, {"path": ""}]
    assert script.house.calls(steps["named"]["run_id"])[0]["arguments"] == {"path": "."}


def test_a_workflow_that_takes_no_more_fields_gets_those_that_are_mapped(script: Script):
    takes = {"type": "object", "properties": {"order": {"type": "integer"}}, "additionalProperties": False}
    inner = script.workflow({"id": "x", "agent": script.echo("x")}, short="inner", input_schema=takes)
    mapped = {"id": "mapped", "workflow": inner, "each": "list", "input": {"order": "item"}}
    named = {"id": "named", "workflow": inner, "each": {"path": "list", "as": "order"}, "input": {}}
    run = script.ran(mapped, named, given={"list": [7]})
    assert run["status"] == "completed", run["error"]
    assert [run["output"][each] for each in ("mapped", "named")] == [[{"order": 7}]] * 2


def test_three_hundred_items_are_each_done_once_and_in_order(script: Script):
    seen = list[int]()

    def tenfold(number: int) -> dict[str, int]:
        """Ten times as much."""
        seen.append(number)
        return {"made": number * 10}

    script.house.parts.context.registry.register(tool(risk="low")(tenfold))
    step = {"id": "many", "tool": "tenfold", "each": {"path": "list", "max_parallel": 20}}
    run = script.ran({**step, "input": {"number": "item"}}, given={"list": list(range(300))})
    assert (run["status"], run["error"]) == ("completed", None)
    assert run["output"]["many"] == [{"made": number * 10} for number in range(300)]
    assert sorted(seen) == list(range(300))
