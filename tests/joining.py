"""How a second person comes in: invited by an admin, accepted by themselves."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import randrange
from typing import Any
from urllib.parse import parse_qs, urlparse

import httpx


def secret_in(url: str) -> str:
    """What a sign-in link or an invitation carries."""
    return parse_qs(urlparse(url).query)["token"][0]


def an_address() -> str:
    return f"127.{randrange(256)}.{randrange(256)}.{randrange(2, 250)}"


def browser(url: str) -> httpx.Client:
    """A browser of our own pages, from an address of its own, since tries to sign in are counted."""
    ours = {"Origin": url.rstrip("/"), "X-Signoff": "1"}
    transport = httpx.HTTPTransport(local_address=an_address(), verify=False)
    return httpx.Client(base_url=url, headers=ours, transport=transport, timeout=40, trust_env=False)


@contextmanager
def signed_in(url: str, **given: Any) -> Iterator[httpx.Client]:
    """A browser in which somebody is signed in."""
    with browser(url) as client:
        answer = client.post("/api/auth/sign-in", json=given)
        assert answer.status_code == 200, answer.text
        yield client


def invite(admin: httpx.Client, email: str, role: str, name: str = "") -> str:
    """The secret of a new invitation."""
    body = {"email": email, "name": name or role, "role": role}
    answer = admin.post("/api/invitations", json=body)
    assert answer.status_code == 201, answer.text
    return secret_in(answer.json()["url"])


def join(admin: httpx.Client, email: str, role: str, name: str = "", **given: Any) -> str:
    """A new person, who accepted and made a token of their own."""
    with signed_in(str(admin.base_url), token=invite(admin, email, role, name), **given) as client:
        answer = client.post("/api/tokens", json={"name": "test"})
    assert answer.status_code == 201, answer.text
    return answer.json()["token"]
