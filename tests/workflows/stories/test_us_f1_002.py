"""Seed 001, US-F1-002: complex JSON goes from agent to agent with its types, and nothing of it is lost."""

import json
from typing import Any

import pytest

from signoff.runs.workflow.limits import MOST_BYTES
from tests.house import House
from tests.wire import Answering, says
from tests.workflows.script import Script, done, given

TICKET = {
    "ticket_id": "CS-1234",
    "customer_id": "CUST-5678",
    "priority": 3,
    "tags": ["billing", "refund", "urgent"],
    "sentiment": "frustrated",
    "confidence": 0.87,
    "extracted_entities": {"amount": 99.99, "currency": "USD", "product_ids": [101, 102], "none": None},
    "metadata": {"processing_time_ms": 1250, "llm_model": "gpt-4o", "is_test": False},
}
SCHEMA = {"type": "object", "properties": {"priority": {"type": "string"}}, "required": ["priority"]}


@pytest.fixture
def script(house: House) -> Script:
    return Script(house)


def passed_on(script: Script, value: Any) -> Any:
    """A value that one agent makes, as the third one is told it, after the second has handed it on."""
    made = script.playing("made", lambda _: done({"value": value}))
    seen = list[str]()

    def look(request: dict[str, Any]) -> dict[str, Any]:
        seen.append(json.dumps(given(request)["value"]))
        return done({"ok": True})

    only = {"value": "value"}
    run = script.ran(
        {"id": "first", "agent": made},
        {"id": "second", "agent": script.echo(), "input": only},
        {"id": "third", "agent": script.playing("third", look), "input": only},
    )
    assert run["status"] == "completed", run["error"]
    assert json.dumps(run["output"]["value"]) == seen[0]
    return json.loads(seen[0])


def same(one: Any, other: Any) -> bool:
    """To Python 1, 1.0 and true are equal; to JSON they are not."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def test_us_f1_002_1_every_primitive_type_arrives_as_it_was(script: Script):
    sent = ["CS-1234", "john@example.com", 42, 3.14159, -10, 1.0, 0, -0.0, 12345678901234567890, True, False, None]
    assert same(passed_on(script, sent), sent)


def test_us_f1_002_2_objects_in_arrays_and_ten_levels_arrive_as_they_were(script: Script):
    deep: Any = "bottom"
    for level in range(10, 0, -1):
        deep = {f"level{level}": [deep]} if level % 2 else {f"level{level}": deep}
    sent = {"rows": [{"id": 1, "name": "Item 1"}, {"id": 2, "name": "Item 2"}], "deep": deep, "ticket": TICKET}
    assert same(passed_on(script, sent), sent)


def test_us_f1_002_2_agents_get_the_context_as_the_story_shows_it(script: Script):
    steps = (
        {"id": "analyze", "agent": script.agent("analyze", TICKET)},
        {
            "id": "customer",
            "agent": script.agent("customer", {"customer_360": {"profile": {}, "purchase_history": []}}),
            "input": {"customer_id": "customer_id", "ticket_context": "steps.analyze"},
        },
        {"id": "solve", "agent": script.echo(), "input": {"ticket": "steps.analyze", "customer_360": "customer_360"}},
    )
    run = script.ran(*steps)
    found = script.steps(run["id"])
    assert found["customer"]["input"] == {"customer_id": "CUST-5678", "ticket_context": TICKET}
    assert found["solve"]["output"] == {
        "ticket": TICKET,
        "customer_360": {"profile": {}, "purchase_history": []},
    }


def of_bytes(size: int) -> dict[str, str]:
    """An output that has exactly so many bytes as JSON."""
    return {"blob": "x" * (size - len('{"blob":""}'))}


def test_us_f1_002_3_ten_megabytes_pass_and_more_than_five_are_warned_of(
    script: Script, caplog: pytest.LogCaptureFixture
):
    steps = (
        {"id": "large", "agent": script.agent("large", of_bytes(MOST_BYTES))},
        {"id": "next", "agent": script.agent("next"), "input": {"blob": "blob"}},
    )
    run = script.ran(*steps)
    assert run["status"] == "completed", run["error"]
    found = script.steps(run["id"])
    assert len(found["next"]["input"]["blob"]) == MOST_BYTES - len('{"blob":""}')
    assert found["large"]["warning"] == "This output has 10.0 MB. Above 5 MB runs get slow."
    assert found["next"]["warning"] is None
    # Whoever looks on need not read all of it each time.
    large, _ = script.house.get(f"/api/runs/{run['id']}/steps", longest=1_000)["items"]
    assert (large["input"], large["output"], large["left_out"]) == ({}, None, {"output": MOST_BYTES})
    logged = f"the output of a step of run {run['id']} has {MOST_BYTES} bytes"
    assert logged in [each.getMessage() for each in caplog.records if each.levelname == "WARNING"]


def test_us_f1_002_3_a_byte_more_is_refused_with_a_clear_error(script: Script):
    made = script.saying("large", *[done(of_bytes(MOST_BYTES + 1))] * 4)
    run = script.ran({"id": "large", "agent": made}, {"id": "next", "agent": script.agent("next")})
    assert run["status"] == "failed"
    assert run["error"]["message"] == (
        "Step 1 of 2, large: The output is too large: at most 10,000,000 bytes of JSON go from a step to the next."
    )
    assert len(script.asked("large")) == 3


def test_us_f1_002_4_an_output_that_breaks_its_schema_goes_no_further_and_may_be_mended_twice(script: Script):
    made = script.saying("made", done({"priority": 3}), done({"priority": None}), done({"priority": "high"}))
    steps = ({"id": "made", "agent": made, "output_schema": SCHEMA}, {"id": "next", "agent": script.echo("next")})
    run = script.ran(*steps)
    assert (run["status"], script.steps(run["id"])["next"]["input"]) == ("completed", {"priority": "high"})
    assert "output.priority" in json.dumps(script.asked("made")[1]["messages"])


def test_us_f1_002_5_what_went_from_step_to_step_can_be_read_afterwards(script: Script):
    steps = (
        {"id": "analyze", "agent": script.agent("analyze", TICKET)},
        {"id": "solve", "agent": script.agent("solve", {"solution": "refund"}), "input": {"id": "ticket_id"}},
    )
    run = script.ran(*steps, given={"text": "help"})
    found = script.steps(run["id"])
    assert (found["analyze"]["input"], found["analyze"]["output"]) == ({"text": "help"}, TICKET)
    assert (found["solve"]["input"], found["solve"]["output"]) == ({"id": "CS-1234"}, {"solution": "refund"})
    child = script.house.run(found["solve"]["run_id"])
    assert (child["input"], child["output"]) == ({"id": "CS-1234"}, {"solution": "refund"})
    assert run["output"] == {"text": "help", **TICKET, "solution": "refund"}


def test_us_f1_002_6_the_error_says_what_was_wanted_what_came_and_where_it_is_wrong(script: Script):
    made = script.saying("made", *[done({"priority": 3})] * 4)
    run = script.ran({"id": "made", "agent": made, "output_schema": SCHEMA}, {"id": "next", "agent": script.echo()})
    error = run["error"]
    assert (run["status"], error["step"], error["schema"], error["data"]) == (
        "failed",
        "made",
        SCHEMA,
        '{"priority":3}',
    )
    assert [each["path"] for each in error["errors"]] == ["output.priority"]
    assert "string" in error["errors"][0]["message"]
    assert len(script.asked("made")) == 3


def silent(_request: dict[str, Any]) -> dict[str, Any]:
    return says("I have nothing to hand over.")


def nested(_request: dict[str, Any]) -> dict[str, Any]:
    return done({"priority": 3})


@pytest.mark.parametrize("play", [silent, nested])
def test_us_f1_002_6_whoever_hands_over_something_else_fails_in_the_same_way(script: Script, play: Answering):
    agent = script.playing("made", play)
    step: dict[str, Any] = {"id": "made", "agent": agent, "output_schema": SCHEMA}
    if play is nested:
        inner = script.workflow({"id": "inner", "agent": agent}, short="inner")
        step = {"id": "made", "workflow": inner, "output_schema": SCHEMA}
    run = script.ran(step, {"id": "next", "agent": script.agent("next")})
    assert (run["status"], run["error"]["step"]) == ("failed", "made"), run["error"]
    assert "priority" in run["error"]["message"]
    assert run["error"]["schema"] == SCHEMA
    assert script.asked("next") == []


def test_us_f1_002_7_all_of_unicode_arrives_as_it_was(script: Script):
    sent = {
        "汉字": "你好",
        "emoji": "👩‍👩‍👧 🎉",
        "rtl": "שלום",
        "combining": "e\u0301",
        "odd": "\u2028\u0000\ufffd\x7f",
    }
    assert same(passed_on(script, sent), sent)


def test_us_f1_002_8_empty_values_stay_what_they_are(script: Script):
    sent = {"": "", "text": "", "list": [], "object": {}, "nested": [[], {}, "", None], "zero": 0, "no": False}
    assert same(passed_on(script, sent), sent)


def test_us_f1_002_8_an_empty_output_is_an_output(script: Script):
    run = script.ran({"id": "a", "agent": script.playing("a", lambda _: done({}))}, given={"kept": 1})
    assert (run["output"], script.steps(run["id"])["a"]["output"]) == ({"kept": 1}, {})
