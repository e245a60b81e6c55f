"""Tricks with bodies, patterns, paths and numbers, at every door that takes them: a clear answer, nothing else."""

import json
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from signoff.kit.ids import new_id
from tests.contract.scenes import WRITE, agent_that, problem, waiting
from tests.house import House
from tests.security.who_may import TABLE
from tests.wire import says

CLEAR = {400, 404, 405, 413, 414, 415, 422}


@pytest.fixture(scope="module")
def kind() -> str:
    """Nothing here is about the database."""
    return "sqlite"


@pytest.fixture(scope="module")
def agent(house: House) -> str:
    return agent_that(house, says("", WRITE), tools=("write_file",))


@pytest.fixture(autouse=True)
def lists_still_work(house: House) -> Iterator[None]:
    """Whatever was tried, everybody still sees everything."""
    yield
    for path in ("/api/runs", "/api/runs/dashboard", "/api/asks", "/api/audit", "/api/lessons", "/api/agents"):
        assert house.client.get(path, params={"limit": 200}).status_code == 200, path
    assert house.get("/api/audit/verify")["ok"]


# Bodies

SPELLINGS = [
    "application/json",
    "application/JSON",
    "Application/Json; Charset=UTF-8",
    "application/json; charset=utf-16",
    "application/json ;charset=utf-8",
    "application/json;",
    "application/problem+json",
    "application/vnd.api+JSON",
    "text/json",
    "text/plain",
    "*/*",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/octet-stream",
    "",
    None,
]
LONE = '"\\ud800"'
BAD: dict[str, Callable[[str], bytes]] = {
    "a lone surrogate": lambda body: body.replace('"VALUE"', LONE).encode(),
    "a lone surrogate as a key": lambda body: body.replace('"VALUE"', "{" + LONE + ": 1}").encode(),
    "a lone surrogate in bytes": lambda body: body.encode().replace(b"VALUE", b"\xed\xa0\x80"),
    "a number that is none": lambda body: body.replace('"VALUE"', "NaN").encode(),
    "infinity": lambda body: body.replace('"VALUE"', "-Infinity").encode(),
    "a number beyond all": lambda body: body.replace('"VALUE"', "1e999").encode(),
    "a thousand levels": lambda body: body.replace('"VALUE"', "[" * 1000 + "]" * 1000).encode(),
    "no UTF-8": lambda body: body.encode().replace(b"VALUE", b"\xff"),
    "two documents": lambda body: (body + body).encode(),
    "half a document": lambda body: body[:-1].encode(),
    "nothing": lambda _: b"",
}


# What half a character stood for is gone, so something else may stand there instead, if it can be written.
MENDED = {"a lone surrogate", "a lone surrogate as a key"}


def mended(bad: str) -> set[int]:
    return {200, 201, 409} if bad in MENDED else set()


def sent(house: House, path: str, content: bytes, spelling: str | None) -> httpx.Response:
    request = house.client.build_request("POST", path, content=content)
    if spelling is not None:
        request.headers["Content-Type"] = spelling
    return house.client.send(request)


def refused(house: House, path: str, bad: str, body: str) -> None:
    """However its type is spelled; what is mended may be taken instead."""
    statuses = {each: sent(house, path, BAD[bad](body), each).status_code for each in SPELLINGS}
    assert {each: status for each, status in statuses.items() if status not in CLEAR | mended(bad)} == {}, bad


def test_a_bad_body_is_refused_however_its_type_is_spelled(house: House, agent: str) -> None:
    body = json.dumps({"agent": agent, "task": "x", "input": {"v": "VALUE"}})
    for bad in BAD:
        before = house.get("/api/runs")["total"]
        refused(house, "/api/runs", bad, body)
        assert bad in MENDED or house.get("/api/runs")["total"] == before, bad


def test_a_bad_edit_is_refused_however_its_type_is_spelled(house: House) -> None:
    body = json.dumps({"decision": "approve", "arguments": {"path": "a.txt", "content": "VALUE"}})
    _, kept = waiting(house)
    for bad in BAD:
        ask = waiting(house)[1] if bad in MENDED else kept
        refused(house, f"/api/asks/{ask['id']}/answer", bad, body)
        assert bad in MENDED or house.get(f"/api/asks/{ask['id']}")["status"] == "pending", bad


# Signing out reads no body.
BODIES = [
    path for verb, path in TABLE if verb in ("POST", "PUT", "PATCH") and "{" not in path and "sign-out" not in path
]


def test_no_route_fails_at_half_a_character_or_takes_a_number_that_json_does_not_know(house: House) -> None:
    for path in BODIES:
        verb, what = next((verb, what) for (verb, each), what in TABLE.items() if each == path and verb != "GET")
        body = what.body or {"anything": 1}
        for name, bad in product(body, (LONE, "NaN", "[" * 500 + "]" * 500)):
            text = json.dumps({**body, name: "VALUE"}).replace('"VALUE"', bad)
            for spelling in ("application/json", "application/JSON", "text/plain"):
                response = house.client.request(verb, path, content=text.encode(), headers={"Content-Type": spelling})
                clear = response.status_code < 500 if bad == LONE else response.status_code in CLEAR | {401, 403, 409}
                assert clear, f"{verb} {path} {text[:80]} {response.text[:200]}"


# Paths

SECRET = "nobody should read this"
OUT = ["../secret", "../../secret", "x/../../../secret", "/etc/hostname", "..\\..\\secret", "%2e%2e/%2e%2e/secret"]
OUT += ["....//....//secret", "link", "folder/secret", "a.txt\x00", "a.txt/../../secret", "\u2025/secret", "~/secret"]
OUT += ["", ".", "..", "a" * 5000, "a/" * 3000, "file:///etc/hostname", "C:\\secret", "//etc/hostname"]
OUT += ["../SELF/../../secret", ".\u202e/secret", "a.txt\n../secret"]


def test_no_path_leads_out_of_a_runs_folder(house: House, agent: str) -> None:
    run = house.start(agent)
    house.answer(house.ask(run))
    house.ended(run)
    folder: Path = house.settings.runs_folder / run
    (house.settings.runs_folder / "secret").write_text(SECRET)
    (house.settings.data / "secret").write_text(SECRET)
    (folder / "link").symlink_to(house.settings.data / "secret")
    (folder / "folder").symlink_to(house.settings.data)
    for path in OUT:
        response = house.client.get(f"/api/runs/{run}/files/content", params={"path": path.replace("SELF", run)})
        assert response.status_code in CLEAR, f"{path[:80]!r}: {response.status_code}"
        assert SECRET not in response.text
    raw = f"/api/runs/{run}/files/content?path=..%2f..%2fsecret"
    assert house.client.get(raw).status_code in CLEAR
    listed = [each["path"] for each in house.get(f"/api/runs/{run}/files")["items"]]
    assert listed == ["a.txt"]
    assert house.client.get(f"/api/runs/{run}/files/content", params={"path": "a.txt"}).text == "one"


ODD_IDS = [
    "..",
    "%2e%2e",
    "..%2f..%2fsignoff.db",
    "%00",
    "a%00b",
    "x" * 5000,
    "\uff11\uff12",
    "\u0663",
    "%ff",
    "%ed%a0%80",
]
ODD_IDS += [
    "-1",
    "0",
    "9" * 5000,
    "9223372036854775808",
    "null",
    "*",
    "%",
    "'%20OR%201=1--",
    "{}",
    "%0d%0aX:y",
    "%E2%80%AE",
]


def test_an_odd_id_is_nobodys(house: House) -> None:
    paths = sorted({path for verb, path in TABLE if verb == "GET" and "{" in path})
    assert len(paths) > 10
    for path, odd in product(paths, ODD_IDS):
        start, _, rest = path.partition("{")
        raw = start + (odd if "%" in odd else quote(odd)) + rest.partition("}")[2]
        with house.client.stream("GET", raw) as response:
            assert response.status_code in CLEAR or odd in ("..", "%2e%2e"), f"{raw[:120]}: {response.status_code}"
            assert response.status_code < 500


NUMBERS = [
    "-1",
    "0",
    "9" * 5000,
    "9223372036854775807",
    "9223372036854775808",
    "1e3",
    "\u0663",
    "\uff11",
    "\u00b2",
    "NaN",
    "",
    " 1",
    "0x1",
    "1_0",
]


def test_an_odd_place_in_a_stream_is_no_failure_of_ours(house: House, agent: str) -> None:
    run = house.start(agent)
    for path, number in product(("/api/events", f"/api/runs/{run}/events"), NUMBERS):
        with house.client.stream("GET", path, headers={"Last-Event-ID": number.strip().encode()}) as response:
            assert response.status_code < 500, f"{path} {number[:40]}: {response.status_code}"


def test_an_odd_idempotency_key_is_no_failure_of_ours(house: House) -> None:
    for key in ("x" * 5000, "\u00e9".encode(), b"\xff", ""):
        body = {"name": f"g{new_id()}"}
        for _ in range(2):
            response = house.client.post("/api/groups", json=body, headers={"Idempotency-Key": key})
            assert response.status_code < 500, key


def test_a_cursor_of_one_list_is_a_clear_error_in_another(house: House, agent: str) -> None:
    for _ in range(2):
        house.start(agent)
    cursor = house.get("/api/runs", limit=1)["next_cursor"]
    for verb, path in TABLE:
        if verb == "GET" and "{" not in path and "events" not in path:
            response = house.client.get(path, params={"cursor": cursor})
            assert response.status_code < 500, f"{path}: {response.status_code}"
    problem(house.client.get("/api/runs", params={"cursor": "bm9uc2Vuc2U="}), 422)
