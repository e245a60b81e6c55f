"""While somebody is away, a colleague decides for them: what is handed over, and what is not."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy.orm import Session

from signoff.kit import clock
from signoff.kit.ids import new_id
from signoff.workspaces.delegations.models import Delegation
from signoff.workspaces.delegations.queries import lock_not_ended, not_ended
from tests.contract.ruling import Person, a_group, audited, look, notices_to, ruled, sees, somebody
from tests.contract.scenes import at_once, problem
from tests.house import House
from tests.joining import invite, signed_in

PASSWORD = "correct horse battery"
TWO = {"require_approval_count": 2}


def who_signs_in(house: House, role: str = "approver") -> Person:
    """Somebody with a password, who can come back in person."""
    email = f"{role}-{new_id()}@example.org"
    with signed_in(house.url, token=invite(house.client, email, role), password=PASSWORD) as client:
        return Person(house.url, client.post("/api/tokens", json={"name": "test"}).json()["token"], email)


def hand_over(house: House, absent: Person, deputy: Person, **fields: Any) -> httpx.Response:
    """In person, for a day."""
    body = {"deputy": deputy.email, "ends_at": (clock.now() + timedelta(days=1)).isoformat(), **fields}
    with signed_in(house.url, email=absent.email, password=PASSWORD) as client:
        return client.post("/api/delegations", json=body)


def away(house: House, role: str = "approver", deputy_role: str = "approver") -> tuple[Person, Person]:
    """Somebody who is away, and who decides for them."""
    ann, bob = who_signs_in(house, role), who_signs_in(house, deputy_role)
    assert hand_over(house, ann, bob).status_code == 201
    return ann, bob


def ended(house: House, by: Person) -> int:
    (found,) = by.get("/api/delegations").json()["items"]
    with house.client_for(by.token) as client:
        return client.delete(f"/api/delegations/{found['id']}").status_code


Named = Callable[[House, Person], dict[str, Any]]
BY_NAME: dict[str, Named] = {
    "by email": lambda _, ann: {"approvers": [ann.email]},
    "by group": lambda house, ann: {"approvers": [a_group(house, ann)]},
    "in a stage": lambda _, ann: {"stages": [{"name": "lead", "approvers": [ann.email]}]},
}


@pytest.mark.parametrize("named", BY_NAME.values(), ids=BY_NAME.keys())
def test_what_calls_upon_the_absent_by_name_the_deputy_decides(house: House, named: Named) -> None:
    ann, bob = away(house)
    run, ask = ruled(house, named(house, ann))
    problem(somebody(house).answer(ask), 403)
    assert bob.get(f"/api/asks/{ask['id']}").json()["decides_for"] == ann.email
    shown = bob.answer(ask).json()
    assert (shown["status"], shown["settled_by"]) == ("approved", bob.email)
    assert [(each["by"], each["on_behalf_of"]) for each in shown["approvals"]] == [(bob.email, ann.email)]
    (entry,) = audited(house, ask["id"], "ask.answered")
    assert (entry["actor"], entry["data"]["on_behalf_of"]) == (bob.email, ann.email)
    assert house.ended(run)["status"] == "completed"


@pytest.mark.parametrize(
    ("role", "deputy_role", "approvers"),
    [("admin", "approver", ["role:admin"]), ("admin", "approver", ["admin"]), ("approver", "member", None)],
)
def test_a_role_is_never_handed_over(house: House, role: str, deputy_role: str, approvers: list[str] | None) -> None:
    ann, bob = away(house, role, deputy_role)
    _, ask = ruled(house, {"approvers": approvers or [ann.email]})
    problem(bob.answer(ask), 403)
    assert ann.answer(ask).json()["status"] == "approved"


def test_who_may_decide_in_their_own_name_does_so(house: House) -> None:
    _, bob = away(house)
    _, ask = ruled(house, "ask")
    assert bob.answer(ask).json()["approvals"][0]["on_behalf_of"] is None


def test_a_deputy_who_signs_in_their_own_right_and_the_absent_are_two_people(house: House) -> None:
    ann, bob = away(house)
    _, ask = ruled(house, TWO)
    assert bob.answer(ask).json()["status"] == "pending"
    shown = ann.answer(ask).json()
    assert (shown["status"], [each["on_behalf_of"] for each in shown["approvals"]]) == ("approved", [None, None])


@pytest.mark.both_databases
def test_one_person_is_one_signature_in_whoever_s_name(house: House) -> None:
    ann, bob = away(house)
    carol = somebody(house)
    both = {**TWO, "approvers": [ann.email, bob.email, carol.email]}
    _, ask = ruled(house, both)
    bob.answer(ask)
    assert problem(bob.answer(ask), 409)["code"] == "already_signed"
    named = {**TWO, "approvers": [ann.email, carol.email]}
    _, ask = ruled(house, named)
    assert bob.answer(ask).json()["status"] == "pending"
    assert problem(ann.answer(ask), 403)["code"] == "one_hand"
    assert carol.answer(ask).json()["status"] == "approved"
    _, ask = ruled(house, named)
    ann.answer(ask)
    assert problem(bob.answer(ask), 403)["code"] == "one_hand"
    assert len(look(house, ask)["approvals"]) == 1


def test_a_deputy_of_two_counts_once_and_nothing_is_handed_on(house: House) -> None:
    ann, bob = away(house)
    carol = who_signs_in(house)
    assert hand_over(house, carol, bob).status_code == 201
    _, ask = ruled(house, {**TWO, "approvers": [ann.email, carol.email]})
    bob.answer(ask)
    assert problem(bob.answer(ask), 409)["code"] == "already_signed"
    dave = who_signs_in(house)
    assert problem(hand_over(house, dave, ann), 409)["code"] == "deputy_away"
    # Bob goes away, too: what he decides for Ann stays with the two of them.
    assert hand_over(house, bob, dave).status_code == 201
    problem(dave.answer(ask), 403)


@pytest.mark.parametrize("party", ["absent", "deputy"])
def test_under_four_eyes_neither_may_have_had_a_hand_in_it(house: House, party: str) -> None:
    ann, bob = away(house)
    run, ask = ruled(house, {"approvers": [ann.email], "four_eyes": True})
    {"absent": ann, "deputy": bob}[party].post(f"/api/runs/{run}/messages", {"text": "Be quick."})
    assert bob.answer(ask).status_code == 403
    assert look(house, ask)["status"] == "pending"


def test_a_signature_is_struck_out_when_the_absent_steers_the_run_after_it(house: House) -> None:
    ann, bob = away(house)
    carol = somebody(house)
    run, ask = ruled(house, {**TWO, "approvers": [ann.email, carol.email], "four_eyes": True})
    bob.answer(ask)
    ann.post(f"/api/runs/{run}/messages", {"text": "Be quick."})
    assert carol.answer(ask).json()["status"] == "pending"
    assert [each["decision"] for each in look(house, ask)["approvals"]] == ["void", "approve"]


def over(house: House, how: str, ann: Person, bob: Person) -> None:
    members = {each["email"]: each["id"] for each in house.get("/api/members", limit=200)["items"]}
    match how:
        case "ended by the absent":
            assert ended(house, ann) == 204
        case "ended by the deputy":
            assert ended(house, bob) == 204
        case "the absent demoted":
            house.client.patch(f"/api/members/{members[ann.email]}", json={"role": "member"})
        case "the deputy demoted":
            house.client.patch(f"/api/members/{members[bob.email]}", json={"role": "member"})
        case _:
            house.client.delete(f"/api/members/{members[ann.email]}")


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "how",
    ["ended by the absent", "ended by the deputy", "the absent demoted", "the deputy demoted", "the absent removed"],
)
def test_once_it_is_over_a_signature_under_it_counts_no_longer(house: House, how: str) -> None:
    ann, bob = away(house)
    carol = somebody(house)
    _, ask = ruled(house, {**TWO, "approvers": [ann.email, carol.email]})
    bob.answer(ask)
    over(house, how, ann, bob)
    assert [each["decision"] for each in look(house, ask)["approvals"]] == ["void"]
    assert carol.answer(ask).json()["status"] == "pending"
    problem(bob.answer(ask), 403)


@pytest.mark.both_databases
def test_what_was_signed_for_somebody_is_open_again_for_both_once_it_is_over(house: House) -> None:
    ann, bob = away(house)
    carol = somebody(house)
    named = {**TWO, "approvers": [ann.email, carol.email]}
    before, after = (ruled(house, named)[1] for _ in range(2))
    for ask in (before, after):
        bob.answer(ask)
        assert sees(ann, ask) == sees(bob, ask) == ["waiting"]
    carol.answer(before)
    assert ended(house, ann) == 204
    assert sees(ann, before) == sees(bob, before) == ["decided", "mine"]
    assert sees(ann, after) == sees(bob, after) == ["open"]
    carol.answer(after, "deny", note="no")
    assert sees(ann, after) == sees(bob, after) == ["decided"]


@pytest.mark.both_databases
def test_of_an_end_and_an_answer_at_once_the_answer_comes_first_or_not_at_all(house: House) -> None:
    for _ in range(4):
        ann, bob = away(house)
        _, ask = ruled(house, {"approvers": [ann.email]})
        answered, gone = at_once(
            2, lambda which, b=bob, a=ann, ask=ask: b.answer(ask) if which == 0 else ended(house, a)
        )
        assert gone == 204
        assert (answered.status_code, look(house, ask)["status"]) in ((200, "approved"), (403, "pending"))
        actions = [entry["action"] for entry in audited(house, ask["id"], "ask.answered")]
        assert len(actions) == (answered.status_code == 200)
        problem(bob.answer(ask), 403 if answered.status_code == 403 else 409)


def test_a_token_hands_nothing_over_nor_does_a_session_by_somebody_elses_link(house: House) -> None:
    ann, bob = who_signs_in(house), who_signs_in(house)
    body = {"deputy": bob.email, "ends_at": (clock.now() + timedelta(days=1)).isoformat()}
    assert problem(ann.post("/api/delegations", body), 403)["code"] == "in_person_only"
    link = house.post("/api/auth/links", {"user": ann.email})["url"]
    with signed_in(house.url, token=link.partition("token=")[2]) as client:
        assert problem(client.post("/api/delegations", json=body), 403)["code"] == "in_person_only"
    own = ann.post("/api/auth/links", {}).json()["url"]
    with signed_in(house.url, token=own.partition("token=")[2]) as client:
        assert problem(client.post("/api/delegations", json=body), 403)["code"] == "in_person_only"


@pytest.mark.parametrize(
    ("who", "fields"),
    [
        ("themselves", {}),
        ("viewer", {}),
        ("stranger", {}),
        ("approver", {"ends_at": "2000-01-01T00:00:00Z"}),
        ("approver", {"ends_at": "2999-01-01T00:00:00Z"}),
        ("approver", {"starts_at": "2999-01-01T00:00:00Z"}),
        ("approver", {"ends_at": "2030-01-01T00:00:00"}),
    ],
)
def test_what_cannot_be_handed_over_is_refused(house: House, who: str, fields: dict[str, str]) -> None:
    ann = who_signs_in(house)
    other = {"themselves": ann, "stranger": Person("", "", "nobody@example.org")}.get(who) or somebody(house, "viewer")
    problem(hand_over(house, ann, other if who != "approver" else somebody(house), **fields), 422)


def test_both_see_it_others_do_not_and_one_at_a_time(house: House) -> None:
    ann, bob = away(house)
    for person in (ann, bob):
        (shown,) = person.get("/api/delegations").json()["items"]
        assert (shown["absent"]["email"], shown["deputy"]["email"], shown["active"]) == (ann.email, bob.email, True)
    other = somebody(house)
    assert other.get("/api/delegations").json()["items"] == []
    with house.client_for(other.token) as client:
        assert client.delete(f"/api/delegations/{shown['id']}").status_code == 404
    assert problem(hand_over(house, ann, other), 409)["code"] == "already_away"
    assert house.client.delete(f"/api/delegations/{shown['id']}").status_code == 204
    assert [each["action"] for each in audited(house, shown["id"])] == ["delegation.created", "delegation.ended"]
    for person, words in (
        (bob, f"Asks that name {shown['absent']['name']} no longer go to you."),
        (ann, f"Asks that name you no longer go to {shown['deputy']['name']}."),
    ):
        told = person.get("/api/notifications", limit=50).json()["items"]
        assert words in [each["text"] for each in told if each["kind"] == "people"]


def test_one_that_begins_later_lets_nobody_decide_yet_and_one_that_is_over_no_more(house: House) -> None:
    ann, bob = who_signs_in(house), who_signs_in(house)
    soon = (clock.now() + timedelta(hours=1)).isoformat()
    assert hand_over(house, ann, bob, starts_at=soon).json()["active"] is False
    _, ask = ruled(house, {"approvers": [ann.email]})
    problem(bob.answer(ask), 403)
    (planned,) = bob.get("/api/delegations").json()["items"]

    def move(session: Any, start: int, end: int) -> None:
        row = session.get_one(Delegation, planned["id"])
        row.starts_at, row.ends_at = clock.now() + timedelta(hours=start), clock.now() + timedelta(hours=end)

    house.parts.db.write(lambda session: move(session, -2, -1))
    problem(bob.answer(ask), 403)
    house.parts.db.write(lambda session: move(session, -2, 1))
    assert bob.answer(ask).json()["status"] == "approved"


def test_notices_of_asks_reach_the_deputy_too_and_others_do_not(house: House) -> None:
    ann, bob = away(house)
    _, ask = ruled(house, "ask")
    somebody(house).post(f"/api/asks/{ask['id']}/assign", {"user": ann.email})
    (told,) = notices_to(house, ask, bob.email)
    assert told["text"].endswith(f"is away. Assigned to you: {ask['title']}")
    assert len(notices_to(house, ask, ann.email)) == 1
    house.post("/api/auth/links", {"user": ann.email})
    assert not [each for each in bob.get("/api/notifications").json()["items"] if "sign-in link" in each["text"]]


def test_where_nobody_signed_for_another_no_delegation_is_looked_up() -> None:
    nowhere = Session()
    assert lock_not_ended(nowhere, []) == not_ended(nowhere, []) == set()
