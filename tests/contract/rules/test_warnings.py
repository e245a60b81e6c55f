"""Rules that cannot work are saved, with a warning; and a draft is tried before it counts."""

from collections.abc import Iterator

import pytest

from tests.contract.ruling import put_rules, text_of
from tests.contract.scenes import problem
from tests.house import House
from tests.workflows.script import Script

NOBODY = text_of({"name": "Gone", "trigger": {"tool": "write_file"}, "action": {"approvers": ["group:gone"]}})
DENY = text_of({"name": "Never", "trigger": {"tool": "write_file"}, "action": "deny"})


@pytest.fixture(autouse=True)
def _clean(house: House) -> Iterator[None]:
    yield
    put_rules(house)


def test_a_check_warns_of_what_nobody_can_sign(house: House) -> None:
    checked = house.post("/api/rules/check", {"yaml": NOBODY})
    assert (checked["ok"], checked["errors"]) == (True, [])
    [warning] = checked["warnings"]
    line = next(number for number, line in enumerate(NOBODY.split("\n"), 1) if "group:gone" in line)
    assert (warning["line"], "no group `gone`" in warning["message"]) == (line, True)


def test_a_text_with_mistakes_has_no_warnings(house: House) -> None:
    checked = house.post("/api/rules/check", {"yaml": NOBODY.replace("trigger", "triger")})
    assert (checked["ok"], checked["warnings"]) == (False, [])


def test_people_who_come_later_end_the_warning(house: House) -> None:
    two = text_of({"name": "Two", "action": {"approvers": ["group:finance"]}})
    house.member("approver", "fin@acme.com").close()
    group = house.post("/api/groups", {"name": "finance", "members": []}, 201)
    assert len(house.post("/api/rules/check", {"yaml": two})["warnings"]) == 1
    house.client.patch(f"/api/groups/{group['id']}", json={"members": ["fin@acme.com"]}).raise_for_status()
    assert house.post("/api/rules/check", {"yaml": two})["warnings"] == []


def test_saving_warns_and_saves_all_the_same(house: House) -> None:
    saved = house.client.put("/api/rules", json={"yaml": NOBODY}).json()
    assert "no group `gone`" in saved["warnings"][0]["message"]
    assert house.get("/api/rules")["yaml"] == NOBODY


def test_a_draft_is_tried_without_being_saved(house: House) -> None:
    call = {"tool": "write_file", "arguments": {"path": "a", "content": "b"}}
    tried = house.post("/api/rules/evaluate", {**call, "yaml": DENY})
    assert (tried["verdict"], tried["rule"]) == ("deny", "Never")
    assert house.post("/api/rules/evaluate", call)["verdict"] == "ask"


def test_a_draft_with_a_mistake_is_refused_with_its_place(house: House) -> None:
    body = {"tool": "write_file", "yaml": "checkpoints: [{name: x}]"}
    refused = problem(house.client.post("/api/rules/evaluate", json=body), 422)
    assert refused["code"] == "invalid_rules"
    assert "line 1" in refused["errors"][0]["path"]


def test_only_who_may_save_rules_tries_a_draft(house: House) -> None:
    with house.member("approver") as approver:
        body = {"tool": "write_file", "yaml": DENY}
        assert problem(approver.post("/api/rules/evaluate", json=body), 403)
        assert approver.post("/api/rules/evaluate", json={"tool": "write_file"}).status_code == 200


def test_under_the_emergency_stop_a_draft_approves_nothing_either(house: House) -> None:
    draft = text_of({"name": "Free", "trigger": {"tool": "write_file"}, "action": "auto_approve"})
    call = {"tool": "write_file", "yaml": draft}
    assert house.post("/api/rules/evaluate", call)["verdict"] == "allow"
    house.post("/api/rules/emergency-stop", {"enabled": True})
    try:
        assert house.post("/api/rules/evaluate", call)["verdict"] == "ask"
    finally:
        house.post("/api/rules/emergency-stop", {"enabled": False})


def test_a_rule_that_would_start_a_workflow_at_checkpoints_is_warned_of(house: House) -> None:
    script = Script(house)
    slug = script.workflow({"id": "a", "agent": script.agent("a")})
    rule = {"name": "Follow up", "trigger": {"tool": "checkpoint"}, "action": {"start_workflow": slug}}
    [warning] = house.post("/api/rules/check", {"yaml": text_of(rule)})["warnings"]
    assert warning["message"] == "a checkpoint is no call: there the rule starts nothing"
    of_calls = text_of({**rule, "trigger": {"tool": "send_message"}})
    assert house.post("/api/rules/check", {"yaml": of_calls})["warnings"] == []
