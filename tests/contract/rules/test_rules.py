"""The rules: written, checked, kept, tried out, stopped."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from signoff.kit.ids import new_id
from signoff.kit.jsons import digest
from tests.contract.ruling import audited, look, notices_to, put_rules, rule, ruled_agent, text_of
from tests.contract.scenes import WRITE, agent_that, problem, said_to_model, waiting
from tests.house import House
from tests.wire import call, says

GOOD = text_of({"name": "Mind the deletions", "trigger": {"operation_type": ["delete"]}, "action": "ask"})
BROKEN = 'checkpoints:\n  - name: "x"\n    trigger:\n      risk_level: enormous\n    action: ask\n'


@pytest.fixture(autouse=True)
def _clean(house: House) -> Iterator[None]:
    yield
    house.post("/api/rules/emergency-stop", {"enabled": False})
    put_rules(house)


def verdict(house: House, agent: str | None = None, tool: str = "write_file", **fields: Any) -> dict[str, Any]:
    arguments = fields.pop("arguments", {"path": "a", "content": "b"})
    return house.post("/api/rules/evaluate", {"agent": agent, "tool": tool, "arguments": arguments, **fields})


def decided(house: House, agent: str, decision: str = "approve", **fields: Any) -> str:
    """A run of this agent whose one ask was decided so."""
    run = house.start(agent)
    house.answer(house.ask(run), decision, **fields)
    house.ended(run)
    return run


def auto(agent: str, **action: Any) -> dict[str, Any]:
    return {
        "name": f"auto {new_id()}",
        "conditions": {"agent": agent, "tool": "write_file"},
        "action": {"auto_approve": True, **action},
    }


def test_saved_rules_are_in_force_and_have_a_new_version(house: House) -> None:
    before = house.get("/api/rules")["version"]
    saved = house.client.put("/api/rules", json={"yaml": GOOD, "note": "first"}).json()
    assert (saved["yaml"], saved["version"]) == (GOOD, before + 1)
    assert house.get("/api/rules") | {"warnings": []} == saved


@pytest.mark.both_databases
def test_every_version_is_kept_with_who_and_why(house: House) -> None:
    version = house.client.put("/api/rules", json={"yaml": GOOD, "note": "mind them"}).json()["version"]
    put_rules(house)
    newest, older = house.get("/api/rules/versions")["items"][:2]
    assert (newest["version"], older["version"]) == (version + 1, version)
    assert (older["yaml"], older["note"], older["created_by"]) == (GOOD, "mind them", "signoff-token@localhost")


@pytest.mark.both_databases
def test_an_edit_of_an_old_version_is_a_conflict(house: House) -> None:
    old = put_rules(house, rule("nobody", "ask"))["version"]
    put_rules(house, rule("somebody", "ask"))
    now = house.get("/api/rules")
    assert problem(house.client.put("/api/rules", json={"yaml": GOOD, "version": old}), 409)["code"] == "rules_moved"
    assert house.get("/api/rules") == now
    assert house.client.put("/api/rules", json={"yaml": GOOD, "version": now["version"]}).status_code == 200


def test_rules_with_a_mistake_are_refused_whole_with_the_place(house: House) -> None:
    before = house.get("/api/rules")
    body = problem(house.client.put("/api/rules", json={"yaml": BROKEN}), 422)
    assert body["code"] == "invalid_rules"
    assert body["errors"][0]["path"].startswith("line 4")
    assert "enormous" in body["errors"][0]["message"]
    assert house.get("/api/rules") == before


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (BROKEN, 4),
        ("checkpoints:\n  - name: [unclosed\n", 2),
        ("checkpoints:\n\t- name: x\n", 2),
        ("checkpoint: []\n", 1),
        ("checkpoints:\n  - name: x\n    action: {deny: true, auto_approve: true}\n", 3),
        ("checkpoints:\n  - name: x\n    action: {timeout_seconds: 0}\n", 3),
        ("checkpoints:\n  - name: x\n    action: {timeout_seconds: 9999999}\n", 3),
        ("checkpoints:\n  - name: x\n    action: {on_timeout: explode, timeout_seconds: 5}\n", 3),
        ("- just\n- a list\n", 1),
    ],
    ids=str,
)
def test_a_check_names_line_and_column_and_saves_nothing(house: House, text: str, line: int) -> None:
    before = house.get("/api/rules")["version"]
    body = house.post("/api/rules/check", {"yaml": text})
    assert body["ok"] is False
    assert body["errors"][0]["line"] == line
    assert body["errors"][0]["column"] >= 1
    assert body["errors"][0]["message"]
    assert house.get("/api/rules")["version"] == before


@pytest.mark.parametrize("text", ["", GOOD, "checkpoints: []\n", "# nothing\n"], ids=["empty", "good", "none", "words"])
def test_a_check_of_good_rules_is_ok(house: House, text: str) -> None:
    assert house.post("/api/rules/check", {"yaml": text}) == {"ok": True, "errors": [], "warnings": []}


def test_a_rule_whose_example_does_not_match_is_refused(house: House) -> None:
    mine = {"name": "deletions", "trigger": {"tool": "delete_file"}, "action": "ask"}
    mine["examples"] = {"match": [{"tool": "read_file"}]}
    assert house.post("/api/rules/check", {"yaml": text_of(mine)})["ok"] is False
    problem(house.client.put("/api/rules", json={"yaml": text_of(mine)}), 422)


WRITES: list[Callable[[httpx.Client], httpx.Response]] = [
    lambda who: who.put("/api/rules", json={"yaml": GOOD}),
    lambda who: who.post("/api/rules/emergency-stop", json={"enabled": True}),
    lambda who: who.post("/api/rules/suggestions/dismiss", json={"agent": "a", "tool": "b"}),
]


@pytest.mark.parametrize("write", WRITES, ids=["put", "stop", "dismiss"])
def test_only_an_admin_changes_the_rules(
    house: House,
    viewer: httpx.Client,
    member: httpx.Client,
    approver: httpx.Client,
    write: Callable[[httpx.Client], httpx.Response],
) -> None:
    before = house.get("/api/rules")
    for who in (viewer, member, approver):
        problem(write(who), 403)
    assert house.get("/api/rules") == before


@pytest.mark.parametrize("path", ["", "/versions", "/suggestions", "/stats", "/allowances"])
def test_a_viewer_reads_the_rules(viewer: httpx.Client, path: str) -> None:
    assert viewer.get(f"/api/rules{path}").status_code == 200


def test_saving_and_stopping_are_recorded(house: House) -> None:
    version = put_rules(house)["version"]
    house.post("/api/rules/emergency-stop", {"enabled": True})
    newest = house.get("/api/audit", limit=10)["items"]
    assert [entry for entry in newest if entry["action"].startswith("rules.") and str(version) in str(entry)]
    assert [entry for entry in newest if "stop" in entry["action"] or "stop" in str(entry["data"])]


def test_a_verdict_names_its_rule_reasons_and_risk(house: House) -> None:
    agent = ruled_agent(house, "ask", name="look first")
    found = verdict(house, agent)
    assert (found["verdict"], found["rule"], found["risk"]["level"]) == ("ask", "look first", "high")
    assert found["reasons"]
    assert found["risk"]["reasons"]


def test_a_deny_rule_beats_an_earlier_one_that_approves(house: House) -> None:
    agent = agent_that(house, tools=("write_file",))
    put_rules(house, rule(agent, "auto_approve") | {"priority": 1}, rule(agent, "deny", name="no") | {"priority": 9})
    assert (verdict(house, agent)["verdict"], verdict(house, agent)["rule"]) == ("deny", "no")


def test_the_lower_priority_is_asked_first(house: House) -> None:
    agent = agent_that(house, tools=("write_file",))
    later, first = rule(agent, "ask", "later") | {"priority": 5}, rule(agent, "auto_approve", "first") | {"priority": 2}
    put_rules(house, later, first)
    assert (verdict(house, agent)["verdict"], verdict(house, agent)["rule"]) == ("allow", "first")


def test_a_rule_counts_before_the_agents_override_and_its_autonomy(house: House) -> None:
    agent = agent_that(house, tools=("write_file",), autonomy="full", risk_overrides={"write_file": "safe"})
    assert verdict(house, agent)["verdict"] == "allow"
    put_rules(house, rule(agent, "ask"))
    assert verdict(house, agent)["verdict"] == "ask"


def test_auto_approval_lifts_what_autonomy_asks_and_not_what_a_rule_asks(house: House) -> None:
    agent = agent_that(house, tools=("write_file",))
    put_rules(house, auto=[auto(agent)])
    assert verdict(house, agent)["verdict"] == "allow"
    put_rules(house, rule(agent, "ask"), auto=[auto(agent)])
    assert verdict(house, agent)["verdict"] == "ask"


def test_what_cannot_be_evaluated_asks(house: House) -> None:
    agent = agent_that(house, tools=("write_file",), autonomy="full")
    large = {"field": "amount", "operator": ">", "value": 1000}
    put_rules(house, rule(agent, "deny", data_threshold=large))
    found = verdict(house, agent, arguments={"path": "a", "content": "b", "amount": "a lot"})
    assert found["verdict"] == "ask"


def test_trying_a_call_opens_no_ask(house: House) -> None:
    before = house.get("/api/asks", status="pending")["total"]
    verdict(house, ruled_agent(house, "ask"))
    assert house.get("/api/asks", status="pending")["total"] == before


def test_a_denied_call_does_not_run_and_the_agent_reads_why(house: House) -> None:
    agent = ruled_agent(house, {"deny": True, "reason": "Nothing is written here"}, name="dry")
    run = house.start(agent)
    assert house.ended(run)["status"] == "completed"
    refused = house.calls(run)[0]
    assert (refused["status"], refused["verdict"]["rule"], refused["started_at"]) == ("denied", "dry", None)
    assert "Nothing is written here" in said_to_model(house, run)


def test_an_auto_approved_call_that_is_logged_leaves_an_ask_that_nobody_saw(house: House) -> None:
    agent = ruled_agent(house, {"auto_approve": True, "log_decision": True}, name="free")
    run = house.start(agent)
    house.ended(run)
    (ask,) = house.get(f"/api/runs/{run}/asks")["items"]
    assert (ask["status"], ask["rule"]) == ("auto_approved", "free")
    made = house.calls(run)[0]
    (entry,) = audited(house, made["id"], "call.auto_approved")
    assert (entry["data"]["rule"], entry["data"]["digest"]) == ("free", digest(made["arguments"]))
    assert house.get("/api/asks", view="decided", run=run)["items"] == []
    problem(house.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "deny"}), 409)


def test_an_auto_approval_may_tell_people(house: House) -> None:
    agent = ruled_agent(house, {"auto_approve": True, "log_decision": True, "notify": True})
    run = house.start(agent)
    house.ended(run)
    assert [each for each in house.get("/api/notifications", limit=200)["items"] if each["run_id"] == run]


def test_the_emergency_stop_makes_everything_ask_that_a_rule_approved(house: House) -> None:
    agent = agent_that(house, says("", WRITE), tools=("write_file",))
    put_rules(house, rule(agent, "auto_approve"), auto=[auto(agent)])
    assert verdict(house, agent)["verdict"] == "allow"
    stopped = house.post("/api/rules/emergency-stop", {"enabled": True})
    assert (stopped["stopped"], stopped["stopped_by"]) == (True, "signoff-token@localhost")
    assert verdict(house, agent)["verdict"] == "ask"
    assert house.ask(house.start(agent))["tool"] == "write_file"
    assert house.post("/api/rules/emergency-stop", {"enabled": False})["stopped"] is False
    assert verdict(house, agent)["verdict"] == "allow"


def test_the_emergency_stop_leaves_autonomy_and_deny_rules_alone(house: House) -> None:
    free = agent_that(house, says("", WRITE), tools=("write_file",), autonomy="full")
    bound = agent_that(house, tools=("write_file",))
    put_rules(house, rule(bound, "deny"))
    house.post("/api/rules/emergency-stop", {"enabled": True})
    assert house.ended(house.start(free))["status"] == "completed"
    assert verdict(house, bound)["verdict"] == "deny"


def test_a_deny_rule_made_after_the_ask_stops_the_approved_call(house: House) -> None:
    agent = agent_that(house, says("", WRITE), tools=("write_file",))
    run = house.start(agent)
    ask = house.ask(run)
    put_rules(house, rule(agent, {"deny": True, "reason": "changed our minds"}))
    house.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"})
    house.ended(run)
    assert house.calls(run)[0]["status"] == "denied"
    assert "changed our minds" in said_to_model(house, run)


def test_a_rule_made_after_the_ask_that_wants_no_more_does_not_stop_the_approved_call(house: House) -> None:
    run, ask = waiting(house)
    put_rules(house, rule(house.run(run)["agent"], {"require_approval_count": 1}))
    house.answer(ask)
    house.ended(run)
    assert house.calls(run)[0]["status"] == "succeeded"
    assert look(house, ask)["approvals_required"] == 1


@pytest.mark.both_databases
def test_a_simulation_tells_the_asks_saved_and_names_the_refusals_let_through(house: House) -> None:
    agent = agent_that(house, says("", WRITE), tools=("write_file",))
    since = house.get(f"/api/runs/{decided(house, agent)}")["created_at"]
    decided(house, agent)
    refused = decided(house, agent, "deny", note="too early")
    before = house.get("/api/rules")["version"]
    found = house.post("/api/rules/simulate", {"yaml": text_of(rule(agent, "auto_approve")), "since": since})
    assert (found["evaluated"], found["asks_before"], found["asks_after"]) == (3, 3, 0)
    (let,) = found["would_allow_denied"]
    assert (let["run_id"], let["tool"], let["refused_by"], let["note"]) == (
        refused,
        "write_file",
        "signoff-token@localhost",
        "too early",
    )
    assert len(found["changed"]) == 3
    assert house.get("/api/rules")["version"] == before


def test_a_simulation_tells_the_asks_added(house: House) -> None:
    agent = agent_that(house, says("", WRITE), tools=("write_file",), autonomy="full")
    run = house.start(agent)
    since = house.ended(run)["created_at"]
    found = house.post("/api/rules/simulate", {"yaml": text_of(rule(agent, "ask")), "since": since})
    assert (found["asks_before"], found["asks_after"], found["would_allow_denied"]) == (0, 1, [])


def test_broken_rules_are_not_simulated(house: House) -> None:
    assert problem(house.client.post("/api/rules/simulate", json={"yaml": BROKEN}), 422)["code"] == "invalid_rules"


@pytest.mark.both_databases
def test_the_figures_count_what_rules_let_through_and_what_people_changed(house: House) -> None:
    free = ruled_agent(house, "auto_approve", name=f"free {new_id()}")
    name = house.post("/api/rules/evaluate", {"agent": free, "tool": "write_file", "arguments": {}})["rule"]
    before = house.get("/api/rules/stats")
    house.ended(house.start(free))
    (figures,) = [each for each in house.get("/api/rules/stats")["by_rule"] if each["rule"] == name]
    assert (figures["auto_approved"], figures["failed"]) == (1, 0)
    run, ask = waiting(house)
    house.answer(ask, arguments={"path": "b", "content": "c"})
    house.ended(run)
    after = house.get("/api/rules/stats")
    assert after["auto_approved"] == before["auto_approved"] + 1
    assert after["overrides"] == before["overrides"] + 1
    assert 0 <= after["auto_approval_rate"] <= 1


def test_a_rules_people_are_told_by_name(house: House) -> None:
    agent = ruled_agent(house, {"notification": {"recipients": ["ops@elsewhere.example"]}})
    ask = house.ask(house.start(agent))
    assert house.until(lambda: notices_to(house, ask, "ops@elsewhere.example"))


def test_confidence_decides_when_a_rule_says_so(house: House) -> None:
    sure = call("write_file", {"path": "a", "content": "b", "_confidence": 0.95})
    unsure = call("write_file", {"path": "c", "content": "d", "_confidence": 0.4})
    agent = agent_that(house, says("", sure, unsure), tools=("write_file",), autonomy="full")
    put_rules(house, rule(agent, "ask", agent_confidence={"operator": "<", "value": 0.75}))
    run = house.start(agent)
    assert house.ask(run)["arguments"]["path"] == "c"
    assert len(house.asks(run)) == 1
