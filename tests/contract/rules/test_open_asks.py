"""Saving a rule re-judges what waits: what would now pass is offered, and let through by that rule."""

from typing import Any

import pytest

from tests.contract.ruling import audited, look, people, put_rules, rule
from tests.contract.scenes import agent_that, problem
from tests.house import House
from tests.wire import call, says


def write(path: str) -> dict[str, Any]:
    return says("", call("write_file", {"path": path, "content": "x"}))


def asking(house: House, agent: str) -> dict[str, Any]:
    return house.ask(house.start(agent))


def passing(house: House, agent: str) -> list[dict[str, Any]]:
    return [each for each in house.get("/api/rules/open-asks")["items"] if each["agent"] == agent]


def apply(house: House, *asks: dict[str, Any]) -> list[dict[str, Any]]:
    body = {"ids": [ask["id"] for ask in asks], "digests": {ask["id"]: ask["digest"] for ask in asks}}
    return house.post("/api/rules/open-asks/apply", body)["results"]


def approving(agent: str) -> str:
    return f"""
auto_approval:
  rules:
    - name: let it {agent}
      conditions: {{agent: {agent}}}
      action: {{auto_approve: true}}
"""


@pytest.mark.both_databases
def test_what_a_new_rule_would_let_through_is_offered_and_applied_by_that_rule(house: House) -> None:
    agent = agent_that(house, write("a.md"), tools=("write_file",))
    put_rules(house, rule(agent, "ask", "asked"))
    ask = asking(house, agent)
    assert passing(house, agent) == []
    assert house.client.put("/api/rules", json={"yaml": approving(agent)}).status_code == 200
    (found,) = passing(house, agent)
    assert (found["id"], found["rule"], found["digest"]) == (ask["id"], f"let it {agent}", ask["digest"])
    assert [(each["status"], each["error"]) for each in apply(house, ask)] == [("auto_approved", None)]
    assert house.ended(ask["run_id"])["status"] == "completed"
    settled = look(house, ask)
    assert (settled["status"], settled["settled_by"]) == ("auto_approved", f"rule: let it {agent}")
    entry = next(each for each in audited(house, ask["id"]) if each["action"] == "ask.auto_approved")
    assert (entry["actor"], entry["data"]["rule"]) == ("signoff-token@localhost", f"let it {agent}")
    # The rule that asked stays on the ask.
    answer = settled["answer"]
    assert (answer["applied_by"], answer["rule"], settled["rule"]) == (entry["actor"], entry["data"]["rule"], "asked")
    # It stood open, so it is listed as decided, also for who applied the rule.
    for view in ({"view": "decided"}, {"view": "decided", "by": "me"}):
        assert [each["id"] for each in house.get("/api/asks", run=ask["run_id"], **view)["items"]] == [ask["id"]]
    assert [each["status"] for each in house.calls(ask["run_id"]) if each["tool"] == "write_file"] == ["succeeded"]


def test_what_four_eyes_were_promised_for_or_a_person_changed_is_not_let_through_by_one(house: House) -> None:
    agent = agent_that(house, write("a.md"), tools=("write_file",))
    put_rules(house, rule(agent, {"four_eyes": True}, "two pairs"))
    watched = asking(house, agent)
    put_rules(house, rule(agent, {"require_approval_count": 2}, "two"))
    changed = asking(house, agent)
    (ann,) = people(house, 1)
    edited = ann.answer(changed, arguments={"path": "b.md", "content": "a person's"}).json()
    assert edited["status"] == "pending"
    assert house.client.put("/api/rules", json={"yaml": approving(agent)}).status_code == 200
    assert passing(house, agent) == []
    assert [each["status"] for each in apply(house, watched, edited)] == ["pending", "pending"]


def test_an_allowance_lets_those_through_that_wait_already(house: House) -> None:
    put_rules(house)
    agent = agent_that(house, write("drafts/a.md"), tools=("write_file",))
    first, second = asking(house, agent), asking(house, agent)
    house.answer(first, remember="agent")
    (found,) = passing(house, agent)
    assert (found["id"], found["rule"]) == (second["id"], None)
    assert apply(house, second)[0]["status"] == "auto_approved"


def test_what_still_asks_was_decided_or_changed_is_left_and_named(house: House) -> None:
    put_rules(house)
    agent = agent_that(house, write("a.md"), tools=("write_file",))
    waiting, decided, changed = (asking(house, agent) for _ in range(3))
    assert apply(house, waiting)[0]["error"]
    assert look(house, waiting)["status"] == "pending"
    house.client.put("/api/rules", json={"yaml": approving(agent)})
    house.answer(decided, "deny")
    results = apply(house, decided, changed | {"digest": "another"}, waiting)
    assert [each["status"] for each in results] == ["denied", "pending", "auto_approved"]
    assert [bool(each["error"]) for each in results] == [True, True, False]


def test_several_signatures_are_lifted_only_when_no_rule_asks_at_all(house: House) -> None:
    agent = agent_that(house, write("a.md"), tools=("write_file",))
    put_rules(house, rule(agent, {"require_approval_count": 2}, "two"))
    ask = asking(house, agent)
    assert ask["approvals_required"] == 2
    put_rules(house, rule(agent, "ask", "one"))
    assert passing(house, agent) == []
    house.client.put("/api/rules", json={"yaml": approving(agent)})
    assert [each["id"] for each in passing(house, agent)] == [ask["id"]]


def test_nothing_is_let_through_while_stopped_or_paused(house: House) -> None:
    put_rules(house)
    agent = agent_that(house, write("a.md"), tools=("write_file",))
    ask = asking(house, agent)
    house.client.put("/api/rules", json={"yaml": approving(agent)})
    body = {"ids": [ask["id"]], "digests": {ask["id"]: ask["digest"]}}
    house.post("/api/rules/emergency-stop", {"enabled": True})
    assert passing(house, agent) == []
    problem(house.client.post("/api/rules/open-asks/apply", json=body), 409)
    house.post("/api/rules/emergency-stop", {"enabled": False})
    house.post("/api/pause-all", {"enabled": True})
    problem(house.client.post("/api/rules/open-asks/apply", json=body), 409)
    house.post("/api/pause-all", {"enabled": False})
    assert look(house, ask)["status"] == "pending"
    assert apply(house, ask)[0]["status"] == "auto_approved"


def test_only_an_admin_applies(house: House) -> None:
    with house.member("approver") as approver:
        problem(approver.post("/api/rules/open-asks/apply", json={"ids": ["x"], "digests": {}}), 403)
