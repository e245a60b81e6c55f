"""What a credential makes has at most its rights, and ends with it."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import update

from signoff.kit import clock
from signoff.kit.ids import new_id
from signoff.workspaces.models import Credential
from tests.contract.scenes import problem
from tests.house import House
from tests.joining import browser, invite, join, secret_in, signed_in

PASSWORD = "correct horse battery"


def an_email() -> str:
    return f"{new_id()}@example.org"


def token_of(client: httpx.Client, **fields: Any) -> dict[str, Any]:
    answer = client.post("/api/tokens", json={"name": "made", **fields})
    assert answer.status_code == 201, answer.text
    return answer.json()


def link_of(client: httpx.Client, **fields: Any) -> str:
    answer = client.post("/api/auth/links", json=fields)
    assert answer.status_code == 200, answer.text
    return secret_in(answer.json()["url"])


def role_of(client: httpx.Client) -> str:
    return client.get("/api/me").json()["role"]


@pytest.fixture
def admin(house: House) -> Iterator[httpx.Client]:
    """Somebody who is admin, by a token of their own."""
    with house.member("admin", an_email()) as client:
        yield client


@pytest.mark.parametrize("scope", ["viewer", "member", "approver"])
def test_nothing_made_with_a_scoped_token_may_more_than_it(house: House, admin: httpx.Client, scope: str) -> None:
    scoped = token_of(admin, scopes=[scope])["token"]
    with house.client_for(scoped) as client:
        assert role_of(client) == scope
        with signed_in(house.url, token=scoped) as session:
            assert role_of(session) == scope
            again = token_of(session, scopes=["admin"])["token"]
        with signed_in(house.url, token=link_of(client)) as session:
            assert role_of(session) == scope
            with signed_in(house.url, token=link_of(session)) as next_session:
                assert role_of(next_session) == scope
        for secret in (again, token_of(client)["token"], token_of(client, scopes=["admin"])["token"]):
            with house.client_for(secret) as made:
                assert role_of(made) == scope


def test_whatever_a_token_made_ends_with_its_revocation(house: House, admin: httpx.Client) -> None:
    made = token_of(admin)
    with house.client_for(made["token"]) as client, signed_in(house.url, token=made["token"]) as by_token:
        link = link_of(client)
        with (
            signed_in(house.url, token=link_of(client)) as by_link,
            signed_in(house.url, token=link_of(by_token)) as far,
        ):
            second = token_of(by_link)["token"]
            unused = link_of(far)
            assert admin.delete(f"/api/tokens/{made['id']}").status_code == 204
            for session in (by_token, by_link, far):
                problem(session.get("/api/me"), 401)
        for secret in (link, unused):
            with browser(house.url) as stranger:
                problem(stranger.post("/api/auth/sign-in", json={"token": secret}), 401)
        with house.client_for(second) as client2:
            problem(client2.get("/api/me"), 401)


@pytest.mark.both_databases
def test_whatever_a_token_made_ends_when_it_expires(house: House, admin: httpx.Client) -> None:
    at = datetime.now(UTC) + timedelta(days=2)
    made = token_of(admin, expires_at=at.isoformat())
    with house.client_for(made["token"]) as client, signed_in(house.url, token=link_of(client)) as session:
        later = (at + timedelta(days=300)).isoformat()
        for each in (token_of(client), token_of(session), token_of(session, expires_at=later)):
            assert datetime.fromisoformat(each["expires_at"]) == at
        assert _ends(house, session) == at
        with signed_in(house.url, token=link_of(session)) as after_a_link:
            # Not the link's own day, but the token's two.
            assert _ends(house, after_a_link) == at


def _ends(house: House, session: httpx.Client) -> datetime | None:
    from signoff.workspaces import queries

    secret = session.cookies["signoff_session"]
    found = house.parts.db.read(lambda s: queries.holder(s, secret, house.settings.token))
    assert found
    return found[0].expires_at


def test_what_people_make_in_their_own_session_outlives_it_but_not_their_membership(house: House) -> None:
    email = an_email()
    with signed_in(house.url, token=invite(house.client, email, "approver")) as session:
        made = token_of(session)
        assert made["standing"] == "person"
        assert session.post("/api/auth/sign-out").status_code == 204
    with house.client_for(made["token"]) as client:
        assert role_of(client) == "approver"
        member = next(each for each in house.get("/api/members", limit=200)["items"] if each["email"] == email)
        house.client.patch(f"/api/members/{member['id']}", json={"role": "viewer"})
        assert role_of(client) == "viewer"
        house.client.delete(f"/api/members/{member['id']}")
        problem(client.get("/api/me"), 401)


def test_no_token_and_nothing_made_from_one_sets_a_password(house: House, admin: httpx.Client) -> None:
    body = {"password": "a password of mine"}
    problem(admin.post("/api/auth/password", json=body), 403)
    with signed_in(house.url, token=link_of(admin)) as session:
        problem(session.post("/api/auth/password", json=body), 403)
    problem(house.client.post("/api/auth/password", json=body), 403)
    secret = admin.headers["authorization"].removeprefix("Bearer ")
    with signed_in(house.url, token=secret) as session:
        problem(session.post("/api/auth/password", json=body), 403)


def test_a_password_is_set_just_after_signing_in_or_with_the_old_one(house: House) -> None:
    email = an_email()
    join(house.client, email, "member", password=PASSWORD)
    with (
        signed_in(house.url, email=email, password=PASSWORD) as session,
        signed_in(house.url, email=email, password=PASSWORD) as other,
    ):
        assert session.post("/api/auth/password", json={"password": PASSWORD + "2"}).status_code == 204
        problem(other.get("/api/me"), 401)
        _age(house, session)
        problem(session.post("/api/auth/password", json={"password": PASSWORD + "3"}), 403)
        # A link that an old session made proves no more than that session.
        with signed_in(house.url, token=link_of(session)) as young:
            problem(young.post("/api/auth/password", json={"password": PASSWORD + "3"}), 403)
        wrong = {"password": PASSWORD + "3", "old_password": PASSWORD}
        problem(session.post("/api/auth/password", json=wrong), 403)
        right = {"password": PASSWORD + "3", "old_password": PASSWORD + "2"}
        assert session.post("/api/auth/password", json=right).status_code == 204
        assert session.get("/api/me").status_code == 200
    with signed_in(house.url, email=email, password=PASSWORD + "3"):
        pass


def _age(house: House, session: httpx.Client) -> None:
    """Let the sign-in be eleven minutes ago."""
    from signoff.kit.crypto import hash_secret

    change = update(Credential).where(Credential.hash == hash_secret(session.cookies["signoff_session"]))
    before = clock.now() - timedelta(minutes=11)
    house.parts.db.write(lambda s: s.execute(change.values(proved_at=before)))


def test_a_token_made_for_another_is_a_service_token_and_so_is_all_that_it_makes(house: House) -> None:
    email = an_email()
    join(house.client, email, "approver", password=PASSWORD)
    made = token_of(house.client, user=email)
    assert made["standing"] == "service"
    with house.client_for(made["token"]) as service:
        standing = {service.get("/api/me").json()["standing"], token_of(service)["standing"]}
        with signed_in(house.url, token=made["token"]) as session:
            standing |= {session.get("/api/me").json()["standing"], token_of(session)["standing"]}
            problem(session.post("/api/auth/password", json={"password": "another one", "old_password": PASSWORD}), 403)
        with signed_in(house.url, token=link_of(service)) as session:
            standing.add(session.get("/api/me").json()["standing"])
    assert standing == {"service"}


def test_an_admins_service_token_makes_no_person(house: House) -> None:
    boss, other = an_email(), an_email()
    join(house.client, boss, "admin")
    join(house.client, other, "approver")
    with house.client_for(token_of(house.client, user=boss)["token"]) as service:
        assert token_of(service, user=other)["standing"] == "service"
        with signed_in(house.url, token=link_of(service, user=other)) as session:
            assert session.get("/api/me").json()["standing"] == "service"


def test_a_service_token_ends_when_its_maker_is_no_admin_any_more(house: House) -> None:
    boss, other = an_email(), an_email()
    join(house.client, other, "approver")
    with (
        house.client_for(join(house.client, boss, "admin")) as maker,
        signed_in(house.url, token=link_of(maker)) as own,
    ):
        by_token, by_session = token_of(maker, user=other)["token"], token_of(own, user=other)["token"]
    member = next(each for each in house.get("/api/members", limit=200)["items"] if each["email"] == boss)
    with house.client_for(by_token) as one, house.client_for(by_session) as two:
        assert {one.get("/api/me").status_code, two.get("/api/me").status_code} == {200}
        house.client.patch(f"/api/members/{member['id']}", json={"role": "approver"})
        assert {one.get("/api/me").status_code, two.get("/api/me").status_code} == {401}


def test_a_link_for_another_needs_an_admin_ends_their_sessions_and_is_told(house: House) -> None:
    email = an_email()
    with signed_in(house.url, token=invite(house.client, email, "approver")) as before:
        with house.member("approver") as approver:
            problem(approver.post("/api/auth/links", json={"user": email}), 403)
        secret = link_of(house.client, user=email)
        problem(before.get("/api/me"), 401)
    with signed_in(house.url, token=secret) as session:
        me = session.get("/api/me").json()
        assert (me["user"]["email"], me["standing"]) == (email, "person")
        problem(session.post("/api/auth/password", json={"password": PASSWORD}), 403)
    (entry,) = [
        each
        for each in house.get("/api/audit", action="link.created", limit=200)["items"]
        if each["data"]["for"] == email
    ]
    assert entry["actor"] == house.get("/api/me")["user"]["email"]
    notices = [each for each in house.get("/api/notifications", limit=200)["items"] if email in each["text"]]
    assert notices
    assert {email, "role:admin"} <= set(notices[0]["recipients"])


def member_id(house: House, email: str) -> str:
    return next(each["id"] for each in house.get("/api/members", limit=200)["items"] if each["email"] == email)


@pytest.mark.parametrize("end", ["removed", "demoted"])
def test_what_an_admin_made_for_others_ends_when_they_are_no_admin_any_more(house: House, end: str) -> None:
    boss, other, third = an_email(), an_email(), an_email()
    join(house.client, other, "admin")
    join(house.client, third, "approver")
    with (
        house.client_for(join(house.client, boss, "admin")) as maker,
        signed_in(house.url, token=link_of(maker, user=other)) as session,
        signed_in(house.url, token=link_of(session, user=third)) as further,
    ):
        token = token_of(session)["token"]
        secrets = [invite(maker, an_email(), "admin"), invite(session, an_email(), "admin"), link_of(session)]
        path = f"/api/members/{member_id(house, boss)}"
        done = house.client.delete(path) if end == "removed" else house.client.patch(path, json={"role": "approver"})
        assert done.status_code < 300
        for each in (session, further):
            problem(each.get("/api/me"), 401)
    with house.client_for(token) as client:
        problem(client.get("/api/me"), 401)
    for secret in secrets:
        with browser(house.url) as stranger:
            problem(stranger.post("/api/auth/sign-in", json={"token": secret}), 401)


def test_somebody_elses_link_sets_no_password_where_there_is_none_and_the_invitation_does(house: House) -> None:
    email = an_email()
    with signed_in(house.url, token=invite(house.client, email, "approver")):
        pass
    with house.member("admin") as admin, signed_in(house.url, token=link_of(admin, user=email)) as session:
        problem(session.post("/api/auth/password", json={"password": PASSWORD}), 403)
        with signed_in(house.url, token=link_of(session)) as further:
            problem(further.post("/api/auth/password", json={"password": PASSWORD}), 403)
    with signed_in(house.url, token=invite(house.client, an_email(), "approver")) as session:
        assert session.post("/api/auth/password", json={"password": PASSWORD}).status_code == 204


@pytest.mark.parametrize("by", ["a password", "an admin's link"])
def test_a_new_way_in_ends_the_links_that_were_made_before(house: House, by: str) -> None:
    email = an_email()
    join(house.client, email, "approver", password=PASSWORD)
    with signed_in(house.url, email=email, password=PASSWORD) as thief:
        link = link_of(thief)
    if by == "a password":
        with signed_in(house.url, email=email, password=PASSWORD) as session:
            body = {"password": PASSWORD + "2", "old_password": PASSWORD}
            assert session.post("/api/auth/password", json=body).status_code == 204
    else:
        link_of(house.client, user=email)
    with browser(house.url) as stranger:
        problem(stranger.post("/api/auth/sign-in", json={"token": link}), 401)


def test_a_scoped_token_revokes_only_what_it_could_have_made(house: House, admin: httpx.Client) -> None:
    strong, weak, equal = token_of(admin), token_of(admin, scopes=["viewer"]), token_of(admin, scopes=["member"])
    with house.client_for(token_of(admin, scopes=["member"])["token"]) as scoped:
        problem(scoped.delete(f"/api/tokens/{strong['id']}"), 403)
        for each in (weak, equal):
            assert scoped.delete(f"/api/tokens/{each['id']}").status_code == 204
    assert admin.delete(f"/api/tokens/{strong['id']}").status_code == 204


def test_every_way_in_is_on_the_record(house: House) -> None:
    email = an_email()
    with signed_in(house.url, token=invite(house.client, email, "admin"), password=PASSWORD) as session:
        made = token_of(session)["token"]
        link = link_of(session)
        session.post("/api/auth/sign-out")
    with (
        signed_in(house.url, token=link),
        signed_in(house.url, token=made),
        signed_in(house.url, email=email, password=PASSWORD) as session,
    ):
        session.post("/api/auth/password", json={"password": PASSWORD + "2", "old_password": PASSWORD})
    entries = house.get("/api/audit", actor=email, limit=200)["items"]
    opened = {each["data"]["how"] for each in entries if each["action"] == "session.opened"}
    assert opened == {"invitation", "link", "token", "password"}
    actions = {each["action"] for each in entries}
    assert actions >= {"invitation.accepted", "token.created", "link.created", "session.closed", "password.changed"}
