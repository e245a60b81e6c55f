"""A rule starts a workflow about a call that it decides: once, with the call's facts, and without end never."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.house import House
from tests.wire import call, says
from tests.workflows.script import Script, done

SEND = {"channel": "#sales", "text": "Hello"}


@pytest.fixture(autouse=True)
def fresh_rules(house: House) -> Iterator[None]:
    yield
    house.client.put("/api/rules", json={"yaml": 'version: "1.0"\n'})


def rules(house: House, action: str, trigger: str = "tool: send_message") -> None:
    text = f'version: "1.0"\ncheckpoints:\n  - name: "Follow up"\n    trigger: {{{trigger}}}\n    action: {action}\n'
    response = house.client.put("/api/rules", json={"yaml": text})
    assert response.status_code == 200, response.text


def sender(script: Script, *calls: dict[str, Any], **fields: Any) -> str:
    replies = [says("", each) for each in calls or (call("send_message", SEND),)]
    name = script.name("sender")
    model = script.house.model.script(name, *replies, done({"ok": True}))
    return script.house.agent(name, model, "send_message", **fields)


def follow(script: Script, **fields: Any) -> str:
    return script.workflow({"id": "note", "agent": script.agent("note")}, short="follow", **fields)


def started(house: House, slug: str) -> list[dict[str, Any]]:
    found = house.get("/api/runs", limit=200)["items"]
    return [each for each in found if each["workflow"] == slug and each["kind"] == "workflow"]


def sent(house: House, run_id: str) -> dict[str, Any]:
    return next(each for each in house.calls(run_id) if each["tool"] == "send_message")


@pytest.mark.both_databases
def test_an_approved_call_starts_it_once_with_what_the_rule_names(house: House):
    script = Script(house)
    slug = follow(script)
    mapping = "{said: text, where: arguments.channel, tool: call.tool, by: context.created_by, kind: {const: x}}"
    rules(house, f"{{auto_approve: true, start_workflow: {{workflow: {slug}, input: {mapping}}}}}")
    run = house.ended(house.start(sender(script)))
    (made,) = started(house, slug)
    assert made["input"] == {
        "said": "Hello",
        "where": "#sales",
        "tool": "send_message",
        "by": run["created_by"],
        "kind": "x",
    }
    assert (made["rule_call_id"], made["created_by"]) == (sent(house, run["id"])["id"], run["created_by"])
    assert made["parent_id"] is None
    assert house.ended(made["id"])["status"] == "completed"
    entries = house.get("/api/audit", limit=100)["items"]
    entry = next(each for each in entries if each["action"] == "rule.started_workflow" and each["run_id"] == run["id"])
    assert (entry["subject"], entry["data"]["run"]) == ("Follow up", made["id"])


@pytest.mark.both_databases
def test_while_people_think_it_runs_already_and_the_answer_starts_no_second_one(house: House):
    script = Script(house)
    slug = follow(script)
    rules(house, f"{{start_workflow: {slug}}}")
    run_id = house.start(sender(script))
    ask = house.ask(run_id)
    (made,) = started(house, slug)
    assert made["input"]["call"] | {"verdict": "ask", "rule": "Follow up", "run": run_id} == made["input"]["call"]
    assert made["input"]["arguments"] == SEND
    house.answer(ask)
    assert house.ended(run_id)["status"] == "completed"
    assert len(started(house, slug)) == 1


def test_a_rule_that_is_made_stricter_before_the_call_starts_begins_no_second_one(house: House):
    script = Script(house)
    slug = follow(script)
    rules(house, f"{{start_workflow: {slug}}}")
    run_id = house.start(sender(script))
    ask = house.ask(run_id)
    boss = house.member("approver", "boss@example.org")
    rules(house, f"{{start_workflow: {slug}, approvers: [boss@example.org]}}")
    house.answer(ask)
    # What was approved is judged once more right before it starts, and asks again.
    again = house.ask(run_id)
    boss.post(f"/api/asks/{again['id']}/answer", json={"decision": "approve"}).raise_for_status()
    assert house.ended(run_id)["status"] == "completed"
    assert len(started(house, slug)) == 1


def test_a_denied_call_starts_it_too(house: House):
    script = Script(house)
    slug = follow(script)
    rules(house, f"{{deny: true, reason: No, start_workflow: {slug}}}")
    run = house.ended(house.start(sender(script)))
    assert sent(house, run["id"])["status"] == "denied"
    assert [each["input"]["call"]["verdict"] for each in started(house, slug)] == ["deny"]


def test_a_workflow_whose_own_steps_match_does_not_start_itself(house: House):
    script = Script(house)
    step = {"id": "send", "tool": "send_message", "input": {"channel": {"const": "#a"}, "text": {"const": "Hi"}}}
    slug = script.workflow(step, short="loop")
    rules(house, f"{{auto_approve: true, start_workflow: {slug}}}")
    house.ended(house.start(sender(script)))
    (made,) = started(house, slug)
    assert house.ended(made["id"])["status"] == "completed"
    assert len(started(house, slug)) == 1
    entries = house.get("/api/audit", limit=100)["items"]
    refused = next(each for each in entries if each["action"] == "rule.started_nothing")
    assert "start itself without end" in refused["data"]["error"]


def test_what_cannot_be_started_does_not_hold_up_the_call(house: House):
    script = Script(house)
    schema = {"type": "object", "properties": {"order": {"type": "integer"}}, "required": ["order"]}
    slug = follow(script, input_schema=schema)
    for wanted in ("nobody-s", slug, f"{{workflow: {slug}, input: {{order: arguments.missing}}}}"):
        rules(house, f"{{auto_approve: true, start_workflow: {wanted}}}")
        run = house.ended(house.start(sender(Script(house))))
        assert sent(house, run["id"])["status"] == "succeeded"
        told = house.get("/api/notifications", limit=5)["items"]
        assert any("could not start the workflow" in each["text"] for each in told)
    assert started(house, slug) == []


@pytest.mark.both_databases
def test_of_what_cannot_be_started_admins_hear_once_however_many_calls_an_agent_makes(house: House):
    script = Script(house)
    rules(house, "{auto_approve: true, start_workflow: not-there-either}")
    model = house.model.script(script.name("many"), says("", *[call("send_message", SEND)] * 3), done({}))
    run = house.ended(house.start(house.agent(script.name("many"), model, "send_message")))
    notices = [each for each in house.get("/api/notifications", limit=200)["items"] if each["run_id"] == run["id"]]
    assert len([each for each in notices if "could not start" in each["text"]]) == 1
    record = house.get("/api/audit", run=run["id"], limit=200)["items"]
    assert len([each for each in record if each["action"] == "rule.started_nothing"]) == 3


def test_it_may_do_no_more_than_the_agent_whose_call_it_was(house: House):
    script = Script(house)
    free = script.saying("free", says("", call("send_message", SEND)), done({"ok": True}), autonomy="full")
    house.client.patch(f"/api/agents/{free}", json={"tools": ["send_message"]})
    slug = script.workflow({"id": "free", "agent": free}, short="strict")
    strict = sender(script, autonomy="approve_all")
    rules(house, f"{{start_workflow: {slug}}}", f"agent: {strict}")
    run_id = house.start(strict)
    house.ask(run_id)
    (made,) = started(house, slug)
    child = house.until(lambda: script.children(made["id"]))[0]
    assert child["autonomy"] == "approve_all"
    for each in (run_id, made["id"]):
        house.post(f"/api/runs/{each}/cancel")


def test_a_test_starts_only_tests(house: House):
    script = Script(house)
    slug = follow(script)
    rules(house, f"{{auto_approve: true, start_workflow: {slug}}}")
    house.ended(house.start(sender(script), test=True))
    assert [each["test"] for each in started(house, slug)] == [True]


def test_a_rule_about_plans_starts_none(house: House):
    text = 'checkpoints: [{name: "P", trigger: {ask_kind: plan}, action: {start_workflow: follow}}]'
    (wrong,) = house.post("/api/rules/check", {"yaml": text})["errors"]
    assert "for calls only" in wrong["message"]


def test_a_rule_that_would_start_nothing_is_warned_of(house: House):
    slug = follow(Script(house))
    text = 'checkpoints: [{name: "F", trigger: {tool: x}, action: {start_workflow: %s}}]'
    (warning,) = house.post("/api/rules/check", {"yaml": text % slug.replace("follow", "folow")})["warnings"]
    assert f"did you mean `{slug}`?" in warning["message"]
    assert house.post("/api/rules/check", {"yaml": text % slug})["warnings"] == []
