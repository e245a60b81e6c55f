"""Several workspaces on one server: who makes one, who goes from one to another, and what stays apart."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from signoff import main
from signoff.kit.errors import CannotStart
from signoff.workspaces import credentials, queries
from signoff.workspaces.models import Credential, Member, User
from signoff.workspaces.sign_in.failed_sign_ins import MISTYPES
from tests.contract.scenes import problem
from tests.house import House
from tests.joining import an_address, browser, invite, join, secret_in, signed_in
from tests.security.test_invitations import an_email
from tests.security.test_sign_in import from_address

PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def kind() -> str:
    """Who may is asked above the database; what is written is tried on both where it is made."""
    return "sqlite"


@pytest.fixture
def owner(house: House) -> Iterator[httpx.Client]:
    """The first start's admin, in the session of the link that it printed."""

    def make(session: Session) -> str:
        first = queries.first_workspace(session)
        admin = queries.user_by_address(session, first or "", "admin@localhost")
        assert first
        assert admin
        member = queries.membership(session, first, admin.id)
        assert member
        return credentials.issue_link(session, credentials.Actor.system(first), member)

    with signed_in(house.url, token=house.parts.db.write(make)) as client:
        yield client


@pytest.fixture
def other(owner: httpx.Client, house: House) -> Iterator[httpx.Client]:
    """An admin of a workspace of its own, made for them."""
    with house.client_for(join_there(house, owner, new_workspace(owner), an_email(), "admin")) as client:
        yield client


def new_workspace(maker: httpx.Client, name: str = "Other") -> str:
    made = maker.post("/api/workspaces", json={"name": name})
    assert made.status_code == 201, made.text
    return made.json()["id"]


def go(client: httpx.Client, workspace: str) -> httpx.Response:
    return client.post(f"/api/workspaces/{workspace}/switch", json={})


def join_there(house: House, owner: httpx.Client, workspace: str, email: str, role: str) -> str:
    """A token of somebody who joined another workspace, at its first admin's invitation."""
    here = owner.get("/api/me").json()["workspace"]["id"]
    assert go(owner, workspace).status_code == 200
    secret = invite(owner, email, role)
    assert go(owner, here).status_code == 200
    with signed_in(house.url, token=secret) as session:
        return session.post("/api/tokens", json={"name": "test"}).json()["token"]


def names(client: httpx.Client) -> list[str]:
    return [each["name"] for each in client.get("/api/workspaces").json()]


def here(client: httpx.Client) -> str:
    return client.get("/api/me").json()["workspace"]["name"]


@contextmanager
def in_both(house: House, other: httpx.Client, role: str = "approver") -> Iterator[tuple[str, httpx.Client]]:
    """Somebody who is a member of Home, and joined the other workspace; signed in by password."""
    email = an_email()
    join(house.client, email, role, name="Ada", password=PASSWORD)
    with signed_in(house.url, email=email, password=PASSWORD) as ada:
        joined = ada.post("/api/auth/sign-in", json={"token": invite(other, email, role)})
        assert joined.json()["workspace"]["name"] == "Other"
        yield email, ada


def test_a_new_workspace_has_the_shipped_agents_its_maker_and_nothing_else(owner: httpx.Client) -> None:
    workspace = new_workspace(owner, "Fresh")
    assert here(owner) == "Home"
    assert go(owner, workspace).json()["role"] == "admin"
    assert {"Home", "Fresh"} <= set(names(owner))
    assert "competitive-analysis" in [each["slug"] for each in owner.get("/api/agents?limit=200").json()["items"]]
    assert [each["email"] for each in owner.get("/api/members").json()["items"]] == ["admin@localhost"]
    for path in ("runs", "asks", "deliverables", "notifications", "lessons", "groups", "invitations"):
        assert owner.get(f"/api/{path}").json()["items"] == [], path
    actors = {each["actor"] for each in owner.get("/api/audit", params={"action": "workspace"}).json()["items"]}
    assert actors == {"admin@localhost"}
    assert owner.get("/api/audit/verify").json()["ok"] is True


def test_its_admin_renames_a_workspace(owner: httpx.Client, house: House) -> None:
    workspace = new_workspace(owner)
    go(owner, workspace)
    assert owner.patch("/api/settings", json={"name": "Renamed"}).json()["name"] == "Renamed"
    assert here(owner) == "Renamed"
    assert house.get("/api/me")["workspace"]["name"] == "Home"


def test_only_who_the_installation_names_makes_workspaces(owner: httpx.Client, house: House) -> None:
    """In their own name: what another admin made for them, or less than all their rights, will not do."""
    email = an_email()
    join(house.client, email, "admin", password=PASSWORD)
    member = next(each for each in house.get("/api/members", limit=200)["items"] if each["email"] == email)
    body = {"name": "Mine"}
    with signed_in(house.url, email=email, password=PASSWORD) as ada:
        problem(ada.post("/api/workspaces", json=body), 403)
        path = f"/api/members/{member['id']}"
        problem(ada.patch(path, json={"installation_admin": True}), 403)
        assert owner.patch(path, json={"installation_admin": True}).json()["installation_admin"] is True
        assert ada.get("/api/me").json()["installation_admin"] is True
        assert ada.post("/api/workspaces", json=body).status_code == 201
        scoped = ada.post("/api/tokens", json={"name": "x", "scopes": ["approver"]}).json()["token"]
    service = house.post("/api/tokens", {"name": "x", "user": email}, 201)["token"]
    for token in (scoped, service):
        with house.client_for(token) as client:
            problem(client.post("/api/workspaces", json=body), 403)
    link = secret_in(house.post("/api/auth/links", {"user": email})["url"])
    with signed_in(house.url, token=link) as mallory:
        assert mallory.get("/api/me").json()["installation_admin"] is False
        problem(mallory.post("/api/workspaces", json=body), 403)
        problem(mallory.patch(path, json={"installation_admin": False}), 403)


def test_somebody_can_always_make_workspaces(owner: httpx.Client, house: House) -> None:
    mine = next(each for each in house.get("/api/members", limit=200)["items"] if each["email"] == "admin@localhost")
    for each in house.get("/api/members", limit=200)["items"]:
        if each["installation_admin"] and each["id"] != mine["id"]:
            owner.patch(f"/api/members/{each['id']}", json={"installation_admin": False})
    refused = owner.patch(f"/api/members/{mine['id']}", json={"installation_admin": False})
    assert problem(refused, 409)["code"] == "last_installation_admin"


def test_who_is_removed_takes_no_right_to_make_workspaces_along(owner: httpx.Client, house: House) -> None:
    """Nor does whoever is invited under their address; and the last one who has that right stays."""
    email = an_email()

    def path_of(address: str) -> str:
        members = house.get("/api/members", limit=200)["items"]
        return f"/api/members/{next(each['id'] for each in members if each['email'] == address)}"

    with signed_in(house.url, token=invite(house.client, email, "admin")) as ada:
        for named in (each for each in house.get("/api/members", limit=200)["items"] if each["installation_admin"]):
            if named["email"] != "admin@localhost":
                owner.patch(f"/api/members/{named['id']}", json={"installation_admin": False})
        assert owner.patch(path_of(email), json={"installation_admin": True}).status_code == 200
        first = path_of("admin@localhost")
        assert ada.patch(first, json={"installation_admin": False}).status_code == 200
        refused = problem(house.client.delete(path_of(email)), 409)
        assert refused["code"] == "last_installation_admin"
        assert ada.patch(first, json={"installation_admin": True}).status_code == 200
        before = ada.get("/api/me").json()["user"]["id"]
    assert house.client.delete(path_of(email)).status_code == 204
    given = {"token": invite(house.client, email, "admin"), "password": "a password by Mallory"}
    with signed_in(house.url, **given) as mallory:
        me = mallory.get("/api/me").json()
        assert (me["user"]["id"] == before, me["installation_admin"]) == (False, False)
    assert house.parts.db.read(lambda session: session.get_one(User, before).installation_admin) is False
    with signed_in(house.url, email=email, password="a password by Mallory") as mallory:
        problem(mallory.post("/api/workspaces", json={"name": "Mine"}), 403)


def test_a_link_by_an_admin_does_not_say_where_a_password_leads(house: House, other: httpx.Client) -> None:
    with in_both(house, other) as (email, ada):
        assert go(ada, house.get("/api/me")["workspace"]["id"]).status_code == 200
        link = secret_in(other.post("/api/auth/links", json={"user": email}).json()["url"])
        with signed_in(house.url, token=link) as mallory:
            assert here(mallory) == "Other"
    with signed_in(house.url, email=email, password=PASSWORD) as again:
        assert here(again) == "Home"


def test_who_is_in_two_workspaces_of_one_name_is_recovered_by_the_id(owner: httpx.Client, house: House) -> None:
    ids = sorted(new_workspace(owner, "Twice") for _ in range(2))
    with pytest.raises(CannotStart, match=", ".join(ids)):
        main.recover(house.settings, "admin@localhost", "Twice")
    assert main.recover(house.settings, "admin@localhost", ids[1])


def test_a_token_that_makes_a_workspace_gets_one_for_it_that_ends_with_it(house: House) -> None:
    made = house.post("/api/workspaces", {"name": "By token"}, 201)
    with house.client_for(made["token"]) as there:
        assert here(there) == "By token"
        assert names(there) == ["By token"]
        problem(go(there, house.get("/api/me")["workspace"]["id"]), 404)
        assert there.get("/api/tokens").json()["items"][0]["standing"] == "root"


def test_a_person_in_two_goes_from_one_to_the_other(house: House, other: httpx.Client) -> None:
    with in_both(house, other) as (email, ada):
        places = {each["name"]: each for each in ada.get("/api/workspaces").json()}
        assert {name: place["current"] for name, place in places.items()} == {"Home": False, "Other": True}
        old = ada.cookies["signoff_session"]
        assert go(ada, places["Home"]["id"]).json()["workspace"]["name"] == "Home"
        with browser(house.url) as before:
            before.cookies.set("signoff_session", old)
            problem(before.get("/api/me"), 401)
        ada.headers["X-Signoff-Workspace"] = places["Other"]["id"]
        assert problem(ada.get("/api/runs"), 401)["code"] == "other_workspace"
        assert problem(ada.post("/api/runs", json={"agent": "x", "task": "x"}), 401)["code"] == "other_workspace"
    with signed_in(house.url, email=email, password=PASSWORD) as again:
        assert here(again) == "Home"
        go(again, places["Other"]["id"])
    with signed_in(house.url, email=email, password=PASSWORD) as again:
        assert here(again) == "Other"


@pytest.mark.parametrize("by", ["an admin's link", "an own link", "a token", "a scoped token", "a token's session"])
def test_only_an_own_session_by_password_leads_elsewhere(house: House, other: httpx.Client, by: str) -> None:
    with in_both(house, other) as (email, ada):
        home = house.get("/api/me")["workspace"]["id"]
        assert here(ada) == "Other"
        match by:
            case "an admin's link":
                given = secret_in(other.post("/api/auth/links", json={"user": email}).json()["url"])
            case "an own link":
                given = secret_in(ada.post("/api/auth/links", json={}).json()["url"])
            case _:
                scopes = ["member"] if by == "a scoped token" else []
                given = ada.post("/api/tokens", json={"name": "x", "scopes": scopes}).json()["token"]
        way_in = house.client_for(given) if by == "a token" else browser(house.url)
        with way_in as client:
            if by != "a token":
                assert client.post("/api/auth/sign-in", json={"token": given}).status_code == 200
            assert names(client) == ["Other"]
            problem(go(client, home), 404)
            # Nor does going to where one is make it one's own.
            problem(go(client, client.get("/api/me").json()["workspace"]["id"]), 404)


def test_a_stranger_to_a_workspace_cannot_go_there(house: House, owner: httpx.Client) -> None:
    workspace = new_workspace(owner)
    email = an_email()
    join(house.client, email, "admin", password=PASSWORD)
    with signed_in(house.url, email=email, password=PASSWORD) as ada:
        problem(go(ada, workspace), 404)
        assert names(ada) == ["Home"]


def test_an_invitation_that_was_not_accepted_leads_nowhere(house: House, other: httpx.Client) -> None:
    email = an_email()
    join(house.client, email, "approver", password=PASSWORD)
    invite(other, email, "admin")
    with signed_in(house.url, email=email, password=PASSWORD) as ada:
        problem(go(ada, other.get("/api/me").json()["workspace"]["id"]), 404)
        assert names(ada) == ["Home"]


def test_who_made_an_account_for_a_strangers_address_does_not_own_that_person(
    house: House, other: httpx.Client
) -> None:
    """Mallory was first: the address in their workspace is theirs, and nothing of it counts here."""
    email = an_email()
    stolen = {"token": invite(other, email, "member"), "password": "a password by Mallory"}
    with signed_in(house.url, **stolen) as mallory, browser(house.url) as ada:
        handed_on = secret_in(mallory.post("/api/auth/links", json={}).json()["url"])
        secret = invite(house.client, email, "approver")
        # Ada opens what Mallory sent her, then our invitation: it is not accepted by Mallory's account.
        assert ada.post("/api/auth/sign-in", json={"token": handed_on}).status_code == 200
        assert ada.post("/api/auth/invitation", json={"token": secret}).json()["accept"] == "new"
        given = {"token": secret, "name": "Ada", "password": PASSWORD}
        assert ada.post("/api/auth/sign-in", json=given).json()["workspace"]["name"] == "Home"
        assert names(ada) == ["Home"]
        assert names(mallory) == ["Other"]
        problem(go(mallory, house.get("/api/me")["workspace"]["id"]), 404)
    for password, place in ((PASSWORD, "Home"), ("a password by Mallory", "Other")):
        with signed_in(house.url, email=email, password=password) as session:
            assert here(session) == place


def test_two_accounts_with_one_address_keep_their_failures_apart(house: House, other: httpx.Client) -> None:
    """A few may be the other one's mistypes: only whoever runs the server sees them. Of more both know, but none from
    where."""
    email = an_email()
    join(house.client, email, "viewer", password=PASSWORD)
    join(other, email, "viewer", password="another password")

    def refused(place: httpx.Client) -> list[dict[str, Any]]:
        tries = place.get("/api/audit", params={"action": "session.refused", "limit": 200}).json()["items"]
        return [each["data"] for each in tries]

    with from_address(house, an_address()) as client:
        wrong = {"email": email, "password": "wrong"}
        unknown = len([each for each in refused(house.client) if each["for"] is None])
        for _ in range(MISTYPES):
            problem(client.post("/api/auth/sign-in", json=wrong), 401)
        assert refused(other) == []
        assert len([each for each in refused(house.client) if each["for"] is None]) == unknown + MISTYPES
        problem(client.post("/api/auth/sign-in", json=wrong), 401)
    for place in (house.client, other):
        assert [each.get("address") for each in refused(place) if each["for"] == email] == [None]


def test_removal_from_one_workspace_leaves_the_other_alone(house: House, other: httpx.Client) -> None:
    with in_both(house, other) as (email, ada), signed_in(house.url, email=email, password=PASSWORD) as there:
        home = house.get("/api/me")["workspace"]["id"]
        assert go(ada, home).status_code == 200
        member = next(each for each in other.get("/api/members").json()["items"] if each["email"] == email)
        assert other.delete(f"/api/members/{member['id']}").status_code == 204
        problem(there.get("/api/me"), 401)
        assert here(ada) == "Home"
        assert names(ada) == ["Home"]
        with signed_in(house.url, email=email, password=PASSWORD) as again:
            assert here(again) == "Home"
    # Who comes back there is the same account, by its own proof.
    secret = invite(other, email, "viewer")
    with browser(house.url) as mallory:
        refused = problem(mallory.post("/api/auth/sign-in", json={"token": secret}), 401)
        assert refused["code"] == "consent_needed"


def test_a_new_password_ends_the_sessions_in_every_workspace(house: House, other: httpx.Client) -> None:
    with in_both(house, other) as (email, there), signed_in(house.url, email=email, password=PASSWORD) as ada:
        go(ada, house.get("/api/me")["workspace"]["id"])
        body = {"old_password": PASSWORD, "password": "a better password"}
        assert ada.post("/api/auth/password", json=body).status_code == 204
        problem(there.get("/api/me"), 401)
        assert here(ada) == "Home"


def test_nothing_of_one_workspace_is_seen_from_the_other(house: House, other: httpx.Client) -> None:
    """Also by somebody who is a member of both: groups, notices, counts and keys are of one place."""
    with in_both(house, other) as (email, ada):
        group = f"g{an_email()[:8]}"
        house.post("/api/groups", {"name": group, "members": [email]}, 201)
        other.post("/api/groups", json={"name": "theirs", "members": [email]})
        assert [each["name"] for each in ada.get("/api/groups").json()["items"]] == ["theirs"]
        key = {"Idempotency-Key": "the same in both"}
        first = ada.post("/api/tokens", json={"name": "there"}, headers=key)
        go(ada, house.get("/api/me")["workspace"]["id"])
        second = ada.post("/api/tokens", json={"name": "here"}, headers=key)
        assert (first.status_code, second.status_code) == (201, 201)
        assert group in [each["name"] for each in ada.get("/api/groups").json()["items"]]
        assert other.get("/api/asks/count").json()["pending"] == 0
    house.post("/api/auth/links", {"user": email})
    notices: Any = other.get("/api/notifications").json()["items"]
    assert [each for each in notices if "Home" in str(each) or "sign-in link" in str(each)] == []


def test_the_first_workspace_stays_the_first_whoever_leaves_it(house: House, owner: httpx.Client) -> None:
    """`SIGNOFF_TOKEN` and the rules file belong to it."""
    first = house.get("/api/me")["workspace"]["id"]
    new_workspace(owner)

    def earliest_is_gone(session: Session) -> str | None:
        earliest = session.scalar(select(Member).order_by(Member.id).limit(1))
        assert earliest
        with session.begin_nested() as tried:
            session.execute(delete(Credential).where(Credential.member_id == earliest.id))
            session.execute(delete(Member).where(Member.workspace_id == first))
            found = queries.first_workspace(session)
            tried.rollback()
        return found

    assert house.parts.db.write(earliest_is_gone) == first
