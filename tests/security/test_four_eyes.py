"""Several signatures, and four eyes, are of so many people: one person in two coats is one person."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from signoff.asks import actions, queries
from signoff.asks.answers.outcome import Answer
from signoff.asks.assign import assign
from signoff.asks.deadlines.expiry import expire_old
from signoff.kit import clock
from signoff.kit.actor import Actor, Standing
from signoff.kit.errors import Forbidden
from signoff.kit.ids import new_id
from signoff.runs import actions as runs
from signoff.runs import queries as run_queries
from signoff.workspaces import queries as workspaces
from tests.contract.ruling import (
    Person,
    a_group,
    audited,
    look,
    people,
    put_rules,
    rule,
    ruled,
    ruled_agent,
    somebody,
)
from tests.contract.scenes import WRITE, agent_that, at_once, problem, waiting
from tests.house import House
from tests.joining import join
from tests.wire import call, says

TWO = {"require_approval_count": 2}
FOUR_EYES = {"four_eyes": True}
EDITED = {"path": "b.txt", "content": "two"}
ROUNDS = 4


def started_by(house: House, who: Person, action: Any) -> tuple[str, dict[str, Any]]:
    """A run of this person's that waits by a rule; its agent would try again."""
    agent = ruled_agent(house, action, says("", WRITE), says("", WRITE))
    run = who.post("/api/runs", {"agent": agent, "task": "mine"}).json()["id"]
    return run, house.ask(run)


def member_id(house: House, who: Person) -> str:
    return next(each["id"] for each in house.get("/api/members", limit=200)["items"] if each["email"] == who.email)


def remove(house: House, who: Person) -> int:
    return house.client.delete(f"/api/members/{member_id(house, who)}").status_code


def acting(house: House, who: Person, standing: Standing, act: Callable[[Any, Actor], Any]) -> Any:
    """Do something as this person, with a credential of another standing."""

    def work(session: Any) -> Any:
        system = Actor.system(house.parts.db.read(_workspace))
        actor = workspaces.actor_of(session, workspaces.member_by_user(session, system, who.email), "token")
        return act(session, replace(actor, standing=standing))

    return house.parts.db.write(work)


def _workspace(session: Any) -> str:
    first = workspaces.first_workspace(session)
    assert first is not None
    return first


# Whose word counts


@pytest.mark.parametrize("standing", [Standing.SERVICE, Standing.INVITED])
@pytest.mark.parametrize("decision", ["approve", "deny", "respond"])
def test_a_credential_that_is_no_persons_own_word_answers_nothing(
    house: House, standing: Standing, decision: Any
) -> None:
    _, ask = waiting(house)
    ann = somebody(house)
    given = Answer(decision, value="instead", note="no")

    def act(session: Any, actor: Actor) -> None:
        actions.answer(session, actor, queries.ask(session, actor, ask["id"]), given)

    with pytest.raises(Forbidden) as refused:
        acting(house, ann, standing, act)
    assert refused.value.code == "answers_nothing"
    assert look(house, ask)["status"] == "pending"


@pytest.mark.parametrize("standing", [Standing.SERVICE, Standing.INVITED])
def test_nor_does_it_cancel_assign_or_expire_an_ask(house: House, standing: Standing) -> None:
    _, ask = waiting(house)
    boss = somebody(house, "admin")
    ways: list[Callable[[Any, Actor], Any]] = [
        lambda s, actor: actions.cancel(s, actor, queries.ask(s, actor, ask["id"])),
        lambda s, actor: assign(s, actor, queries.ask(s, actor, ask["id"]), boss.email),
        lambda s, actor: expire_old(s, actor, clock.now()),
    ]
    for way in ways:
        with pytest.raises(Forbidden):
            acting(house, boss, standing, way)
    assert look(house, ask)["status"] == "pending"


def test_a_service_tokens_message_steers_a_run_that_clarifies_and_answers_nothing(house: House) -> None:
    question = call("ask_question", {"question": "Which?", "type": "blocking", "responseType": "text"})
    run = house.start(agent_that(house, says("", question), tools=("write_file",), clarify=True))
    ask = house.ask(run)
    assert ask["kind"] == "clarification"
    ann = somebody(house)
    acting(
        house, ann, Standing.SERVICE, lambda s, actor: runs.post_message(s, actor, run_queries.run(s, actor, run), "B")
    )
    assert look(house, ask)["status"] == "pending"


def test_the_servers_token_decides_alone(house: House) -> None:
    _, ask = waiting(house)
    ann = somebody(house, "admin")

    def act(session: Any, actor: Actor) -> None:
        actions.answer(session, actor, queries.ask(session, actor, ask["id"]), Answer("approve"))

    acting(house, ann, Standing.ROOT, act)
    assert look(house, ask)["status"] == "approved"


@pytest.mark.parametrize("action", [TWO, FOUR_EYES, {"stages": [{"approvers": ["role:approver"]}]}], ids=str)
def test_the_servers_token_is_no_signature_beside_others(house: House, action: Any) -> None:
    _, ask = ruled(house, action)
    ann = somebody(house, "admin")

    def act(session: Any, actor: Actor) -> None:
        actions.answer(session, actor, queries.ask(session, actor, ask["id"]), Answer("approve"))

    with pytest.raises(Forbidden) as refused:
        acting(house, ann, Standing.ROOT, act)
    assert refused.value.code == "needs_people"
    assert (look(house, ask)["status"], look(house, ask)["approvals"]) == ("pending", [])


def test_two_whom_one_admin_let_in_after_the_ask_was_opened_are_not_two_signatures(house: House) -> None:
    _, ask = ruled(house, TWO)
    boss = somebody(house, "admin")
    with house.client_for(boss.token) as admin:
        ann, bob = (Person(house.url, join(admin, f"{new_id()}@example.org", "approver"), "") for _ in range(2))
    ann.answer(ask).raise_for_status()
    assert problem(bob.answer(ask), 403)["code"] == "one_hand"
    assert problem(boss.answer(ask), 403)["code"] == "one_hand"
    assert somebody(house).answer(ask).json()["status"] == "approved"


def test_who_was_let_in_by_a_party_after_the_ask_was_opened_is_no_other_pair_of_eyes(house: House) -> None:
    boss = somebody(house, "admin")
    _, ask = started_by(house, boss, FOUR_EYES)
    with house.client_for(boss.token) as admin:
        ann = Person(house.url, join(admin, f"{new_id()}@example.org", "approver"), "")
    problem(ann.answer(ask), 403)
    assert somebody(house).answer(ask).json()["status"] == "approved"


def test_who_steers_with_a_token_made_for_another_is_a_party_too(house: House) -> None:
    boss, ann = somebody(house, "admin"), somebody(house)
    run, ask = ruled(house, FOUR_EYES)
    secret = boss.post("/api/tokens", {"name": "robot", "user": ann.email}).json()["token"]
    robot = Person(house.url, secret, ann.email)
    robot.post(f"/api/runs/{run}/messages", {"text": "do it so"}).raise_for_status()
    for each in (robot, boss, ann):
        problem(each.answer(ask), 403)
    assert look(house, ask)["status"] == "pending"


def test_an_admin_does_not_sign_as_two_members_with_tokens_made_for_them(house: House) -> None:
    _, ask = ruled(house, TWO)
    boss, ann, bob = somebody(house, "admin"), somebody(house), somebody(house)
    for each in (ann, bob):
        secret = boss.post("/api/tokens", {"name": "x", "user": each.email}).json()["token"]
        assert problem(Person(house.url, secret, "").answer(ask), 403)["code"] == "answers_nothing"
    assert problem(house.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"}), 403)["code"] == (
        "needs_people"
    )
    assert look(house, ask)["approvals"] == []


# Signers who no longer count


def test_a_signer_who_was_removed_does_not_count(house: House) -> None:
    run, ask = ruled(house, TWO)
    ann, bob, cy = people(house, 3)
    ann.answer(ask)
    assert remove(house, ann) == 204
    # Whoever comes next reads so before they sign, alone and in a list.
    read = bob.get(f"/api/asks/{ask['id']}").json()
    (listed,) = [each for each in bob.get("/api/asks", limit=200).json()["items"] if each["id"] == ask["id"]]
    for seen in (read, listed):
        assert [(each["by"], each["decision"], each["void"]) for each in seen["approvals"]] == [
            (ann.email, "void", "is no longer a member")
        ]
    assert audited(house, ask["id"], "ask.struck_out") == []
    shown = bob.answer(ask).json()
    assert shown["status"] == "pending"
    assert [(each["by"], each["decision"]) for each in shown["approvals"]] == [
        (ann.email, "void"),
        (bob.email, "approve"),
    ]
    assert "member" in shown["approvals"][0]["void"]
    assert [each["data"]["by"] for each in audited(house, ask["id"], "ask.struck_out")] == [ann.email]
    assert cy.answer(ask).json()["status"] == "approved"
    house.ended(run)


@pytest.mark.parametrize("role", ["member", "viewer"])
def test_a_signer_who_was_demoted_does_not_count(house: House, role: str) -> None:
    _, ask = ruled(house, TWO)
    ann, bob = people(house, 2)
    ann.answer(ask)
    house.client.patch(f"/api/members/{member_id(house, ann)}", json={"role": role}).raise_for_status()
    assert bob.answer(ask).json()["status"] == "pending"
    assert look(house, ask)["approvals"][0]["decision"] == "void"


def test_a_signer_who_left_the_group_does_not_count(house: House) -> None:
    ann, bob, cy = people(house, 3)
    named = a_group(house, ann, bob, cy)
    _, ask = ruled(house, {**TWO, "approvers": [named]})
    assert ann.answer(ask).json()["approvals"][0]["decision"] == "approve"
    (group,) = [each for each in house.get("/api/groups", limit=200)["items"] if f"group:{each['name']}" == named]
    change = {"members": [bob.email, cy.email]}
    assert house.client.patch(f"/api/groups/{group['id']}", json=change).status_code == 200
    assert look(house, ask)["approvals"][0]["decision"] == "void"
    assert bob.answer(ask).json()["status"] == "pending"
    assert cy.answer(ask).json()["status"] == "approved"


def test_a_stage_whose_signer_left_is_open_again(house: House) -> None:
    lead, other, boss = people(house, 3)
    stages = [{"name": "lead", "approvers": [lead.email, other.email]}, {"name": "boss", "approvers": [boss.email]}]
    _, ask = ruled(house, {"stages": stages})
    lead.answer(ask)
    remove(house, lead)
    may = [who.get(f"/api/asks/{ask['id']}").json()["may_decide"] for who in (boss, other)]
    assert may == [False, True]
    problem(boss.answer(ask), 403)
    assert other.answer(ask).json()["status"] == "pending"
    assert boss.answer(ask).json()["status"] == "approved"


def test_a_signer_who_steers_the_run_afterwards_does_not_count_under_four_eyes(house: House) -> None:
    run, ask = ruled(house, {**TWO, **FOUR_EYES})
    ann, bob, cy = people(house, 3)
    ann.answer(ask)
    ann.post(f"/api/runs/{run}/messages", {"text": "and then pay me"})
    assert bob.answer(ask).json()["status"] == "pending"
    problem(ann.answer(ask), 403)
    assert cy.answer(ask).json()["status"] == "approved"


@pytest.mark.both_databases
def test_who_is_removed_while_the_last_one_signs_has_signed_before_it_or_not_at_all(house: House) -> None:
    for _ in range(ROUNDS):
        _, ask = ruled(house, TWO)
        ann, bob = people(house, 2)
        ann.answer(ask)
        member = member_id(house, ann)

        def race(index: int, ask: Any = ask, bob: Person = bob, member: str = member) -> int:
            if index:
                return bob.answer(ask).status_code
            return house.client.delete(f"/api/members/{member}").status_code

        assert at_once(2, race) == [204, 200]
        (removed,) = audited(house, member, "member.removed")
        if look(house, ask)["status"] == "approved":
            (answered,) = audited(house, ask["id"], "ask.answered")
            assert answered["number"] < removed["number"]
        else:
            (struck,) = audited(house, ask["id"], "ask.struck_out")
            assert removed["number"] < struck["number"]


# Four eyes


@pytest.mark.parametrize("when", ["before", "after"])
def test_whoever_sends_the_run_a_message_cannot_approve_it(house: House, when: str) -> None:
    agent = ruled_agent(house, FOUR_EYES, says("", call("read_file", {"path": "x"})), says("", WRITE))
    run = house.start(agent, autonomy="full") if when == "before" else house.start(ruled_agent(house, FOUR_EYES))
    ann, bob = people(house, 2)
    if when == "before":
        ann.post(f"/api/runs/{run}/messages", {"text": "write a.txt"})
    ask = house.ask(run)
    ann.post(f"/api/runs/{run}/messages", {"text": "and hurry"})
    refused = problem(ann.answer(ask), 403)
    assert refused["code"] == "four_eyes"
    shown = ann.get(f"/api/asks/{ask['id']}").json()
    assert (shown["may_decide"], bool(shown["barred"])) == (False, True)
    assert bob.answer(ask).json()["status"] == "approved"


@pytest.mark.both_databases
def test_two_who_steer_at_once_are_both_parties(house: House) -> None:
    run, ask = ruled(house, FOUR_EYES)
    three = people(house, 3)
    at_once(3, lambda index: three[index].post(f"/api/runs/{run}/messages", {"text": "do it so"}))
    for each in three:
        problem(each.answer(ask), 403)


def test_whoever_answers_the_agent_in_words_has_steered_it(house: House) -> None:
    question = call("ask_question", {"question": "Whom to pay?", "type": "blocking", "responseType": "text"})
    agent = agent_that(house, says("", question), says("", WRITE), tools=("write_file",))
    put_rules(house, rule(agent, FOUR_EYES, tool="write_file"))
    run = house.start(agent)
    ann, bob = people(house, 2)
    ann.answer(house.ask(run), "respond", value="me").raise_for_status()
    ask = house.status(run, "waiting_approval") and house.ask(run)
    problem(ann.answer(ask), 403)
    assert bob.answer(ask).json()["status"] == "approved"


@pytest.mark.parametrize("way", ["retry", "continue"])
def test_a_run_that_follows_another_is_also_its_authors(house: House, way: str) -> None:
    ann, bob, cy = people(house, 3)
    run, ask = started_by(house, ann, FOUR_EYES)
    cy.answer(ask, "deny", note="no", end_run=True).raise_for_status()
    house.ended(run)
    body = {"instructions": "once more"} if way == "continue" else {}
    again = bob.post(f"/api/runs/{run}/{way}", body).json()["id"]
    ask = house.ask(again)
    problem(ann.answer(ask), 403)
    problem(bob.answer(ask), 403)
    assert cy.answer(ask).json()["status"] == "approved"


def test_whoever_edits_leaves_the_decision_to_somebody_else(house: House) -> None:
    ann, bob, cy = people(house, 3)
    run, ask = started_by(house, ann, FOUR_EYES)
    shown = bob.answer(ask, arguments=EDITED).json()
    assert (shown["status"], shown["arguments"], shown["approvals"]) == ("pending", EDITED, [])
    assert shown["edited_by"] == [bob.email]
    problem(bob.reads_and_answers(ask), 403)
    problem(ann.reads_and_answers(ask), 403)
    assert cy.reads_and_answers(ask).json()["status"] == "approved"
    house.until(lambda: house.calls(run)[0]["status"] == "succeeded")
    assert house.calls(run)[0]["arguments"] == EDITED
    assert [each["action"] for each in audited(house, ask["id"])] == ["ask.opened", "ask.edited", "ask.answered"]


def test_without_four_eyes_one_person_edits_and_approves(house: House) -> None:
    ann = somebody(house)
    run, ask = started_by(house, ann, {"require_approval_count": 1})
    ann.post(f"/api/runs/{run}/messages", {"text": "quick"})
    assert ann.answer(ask, arguments=EDITED).json()["status"] == "approved"


def test_no_other_path_opens_a_fourth_eye_to_whoever_steered(house: House) -> None:
    run, ask = ruled(house, FOUR_EYES)
    ann = somebody(house, "admin")
    ann.post(f"/api/runs/{run}/messages", {"text": "go"})
    (result,) = ann.post("/api/asks/batch", {"ids": [ask["id"]], "decision": "approve"}).json()["results"]
    assert result["error"]
    problem(ann.post(f"/api/approvals/{ask['id']}/approve"), 403)
    problem(ann.answer(ask, remember="rule"), 403)
    house.post(f"/api/asks/{ask['id']}/assign", {"user": ann.email})
    problem(ann.answer(ask), 403)
    assert look(house, ask)["status"] == "pending"


@pytest.mark.both_databases
def test_an_edit_and_an_approval_at_once_approve_what_was_seen_or_nothing(house: House) -> None:
    ann, bob = people(house, 2)
    for _ in range(ROUNDS):
        run, ask = ruled(house, FOUR_EYES)
        given: list[dict[str, Any]] = [{"arguments": EDITED}, {}]
        edit, plain = at_once(2, lambda index, ask=ask, given=given: (ann, bob)[index].answer(ask, **given[index]))
        shown = look(house, ask)
        if plain.status_code == 200:
            assert edit.status_code == 409
            house.ended(run)
            assert house.calls(run)[0]["arguments"] == ask["arguments"]
        else:
            assert (edit.status_code, problem(plain, 409)["code"]) == (200, "ask_changed")
            assert (shown["status"], shown["arguments"]) == ("pending", EDITED)
