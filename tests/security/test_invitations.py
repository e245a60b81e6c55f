"""Nobody becomes a member against their will, and nobody's account is reached by way of another workspace."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from signoff.kit.actor import Actor
from signoff.kit.ids import new_id
from signoff.workspaces import actions, credentials
from tests.contract.ruling import Person, ruled, somebody
from tests.contract.scenes import problem, waiting
from tests.house import House
from tests.joining import browser, invite, join, secret_in, signed_in

PASSWORD = "correct horse battery"


def an_email() -> str:
    return f"{new_id()}@example.org"


@pytest.fixture
def elsewhere(house: House) -> Iterator[httpx.Client]:
    """The admin of another workspace."""

    def make(session: Any) -> str:
        admin = actions.found(session, "Elsewhere", an_email(), "Mallory")
        return credentials.issue_token(session, Actor.system(admin.workspace_id), admin, "own", [], None)[1]

    with house.client_for(house.parts.db.write(make)) as client:
        yield client


def listed(house: House, email: str) -> dict[str, Any]:
    return next(each for each in house.get("/api/members", limit=200)["items"] if each["email"] == email)


def test_a_member_who_was_only_added_decides_nothing(house: House) -> None:
    email = an_email()
    added = house.post("/api/members", {"email": email, "name": "Added", "role": "approver"}, 201)
    assert added["accepted_at"] is None
    _, ask = waiting(house)
    token = house.post("/api/tokens", {"name": "for them", "user": email}, 201)["token"]
    with house.client_for(token) as client:
        problem(client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"}), 403)
    problem(house.client.post("/api/auth/links", json={"user": email}), 409)


def test_whoever_accepts_is_a_person_from_then_on(house: House) -> None:
    email = an_email()
    house.post("/api/members", {"email": email, "name": "Added", "role": "approver"}, 201)
    with signed_in(house.url, token=invite(house.client, email, "approver")) as session:
        assert session.get("/api/me").json()["standing"] == "person"
        _, ask = waiting(house)
        assert session.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"}).status_code == 200
    assert listed(house, email)["accepted_at"]
    again = {"email": email, "name": "Again", "role": "admin"}
    problem(house.client.post("/api/invitations", json=again), 409)


@pytest.mark.both_databases
def test_an_invitation_is_listed_works_once_and_can_be_revoked(house: House) -> None:
    email, other = an_email(), an_email()
    secret, revoked = invite(house.client, email, "viewer"), invite(house.client, other, "viewer")
    waiting_for = {each["email"]: each["id"] for each in house.get("/api/invitations", limit=200)["items"]}
    assert waiting_for.keys() >= {email, other}
    assert house.client.delete(f"/api/invitations/{waiting_for[other]}").status_code == 204
    with signed_in(house.url, token=secret), browser(house.url) as late:
        for used in (secret, revoked):
            detail = problem(late.post("/api/auth/sign-in", json={"token": used}), 401)["detail"]
            assert ("has been accepted" if used == secret else "was revoked") in detail
            assert problem(late.post("/api/auth/invitation", json={"token": used}), 401)["detail"] == detail


def test_a_newer_invitation_replaces_the_one_before(house: House) -> None:
    email = an_email()
    first = invite(house.client, email, "viewer")
    second = invite(house.client, email, "member")
    with browser(house.url) as late:
        problem(late.post("/api/auth/sign-in", json={"token": first}), 401)
    with signed_in(house.url, token=second) as session:
        assert session.get("/api/me").json()["role"] == "member"


def test_only_an_admin_invites(house: House, approver: httpx.Client) -> None:
    body = {"email": an_email(), "name": "x", "role": "viewer"}
    problem(approver.post("/api/invitations", json=body), 403)
    problem(approver.get("/api/invitations"), 403)


def test_the_admin_of_another_workspace_gets_nowhere_with_somebodys_address(
    house: House, elsewhere: httpx.Client
) -> None:
    """An address is an account's in one workspace: elsewhere it is nobody's yet, and tells nothing of the one here."""
    email = an_email()
    join(house.client, email, "approver", name="Ada at home", password=PASSWORD)
    secret = invite(elsewhere, email, "admin", name="Whoever")
    with browser(house.url) as mallory:
        opened = mallory.post("/api/auth/invitation", json={"token": secret}).json()
        assert (opened["accept"], opened["name"]) == ("new", "Whoever")
        given = {"token": secret, "name": "Mallory", "password": "a password by Mallory"}
        assert mallory.post("/api/auth/sign-in", json=given).status_code == 200
        assert [each["name"] for each in mallory.get("/api/workspaces").json()] == ["Elsewhere"]
    with signed_in(house.url, email=email, password="a password by Mallory") as mallory:
        me = mallory.get("/api/me").json()
        assert (me["workspace"]["name"], me["user"]["name"]) == ("Elsewhere", "Mallory")
        assert [each["name"] for each in mallory.get("/api/workspaces").json()] == ["Elsewhere"]
    with signed_in(house.url, email=email, password=PASSWORD) as own:
        me = own.get("/api/me").json()
        assert (me["workspace"]["name"], me["user"]["name"]) == ("Home", "Ada at home")


@pytest.mark.both_databases
def test_whoever_has_an_account_elsewhere_joins_with_a_session_by_its_password(
    house: House, elsewhere: httpx.Client
) -> None:
    email = an_email()
    join(house.client, email, "approver", name="Ada", password=PASSWORD)
    secret = invite(elsewhere, email, "member", name="Whoever")
    elsewhere.post("/api/groups", json={"name": f"g{new_id()}", "members": [email]})
    with signed_in(house.url, email=email, password=PASSWORD) as own:
        assert own.post("/api/auth/invitation", json={"token": secret}).json()["accept"] == "session"
        assert own.post("/api/auth/sign-in", json={"token": secret}).status_code == 200
        me = own.get("/api/me").json()
        assert (me["workspace"]["name"], me["role"], me["standing"]) == ("Elsewhere", "member", "person")
        assert me["user"]["name"] == "Ada"
        assert [each["members"] for each in elsewhere.get("/api/groups").json()["items"]] == [[email]]
        assert [each["name"] for each in own.get("/api/workspaces").json()] == ["Elsewhere", "Home"]
        problem(own.post("/api/auth/password", json={"password": "another password"}), 403)


def test_who_comes_back_shows_the_password_that_they_had_here(house: House) -> None:
    """Else an admin could remove somebody and come in under their address."""
    email = an_email()
    join(house.client, email, "approver", password=PASSWORD)
    assert house.client.delete(f"/api/members/{listed(house, email)['id']}").status_code == 204
    secret = invite(house.client, email, "approver")
    with browser(house.url) as mallory:
        assert mallory.post("/api/auth/invitation", json={"token": secret}).json()["accept"] == "password"
        for given in ({}, {"password": "a password by Mallory"}):
            answer = mallory.post("/api/auth/sign-in", json={"token": secret, **given})
            assert problem(answer, 401)["code"] == "consent_needed"
        assert mallory.post("/api/auth/sign-in", json={"token": secret, "password": PASSWORD}).status_code == 200


def test_who_had_no_password_comes_back_as_somebody_new_and_as_the_inviters_hand(house: House) -> None:
    """Else an admin could be a colleague who never set one, and sign beside themselves."""
    boss, dora = somebody(house, "admin"), somebody(house)
    before = listed(house, dora.email)
    with house.client_for(boss.token) as mallory:
        assert mallory.delete(f"/api/members/{before['id']}").status_code == 204
        given = {"token": invite(mallory, dora.email, "approver"), "password": "a password by Mallory"}
    with signed_in(house.url, **given) as stolen:
        assert stolen.get("/api/me").json()["user"]["id"] != before["user_id"]
        token = stolen.post("/api/tokens", json={"name": "x"}).json()["token"]
    _, ask = ruled(house, {"require_approval_count": 2})
    boss.answer(ask).raise_for_status()
    assert problem(Person(house.url, token, dora.email).answer(ask), 403)["code"] == "one_hand"
    assert somebody(house).answer(ask).json()["status"] == "approved"


def test_a_link_by_the_other_workspaces_admin_sets_no_password(house: House, elsewhere: httpx.Client) -> None:
    """Also when the person has none yet."""
    email = an_email()
    join(elsewhere, email, "member")
    url = elsewhere.post("/api/auth/links", json={"user": email}).json()["url"]
    with signed_in(house.url, token=url.split("token=")[1]) as mallory:
        assert mallory.get("/api/me").json()["workspace"]["name"] == "Elsewhere"
        problem(mallory.post("/api/auth/password", json={"password": "a password by Mallory"}), 403)


@pytest.mark.parametrize("by", ["somebody else's link", "an own link", "a token", "a scoped token"])
def test_no_session_but_a_persons_own_joins_for_them(house: House, elsewhere: httpx.Client, by: str) -> None:
    email = an_email()
    own = join(house.client, email, "approver", password=PASSWORD)
    if by == "somebody else's link":
        url = house.post("/api/auth/links", {"user": email})["url"]
        given = secret_in(url)
    elif by == "an own link":
        # Links can be handed on: whoever squats an address would lead its owner into their account with one.
        with signed_in(house.url, email=email, password=PASSWORD) as session:
            given = secret_in(session.post("/api/auth/links", json={}).json()["url"])
    else:
        with house.client_for(own) as client:
            scopes = ["member"] if by == "a scoped token" else []
            given = client.post("/api/tokens", json={"name": "x", "scopes": scopes}).json()["token"]
    secret = invite(elsewhere, email, "approver")
    with signed_in(house.url, token=given) as session:
        mine = session.get("/api/me").json()["user"]["id"]
        assert session.post("/api/auth/invitation", json={"token": secret}).json()["accept"] == "new"
        assert session.post("/api/auth/sign-in", json={"token": secret}).json()["user"]["id"] != mine
    with signed_in(house.url, email=email, password=PASSWORD) as own:
        assert [each["name"] for each in own.get("/api/workspaces").json()] == ["Home"]
