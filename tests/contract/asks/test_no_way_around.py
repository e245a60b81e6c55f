"""Ways around a signature that lead nowhere."""

from typing import Any

import httpx
import pytest

from signoff.kit.ids import new_id
from tests.contract.ruling import (
    audited,
    look,
    notices_to,
    people,
    put_rules,
    rule,
    ruled,
    ruled_agent,
    settled,
    somebody,
    still,
)
from tests.contract.scenes import WRITE, agent_that, problem, said_to_model, waiting
from tests.house import House
from tests.wire import call, says

TWO = {"require_approval_count": 2}


def write(path: str) -> dict[str, Any]:
    return call("write_file", {"path": path, "content": "x"})


def is_path(value: str) -> dict[str, Any]:
    return {"data_threshold": {"field": "path", "operator": "==", "value": value}}


def refused(answer: httpx.Response, code: str) -> None:
    """Not allowed, and for this reason: a failure of the server would leave the ask open as well."""
    assert problem(answer, 403)["code"] == code


def still_pending(answer: httpx.Response) -> dict[str, Any]:
    """The ask after an answer that was taken and did not decide it."""
    assert answer.status_code == 200, answer.text
    ask = answer.json()
    assert ask["status"] == "pending"
    return ask


def test_a_member_who_takes_an_approval_over_does_not_decide_it(house: House) -> None:
    _, ask = waiting(house)
    ann = somebody(house, "member")
    ann.post(f"/api/asks/{ask['id']}/assign", {"user": ann.email})
    refused(ann.answer(ask), "forbidden")
    assert look(house, ask)["status"] == "pending"


def test_an_approver_who_takes_over_what_a_rule_gives_to_others_does_not_decide_it(house: House) -> None:
    _, ask = ruled(house, {"approvers": ["role:admin"]})
    ann = somebody(house)
    ann.post(f"/api/asks/{ask['id']}/assign", {"user": ann.email})
    refused(ann.answer(ask), "forbidden")
    assert look(house, ask)["status"] == "pending"


def test_assigning_does_not_open_a_fourth_eye(house: House) -> None:
    ann = somebody(house)
    agent = ruled_agent(house, {"four_eyes": True})
    ask = house.ask(ann.post("/api/runs", {"agent": agent, "task": "mine"}).json()["id"])
    house.post(f"/api/asks/{ask['id']}/assign", {"user": ann.email})
    refused(ann.answer(ask), "four_eyes")
    assert look(house, ask)["status"] == "pending"


def test_escalating_does_not_open_a_fourth_eye(house: House) -> None:
    ann = somebody(house)
    agent = ruled_agent(house, {"four_eyes": True, "escalation": {"after_seconds": 1, "escalate_to": [ann.email]}})
    ask = house.ask(ann.post("/api/runs", {"agent": agent, "task": "mine"}).json()["id"])
    house.until(lambda: notices_to(house, ask, ann.email))
    refused(ann.answer(ask), "four_eyes")
    assert look(house, ask)["status"] == "pending"


def test_a_batch_does_not_open_a_fourth_eye(house: House) -> None:
    ann = somebody(house)
    agent = ruled_agent(house, {"four_eyes": True})
    ask = house.ask(ann.post("/api/runs", {"agent": agent, "task": "mine"}).json()["id"])
    (result,) = ann.post("/api/asks/batch", {"ids": [ask["id"]], "decision": "approve"}).json()["results"]
    assert result["status"] == "pending"
    assert result["error"].startswith("You started this run, so someone else must approve it.")
    assert look(house, ask)["status"] == "pending"


def test_a_continued_run_is_its_starters_too(house: House) -> None:
    ann, bob = people(house, 2)
    agent = ruled_agent(house, {"four_eyes": True}, says("", WRITE), says("", WRITE))
    run = ann.post("/api/runs", {"agent": agent, "task": "mine"}).json()["id"]
    bob.answer(house.ask(run), "deny", note="no", end_run=True)
    house.ended(run)
    again = ann.post(f"/api/runs/{run}/continue", {"instructions": "try once more"}).json()["id"]
    ask = house.ask(again)
    refused(ann.answer(ask), "four_eyes")
    assert bob.answer(ask).json()["status"] == "approved"


def test_a_members_batch_decides_nothing_that_the_member_may_not(house: House) -> None:
    _, ask = waiting(house)
    response = somebody(house, "member").post("/api/asks/batch", {"ids": [ask["id"]], "decision": "approve"})
    assert response.status_code == 200, response.text
    error = "This needs the role approver. Your role is member."
    assert response.json()["results"] == [{"id": ask["id"], "status": "pending", "error": error}]
    assert still(look(house, ask)) == still(ask)


def test_a_token_with_less_than_its_owners_role_decides_nothing(house: House) -> None:
    _, ask = waiting(house)
    ann = somebody(house)
    secret = ann.post("/api/tokens", {"name": "reader", "scopes": ["viewer"]}).json()["token"]
    with house.client_for(secret) as reader:
        problem(reader.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"}), 403)
    assert look(house, ask)["status"] == "pending"


def test_an_edit_into_what_needs_two_signatures_does_not_run_on_one(house: House) -> None:
    agent = agent_that(house, says("", write("small")), tools=("write_file",))
    put_rules(house, rule(agent, TWO, **is_path("large")))
    run = house.start(agent)
    ask = house.ask(run)
    assert ask["approvals_required"] == 1
    ann = somebody(house)
    edited = still_pending(ann.answer(ask, arguments={"path": "large", "content": "x"}))
    assert edited["approvals_required"] == 2
    assert [each["by"] for each in edited["approvals"]] == [ann.email]
    assert house.calls(run)[0]["status"] == "waiting"


def test_an_edit_into_what_is_given_to_others_does_not_run_on_mine(house: House) -> None:
    agent = agent_that(house, says("", write("small")), tools=("write_file",))
    put_rules(house, rule(agent, {"approvers": ["role:admin"]}, **is_path("large")))
    run = house.start(agent)
    ask = house.ask(run)
    edited = still_pending(somebody(house).answer(ask, arguments={"path": "large", "content": "x"}))
    assert (edited["approvers"], edited["approvals"]) == (["role:admin"], [])
    assert house.calls(run)[0]["status"] == "waiting"


def test_an_edit_out_of_a_rule_does_not_spare_its_signatures(house: House) -> None:
    agent = agent_that(house, says("", write("large")), tools=("write_file",))
    put_rules(house, rule(agent, TWO, **is_path("large")))
    ask = house.ask(house.start(agent))
    ann = somebody(house)
    edited = still_pending(ann.answer(ask, arguments={"path": "small", "content": "x"}))
    assert edited["approvals_required"] == 2
    assert [each["by"] for each in edited["approvals"]] == [ann.email]


def test_the_same_key_signs_once_and_answers_the_same(house: House) -> None:
    _, ask = ruled(house, TWO)
    body, key = {"decision": "approve"}, {"Idempotency-Key": f"sign-{ask['id']}"}
    with house.client_for(somebody(house).token) as ann:
        first, second = (ann.post(f"/api/asks/{ask['id']}/answer", json=body, headers=key) for _ in range(2))
    assert (first.status_code, second.status_code) == (200, 200)
    assert len(second.json()["approvals"]) == 1
    assert len(audited(house, ask["id"], "ask.signed")) == 1


def test_a_deny_rule_made_between_two_signatures_stops_the_call(house: House) -> None:
    agent = ruled_agent(house, TWO)
    run = house.start(agent)
    ask = house.ask(run)
    ann, bob = people(house, 2)
    ann.answer(ask)
    put_rules(house, rule(agent, {"deny": True, "reason": "no more of it"}))
    bob.answer(ask)
    house.ended(run)
    assert house.calls(run)[0]["status"] == "denied"
    assert "no more of it" in said_to_model(house, run)


def test_a_rule_taken_away_leaves_an_open_ask_as_strict_as_it_was(house: House) -> None:
    _, ask = ruled(house, {**TWO, "approvers": ["role:admin"]})
    put_rules(house)
    refused(somebody(house).answer(ask), "forbidden")
    assert look(house, ask)["approvals_required"] == 2


def test_whoever_left_the_group_signs_no_more(house: House) -> None:
    ann = somebody(house)
    group = house.post("/api/groups", {"name": f"g{new_id()}", "members": [ann.email]}, 201)
    _, ask = ruled(house, {"approvers": [f"group:{group['name']}"]})
    assert house.client.patch(f"/api/groups/{group['id']}", json={"members": []}).status_code == 200
    refused(ann.answer(ask), "forbidden")


def test_whoever_left_the_workspace_decides_nothing(house: House) -> None:
    ann = somebody(house)
    _, ask = ruled(house, {"approvers": [ann.email]})
    (member,) = [each for each in house.get("/api/members", limit=200)["items"] if each["email"] == ann.email]
    assert house.client.delete(f"/api/members/{member['id']}").status_code == 204
    problem(ann.answer(ask), 401)
    assert look(house, ask)["status"] == "pending"


def test_one_ask_that_ends_the_run_closes_the_others(house: House) -> None:
    agent = agent_that(house, says("", write("a"), write("b")), tools=("write_file",))
    put_rules(house, rule(agent, {"timeout_seconds": 1, "on_timeout": "cancel"}, **is_path("a")))
    run = house.start(agent)
    house.until(lambda: house.get(f"/api/runs/{run}/asks")["total"] == 2)
    assert house.ended(run)["completion_reason"] == "ask_expired"
    asks = house.get(f"/api/runs/{run}/asks")["items"]
    statuses = {ask["arguments"]["path"]: settled(house, ask)["status"] for ask in asks}
    assert statuses == {"a": "expired", "b": "cancelled"}


def test_the_rules_own_emergency_stop_stops_too(house: House) -> None:
    agent = agent_that(house, says("", WRITE), tools=("write_file",))
    stopped = f"""
checkpoints:
  - name: free
    trigger: {{agent: {agent}}}
    action: auto_approve
auto_approval:
  global_settings: {{emergency_stop: true}}
"""
    assert house.client.put("/api/rules", json={"yaml": stopped}).status_code == 200
    assert house.ask(house.start(agent))["status"] == "pending"


@pytest.mark.parametrize("how", ["run", "agent"])
def test_an_allowance_does_not_reach_a_higher_risk(house: House, how: str) -> None:
    agent = agent_that(house, says("", write("a")), tools=("write_file",), autonomy="approve_high_risk")
    house.answer(house.ask(run := house.start(agent)), remember=how)
    house.ended(run)
    changed = house.client.patch(f"/api/agents/{agent}", json={"risk_overrides": {"write_file": "critical"}})
    assert changed.status_code == 200
    assert house.ask(house.start(agent))["risk"]["level"] == "critical"


def planned(house: House, action: dict[str, Any], path: str) -> tuple[str, dict[str, Any]]:
    """A run with one planned step under a rule about what is large, and the ask about the plan."""
    step = {"id": "s1", "tool": "write_file", "arguments": {"path": path, "content": "x"}, "purpose": "write"}
    agent = agent_that(house, says("", call("propose_plan", {"steps": [step]})), tools=("write_file",), mode="plan")
    put_rules(house, rule(agent, action, **is_path("large")))
    return (run := house.start(agent)), house.ask(run)


def step_waits(house: House, run: str, action: dict[str, Any]) -> None:
    """The planned step has an ask of its own, as strict as its rule, and has not run."""
    ask = house.ask(run)
    assert (ask["kind"], ask["tool"]) == ("approval", "write_file")
    assert ask["approvals_required"] == action.get("require_approval_count", 1)
    assert ask["approvers"] == action.get("approvers", ["approver"])
    assert [each["status"] for each in house.calls(run) if each["tool"] == "write_file"] == ["waiting"]


@pytest.mark.parametrize("action", [TWO, {"approvers": ["role:admin"]}], ids=str)
def test_a_plan_does_not_spare_a_step_the_signatures_of_its_rule(house: House, action: dict[str, Any]) -> None:
    run, ask = planned(house, action, "large")
    assert somebody(house).answer(ask).json()["status"] == "approved"
    step_waits(house, run, action)


@pytest.mark.parametrize("action", [TWO, {"approvers": ["role:admin"]}], ids=str)
def test_an_edited_step_is_not_spared_the_signatures_of_its_rule(house: House, action: dict[str, Any]) -> None:
    run, ask = planned(house, action, "small")
    edited = [{"id": "s1", "arguments": {"path": "large", "content": "x"}}]
    assert somebody(house).answer(ask, steps=edited).json()["status"] == "approved"
    step_waits(house, run, action)
