"""Signing in, tokens and members."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from signoff.kit.ids import new_id
from tests.contract.scenes import problem
from tests.fresh import ROOT_TOKEN
from tests.house import House
from tests.joining import an_address, invite, join, secret_in, signed_in

Person = Callable[[str], httpx.Client]


def sign_in(house: House, address: str = "", **body: str) -> httpx.Response:
    """Each time from another address, since tries are counted."""
    with httpx.Client(transport=httpx.HTTPTransport(local_address=address or an_address())) as client:
        return client.post(f"{house.url}/api/auth/sign-in", json=body)


def me(house: House, response: httpx.Response) -> httpx.Response:
    return httpx.get(f"{house.url}/api/me", cookies=dict(response.cookies))


def link(house: House) -> str:
    return secret_in(house.post("/api/auth/links")["url"])


def test_a_token_opens_a_session(house: House) -> None:
    response = sign_in(house, token=ROOT_TOKEN)
    assert response.status_code == 200
    assert me(house, response).json()["role"] == "admin"
    cookie = response.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert ROOT_TOKEN not in cookie


def test_a_link_opens_one_session(house: House) -> None:
    secret = link(house)
    response = sign_in(house, token=secret)
    assert response.status_code == 200
    assert me(house, response).status_code == 200
    problem(sign_in(house, token=secret), 401)


def test_a_link_is_no_bearer_token(house: House) -> None:
    problem(httpx.get(f"{house.url}/api/me", headers={"Authorization": f"Bearer {link(house)}"}), 401)


def test_a_password_opens_a_session(house: House) -> None:
    email = f"{new_id()}@example.org"
    join(house.client, email, "member", password="correct horse battery")
    response = sign_in(house, email=email, password="correct horse battery")
    assert me(house, response).json()["user"]["email"] == email
    assert sign_in(house, email=email.upper(), password="correct horse battery").status_code == 200
    wrong = problem(sign_in(house, email=email, password="wrong"), 401)
    unknown = problem(sign_in(house, email="nobody@example.org", password="wrong"), 401)
    assert wrong["detail"] == unknown["detail"]


def test_somebody_without_a_password_does_not_sign_in_with_an_empty_one(house: House) -> None:
    email = f"{new_id()}@example.org"
    house.member("member", email).close()
    problem(sign_in(house, email=email, password=""), 401)


def test_a_short_password_is_invalid(house: House) -> None:
    secret = invite(house.client, f"{new_id()}@example.org", "viewer")
    problem(sign_in(house, token=secret, password="short"), 422)
    with signed_in(house.url, token=secret) as person:
        problem(person.post("/api/auth/password", json={"password": "short"}), 422)


def test_signing_out_ends_the_session(house: House) -> None:
    response = sign_in(house, token=ROOT_TOKEN)
    cookies = dict(response.cookies)
    ours = {"Origin": house.url, "X-Signoff": "1"}
    assert httpx.post(f"{house.url}/api/auth/sign-out", cookies=cookies, headers=ours).status_code == 204
    problem(me(house, response), 401)


def test_sign_in_needs_something_to_sign_in_with(house: House) -> None:
    for body in ({}, {"email": "a@example.org"}, {"password": "x"}):
        problem(sign_in(house, **body), 422)


def test_a_token_is_shown_once(house: House) -> None:
    made = house.post("/api/tokens", {"name": "ci"}, 201)
    assert made.keys() >= {"id", "name", "scopes", "expires_at", "created_at", "token"}
    (listed,) = [each for each in house.get("/api/tokens", limit=200)["items"] if each["id"] == made["id"]]
    assert "token" not in listed
    assert made["token"] not in house.client.get("/api/audit", params={"limit": 200}).text
    with house.client_for(made["token"]) as client:
        assert client.get("/api/me").json()["role"] == "admin"


def test_a_deleted_token_opens_nothing(house: House) -> None:
    made = house.post("/api/tokens", {"name": "gone"}, 201)
    assert house.client.delete(f"/api/tokens/{made['id']}").status_code == 204
    with house.client_for(made["token"]) as client:
        problem(client.get("/api/me"), 401)
    problem(house.client.delete(f"/api/tokens/{made['id']}"), 404)


@pytest.mark.both_databases
def test_an_expired_token_opens_nothing(house: House) -> None:
    past = (datetime.now(UTC) - timedelta(minutes=1)).isoformat()
    response = house.client.post("/api/tokens", json={"name": "old", "expires_at": past})
    assert response.status_code == 201, response.text
    with house.client_for(response.json()["token"]) as client:
        problem(client.get("/api/me"), 401)


def test_a_time_without_a_zone_is_no_crash(house: House) -> None:
    response = house.client.post("/api/tokens", json={"name": "naive", "expires_at": "2999-01-01T00:00:00"})
    assert response.status_code == 201, response.text
    with house.client_for(response.json()["token"]) as client:
        assert client.get("/api/me").status_code == 200


def test_a_token_acts_as_its_user(house: House, person: Person) -> None:
    with person("viewer") as viewer:
        assert viewer.get("/api/me").json()["role"] == "viewer"
        own = viewer.post("/api/tokens", json={"name": "mine"})
        assert own.status_code == 201
    with house.client_for(own.json()["token"]) as again:
        assert again.get("/api/me").json()["role"] == "viewer"


def test_one_persons_tokens_are_not_anothers(house: House, member: httpx.Client, viewer: httpx.Client) -> None:
    made = member.post("/api/tokens", json={"name": "mine"}).json()
    problem(viewer.delete(f"/api/tokens/{made['id']}"), 404)
    assert made["id"] not in viewer.get("/api/tokens").text
    assert made["id"] in house.client.get("/api/tokens", params={"limit": 200}).text


def test_people_revoke_their_own_tokens(house: House, member: httpx.Client) -> None:
    made = member.post("/api/tokens", json={"name": "lost"}).json()
    assert made["id"] in member.get("/api/tokens").text
    assert member.delete(f"/api/tokens/{made['id']}").status_code == 204
    assert made["id"] not in member.get("/api/tokens").text


def test_a_token_for_nobody_is_refused(house: House) -> None:
    response = house.client.post("/api/tokens", json={"name": "x", "user": "nobody@example.org"})
    problem(response, 404)


def test_a_member_is_added_changed_and_removed(house: House) -> None:
    body = {"email": f"{new_id()}@Example.org", "name": "Ada", "role": "viewer"}
    added = house.post("/api/members", body, 201)
    assert added["email"] == body["email"].lower()
    assert (added["name"], added["role"]) == ("Ada", "viewer")
    problem(house.client.post("/api/members", json=body), 409)
    path = f"/api/members/{added['id']}"
    assert house.client.patch(path, json={"role": "approver"}).json()["role"] == "approver"
    assert house.client.delete(path).status_code == 204
    problem(house.client.delete(path), 404)


def test_a_changed_role_counts_at_once(house: House, person: Person) -> None:
    client = person("admin")
    email = client.get("/api/me").json()["user"]["email"]
    member = next(each for each in house.get("/api/members", limit=200)["items"] if each["email"] == email)
    house.client.patch(f"/api/members/{member['id']}", json={"role": "viewer"})
    problem(client.post("/api/members", json={"email": "x@example.org", "name": "x", "role": "viewer"}), 403)


def test_a_removed_member_is_out_at_once(house: House, person: Person) -> None:
    client = person("member")
    email = client.get("/api/me").json()["user"]["email"]
    member = next(each for each in house.get("/api/members", limit=200)["items"] if each["email"] == email)
    house.client.delete(f"/api/members/{member['id']}")
    problem(client.get("/api/me"), 401)


def test_the_last_admin_stays(house: House) -> None:
    admins = [each for each in house.get("/api/members", limit=200)["items"] if each["role"] == "admin"]
    own = house.get("/api/me")["user"]["email"]
    root, last = (next(each for each in admins if each["email"] == email) for email in (own, "admin@localhost"))
    house.post("/api/members", {"email": f"{new_id()}@example.org", "name": "Invited", "role": "admin"}, 201)
    for other in admins:
        if other["id"] not in {root["id"], last["id"]}:
            house.client.delete(f"/api/members/{other['id']}")
    for one in (root, last):
        problem(house.client.delete(f"/api/members/{one['id']}"), 409)
        problem(house.client.patch(f"/api/members/{one['id']}", json={"role": "viewer"}), 409)


def test_too_many_tries_to_sign_in_have_to_wait(house: House) -> None:
    guess = {"email": "guess@example.org", "password": "wrong"}
    address, other = an_address(), an_address()
    codes = [sign_in(house, address, **guess).status_code for _ in range(25)]
    assert codes == [401] * 20 + [429] * 5
    problem(sign_in(house, address, token=ROOT_TOKEN), 429)
    assert sign_in(house, other, token=ROOT_TOKEN).status_code == 200


def test_a_person_changes_their_name_in_their_own_session_only(house: House) -> None:
    email = f"{new_id()}@example.org"
    with signed_in(house.url, token=invite(house.client, email, "viewer"), password="correct horse battery") as own:
        assert own.patch("/api/me", json={"name": "Ada Moreno"}).json()["user"]["name"] == "Ada Moreno"
        problem(own.patch("/api/me", json={"name": " "}), 422)
        token = own.post("/api/tokens", json={"name": "script"}).json()["token"]
    names = {each["email"]: each["name"] for each in house.get("/api/members", limit=200)["items"]}
    assert names[email] == "Ada Moreno"
    made = secret_in(house.post("/api/auth/links", {"user": email})["url"])
    with signed_in(house.url, token=made) as by_anothers_link, house.client_for(token) as script:
        for client in (by_anothers_link, script):
            assert problem(client.patch("/api/me", json={"name": "Eve"}), 403)["code"] == "not_your_own_session"
