"""Odd queries, headers and keys: a clear answer to each, never a failure of ours."""

import base64
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.contract.scenes import problem, waiting
from tests.house import House

BEYOND = str(2**63)
DIGITS = "9" * 5_000
# What comes past the parser, to be compared in SQL.
COMPARED = ["-1", "0", BEYOND, str(2**63 - 1), "1e3", "'", "0001-01-01T00:00:00+14:00"]
# Of these, what SQLite itself stumbles over.
COMPARED_BY_SQLITE = ["-1", BEYOND, "0001-01-01T00:00:00+14:00"]
ODD = [*COMPARED, "", "x", "²", "٣", "\uff11", DIGITS, "nan", " 1", "0x1", "1_0", "[]", "\ud7ff", "2026-13-01"]


def cursor(*values: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode().rstrip("=")


CURSORS = [
    cursor(2**63),
    cursor(-(2**63) - 1),
    cursor(2**31),
    cursor(10**400),
    cursor("a\ud800"),
    cursor("a\x00"),
    cursor({"at": "0001-01-01T00:00:00+14:00"}, "x"),
    cursor({"at": 5}, "x"),
    cursor({}, []),
    cursor(True),
    cursor(1.5),
    cursor(),
    base64.urlsafe_b64encode(b"[" * 5_000).decode(),
    base64.urlsafe_b64encode(b"[" + b"9" * 5_000 + b"]").decode(),
    "é",
    "=",
]


def queries(house: House) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Every path that answers GET, with its own parameters in place, and what it takes in its query."""
    run, ask = waiting(house)
    # Some odd numbers are seconds to wait for an answer.
    house.answer(ask)
    known = {"run_id": run, "ask_id": ask["id"], "slug": house.run(run)["agent"], "version": "1", "revision": "1"}
    for path, verbs in house.get("/openapi.json")["paths"].items():
        # Streams have their own tests below.
        if "get" not in verbs or path.endswith("/events"):
            continue
        taken = [each for each in verbs["get"].get("parameters", []) if each["in"] == "query"]
        names = [each["name"] for each in verbs["get"].get("parameters", []) if each["in"] == "path"]
        yield path.format(**{name: known.get(name, "x") for name in names}), taken


def test_no_query_of_any_route_is_a_failure_of_ours(house: House) -> None:
    failed, tried, parsed = list[str](), 0, set[str]()
    for path, taken in queries(house):
        for each in taken:
            name, shape = each["name"], json.dumps(each, sort_keys=True)
            # What the parser refuses, it refuses on every path that takes the same.
            again = COMPARED_BY_SQLITE if house.parts.db.is_sqlite else COMPARED
            odd = ODD if house.parts.db.is_sqlite and shape not in parsed else again
            parsed.add(shape)
            values = [*odd, *CURSORS] if name == "cursor" else odd
            tried += len(values)
            failed += [
                f"{path}?{name}={value[:40]} {status}"
                for value in values
                if (status := house.client.get(path, params={name: value}).status_code) >= 500
            ]
    assert failed == []
    assert tried > 500


@pytest.mark.both_databases
@pytest.mark.parametrize("path", ["/api/audit", "/api/rules/versions"])
def test_a_cursor_beyond_all_numbers_is_refused(house: House, path: str) -> None:
    for value in (2**31, 2**63, -(2**63) - 1, 10**400):
        problem(house.client.get(path, params={"cursor": cursor(value)}), 422)
    assert house.client.get(path, params={"cursor": cursor(2**31 - 1)}).status_code == 200


IDS = ["²", "٣", "-1", "x", "1.5", "", "9" * 19, BEYOND, "9" * 400, DIGITS, "0" * 5_000]


@pytest.mark.both_databases
@pytest.mark.parametrize("last", IDS, ids=lambda last: last[:6])
def test_an_odd_last_event_id_opens_a_stream(house: House, last: str) -> None:
    run, _ = waiting(house)
    for path in ("/api/events", f"/api/runs/{run}/events"):
        with house.client.stream("GET", path, headers={"Last-Event-ID": last.encode()}) as response:
            assert response.status_code == 200
            assert next(response.iter_lines()) == ": welcome"


@pytest.mark.both_databases
@pytest.mark.parametrize(("after", "status"), [(BEYOND, 200), (DIGITS, 422), ("²", 422)], ids=["beyond", "long", "two"])
def test_an_odd_position_is_refused_or_the_end(house: House, after: str, status: int) -> None:
    with house.client.stream("GET", "/api/events", params={"after": after}) as response:
        assert response.status_code == status


@pytest.mark.both_databases
def test_a_repeated_request_without_content_has_none_again(house: House) -> None:
    key = {"Idempotency-Key": "gone"}
    house.agent("gone", "openai-chat:x")
    answers = [house.client.delete("/api/agents/gone", headers=key) for _ in range(2)]
    assert [each.status_code for each in answers] == [204, 204]
    assert [each.content for each in answers] == [b"", b""]
    assert answers[1].headers["idempotent-replay"] == "true"
    assert "content-type" not in answers[1].headers
    # What follows on the same connection is not taken for its body.
    assert house.client.get("/healthz").json() == {"status": "ok"}


@pytest.mark.both_databases
def test_the_page_of_the_api_runs_its_own_scripts_only(house: House) -> None:
    page = httpx.get(f"{house.url}/docs", headers={"Host": "evil.example"})
    policy = dict(part.strip().split(" ", 1) for part in page.headers["content-security-policy"].split(";"))
    assert policy["script-src"].startswith("'self' 'sha256-")
    assert "unsafe" not in policy["script-src"]
    assert policy["default-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert "evil.example" not in page.text
    for name in ("swagger-ui-bundle.js", "swagger-ui.css"):
        assert httpx.get(f"{house.url}/swagger/{name}").status_code == 200


@pytest.mark.both_databases
def test_a_large_text_of_rules_is_refused_before_it_is_looked_through(house: House) -> None:
    for text in ("checkpoints: [" + "1," * 120_000 + "]", "#" * 900_000):
        found = house.post("/api/rules/check", {"yaml": text})
        assert not found["ok"]
        assert "shorten" in found["errors"][0]["message"]
        problem(house.client.put("/api/rules", json={"yaml": text}), 422)
