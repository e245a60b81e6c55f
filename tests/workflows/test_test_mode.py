"""Tests of agents and workflows: nothing reaches the outside, and everybody sees that it is a test."""

from typing import Any

import pytest

from tests.house import House
from tests.wire import call, says

SEND = {"channel": "#sales", "text": "Hello"}
NOT_MADE = "Test: this call was not made."


def sender(house: House, slug: str, *calls: dict[str, Any], **fields: Any) -> str:
    """An agent that makes these calls, one reply each, and is done."""
    replies = [says("", each) for each in calls] + [says("", call("complete_task", {"summary": "done"}))]
    tools = ("send_message", "write_file", "read_file", "keep_memory", "find_memory")
    return house.agent(slug, house.model.script(slug, *replies), *tools, autonomy="full", **fields)


def said(house: House, run_id: str) -> dict[str, Any]:
    """What each tool gave."""
    return {each["tool"]: each["result"] for each in house.calls(run_id)}


def messages(house: House, run_id: str) -> list[Any]:
    return [each for each in house.get("/api/notifications", limit=200)["items"] if each["run_id"] == run_id]


@pytest.mark.both_databases
def test_what_reaches_the_outside_is_not_done_and_the_run_goes_on_with_words(house: House):
    calls = [
        call("write_file", {"path": "a.txt", "content": "kept"}),
        call("read_file", {"path": "a.txt"}),
        call("send_message", SEND),
        call("keep_memory", {"text": "a secret of the test"}),
    ]
    run_id = house.start(sender(house, "test-sender", *calls), test=True)
    run = house.ended(run_id)
    assert (run["status"], run["test"]) == ("completed", True)
    results = said(house, run_id)
    assert results["send_message"].startswith(f"{NOT_MADE} It would have done this: Send a message to #sales.")
    assert "reads it in their notices" in results["send_message"]
    assert results["keep_memory"].startswith(NOT_MADE)
    # Its own folder is its own.
    assert "kept" in str(results["read_file"])
    assert not [each for each in messages(house, run_id) if each["kind"] == "message"]
    assert "a secret of the test" not in house.client.get("/api/memory").text
    undo = {each["tool"]: each["undo"]["why"] for each in house.calls(run_id)}
    assert (undo["write_file"], undo["keep_memory"]) == (None, "It was not made: this was a test.")
    first = next(each["id"] for each in house.calls(run_id) if each["tool"] == "write_file")
    since = house.get(f"/api/runs/{run_id}/calls/{first}/undo-since")
    # What never happened is neither undone nor left as it is.
    assert ([each["call_id"] for each in since["steps"]], since["left"]) == ([first], [])


def test_the_same_run_that_is_no_test_sends(house: House):
    run_id = house.start(sender(house, "real-sender", call("send_message", SEND)))
    assert house.ended(run_id)["test"] is False
    assert said(house, run_id)["send_message"] == "Sent to #sales."


@pytest.mark.both_databases
def test_the_steps_of_a_tested_workflow_are_tests_and_so_are_their_asks(house: House):
    step = {"id": "send", "tool": "send_message", "input": {name: {"const": each} for name, each in SEND.items()}}
    schema = {"type": "object", "properties": {"ticket": {"type": "string"}}, "required": ["ticket"]}
    after = {"id": "again", "tool": "send_message", "input": {"channel": {"const": "#all"}, "text": "ticket"}}
    steps = [step | {"output_schema": schema}, after]
    inner = {"slug": "tested-inner", "name": "Inner", "steps": steps}
    house.post("/api/workflows", inner, 201)
    outer = {"slug": "tested", "name": "Outer", "steps": [{"id": "inner", "workflow": "tested-inner"}]}
    house.post("/api/workflows", outer, 201)
    run = house.post("/api/workflows/tested/execute", {"input": {}, "test": True}, 201)
    for _ in steps:
        ask = house.until(lambda: [a for a in house.get("/api/asks", status="pending")["items"] if a["test"]])[0]
        house.answer(ask)
        house.until(lambda ask=ask: house.get(f"/api/asks/{ask['id']}")["status"] == "approved" or None)
    ended = house.ended(run["id"])
    assert ended["status"] == "completed", ended["error"]
    # Where a schema says what comes out, something that fits it stands for what was not done.
    assert ended["output"]["ticket"] == "text"
    assert ended["output"]["again"].startswith(NOT_MADE)
    found = house.get("/api/runs", limit=200)["items"]
    family = [each for each in found if each["workflow"] in ("tested", "tested-inner")]
    assert len(family) == 4
    assert all(each["test"] for each in family)


def test_no_run_that_goes_on_from_a_test_is_real(house: House):
    slug = sender(house, "test-again", *[call("send_message", SEND)] * 3)
    run_id = house.start(slug, test=True)
    house.ended(run_id)
    again = house.post(f"/api/runs/{run_id}/retry", {"from": "start"}, 201)
    further = house.post(f"/api/runs/{run_id}/continue", {"instructions": "Once more."}, 201)
    assert [again["test"], further["test"]] == [True, True]


def test_events_and_the_record_say_that_it_is_a_test(house: House):
    run_id = house.start(sender(house, "test-told", call("send_message", SEND)), test=True)
    house.ended(run_id)
    activity = house.get(f"/api/runs/{run_id}/activity", limit=200)["items"]
    marked = {each["type"] for each in activity if each["data"].get("test")}
    assert {"run.created", "run.status", "run.ended"} <= marked
    entries = house.get("/api/audit", run=run_id, limit=200)["items"]
    assert {"run.started", "call.succeeded"} <= {each["action"] for each in entries if each["data"].get("test")}


@pytest.mark.parametrize("how", ["run", "agent", "rule"])
def test_what_passes_in_a_test_is_not_remembered(house: House, how: str):
    model = house.model.script(f"test-kept-{how}", says("", call("send_message", SEND)))
    ask = house.ask(house.start(house.agent(f"test-kept-{how}", model, "send_message"), test=True))
    assert house.get(f"/api/asks/{ask['id']}/remember")["scopes"] == []
    refused = house.answer(ask, remember=how, status=422)
    assert "it is a test" in refused["detail"]
    assert not [
        each for each in house.get("/api/rules/allowances", limit=200)["items"] if each["agent"] == ask["agent"]
    ]


def test_decisions_in_a_test_are_no_evidence_about_real_calls(house: House):
    def decided(**fields: Any) -> dict[str, Any]:
        run_id = house.start("test-evidence", **fields)
        ask = house.ask(run_id)
        return ask | {"looked_at": house.get(f"/api/asks/{ask['id']}/remember")["looked_at"]}

    model = house.model.script("test-evidence", *[says("", call("send_message", SEND))] * 3)
    house.agent("test-evidence", model, "send_message")
    before = house.post("/api/rules/simulate", {"yaml": "checkpoints: []"})["evaluated"]
    house.answer(decided(test=True))
    real = decided()
    assert real["looked_at"] == 0
    assert real["impact"]["first_time"] is True
    after = house.post("/api/rules/simulate", {"yaml": "checkpoints: []"})["evaluated"]
    assert after == before + 1
