"""Every kind of credential that a house can meet, with what it should be worth."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import randrange
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from signoff.kit.ids import new_id
from tests.house import House
from tests.security.who_may import RANKS, May, Role, Standing

COOKIE = "signoff_session"
PASSWORD = "correct horse battery staple"
# Long enough to make something from it, short enough to be over when its turn comes.
SHORT_LIFE = 2.0
ADDRESSES = 12
WALKS_ALL = (
    "a stranger",
    "a wrong bearer",
    "a garbage cookie",
    "SIGNOFF_TOKEN",
    "a token that an admin made for an approver",
)


@dataclass
class Caller:
    """Somebody at the door. Without a role, nothing opens."""

    name: str
    client: httpx.Client
    role: Role | None = None
    standing: Standing = "person"
    in_person: bool = False
    # May less than its person.
    scoped: bool = False

    @property
    def walks_all(self) -> bool:
        return self.name in WALKS_ALL or self.name.endswith("by session")

    def may(self, what: May) -> bool:
        """Whether the table lets them."""
        if what.role in ("open", "signed"):
            return what.role == "open"
        if self.role is None or RANKS.index(self.role) < RANKS.index(what.role):
            return False
        if what.decides and self.standing in ("service", "invited"):
            return False
        if what.whole and self.scoped:
            return False
        if what.installation:
            return self.standing == "root"
        return self.in_person or not what.in_person

    @property
    def headers(self) -> dict[str, str]:
        """The same credential, for a connection that is not the client's."""
        kept = {name: self.client.headers[name] for name in ("origin", "authorization") if name in self.client.headers}
        cookie = self.client.cookies.get(COOKIE)
        return kept | ({"cookie": f"{COOKIE}={cookie}"} if cookie else {})


def an_address() -> str:
    """One of this machine's own."""
    return f"127.{randrange(1, 250)}.{randrange(256)}.{randrange(2, 250)}"


class ManyAddresses(httpx.BaseTransport):
    """Comes from another address each time, since wrong tries are counted by address."""

    def __init__(self) -> None:
        self._each = list[httpx.HTTPTransport]()
        self._count = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if self._count < ADDRESSES:
            self._each.append(httpx.HTTPTransport(local_address=an_address(), verify=False))
        self._count += 1
        return self._each[(self._count - 1) % ADDRESSES].handle_request(request)

    def close(self) -> None:
        for each in self._each:
            each.close()


@dataclass
class Door:
    """Makes credentials out of one another, over the API alone."""

    house: House
    opened: list[httpx.Client] = field(default_factory=list)

    def client(self, **headers: str) -> httpx.Client:
        made = httpx.Client(base_url=self.house.url, headers=headers, timeout=30, transport=ManyAddresses())
        self.opened.append(made)
        return made

    def by_token(self, secret: str) -> httpx.Client:
        return self.client(Authorization=f"Bearer {secret}")

    def by_cookie(self, secret: str) -> httpx.Client:
        """A browser on our own page."""
        made = self.client(Origin=self.house.url, **{"X-Signoff": "1"})
        made.cookies.set(COOKIE, secret)
        return made

    def sign_in(self, **body: Any) -> httpx.Client:
        """The session that this opens."""
        return self.by_cookie(self.signed_in(**body).cookies[COOKIE])

    def signed_in(self, **body: Any) -> httpx.Response:
        with self.client(Origin=self.house.url) as client:
            response = client.post("/api/auth/sign-in", json=body)
        assert response.status_code == 200, response.text
        return response

    def token(self, maker: httpx.Client, **fields: Any) -> str:
        """The secret of a token that the maker makes."""
        return self.new_token(maker, **fields)["token"]

    def new_token(self, maker: httpx.Client, **fields: Any) -> dict[str, Any]:
        response = maker.post("/api/tokens", json={"name": "chain", **fields})
        assert response.status_code == 201, response.text
        return response.json()

    def link(self, maker: httpx.Client, **fields: Any) -> str:
        response = maker.post("/api/auth/links", json=fields)
        assert response.status_code == 200, response.text
        return secret_in(response.json()["url"])

    def invite(self, role: str, admin: httpx.Client | None = None) -> tuple[str, str]:
        """An address and the secret that was sent to it."""
        email = f"{role}-{new_id()}@example.org"
        body = {"email": email, "name": role, "role": role}
        response = (admin or self.house.client).post("/api/invitations", json=body)
        assert response.status_code == 201, response.text
        return email, secret_in(response.json()["url"])

    def person(self, role: str, with_password: bool = False) -> tuple[str, httpx.Client]:
        """Somebody who was invited and accepted: their address and their own session."""
        email, secret = self.invite(role)
        return email, self.sign_in(token=secret, **({"password": PASSWORD} if with_password else {}))

    def member_id(self, email: str) -> str:
        members = self.house.get("/api/members", limit=200)["items"]
        return next(each["id"] for each in members if each["email"] == email)

    def close(self) -> None:
        for each in self.opened:
            each.close()


@contextmanager
def door_of(house: House) -> Iterator[Door]:
    door = Door(house)
    yield door
    door.close()


def secret_in(url: str) -> str:
    return parse_qs(urlsplit(url).query)["token"][0]


def soon() -> str:
    return (datetime.now(UTC) + timedelta(seconds=SHORT_LIFE)).isoformat()


def everybody(door: Door) -> list[Caller]:
    """One of each kind; those whose time runs out come last."""
    brief = _brief(door)
    return [*_unknown(door), *_people(door), *_scoped(door), *_service(door), *_root(door), *_ended(door), *brief]


def _unknown(door: Door) -> list[Caller]:
    _, session = door.person("admin")
    secret = session.cookies[COOKIE]
    return [
        Caller("a stranger", door.client()),
        Caller("a wrong bearer", door.by_token("sgn_nobody")),
        Caller("a bearer in another script", door.client(Authorization="Basic cm9vdA==")),
        Caller("a garbage cookie", door.by_cookie("ses_garbage")),
        Caller("a session as bearer", door.by_token(secret)),
        Caller("a token as cookie", door.by_cookie(door.token(session))),
        Caller("a link as bearer", door.by_token(door.link(session))),
        Caller("an invitation as bearer", door.by_token(door.invite("admin")[1])),
        Caller("an invitation as cookie", door.by_cookie(door.invite("admin")[1])),
    ]


def _people(door: Door) -> list[Caller]:
    found = list[Caller]()
    for role in RANKS[1:]:
        _, session = door.person(role)
        found.append(Caller(f"{role} by session", session, role, in_person=True))
        found.append(Caller(f"{role} by own token", door.by_token(door.token(session)), role))
        own = door.sign_in(token=door.link(session))
        found.append(Caller(f"{role} by own link", own, role, in_person=True))
    email, session = door.person("admin")
    token = door.by_token(door.token(session))
    door.house.client.patch(f"/api/members/{door.member_id(email)}", json={"role": "viewer"})
    found.append(Caller("a demoted admin by session", session, "viewer", in_person=True))
    found.append(Caller("a demoted admin by token", token, "viewer"))
    return found


def _scoped(door: Door) -> list[Caller]:
    """An admin's narrower tokens, and what those make."""
    _, session = door.person("admin")
    found = list[Caller]()
    for role in RANKS[1:4]:
        secret = door.token(session, scopes=[role])
        token = door.by_token(secret)
        found.append(Caller(f"an admin's {role} token", token, role, scoped=True))
        found.append(Caller(f"the session of an admin's {role} token", door.sign_in(token=secret), role, scoped=True))
        linked = door.sign_in(token=door.link(token))
        found.append(Caller(f"the session of a link of an admin's {role} token", linked, role, scoped=True))
        grandchild = door.by_token(door.token(token))
        found.append(Caller(f"the token of an admin's {role} token", grandchild, role, scoped=True))
        greedy = token.post("/api/tokens", json={"name": "greedy", "scopes": ["admin"]})
        assert greedy.status_code == 201, greedy.text
        wider = door.by_token(greedy.json()["token"])
        found.append(Caller(f"the wider token of an admin's {role} token", wider, role, scoped=True))
        again = door.by_token(door.token(door.sign_in(token=secret)))
        found.append(Caller(f"the token of the session of an admin's {role} token", again, role, scoped=True))
    return found


def _service(door: Door) -> list[Caller]:
    """What an admin makes for somebody else, and what that makes."""
    _, admin = door.person("admin")
    found = list[Caller]()
    accepted, _ = door.person("approver")
    waiting = f"waiting-{new_id()}@example.org"
    door.house.post("/api/members", {"email": waiting, "name": "waiting", "role": "approver"}, 201)
    for who, email in (("an approver", accepted), ("an approver who has not accepted", waiting)):
        secret = door.token(admin, user=email)
        token = door.by_token(secret)
        found += [
            Caller(f"a token that an admin made for {who}", token, "approver", "service"),
            Caller(f"the session of a token made for {who}", door.sign_in(token=secret), "approver", "service"),
            Caller(f"the token of a token made for {who}", door.by_token(door.token(token)), "approver", "service"),
            Caller(
                f"the session of a link of a token made for {who}",
                door.sign_in(token=door.link(token)),
                "approver",
                "service",
            ),
        ]
    return found


def _root(door: Door) -> list[Caller]:
    token = door.house.settings.token
    return [
        Caller("SIGNOFF_TOKEN", door.by_token(token), "admin", "root"),
        Caller("the session of SIGNOFF_TOKEN", door.sign_in(token=token), "admin", "root"),
    ]


def _ended(door: Door) -> list[Caller]:
    """What was good once."""
    email, session = door.person("admin")
    removed = [
        Caller("a removed member's session", session),
        Caller("a removed member's token", door.by_token(door.token(session))),
    ]
    door.house.client.delete(f"/api/members/{door.member_id(email)}")
    _, session = door.person("admin")
    made = door.new_token(session)
    revoked = _chain(door, "revoked", made["token"])
    assert session.delete(f"/api/tokens/{made['id']}").status_code == 204
    secret = door.sign_in(token=door.link(session)).cookies[COOKIE]
    assert door.by_cookie(secret).post("/api/auth/sign-out").status_code == 204
    return [*removed, *revoked, Caller("a session after sign-out", door.by_cookie(secret))]


def _brief(door: Door) -> list[Caller]:
    _, session = door.person("admin")
    return _chain(door, "expired", door.token(session, expires_at=soon()))


def _chain(door: Door, end: str, secret: str) -> list[Caller]:
    """A token and all that comes of it."""
    token = door.by_token(secret)
    session = door.sign_in(token=secret)
    linked = door.sign_in(token=door.link(token))
    return [
        Caller(f"a token that is {end}", token),
        Caller(f"the session of a token that is {end}", session),
        Caller(f"the token of a token that is {end}", door.by_token(door.token(token))),
        Caller(f"the token of the session of a token that is {end}", door.by_token(door.token(session))),
        Caller(f"the session of a link of a token that is {end}", linked),
        Caller(f"the token of the session of a link of a token that is {end}", door.by_token(door.token(linked))),
    ]
