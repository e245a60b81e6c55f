"""Rules about workflows: the workspace's that name one, and those that a workflow brings along."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from signoff.policy.evaluate import Conditions, Stage
from signoff.policy.own_rules import both
from tests.house import House

NO_RULES = 'version: "1.0"\n'
SENDS = {"channel": {"const": "#sales"}, "text": {"path": "text", "default": "Hello"}}
ASKS = {"name": "Messages of this workflow", "trigger": {"tool": "send_message"}, "action": "ask"}
DENIES = {"name": "No messages here", "trigger": {"tool": "send_message"}, "action": "deny"}
LOW = {"risk_level": "low", "tool": "send_message", "arguments": {"channel": "#sales", "text": "Hello"}}


def sending(slug: str, *rules: dict[str, Any], tool: str = "send_message", **fields: Any) -> dict[str, Any]:
    step = {"id": "send", "tool": tool, "input": SENDS}
    return {"slug": slug, "name": slug, "steps": [step], "rules": list(rules)} | fields


def nesting(slug: str, inner: str, *rules: dict[str, Any]) -> dict[str, Any]:
    return {"slug": slug, "name": slug, "steps": [{"id": "inner", "workflow": inner}], "rules": list(rules)}


def started(house: House, definition: dict[str, Any]) -> str:
    house.post("/api/workflows", definition, 201)
    return house.post("/api/runs", {"workflow": definition["slug"], "input": {}}, 201)["id"]


def saved_rules(house: House, yaml: str) -> None:
    response = house.client.put("/api/rules", json={"yaml": yaml})
    assert response.status_code == 200, response.text


@pytest.fixture(autouse=True)
def fresh_rules(house: House) -> Iterator[None]:
    yield
    saved_rules(house, NO_RULES)
    house.post("/api/rules/emergency-stop", {"enabled": False})


def approving(tool: str, workflow: str = "") -> str:
    named = f"\n      workflow: {workflow}" if workflow else ""
    return (
        f'version: "1.0"\ncheckpoints:\n  - name: "Free {tool}"\n    trigger:\n      tool: {tool}{named}\n'
        "    action:\n      auto_approve: true\n"
    )


@pytest.mark.both_databases
def test_a_rule_of_the_workspace_that_names_a_workflow_is_about_its_steps_alone(house: House):
    saved_rules(house, approving("send_message", "rule-named"))
    assert house.ended(started(house, sending("rule-named")))["status"] == "completed"
    assert house.ended(started(house, nesting("rule-around", "rule-named")))["status"] == "completed"
    other = started(house, sending("rule-other"))
    steps = house.until(lambda: house.get(f"/api/runs/{other}/steps")["items"])
    child = house.until(lambda: house.get(f"/api/runs/{other}/steps")["items"][0]["run_id"])
    assert len(steps) == 1
    assert house.ask(child)["rule"] is None


@pytest.mark.both_databases
def test_a_workflows_own_rule_asks_where_the_workspace_approves_and_the_ask_names_it(house: House):
    saved_rules(house, approving("send_message"))
    run = started(house, sending("own-asks", ASKS))
    child = house.until(lambda: house.get(f"/api/runs/{run}/steps")["items"][0]["run_id"])
    ask = house.ask(child)
    assert ask["rule"] == ASKS["name"]
    assert 'It is a rule of the workflow "own-asks"' in ask["risk"]["reasons"]
    house.answer(ask)
    assert house.ended(run)["status"] == "completed"
    # Outside of the workflow nobody is asked.
    assert house.post("/api/rules/evaluate", LOW)["verdict"] == "allow"
    within = house.post("/api/rules/evaluate", LOW | {"workflow": "own-asks"})
    assert (within["verdict"], within["rule"]) == ("ask", ASKS["name"])


@pytest.mark.both_databases
def test_the_rules_of_a_workflow_reach_into_the_workflows_that_it_starts(house: House):
    saved_rules(house, approving("send_message"))
    house.post("/api/workflows", sending("own-inner"), 201)
    run = house.ended(started(house, nesting("own-outer", "own-inner", DENIES)))
    assert (run["status"], run["completion_reason"]) == ("cancelled", "rejected")
    assert DENIES["name"] in run["error"]["message"]


def test_no_rule_of_a_workflow_approves_what_the_workspace_denies_or_asks(house: House):
    lifts = {"name": "Free for all", "trigger": {"tool": "send_message"}, "action": {"auto_approve": True}}
    refused = house.post("/api/workflows", sending("own-lifts", ASKS, lifts), 422)
    assert [each["path"] for each in refused["errors"]] == ["rules.1.action"]
    assert "workspace's rules" in refused["errors"][0]["message"]
    saved_rules(house, approving("send_message").replace("auto_approve: true", "deny: true"))
    run = house.ended(started(house, sending("own-denied", ASKS)))
    assert (run["status"], run["completion_reason"]) == ("cancelled", "rejected")


def test_an_edit_that_the_workflow_denies_is_refused(house: House):
    loud = {
        "name": "Not to all",
        "trigger": {"data_threshold": {"field": "channel", "operator": "==", "value": "#all"}},
        "action": "deny",
    }
    run = started(house, sending("own-edits", loud))
    child = house.until(lambda: house.get(f"/api/runs/{run}/steps")["items"][0]["run_id"])
    ask = house.ask(child)
    refused = house.answer(ask, arguments={"channel": "#all", "text": "Hello"}, status=422)
    assert "Not to all" in refused["detail"]
    house.answer(ask, arguments={"channel": "#few", "text": "Hello"})
    assert house.ended(run)["status"] == "completed"


YAML = """\
slug: own-wrong
name: Wrong rules
# What is wrong stands in lines 8 and 12.
rules:
  - name: One
    trigger:
      tool: send_message
    action: aks
  - name: Two
    trigger:
      tool: send_message
      colour: red
    action: ask
steps:
  - {id: send, tool: send_message}
"""


def test_what_is_wrong_with_a_workflows_rules_is_found_at_its_line(house: House):
    found = house.post("/api/workflows/validate", {"yaml": YAML})
    assert not found["ok"]
    assert [each["line"] for each in found["errors"]] == [8, 12]
    assert [each["path"] for each in found["errors"]] == ["rules.0.action", "rules.1.trigger.colour"]


def test_rules_that_nobody_could_read_are_refused_at_once(house: House):
    long = {"name": "Long", "trigger": {"tool": "x"}, "action": {"deny": True, "reason": "é😀\t" * 100_000}}
    refused = house.post("/api/workflows", sending("own-long", long), 422)
    assert [each["path"] for each in refused["errors"]] == ["rules"]
    named = {"name": 'Says "no" é😀\t', "trigger": {"tool": "send_message"}, "action": "deny"}
    run = house.ended(started(house, sending("own-named", named)))
    assert 'Says "no" é😀' in run["error"]["message"]


def test_a_checkpoint_that_a_rule_lets_through_is_on_the_record(house: House):
    step = {"id": "ask", "tool": "list_files", "input": {"path": {"const": "."}}}
    for when in ("before", "after"):
        slug = f"rule-lets-by-{when}"
        saved_rules(house, approving("checkpoint", slug))
        run = started(house, {"slug": slug, "name": slug, "steps": [step | {"checkpoint": when}]})
        assert house.ended(run)["status"] == "completed"
        [decided] = house.get("/api/asks", run=run, status="auto_approved")["items"]
        assert house.get(f"/api/runs/{run}/steps")["items"][0]["ask_id"] == decided["id"]
        assert decided["rule"] == "Free checkpoint"
        entries = house.get("/api/audit", run=run, limit=100)["items"]
        assert "ask.auto_approved" in [each["action"] for each in entries]


def test_a_rule_that_is_not_about_checkpoints_lets_none_through(house: House):
    by_risk = "  - name: Harmless\n    trigger: {risk_level: [low, medium]}\n    action: {auto_approve: true}\n"
    saved_rules(house, f'version: "1.0"\ncheckpoints:\n{by_risk}')
    step = {"id": "look", "tool": "list_files", "input": {"path": {"const": "."}}, "checkpoint": "before"}
    ask = house.ask(started(house, {"slug": "by-risk", "name": "By risk", "steps": [step]}))
    assert (ask["status"], ask["rule"]) == ("pending", None)


def test_a_dry_run_of_other_rules_counts_what_the_workflows_own_rules_ask(house: House):
    run = started(house, sending("own-replayed", ASKS))
    child = house.until(lambda: house.get(f"/api/runs/{run}/steps")["items"][0]["run_id"])
    house.answer(house.ask(child))
    house.ended(run)
    simulated = house.post("/api/rules/simulate", {"yaml": approving("send_message")})
    assert child not in [each["run_id"] for each in simulated["changed"]]


def checkpoint_of(house: House, slug: str, *rules: dict[str, Any]) -> dict[str, Any]:
    who = {"approvers": ["admin@localhost", "role:admin"], "approvals_required": 2, "timeout_minutes": 60}
    checkpoint = {"when": "before", "on_timeout": "cancel"} | who
    step = {"id": "send", "tool": "send_message", "input": SENDS, "checkpoint": checkpoint}
    ask = house.ask(started(house, {"slug": slug, "name": slug, "steps": [step], "rules": list(rules)}))
    deadline, opened = (datetime.fromisoformat(ask[name]) for name in ("deadline", "created_at"))
    ask["waits"] = round((deadline - opened).total_seconds())
    return ask


def test_a_rule_changes_of_a_checkpoint_only_what_it_is_about(house: House):
    def rule(**action: Any) -> dict[str, Any]:
        return {"name": "At checkpoints", "trigger": {"tool": "checkpoint"}, "action": action}

    both_of = ["admin@localhost", "role:admin"]
    sooner = checkpoint_of(house, "sooner", rule(timeout_seconds=600, on_timeout="fail"))
    assert (sooner["rule"], sooner["waits"], sooner["on_timeout"]) == ("At checkpoints", 600, "fail")
    assert (sooner["approvers"], sooner["approvals_required"]) == (both_of, 2)
    more = checkpoint_of(house, "more", rule(require_approval_count=3))
    assert (more["approvers"], more["approvals_required"], more["waits"]) == (both_of, 3, 3600)
    others = checkpoint_of(house, "others", rule(approvers=["role:approver"]))
    assert (others["approvers"], others["approvals_required"]) == (["role:approver"], 1)
    assert (others["waits"], others["on_timeout"]) == (3600, "cancel")


def test_who_signs_for_the_workspace_and_for_the_workflow_signs_in_stages():
    finance, legal = Conditions(2, ("group:finance",)), Conditions(1, ("group:legal",), four_eyes=True)
    merged = both(finance, legal)
    expected = (Stage("Workspace", ("group:finance",), 2), Stage("Workflow", ("group:legal",), 1))
    assert (merged.stages, merged.approvals, merged.four_eyes) == (expected, 3, True)
    assert both(Conditions(), finance) == finance
    assert both(Conditions(2), Conditions(1, ("a@example.org",))).approvals == 3


def test_silence_approves_only_where_both_say_so():
    veto = Conditions(timeout_seconds=600, on_timeout="approve")
    assert both(Conditions(), veto).timeout_seconds is None
    assert both(veto, Conditions(sign_in=True)).on_timeout is None
    assert both(veto, Conditions(timeout_seconds=60, on_timeout="deny")).on_timeout == "deny"
    assert both(veto, Conditions(timeout_seconds=900, on_timeout="approve")).timeout_seconds == 900
