"""A stream ends when the credential that opened it does."""

from collections import deque
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from signoff.kit.ids import new_id
from tests.contract.scenes import waiting
from tests.house import House
from tests.joining import invite, join, secret_in, signed_in

Ending = Callable[[House, httpx.Client, str], Any]


def member_id(house: House, email: str) -> str:
    return next(each["id"] for each in house.get("/api/members", limit=200)["items"] if each["email"] == email)


def remove(house: House, _person: httpx.Client, email: str) -> None:
    assert house.client.delete(f"/api/members/{member_id(house, email)}").status_code == 204


def revoke(house: House, _person: httpx.Client, email: str) -> None:
    for token in house.get("/api/tokens", limit=200)["items"]:
        if token["user"] == email:
            assert house.client.delete(f"/api/tokens/{token['id']}").status_code == 204


@pytest.mark.both_databases
@pytest.mark.parametrize("end", [remove, revoke])
@pytest.mark.parametrize("of_run", [False, True])
def test_a_stream_passes_on_nothing_that_happens_after_its_reader_is_out(
    house: House, end: Ending, of_run: bool
) -> None:
    run, ask = waiting(house)
    email = f"{new_id()}@example.org"
    path = f"/api/runs/{run}/events?after=1000000" if of_run else "/api/events"
    with house.client_for(join(house.client, email, "viewer")) as reader, reader.stream("GET", path) as stream:
        lines = stream.iter_lines()
        assert "welcome" in next(lines)
        end(house, reader, email)
        house.answer(ask, "deny", note="nothing of this is for them")
        assert "ask.settled" not in "".join(lines)


@pytest.mark.parametrize("end", ["removed", "demoted"])
def test_a_stream_that_somebodys_link_opened_ends_when_they_are_no_admin_any_more(house: House, end: str) -> None:
    _, ask = waiting(house)
    maker, email = f"{new_id()}@example.org", f"{new_id()}@example.org"
    join(house.client, email, "viewer")
    with house.client_for(join(house.client, maker, "admin")) as admin:
        link = secret_in(admin.post("/api/auth/links", json={"user": email}).json()["url"])
    with signed_in(house.url, token=link) as reader, reader.stream("GET", "/api/events") as stream:
        lines = stream.iter_lines()
        assert "welcome" in next(lines)
        path = f"/api/members/{member_id(house, maker)}"
        done = house.client.delete(path) if end == "removed" else house.client.patch(path, json={"role": "viewer"})
        assert done.is_success
        house.answer(ask, "deny", note="nothing of this is for them")
        assert "ask.settled" not in "".join(lines)


def test_a_socket_is_closed_when_its_reader_is_out(house: House) -> None:
    email = f"{new_id()}@example.org"
    token = join(house.client, email, "viewer")
    url = house.url.replace("http", "ws") + "/api/ws"
    with connect(url, additional_headers={"Authorization": f"Bearer {token}"}) as socket:
        remove(house, house.client, email)
        # What happened before comes first.
        with pytest.raises(ConnectionClosed) as closed:
            deque(iter(lambda: socket.recv(timeout=30), None), maxlen=0)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1008


def test_signing_out_ends_the_sessions_streams(house: House) -> None:
    secret = invite(house.client, f"{new_id()}@example.org", "viewer")
    with signed_in(house.url, token=secret) as browser, browser.stream("GET", "/api/events") as stream:
        lines = stream.iter_lines()
        next(lines)
        assert browser.post("/api/auth/sign-out").status_code == 204
        assert "data:" not in "".join(lines)


@pytest.mark.both_databases
def test_a_stream_ends_when_its_token_expires(house: House) -> None:
    soon = (datetime.now(UTC) + timedelta(seconds=2)).isoformat()
    token = house.post("/api/tokens", {"name": "short", "expires_at": soon}, 201)["token"]
    with house.client_for(token) as reader, reader.stream("GET", "/api/events") as stream:
        assert stream.status_code == 200
        assert list(stream.iter_lines())


def test_a_stream_by_a_service_token_ends_with_its_makers_rights(house: House) -> None:
    maker_email, email = f"{new_id()}@example.org", f"{new_id()}@example.org"
    join(house.client, email, "viewer")
    with house.client_for(join(house.client, maker_email, "admin")) as maker:
        token = maker.post("/api/tokens", json={"name": "service", "user": email}).json()["token"]
    with house.client_for(token) as reader, reader.stream("GET", "/api/events") as stream:
        lines = stream.iter_lines()
        next(lines)
        path = f"/api/members/{member_id(house, maker_email)}"
        assert house.client.patch(path, json={"role": "member"}).status_code == 200
        assert list(lines) is not None
        assert reader.get("/api/me").status_code == 401


def test_others_streams_go_on_and_are_not_told(house: House) -> None:
    run, ask = waiting(house)
    with house.client.stream("GET", "/api/events") as stream:
        lines = stream.iter_lines()
        next(lines)
        email = f"{new_id()}@example.org"
        join(house.client, email, "viewer")
        remove(house, house.client, email)
        house.answer(ask, "deny", note="go on")
        read = _until(lines, "ask.settled")
    assert "access.changed" not in read
    assert run


def _until(lines: Iterator[str], word: str) -> str:
    read = ""
    for line in lines:
        read += line
        if word in line:
            return read
    raise AssertionError(f"the stream ended without {word}")
