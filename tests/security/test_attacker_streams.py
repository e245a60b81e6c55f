"""A stream ends with the credential that opened it, in every way that a credential ends."""

import threading

import httpx
import pytest

from tests.house import House, until
from tests.security.callers import COOKIE, Door
from tests.security.test_attacker_chains import made


def listen(client: httpx.Client, path: str) -> threading.Event:
    """Set when the stream is over."""
    over, begun = threading.Event(), threading.Event()

    def follow() -> None:
        try:
            with client.stream("GET", path, timeout=60) as response:
                assert response.status_code == 200
                for _ in response.iter_lines():
                    begun.set()
        except httpx.HTTPError:
            pass
        over.set()

    threading.Thread(target=follow, daemon=True).start()
    assert begun.wait(20)
    return over


@pytest.mark.parametrize("end", ["revoked", "removed", "signed out"])
def test_a_stream_ends_with_its_credential(house: House, door: Door, end: str) -> None:
    email, own = door.person("member")
    first = door.new_token(own)
    clients = made(door, door.by_token(first["token"]), "session") if end != "signed out" else [own]
    streams = [listen(door_copy(door, each), "/api/events?heartbeat=true") for each in clients]
    kept = listen(door.by_token(house.settings.token), "/api/events")
    if end == "revoked":
        assert own.delete(f"/api/tokens/{first['id']}").status_code == 204
    elif end == "removed":
        assert house.client.delete(f"/api/members/{door.member_id(email)}").status_code == 204
    else:
        assert own.post("/api/auth/sign-out").status_code == 204
    until(lambda: all(each.is_set() for each in streams), 40)
    assert not kept.is_set()


def door_copy(door: Door, client: httpx.Client) -> httpx.Client:
    """Another connection with the same credential."""
    if cookie := client.cookies.get(COOKIE):
        return door.by_cookie(cookie)
    return door.by_token(client.headers["authorization"].removeprefix("Bearer "))
