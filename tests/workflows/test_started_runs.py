"""Agents let others work for them: child runs within the parent's limits, waited for as rows."""

from datetime import timedelta
from typing import Any

import pytest

from signoff.kit import clock
from signoff.runs.models import Run
from signoff.runs.workflow.people_time import time_of_people
from tests.house import House
from tests.wire import call, results, says

SEND = {"channel": "#sales", "text": "Hello"}


def done(output: Any) -> dict[str, Any]:
    return says("", call("complete_task", {"summary": "done", "output": output}))


def worker(house: House, slug: str, output: Any, *calls: dict[str, Any], **fields: Any) -> str:
    replies = [*(says("", each) for each in calls), done(output)]
    return house.agent(slug, house.model.script(slug, *replies * 5), "send_message", **fields)


def boss(house: House, slug: str, *wanted: dict[str, Any], **fields: Any) -> str:
    """An agent that starts each of these, one reply each, and is done."""
    replies = [*(says("", call("start_run", each)) for each in wanted), done({"seen": "all"})]
    return house.agent(slug, house.model.script(slug, *replies * 3), "start_run", **fields)


def children(house: House, run_id: str) -> list[dict[str, Any]]:
    found = house.get("/api/runs", limit=200)["items"]
    return sorted((each for each in found if each["parent_id"] == run_id), key=lambda each: each["id"])


def child(house: House, run_id: str) -> dict[str, Any]:
    return house.until(lambda: children(house, run_id))[0]


def only_call(house: House, run_id: str) -> dict[str, Any]:
    return next(each for each in house.calls(run_id) if each["tool"] == "start_run")


@pytest.mark.both_databases
def test_the_output_of_the_run_that_was_started_is_the_calls_result(house: House):
    worker(house, "sub-worker", {"found": [1, 2.50]})
    wanted = {"agent": "sub-worker", "task": "Find it", "input": {"where": "there"}}
    run = house.ended(house.start(boss(house, "sub-boss", wanted)))
    assert run["status"] == "completed", run["error"]
    made, (below,) = only_call(house, run["id"]), children(house, run["id"])
    assert (made["status"], made["result"]) == ("succeeded", {"found": [1, 2.50]})
    assert (below["agent"], below["task"], below["input"]) == ("sub-worker", "Find it", {"where": "there"})
    assert made["started_run_id"] == below["id"]
    assert (below["parent_call_id"], below["created_by"]) == (made["id"], run["created_by"])
    assert "found" in results(house.model.asked("sub-boss")[-1])[-1]


@pytest.mark.both_databases
def test_a_workflow_is_started_the_same_way_and_its_failure_comes_back_in_words(house: House):
    worker(house, "sub-step", {"total": 3})
    schema = {"type": "object", "properties": {"order": {"type": "integer"}}, "required": ["order"]}
    steps = [{"id": "count", "agent": "sub-step"}]
    house.post("/api/workflows", {"slug": "sub-flow", "name": "Count", "input_schema": schema, "steps": steps}, 201)
    wrong, right = {"workflow": "sub-flow", "input": {}}, {"workflow": "sub-flow", "input": {"order": 7}}
    unknown = {"agent": "nobody-here", "task": "Try"}
    run = house.ended(house.start(boss(house, "flow-boss", wrong, right, unknown)))
    assert run["status"] == "completed", run["error"]
    calls = [each for each in house.calls(run["id"]) if each["tool"] == "start_run"]
    assert [each["status"] for each in calls] == ["failed", "succeeded", "failed"]
    assert "does not fit" in calls[0]["error"]
    assert calls[1]["result"] == {"order": 7, "total": 3}
    assert "nobody-here" in calls[2]["error"]
    # What could not be started left nothing behind.
    assert [each["workflow"] for each in children(house, run["id"])] == ["sub-flow"]


@pytest.mark.both_databases
def test_its_asks_wait_in_the_inbox_and_the_parent_waits_without_asking_anybody(house: House):
    worker(house, "sub-sender", {"sent": True}, call("send_message", SEND), autonomy="full")
    wanted = {"agent": "sub-sender", "task": "Send it"}
    run_id = house.start(boss(house, "strict-boss", wanted, autonomy="approve_high_risk"))
    below = child(house, run_id)
    # No looser than who started it.
    assert below["autonomy"] == "approve_high_risk"
    ask = house.ask(below["id"])
    assert house.run(run_id)["title"] in ask["run_title"]
    assert house.run(run_id)["status"] == "running"
    assert house.asks(run_id) == []
    assert [each["id"] for each in house.get("/api/asks", run=run_id, below=True)["items"]] == [ask["id"]]
    house.answer(ask)
    assert house.ended(run_id)["status"] == "completed"


@pytest.mark.both_databases
def test_cancelling_the_parent_cancels_what_it_started(house: House):
    worker(house, "sub-waits", {"sent": True}, call("send_message", SEND))
    run_id = house.start(boss(house, "cancelled-boss", {"agent": "sub-waits", "task": "Send it"}))
    below = child(house, run_id)
    ask = house.ask(below["id"])
    house.post(f"/api/runs/{run_id}/cancel")
    assert house.ended(below["id"])["status"] == "cancelled"
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "cancelled"
    assert house.until(lambda: only_call(house, run_id)["status"] in ("failed", "unknown") or None)
    assert only_call(house, run_id)["status"] == "failed"


def test_what_was_denied_below_is_read_above(house: House):
    worker(house, "sub-denied", {"sent": True}, call("send_message", SEND))
    run_id = house.start(boss(house, "denied-boss", {"agent": "sub-denied", "task": "Send it"}))
    house.answer(house.ask(child(house, run_id)["id"]), "deny", note="Not today", end_run=True)
    assert house.ended(run_id)["status"] == "completed"
    made = only_call(house, run_id)
    assert made["status"] == "failed"
    assert "cancelled (rejected)" in made["error"]
    assert "Not today" in made["error"]


def test_who_speaks_to_the_run_below_is_no_second_pair_of_eyes_above(house: House):
    rules = (
        'version: "1.0"\ncheckpoints:\n  - name: "Four eyes"\n    trigger: {tool: send_message, agent: eyes-boss}\n'
        "    action: {four_eyes: true}\n"
    )
    assert house.client.put("/api/rules", json={"yaml": rules}).status_code == 200
    questions = [call("ask_question", {"question": "Which?"})]
    worker(house, "eyes-worker", {"ok": True}, *questions)
    replies = [
        says("", call("start_run", {"agent": "eyes-worker", "task": "Ask"})),
        says("", call("send_message", SEND)),
    ]
    model = house.model.script("eyes-boss", *replies, done({"ok": True}))
    run_id = house.start(house.agent("eyes-boss", model, "start_run", "send_message"))
    bob, eve = house.member("approver"), house.member("approver")
    question = house.ask(child(house, run_id)["id"])
    answered = bob.post(f"/api/asks/{question['id']}/answer", json={"decision": "respond", "value": "This"})
    assert answered.status_code == 200, answered.text
    ask = house.ask(run_id)
    refused = bob.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"})
    assert refused.status_code == 403, refused.text
    assert eve.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"}).status_code == 200
    assert house.ended(run_id)["status"] == "completed"
    house.client.put("/api/rules", json={"yaml": 'version: "1.0"\n'})


@pytest.mark.both_databases
def test_while_people_are_asked_below_no_workflow_above_loses_time(house: House):
    worker(house, "slow-step", {"ok": True}, call("ask_question", {"question": "Which?"}))
    house.post("/api/workflows", {"slug": "slow-in", "name": "In", "steps": [{"id": "a", "agent": "slow-step"}]}, 201)
    house.post(
        "/api/workflows", {"slug": "slow-out", "name": "Out", "steps": [{"id": "b", "workflow": "slow-in"}]}, 201
    )
    run_id = house.post("/api/runs", {"workflow": "slow-out", "input": {}}, 201)["id"]
    house.ask(child(house, child(house, run_id)["id"])["id"])
    hour = timedelta(hours=1)
    taken = house.parts.db.read(lambda s: time_of_people(s, s.get_one(Run, run_id), clock.now() + hour))
    assert taken >= hour


def test_a_plan_stops_where_a_run_cannot_be_started(house: House):
    steps = [{"tool": "start_run", "arguments": {"agent": "nobody-here", "task": "Try"}}]
    steps += [{"tool": "send_message", "arguments": SEND}]
    model = house.model.script("planning-boss", says("", call("propose_plan", {"steps": steps})), done({"ok": True}))
    run_id = house.start(house.agent("planning-boss", model, "start_run", "send_message", mode="plan"))
    house.answer(house.ask(run_id))
    assert house.ended(run_id)["status"] == "completed"
    assert {each["tool"]: each["status"] for each in house.calls(run_id)} == {
        "propose_plan": "succeeded",
        "start_run": "failed",
        "send_message": "failed",
        "complete_task": "succeeded",
    }


def test_it_gets_no_more_than_is_left(house: House):
    worker(house, "sub-limited", {"ok": True}, limits={"max_cost_credits": 50, "max_duration_hours": 2})
    wanted = {"agent": "sub-limited", "task": "Work", "limits": {"max_iterations": 7, "max_cost_credits": 40}}
    limits = {"max_cost_credits": 10, "max_duration_hours": 1}
    run = house.ended(house.start(boss(house, "limited-boss", wanted), limits=limits))
    (below,) = children(house, run["id"])
    assert below["limits"]["max_cost_credits"] <= 10
    assert below["limits"]["max_duration_hours"] <= 1
    assert below["limits"]["max_iterations"] == 7


def test_runs_start_runs_only_so_deep(house: House):
    house.agent(
        "ouroboros",
        house.model.play("ouroboros", _start_itself),
        "start_run",
    )
    run = house.ended(house.start("ouroboros"))
    depth, at = 1, run
    while below := children(house, at["id"]):
        depth, at = depth + 1, below[0]
    assert depth == 5
    assert "deep" in only_call(house, at["id"])["error"]


def _start_itself(request: dict[str, Any]) -> dict[str, Any]:
    if any(each["role"] == "tool" for each in request["messages"]):
        return done({"ok": True})
    return says("", call("start_run", {"agent": "ouroboros", "task": "Again"}))


def test_a_test_starts_only_tests(house: House):
    worker(house, "sub-tested", {"ok": True}, call("send_message", SEND), autonomy="full")
    wanted = {"agent": "sub-tested", "task": "Send it"}
    run_id = house.start(boss(house, "test-boss", wanted, autonomy="full"), test=True)
    assert house.ended(run_id)["status"] == "completed"
    (below,) = children(house, run_id)
    assert below["test"] is True
    sent = next(each for each in house.calls(below["id"]) if each["tool"] == "send_message")
    assert sent["result"].startswith("Test: this call was not made.")


def test_a_person_sees_what_would_be_started(house: House):
    worker(house, "sub-asked", {"ok": True})
    wanted = {"agent": "sub-asked", "task": "Find it"}
    run_id = house.start(boss(house, "asking-boss", wanted, autonomy="approve_all"))
    ask = house.ask(run_id)
    assert ask["title"] == "Start the agent sub-asked: Find it"
    assert ask["risk"]["level"] == "medium"
    assert ask["preview"]["summary"] == "Starts the agent sub-asked and waits for its end"
    assert children(house, run_id) == []
    house.answer(ask)
    assert house.ended(run_id)["status"] == "completed"


def test_a_retry_from_the_last_good_step_does_not_start_it_again(house: House):
    worker(house, "sub-once", {"ok": True})
    starts = says("", call("start_run", {"agent": "sub-once", "task": "Once"}))
    asks = says("", call("ask_question", {"question": "Go on?"}))
    slug = house.agent("retried-boss", house.model.script("retried-boss", starts, asks, done({"a": 1})), "start_run")
    run_id = house.start(slug)
    house.ask(run_id)
    house.post(f"/api/runs/{run_id}/cancel")
    house.ended(run_id)
    again = house.post(f"/api/runs/{run_id}/retry", {"from": "last_good"}, 201)
    house.answer(house.ask(again["id"]), "respond", value="yes")
    assert house.ended(again["id"])["status"] == "completed"
    assert only_call(house, again["id"])["result"] == {"ok": True}
    assert children(house, again["id"]) == []


def test_the_rules_of_a_workflow_reach_what_its_agents_start(house: House):
    worker(house, "sub-ruled", {"ok": True}, call("send_message", SEND), autonomy="full")
    boss(house, "ruled-boss", {"agent": "sub-ruled", "task": "Send it"}, autonomy="full")
    denies = {"name": "No messages below", "trigger": {"tool": "send_message"}, "action": "deny"}
    steps = [{"id": "lead", "agent": "ruled-boss"}]
    house.post("/api/workflows", {"slug": "ruled-flow", "name": "Ruled", "steps": steps, "rules": [denies]}, 201)
    run = house.ended(house.post("/api/runs", {"workflow": "ruled-flow", "input": {}}, 201)["id"])
    lead = house.get(f"/api/runs/{run['id']}/steps")["items"][0]["run_id"]
    (below,) = children(house, lead)
    sent = next(each for each in house.calls(below["id"]) if each["tool"] == "send_message")
    assert (sent["status"], sent["verdict"]["rule"]) == ("denied", "No messages below")


@pytest.mark.both_databases
def test_what_is_taken_from_a_run_is_taken_from_those_that_it_started_and_will_start(house: House):
    settings = {"base_url": "https://a.example"}
    house.post("/api/connections", {"slug": "taken", "kind": "http", "settings": settings}, 201)
    waits = says("", call("ask_question", {"question": "Go on?"}))
    house.agent("sub-taken", house.model.script("sub-taken", waits, done({"ok": True})), "taken__get")
    house.agent("sub-needs", house.model.script("sub-needs", done({})), connections_required=["taken"])
    wanted = [{"agent": each, "task": "Go"} for each in ("sub-taken", "sub-taken", "sub-needs")]
    run_id = house.start(boss(house, "taking-boss", *wanted, autonomy="full"), connections=["taken"])
    first = child(house, run_id)["id"]
    ask = house.ask(first)
    assert [each["revoked_at"] for each in house.get(f"/api/runs/{first}/connections")["items"]] == [None]
    assert house.client.delete(f"/api/runs/{run_id}/connections/taken").status_code == 200
    (grant,) = house.get(f"/api/runs/{first}/connections")["items"]
    assert grant["revoked_by"] == house.run(run_id)["created_by"]
    house.answer(ask, "respond", value="yes")
    second = house.until(lambda: children(house, run_id)[1:])[0]["id"]
    assert house.get(f"/api/runs/{second}/connections")["items"] == []
    house.answer(house.ask(second), "respond", value="yes")
    house.ended(run_id)
    last = [each for each in house.calls(run_id) if each["tool"] == "start_run"][-1]
    assert (last["status"], "taken from the run above" in last["error"]) == ("failed", True)


@pytest.mark.both_databases
def test_an_agent_reaches_no_further_through_what_it_starts(house: House):
    fetch = says("", call("web_fetch", {"url": "https://elsewhere.invalid/"}))
    house.agent("sub-fetch", house.model.script("sub-fetch", fetch, done({})), "web_fetch")
    steps = [{"id": "one", "agent": "sub-fetch"}]
    house.post("/api/workflows", {"slug": "fetch-flow", "name": "Fetch", "steps": steps}, 201)
    wanted = [{"agent": "sub-fetch", "task": "Read it"}, {"workflow": "fetch-flow", "input": {}}]
    run = house.ended(house.start(boss(house, "bound-boss", *wanted, egress=["example.org"])))
    direct, flow = children(house, run["id"])
    (step,) = children(house, flow["id"])
    for below in (direct, step):
        tried = next(each for each in house.calls(below["id"]) if each["tool"] == "web_fetch")
        assert "not among the hosts" in tried["error"]
    free = house.ended(house.start("sub-fetch"))
    assert "could not be fetched" in next(each["error"] for each in house.calls(free["id"]))


@pytest.mark.both_databases
def test_what_is_taken_from_a_workflow_is_taken_from_its_steps(house: House):
    settings = {"base_url": "https://a.example"}
    house.post("/api/connections", {"slug": "barred", "kind": "http", "settings": settings}, 201)
    waits = says("", call("ask_question", {"question": "Go on?"}))
    house.agent("step-uses", house.model.script("step-uses", waits, done({})), "barred__get")
    house.agent("step-needs", house.model.script("step-needs", done({})), connections_required=["barred"])
    steps = [{"id": each, "agent": f"step-{each}"} for each in ("uses", "needs")]
    house.post("/api/workflows", {"slug": "barred-flow", "name": "Barred", "steps": steps}, 201)
    run_id = house.post("/api/runs", {"workflow": "barred-flow", "input": {}}, 201)["id"]
    first = child(house, run_id)["id"]
    ask = house.ask(first)
    (shown,) = house.get(f"/api/runs/{run_id}/connections")["items"]
    assert (shown["slug"], shown["tools"], shown["revoked_at"]) == ("barred", ["get"], None)
    taken = house.client.delete(f"/api/runs/{run_id}/connections/barred").json()["items"]
    (below,) = house.get(f"/api/runs/{first}/connections")["items"]
    assert [each["revoked_at"] is None for each in (*taken, below)] == [False, False]
    again = house.post(f"/api/runs/{run_id}/connections", {"connection": "barred"})
    assert [each["revoked_at"] is None for each in again["items"]] == [False], "what was taken from its step stays so"
    house.client.delete(f"/api/runs/{run_id}/connections/barred")
    house.answer(ask, "respond", value="yes")
    run = house.ended(run_id)
    assert (run["status"], run["error"]["step"]) == ("failed", "needs")
    assert "taken from the run above" in run["error"]["message"]
