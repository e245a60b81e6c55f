"""What is made from a credential is worth no more than it, and ends with it, however long the chain."""

from collections.abc import Callable

import httpx
import pytest

from tests.contract.scenes import problem
from tests.house import House
from tests.security.callers import PASSWORD, Door

# How the next credential is made from one: by a request with it, or by handing it over to sign in.
Step = Callable[[Door, httpx.Client], httpx.Client]
RANKS = ["viewer", "member", "approver", "admin"]


@pytest.fixture(scope="module")
def kind() -> str:
    """Nothing here is about the database."""
    return "sqlite"


def token(door: Door, maker: httpx.Client) -> httpx.Client:
    return door.by_token(door.token(maker))


def link(door: Door, maker: httpx.Client) -> httpx.Client:
    return door.sign_in(token=door.link(maker))


def session(door: Door, maker: httpx.Client) -> httpx.Client:
    """The session of a token; what is no token cannot be handed in, so it makes one first."""
    bearer = maker.headers.get("authorization", "").removeprefix("Bearer ")
    return door.sign_in(token=bearer or door.token(maker))


CHAINS: dict[str, list[Step]] = {
    "session": [session],
    "link": [link],
    "token": [token],
    "session, link": [session, link],
    "session, token": [session, token],
    "link, token": [link, token],
    "link, link": [link, link],
    "token, token": [token, token],
    "session, link, token": [session, link, token],
    "token, session, link, token": [token, session, link, token],
    "session, link, token, session, token, link": [session, link, token, session, token, link],
}


def made(door: Door, first: httpx.Client, chain: str) -> list[httpx.Client]:
    found = [first]
    for step in CHAINS[chain]:
        found.append(step(door, found[-1]))
    return found


def role_of(client: httpx.Client) -> str:
    response = client.get("/api/me")
    assert response.status_code == 200, response.text
    return response.json()["role"]


@pytest.mark.parametrize("chain", CHAINS)
def test_no_chain_climbs_and_every_link_of_it_ends_with_the_first(door: Door, chain: str) -> None:
    _, admin = door.person("admin")
    first = door.new_token(admin, scopes=["member"])
    clients = made(door, door.by_token(first["token"]), chain)
    assert {role_of(each) for each in clients} == {"member"}
    for each in clients:
        problem(each.put("/api/rules", json={"yaml": "checkpoints: []\n"}), 403)
        refused = each.post("/api/auth/password", json={"password": PASSWORD})
        assert refused.status_code == 403, refused.text
        wider = each.post("/api/tokens", json={"name": "wider", "scopes": ["admin"]})
        assert wider.status_code == 201, wider.text
        assert role_of(door.by_token(wider.json()["token"])) == "member"
    assert admin.delete(f"/api/tokens/{first['id']}").status_code == 204
    assert [each.get("/api/me").status_code for each in clients] == [401] * len(clients)


def test_a_link_that_was_made_before_the_end_of_its_token_opens_nothing_after(door: Door) -> None:
    _, admin = door.person("admin")
    first = door.new_token(admin)
    waiting = door.link(door.by_token(first["token"]))
    admin.delete(f"/api/tokens/{first['id']}")
    with door.client(Origin=door.house.url) as client:
        problem(client.post("/api/auth/sign-in", json={"token": waiting}), 401)


def test_what_a_token_makes_expires_with_it_and_not_with_the_link(door: Door) -> None:
    _, admin = door.person("admin")
    ends = "2031-01-01T00:00:00Z"
    bearer = door.by_token(door.token(admin, expires_at=ends))
    later = bearer.post("/api/tokens", json={"name": "later", "expires_at": "2035-01-01T00:00:00Z"})
    never = bearer.post("/api/tokens", json={"name": "never"})
    for each in (later, never):
        assert each.status_code == 201, each.text
        assert each.json()["expires_at"] == ends
    assert role_of(door.sign_in(token=door.link(bearer))) == "admin"


def test_demotion_reaches_every_link_of_a_chain_at_once(house: House, door: Door) -> None:
    email, own = door.person("admin")
    clients = [own, *made(door, token(door, own), "session, link, token")]
    assert {role_of(each) for each in clients} == {"admin"}
    house.client.patch(f"/api/members/{door.member_id(email)}", json={"role": "viewer"})
    assert {role_of(each) for each in clients} == {"viewer"}


def test_removal_ends_every_link_of_a_chain_at_once(house: House, door: Door) -> None:
    email, own = door.person("approver")
    clients = [own, *made(door, token(door, own), "session, link, token")]
    assert house.client.delete(f"/api/members/{door.member_id(email)}").status_code == 204
    assert [each.get("/api/me").status_code for each in clients] == [401] * len(clients)


def test_what_people_make_in_their_own_session_outlives_their_sign_out(door: Door) -> None:
    _, own = door.person("approver")
    bearer = token(door, own)
    assert own.post("/api/auth/sign-out").status_code == 204
    assert own.get("/api/me").status_code == 401
    assert role_of(bearer) == "approver"


def test_nobody_takes_a_password_over_with_a_session_that_a_token_made(door: Door) -> None:
    email, own = door.person("admin", with_password=True)
    stolen = session(door, token(door, own))
    for body in ({"password": "taken over by now"}, {"password": "taken over by now", "old_password": "a mere guess"}):
        problem(stolen.post("/api/auth/password", json=body), 403)
    assert role_of(door.sign_in(email=email, password=PASSWORD)) == "admin"


def test_an_admin_sets_nobody_elses_password(house: House, door: Door) -> None:
    email, _ = door.person("approver", with_password=True)
    _, admin = door.person("admin")
    made_for = door.by_token(door.token(admin, user=email))
    answer = admin.post("/api/auth/links", json={"user": email})
    clients = [made_for, session(door, made_for), link(door, made_for)]
    if answer.status_code < 300:
        clients.append(door.sign_in(token=answer.json()["url"].split("token=")[1]))
    for each in clients:
        assert each.post("/api/auth/password", json={"password": "taken over by now"}).status_code == 403
    assert role_of(door.sign_in(email=email, password=PASSWORD)) == "approver"


def test_every_step_of_a_chain_is_on_record_and_so_is_a_wrong_try(house: House, door: Door) -> None:
    email, own = door.person("member")
    secret = door.link(own)
    door.sign_in(token=secret)
    with door.client(Origin=house.url) as client:
        problem(client.post("/api/auth/sign-in", json={"email": email, "password": "not this one"}), 401)
    text = house.client.get("/api/audit", params={"limit": 200}).text
    assert secret not in text
    actions = [each["action"] for each in house.get("/api/audit", limit=200)["items"]]
    wanted = {"invitation.created", "invitation.accepted", "link.created", "session.opened", "session.refused"}
    assert wanted <= set(actions)
