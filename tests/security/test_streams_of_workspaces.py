"""A stream is of one workspace: the one that its token is of, or that its page shows."""

from collections.abc import Iterator

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.contract.scenes import problem, waiting
from tests.house import House
from tests.joining import invite, join, signed_in
from tests.security.test_invitations import an_email
from tests.security.test_workspaces import PASSWORD


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


@pytest.fixture
def bound(house: House) -> Iterator[tuple[str, str]]:
    """A token that made a workspace, and the one that is bound to it."""
    first = house.post("/api/tokens", {"name": "makes workspaces"}, 201)
    with house.client_for(first["token"]) as maker:
        made = maker.post("/api/workspaces", json={"name": "Other"})
        assert made.status_code == 201, made.text
    return first["id"], made.json()["token"]


def read_until(lines: Iterator[str], word: str) -> str:
    read = ""
    for line in lines:
        read += line
        if word in line:
            return read
    raise AssertionError(f"the stream ended without {word}")


def test_a_token_of_one_workspace_hears_nothing_of_another(house: House, bound: tuple[str, str]) -> None:
    run, ask = waiting(house)
    with house.client_for(bound[1]) as other, other.stream("GET", "/api/events?after=0") as stream:
        lines = stream.iter_lines()
        assert "welcome" in next(lines)
        house.answer(ask, "deny", note="nothing of this is for them")
        assert other.post("/api/runs", json={"agent": "competitive-analysis", "task": "ours"}).status_code == 201
        heard = read_until(lines, "run.created")
        assert run not in heard
        assert ask["id"] not in heard
        problem(other.get(f"/api/runs/{run}/events"), 404)
    url, given = house.url.replace("http", "ws"), {"Authorization": f"Bearer {bound[1]}"}
    with pytest.raises(InvalidStatus) as refused, connect(f"{url}/api/ws?run={run}", additional_headers=given):
        pass
    assert refused.value.response.status_code == 404


def test_a_stream_by_a_bound_token_ends_with_the_one_that_made_it(house: House, bound: tuple[str, str]) -> None:
    first, token = bound
    with house.client_for(token) as other, other.stream("GET", "/api/events") as stream:
        lines = stream.iter_lines()
        next(lines)
        assert house.client.delete(f"/api/tokens/{first}").status_code == 204
        assert "data:" not in "".join(lines)
        assert other.get("/api/me").status_code == 401


def test_a_page_of_one_workspace_gets_no_stream_of_another(house: House, bound: tuple[str, str]) -> None:
    email = an_email()
    join(house.client, email, "viewer", password=PASSWORD)
    with house.client_for(bound[1]) as other, signed_in(house.url, email=email, password=PASSWORD) as tabs:
        before = tabs.get("/api/me").json()["workspace"]["id"]
        assert tabs.post("/api/auth/sign-in", json={"token": invite(other, email, "viewer")}).status_code == 200
        there = tabs.get("/api/me").json()["workspace"]["id"]
        # A tab that slept meanwhile wants to go on where it was.
        refused = tabs.get("/api/events", params={"after": 1, "workspace": before})
        assert problem(refused, 401)["code"] == "other_workspace"
        assert begins(tabs, there)
        assert tabs.post(f"/api/workspaces/{before}/switch", json={}).status_code == 200
        assert begins(tabs, before)


def begins(client: httpx.Client, workspace: str) -> bool:
    with client.stream("GET", "/api/events", params={"workspace": workspace}) as stream:
        return stream.status_code == 200 and "welcome" in next(stream.iter_lines())
