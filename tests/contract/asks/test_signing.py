"""Who must sign, how many, in which order, and what happens to a signature."""

from collections import Counter
from typing import Any

import pytest

from tests.contract.ruling import a_group, audited, look, people, put_rules, rule, ruled, ruled_agent, somebody, still
from tests.contract.scenes import at_once, problem
from tests.house import House

TWO = {"require_approval_count": 2}
EDITED = {"path": "b.txt", "content": "two"}


def types(house: House, run: str) -> Counter[str]:
    return Counter(event["type"] for event in house.get(f"/api/runs/{run}/activity", limit=200)["items"])


def test_one_signature_of_two_leaves_the_ask_open_and_shows_who_signed(house: House) -> None:
    run, ask = ruled(house, TWO)
    (ann,) = people(house, 1)
    shown = ann.answer(ask, note="fine by me").json()
    assert (shown["status"], shown["approvals_required"], shown["answer"]) == ("pending", 2, None)
    (signature,) = look(house, ask)["approvals"]
    assert (signature["by"], signature["decision"], signature["note"]) == (ann.email, "approve", "fine by me")
    assert house.run(run)["status"] == "waiting_approval"
    assert house.calls(run)[0]["started_at"] is None


def test_the_second_of_two_signatures_lets_the_call_run(house: House) -> None:
    run, ask = ruled(house, TWO)
    ann, bob = people(house, 2)
    ann.answer(ask)
    assert bob.answer(ask).json()["status"] == "approved"
    assert house.ended(run)["status"] == "completed"
    assert house.calls(run)[0]["status"] == "succeeded"
    assert [each["by"] for each in look(house, ask)["approvals"]] == [ann.email, bob.email]


def test_signing_twice_is_a_conflict_that_counts_nothing(house: House) -> None:
    _, ask = ruled(house, TWO)
    ann = somebody(house)
    ann.answer(ask)
    body = problem(ann.answer(ask), 409)
    assert body["code"] == "already_signed"
    assert body["state"]["status"] == "pending"
    assert len(look(house, ask)["approvals"]) == 1
    assert len(audited(house, ask["id"], "ask.signed")) == 1


def test_two_tokens_of_one_person_are_one_signature(house: House) -> None:
    _, ask = ruled(house, TWO)
    ann = somebody(house)
    ann.answer(ask)
    other = ann.post("/api/tokens", {"name": "second"}).json()["token"]
    with house.client_for(other) as again:
        problem(again.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"}), 409)


def test_one_refusal_refuses(house: House) -> None:
    run, ask = ruled(house, {"require_approval_count": 3})
    ann, bob = people(house, 2)
    ann.answer(ask)
    assert bob.answer(ask, "deny", note="too early").json()["status"] == "denied"
    house.ended(run)
    assert house.calls(run)[0]["status"] == "denied"
    assert [each["decision"] for each in look(house, ask)["approvals"]] == ["approve", "deny"]


def test_whoever_signed_may_still_refuse(house: House) -> None:
    _, ask = ruled(house, TWO)
    ann = somebody(house)
    ann.answer(ask)
    assert ann.answer(ask, "deny", note="on second thoughts").json()["status"] == "denied"


def test_an_edit_voids_the_signatures_before_it(house: House) -> None:
    run, ask = ruled(house, TWO)
    ann, bob, cy = people(house, 3)
    ann.answer(ask)
    shown = bob.answer(ask, arguments=EDITED).json()
    assert shown["status"] == "pending"
    assert [each["by"] for each in shown["approvals"]] == [bob.email]
    assert (shown["arguments"], shown["original_arguments"]) == (EDITED, {"path": "a.txt", "content": "one"})
    assert cy.reads_and_answers(ask).json()["status"] == "approved"
    house.ended(run)
    ran = house.calls(run)[0]
    assert (ran["arguments"], ran["proposed_arguments"]) == (EDITED, {"path": "a.txt", "content": "one"})


def test_after_an_edit_the_next_signer_is_shown_the_edited_call(house: House) -> None:
    _, ask = ruled(house, TWO)
    assert "a.txt" in ask["title"]
    shown = somebody(house).answer(ask, arguments=EDITED).json()
    assert "b.txt" in shown["title"]
    assert "a.txt" not in shown["title"]


def test_after_an_edit_the_reasons_name_the_rule_that_now_holds(house: House) -> None:
    agent = ruled_agent(house, "ask")
    edited = {"field": "path", "operator": "==", "value": EDITED["path"]}
    put_rules(house, rule(agent, TWO, "only b", data_threshold=edited))
    shown = somebody(house).answer(house.ask(house.start(agent)), arguments=EDITED).json()
    assert (shown["rule"], shown["approvals_required"]) == ("only b", 2)
    assert any("only b" in reason for reason in shown["risk"]["reasons"])


def test_whose_signature_an_edit_voided_may_sign_again(house: House) -> None:
    run, ask = ruled(house, TWO)
    ann, bob = people(house, 2)
    ann.answer(ask)
    bob.answer(ask, arguments=EDITED)
    assert ann.reads_and_answers(ask).json()["status"] == "approved"
    house.ended(run)
    assert house.calls(run)[0]["arguments"] == EDITED


def test_an_edit_that_changes_nothing_voids_nothing(house: House) -> None:
    _, ask = ruled(house, TWO)
    ann, bob = people(house, 2)
    ann.answer(ask)
    assert bob.answer(ask, arguments=ask["arguments"]).json()["status"] == "approved"


def test_an_edit_changes_the_digest_and_the_old_one_signs_nothing(house: House) -> None:
    _, ask = ruled(house, TWO)
    ann, bob = people(house, 2)
    edited = ann.answer(ask, arguments=EDITED).json()
    assert edited["digest"] != ask["digest"]
    assert problem(bob.answer(ask, digest=ask["digest"]), 409)["code"] == "ask_changed"
    assert bob.answer(ask, digest=edited["digest"]).json()["status"] == "approved"


def test_a_bad_edit_voids_nothing(house: House) -> None:
    _, ask = ruled(house, TWO)
    ann, bob = people(house, 2)
    ann.answer(ask)
    before = still(look(house, ask))
    problem(bob.answer(ask, arguments={"path": "b"}), 422)
    assert still(look(house, ask)) == before


def test_an_edit_into_what_a_rule_denies_is_refused(house: House) -> None:
    agent = ruled_agent(house, "ask")
    secret = {"field": "path", "operator": "==", "value": "secret"}
    put_rules(house, rule(agent, "deny", data_threshold=secret), rule(agent, TWO))
    ask = house.ask(house.start(agent))
    before = still(look(house, ask))
    problem(somebody(house).answer(ask, arguments={"path": "secret", "content": "x"}), 422)
    assert still(look(house, ask)) == before


@pytest.mark.both_databases
def test_of_ten_who_sign_at_once_exactly_two_count(house: House) -> None:
    run, ask = ruled(house, TWO)
    ten = people(house, 10)
    answers = at_once(10, lambda index: ten[index].answer(ask))
    counts = Counter(answer.status_code for answer in answers)
    assert counts == {200: 2, 409: 8}
    assert Counter(answer.json()["status"] for answer in answers if answer.status_code == 200) == {
        "pending": 1,
        "approved": 1,
    }
    house.ended(run)
    found = look(house, ask)
    assert len({each["by"] for each in found["approvals"]}) == len(found["approvals"]) == 2
    record = [entry["action"] for entry in audited(house, ask["id"])]
    assert Counter(record) == {"ask.opened": 1, "ask.signed": 1, "ask.answered": 1}
    assert types(house, run)["ask.settled"] == 1
    assert Counter(each["tool"] for each in house.calls(run))["write_file"] == 1


@pytest.mark.both_databases
def test_a_double_click_of_one_signer_is_one_signature(house: House) -> None:
    _, ask = ruled(house, TWO)
    ann = somebody(house)
    answers = at_once(6, lambda _: ann.answer(ask))
    assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 5}
    assert len(look(house, ask)["approvals"]) == 1


@pytest.mark.both_databases
def test_an_approval_and_a_refusal_at_once_have_one_outcome(house: House) -> None:
    run, ask = ruled(house, "ask")
    ten = people(house, 6)
    answers = at_once(6, lambda index: ten[index].answer(ask, "approve" if index % 2 else "deny"))
    (won,) = [answer.json() for answer in answers if answer.status_code == 200]
    assert all(problem(answer, 409)["state"]["status"] == won["status"] for answer in answers if answer.is_error)
    house.ended(run)
    assert house.calls(run)[0]["status"] == {"approved": "succeeded", "denied": "denied"}[won["status"]]
    assert len(audited(house, ask["id"], "ask.answered")) == 1


def test_stages_are_signed_in_their_order(house: House) -> None:
    lead, boss = people(house, 2)
    stages = [{"name": "lead", "approvers": [lead.email]}, {"name": "boss", "approvers": [boss.email]}]
    run, ask = ruled(house, {"stages": stages})
    assert [stage["name"] for stage in ask["stages"]] == ["lead", "boss"]
    problem(boss.answer(ask), 403)
    assert lead.answer(ask).json()["status"] == "pending"
    assert boss.answer(ask).json()["status"] == "approved"
    house.ended(run)
    assert [(each["by"], each["stage"]) for each in look(house, ask)["approvals"]] == [
        (lead.email, "lead"),
        (boss.email, "boss"),
    ]


def test_a_stage_waits_for_all_of_its_signatures(house: House) -> None:
    ann, bob, boss = people(house, 3)
    stages = [{"name": "two", "approvers": [ann.email, bob.email], "count": 2}, {"approvers": [boss.email]}]
    _, ask = ruled(house, {"stages": stages})
    assert ask["approvals_required"] == 3
    ann.answer(ask)
    problem(boss.answer(ask), 403)
    assert bob.answer(ask).json()["status"] == "pending"
    assert boss.answer(ask).json()["status"] == "approved"


def test_nobody_signs_two_stages(house: House) -> None:
    ann, bob = people(house, 2)
    stages = [{"name": "one", "approvers": ["role:approver"]}, {"name": "two", "approvers": ["role:approver"]}]
    _, ask = ruled(house, {"stages": stages})
    ann.answer(ask)
    problem(ann.answer(ask), 409)
    assert bob.answer(ask).json()["status"] == "approved"


def test_a_refusal_in_the_first_stage_ends_the_matter(house: House) -> None:
    lead, boss = people(house, 2)
    _, ask = ruled(house, {"stages": [{"approvers": [lead.email]}, {"approvers": [boss.email]}]})
    assert lead.answer(ask, "deny", note="no").json()["status"] == "denied"
    assert problem(boss.answer(ask), 409)["state"]["status"] == "denied"


def test_whoever_started_the_run_does_not_approve_it_under_four_eyes(house: House) -> None:
    ann, bob = people(house, 2)
    agent = ruled_agent(house, {"four_eyes": True})
    run = ann.post("/api/runs", {"agent": agent, "task": "mine"}).json()["id"]
    ask = house.ask(run)
    assert ask["four_eyes"] is True
    problem(ann.answer(ask), 403)
    assert look(house, ask)["approvals"] == []
    assert bob.answer(ask).json()["status"] == "approved"


def test_a_named_person_decides_whatever_the_role(house: House) -> None:
    (ann,) = people(house, 1, "member")
    bob = somebody(house, "approver")
    _, ask = ruled(house, {"approvers": [ann.email]})
    assert ask["approvers"] == [ann.email]
    problem(bob.answer(ask), 403)
    problem(bob.answer(ask, "deny"), 403)
    assert ann.answer(ask).json()["status"] == "approved"


def test_a_named_role_decides_and_no_other(house: House) -> None:
    bob = somebody(house)
    _, ask = ruled(house, {"approvers": ["role:admin"]})
    problem(bob.answer(ask), 403)
    assert house.answer(ask)["status"] == "approved"


def test_a_named_group_decides_and_nobody_beside_it(house: House) -> None:
    inside, outside = people(house, 2)
    _, ask = ruled(house, {"approvers": [a_group(house, inside)]})
    problem(outside.answer(ask), 403)
    assert inside.answer(ask).json()["status"] == "approved"


def test_who_joins_the_group_later_may_sign(house: House) -> None:
    inside, late = people(house, 2)
    named = a_group(house, inside)
    _, ask = ruled(house, {"approvers": [named]})
    (group,) = [each for each in house.get("/api/groups", limit=200)["items"] if f"group:{each['name']}" == named]
    change = {"members": [inside.email, late.email]}
    assert house.client.patch(f"/api/groups/{group['id']}", json=change).status_code == 200
    assert late.answer(ask).json()["status"] == "approved"


def test_an_assignee_is_told_shown_and_found(house: House) -> None:
    _, ask = ruled(house, "ask")
    ann = somebody(house)
    assert house.post(f"/api/asks/{ask['id']}/assign", {"user": ann.email})["assignee"] == ann.email
    mine = ann.get("/api/asks", assignee=ann.email, status="pending").json()["items"]
    assert [each["id"] for each in mine] == [ask["id"]]
    assert [notice["ask_id"] for notice in ann.get("/api/notifications", unread=True).json()["items"]] == [ask["id"]]
    (entry,) = audited(house, ask["id"], "ask.assigned")
    assert ann.email in str(entry["data"])


def test_an_assigned_member_decides_what_the_role_alone_does_not(house: House) -> None:
    _, ask = ruled(house, "ask")
    ann = somebody(house, "member")
    problem(ann.answer(ask), 403)
    house.post(f"/api/asks/{ask['id']}/assign", {"user": ann.email})
    assert ann.answer(ask).json()["status"] == "approved"


def test_nobody_unknown_is_assigned(house: House) -> None:
    _, ask = ruled(house, "ask")
    body: dict[str, Any] = {"user": "stranger@example.org"}
    problem(house.client.post(f"/api/asks/{ask['id']}/assign", json=body), 422)
    assert look(house, ask)["assignee"] is None


def test_a_settled_ask_is_assigned_to_nobody(house: House) -> None:
    run, ask = ruled(house, "ask")
    house.answer(ask)
    house.ended(run)
    body = {"user": somebody(house).email}
    problem(house.client.post(f"/api/asks/{ask['id']}/assign", json=body), 409)


def test_what_needs_several_is_signed_alone_and_not_among_others(house: House) -> None:
    agent = ruled_agent(house, TWO)
    several = house.ask(house.start(agent))
    _, plain = ruled(house, "ask")
    (ann,) = people(house, 1)

    def batch(*asks: dict[str, Any]) -> list[dict[str, Any]]:
        ids = [ask["id"] for ask in asks]
        return ann.post("/api/asks/batch", {"ids": ids, "decision": "approve"}).json()["results"]

    left, done = batch(several, plain)
    assert (left["status"], left["error"]) == ("pending", f"{several['apart']}.")
    assert (done["status"], done["error"]) == ("approved", None)
    assert look(house, several)["approvals"] == []
    (signed,) = batch(several)
    assert (signed["status"], signed["error"]) == ("pending", None)
    assert [each["by"] for each in look(house, several)["approvals"]] == [ann.email]
