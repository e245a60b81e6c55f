"""What people see and say at a checkpoint, beside its yes and no."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.house import House
from tests.workflows.script import Script


@pytest.fixture
def script(house: House) -> Script:
    return Script(house)


def test_before_an_each_the_list_is_shown_and_what_all_of_its_runs_get_may_be_changed(script: Script):
    step: dict[str, Any] = {
        "id": "many",
        "agent": script.echo(),
        "each": {"path": "rows", "as": "row"},
        "input": {"id": "row.id", "lang": "lang"},
        "checkpoint": "before",
    }
    run = script.start(script.workflow(step), {"rows": [{"id": 7}, {"id": 8}], "lang": "de"})
    ask = script.house.ask(run)
    shown = ask["arguments"]
    assert shown == {
        "lang": "de",
        "each row": [{"id": 7}, {"id": 8}],
        "made of each row": [{"id": 7}, {"id": 8}],
    }
    # What the list is, other steps made: here it is only looked at.
    script.house.answer(ask, status=422, arguments=shown | {"each row": [{"id": 9}]})
    script.house.answer(ask, status=422, arguments={"lang": "de"})
    script.house.answer(ask, arguments=shown | {"lang": "fr"})
    assert script.house.ended(run)["output"]["many"] == [
        {"row": {"id": 7}, "index": 0, "id": 7, "lang": "fr"},
        {"row": {"id": 8}, "index": 1, "id": 8, "lang": "fr"},
    ]


def test_before_an_each_people_see_what_each_of_its_calls_gets(script: Script):
    step: dict[str, Any] = {
        "id": "tell",
        "tool": "send_message",
        "each": "rows",
        "input": {
            "channel": {"const": "#pay"},
            "text": {"template": "join(' ',['pay', to_string(item.amount), to_string(secret)])"},
        },
        "checkpoint": "before",
    }
    rows = [{"amount": amount} for amount in range(22)]
    run = script.start(script.workflow(step), {"rows": rows, "secret": 999})
    ask = script.house.ask(run)
    shown, schema = ask["arguments"], ask["arguments_schema"]
    assert shown["made of each item"] == [*({"text": f"pay {amount} 999"} for amount in range(20)), "and 2 more"]
    assert "follows that list" in schema["properties"]["made of each item"]["description"]
    script.house.answer(ask, status=422, arguments=shown | {"made of each item": [{"text": "pay 0 0"}]})
    script.house.answer(ask, arguments=shown | {"channel": "#paid"})
    first = script.house.until(lambda: next(iter(reversed(script.children(run))), None))
    assert script.house.ask(first["id"])["arguments"] == {"channel": "#paid", "text": "pay 0 999"}
    script.house.post(f"/api/runs/{run}/cancel")


def test_what_cannot_be_made_of_an_item_is_said_before_it_fails(script: Script):
    step = {"id": "many", "agent": script.echo(), "each": "rows", "input": {"id": "item.id"}, "checkpoint": "before"}
    ask = script.house.ask(script.start(script.workflow(step), {"rows": [{"id": 1}, {}]}))
    (made, problem) = ask["arguments"]["made of each item"]
    assert (made, "Cannot be made: `item.id`" in problem) == ({"id": 1}, True)


def test_a_field_of_that_name_is_not_hidden_by_the_list(script: Script):
    step = {
        "id": "many",
        "agent": script.echo(),
        "each": "rows",
        "input": {"each item": {"const": "mine"}},
        "checkpoint": "before",
    }
    run = script.start(script.workflow(step), {"rows": [1]})
    ask = script.house.ask(run)
    assert ask["arguments"] == {"each item": "mine", "each item_": [1]}
    script.house.answer(ask)
    assert script.house.ended(run)["output"]["many"] == [{"each item": "mine", "item": 1, "index": 0}]


def test_a_reply_that_no_agent_would_read_is_refused_and_the_ask_stays_open(script: Script):
    run = script.start(script.workflow({"id": "a", "agent": script.agent("a"), "checkpoint": "after"}))
    ask = script.house.ask(run)
    refused = script.house.answer(ask, "respond", value="Please look again", status=422)
    assert "No agent reads a reply" in refused["detail"]
    script.house.answer(script.house.ask(run))
    assert script.house.ended(run)["status"] == "completed"


def test_a_step_shows_what_it_made_while_that_waits_for_approval(script: Script):
    step = {"id": "a", "agent": script.agent("a", {"text": "Dear"}), "checkpoint": "after"}
    run = script.start(script.workflow(step, {"id": "b", "agent": script.agent("b"), "checkpoint": "before"}))
    ask = script.house.ask(run)
    assert script.steps(run)["a"]["output"] == {"text": "Dear"}
    # Nobody is told of it as a result before it is approved.
    assert "a" not in (script.house.get(f"/api/runs/{run}")["output"] or {})
    script.house.answer(ask)
    script.until_step(run, "b", "waiting")
    assert script.steps(run)["b"]["output"] is None


def test_whoever_cannot_sign_is_told_of_before_anything_waits_for_them(script: Script):
    agent = script.agent("a")

    def validated(**checkpoint: Any) -> dict[str, Any]:
        step = {"id": "a", "agent": agent, "checkpoint": {"when": "after", **checkpoint}}
        return script.house.post("/api/workflows/validate", {"slug": "signed", "name": "Signed", "steps": [step]})

    unknown = validated(approvers=["nobody@example.com", "group:finance"])
    assert unknown["ok"]
    assert [(each["step"], each["path"]) for each in unknown["warnings"]] == [
        ("a", "steps.0.checkpoint.approvers.0"),
        ("a", "steps.0.checkpoint.approvers.1"),
    ]
    assert "not a member" in unknown["warnings"][0]["message"]
    few = validated(approvals_required=20)
    assert [each["path"] for each in few["warnings"]] == ["steps.0.checkpoint.approvals_required"]
    wrong = validated(approvers=["role:boss"])
    assert not wrong["ok"]
    assert [each["path"] for each in wrong["errors"]] == ["steps.0.checkpoint.approvers.0"]


@pytest.mark.parametrize("how", ["run", "agent"])
def test_a_checkpoint_that_would_ask_again_anyway_is_not_remembered(script: Script, how: str):
    run = script.start(script.workflow({"id": "a", "agent": script.agent("a"), "checkpoint": "before"}))
    refused = script.house.answer(script.house.ask(run), remember=how, status=422)
    assert "asks every time" in refused["detail"]


def test_a_checkpoint_says_what_is_done_by_the_names_of_the_steps(script: Script):
    first = {"id": "a", "name": "Read it", "agent": script.agent("a"), "checkpoint": "after"}
    run = script.start(script.workflow(first, {"id": "b", "agent": script.agent("b"), "checkpoint": "before"}))
    looked_at = script.house.ask(run)
    assert looked_at["context"] == "Read it."
    assert looked_at["agent_name"] == script.house.get(f"/api/workflows/{looked_at['agent']}")["name"]
    script.house.answer(looked_at)
    script.house.until(lambda: script.house.ask(run)["id"] != looked_at["id"])
    assert script.house.ask(run)["context"] == "Read it."


def test_of_a_tool_that_failed_people_read_why_and_not_what_a_model_is_told(script: Script):
    run = script.start(script.workflow({"id": "a", "tool": "read_file", "input": {"path": {"const": "gone.md"}}}))
    message = script.house.ended(run)["error"]["message"]
    assert "gone.md" in message
    assert "in a row" not in message


@pytest.mark.parametrize("cut", ["workflow", "tool"])
def test_nobody_gets_by_a_decision_by_completing_the_run_of_the_step(script: Script, cut: str):
    house, after = script.house, {"id": "after", "agent": script.agent("after")}
    send = {"id": "send", "tool": "send_message", "input": {"channel": {"const": "#s"}, "text": {"const": "Hi"}}}
    if cut == "workflow":
        inner = script.workflow({"id": "a", "agent": script.agent("a"), "checkpoint": "after"}, short="inner")
        step: dict[str, Any] = {"id": "inner", "workflow": inner}
    else:
        step = send
    run = script.start(script.workflow(step, after))
    ask = house.until(lambda: house.get("/api/asks", run=run, below=True, status="pending")["items"])[0]
    member = house.member("member")
    assert member.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"}).status_code == 403
    assert member.post(f"/api/runs/{ask['run_id']}/complete").status_code == 200
    ended = house.ended(run)
    assert (ended["status"], script.states(run)["after"]) == ("failed", "cancelled")
    assert "completed its run" in ended["error"]["message"]


@pytest.fixture
def ruled(script: Script) -> Iterator[Callable[[str], None]]:
    """Rules about all checkpoints of this test, by what they do."""

    def rules(action: str) -> None:
        text = (
            f'version: "1.0"\ncheckpoints:\n  - name: "No pay"\n    trigger: {{tool: checkpoint}}\n    action: {action}'
        )
        response = script.house.client.put("/api/rules", json={"yaml": text})
        assert response.status_code == 200, response.text

    yield rules
    script.house.client.put("/api/rules", json={"yaml": 'version: "1.0"\n'}).raise_for_status()


def test_what_a_rule_refuses_at_a_checkpoint_names_the_rule_and_is_on_the_record(
    script: Script, ruled: Callable[[str], None]
):
    ruled("{deny: true, reason: Nothing is paid in August}")
    run = script.ran({"id": "pay", "name": "Pay it", "agent": script.agent("pay"), "checkpoint": "before"})
    assert (run["status"], run["completion_reason"]) == ("cancelled", "rejected")
    assert run["error"]["rule"] == "No pay"
    assert 'Checkpoint before Pay it: Rule "No pay" denies this: Nothing is paid in August' in run["error"]["message"]
    (entry,) = script.house.get("/api/audit", run=run["id"], action="call.denied")["items"]
    assert (
        entry["data"] | {"tool": "checkpoint", "rule": "No pay", "title": "Checkpoint before Pay it"} == entry["data"]
    )


def test_a_rule_tells_people_of_the_checkpoint_that_it_lets_through(script: Script, ruled: Callable[[str], None]):
    ruled("{auto_approve: true, notify: true}")
    run = script.ran({"id": "pay", "name": "Pay it", "agent": script.agent("pay"), "checkpoint": "before"})
    assert run["status"] == "completed"
    told = [each for each in script.house.get("/api/notifications")["items"] if each["run_id"] == run["id"]]
    assert [each["text"] for each in told if each["kind"] == "auto_approved"] == [
        "Auto-approved by the rule 'No pay': Checkpoint before Pay it"
    ]


def test_four_eyes_at_a_checkpoint_are_not_the_starters(script: Script, ruled: Callable[[str], None]):
    ruled("{four_eyes: true}")
    slug = script.workflow({"id": "pay", "agent": script.agent("pay"), "checkpoint": "before"})
    starter, other = script.house.member("approver"), script.house.member("approver")
    run = starter.post("/api/runs", json={"workflow": slug, "input": {}}).json()["id"]
    place = f"/api/asks/{script.house.ask(run)['id']}/answer"
    refused = starter.post(place, json={"decision": "approve"})
    assert refused.status_code == 403, refused.text
    assert script.states(run) == {"pay": "waiting"}
    assert other.post(place, json={"decision": "approve"}).status_code == 200
    assert script.house.ended(run)["status"] == "completed"
