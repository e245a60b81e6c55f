"""One parser for every body, however its header is spelled; nothing that cannot be written is stored or shown."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from signoff.kit import jsons
from signoff.runs.models import Run
from signoff.tools.registry import tool
from tests.contract.scenes import agent_that, problem, waiting
from tests.house import House
from tests.wire import DONE, call, says

SPELLINGS = [
    "application/json",
    "application/JSON",
    "Application/Json; Charset=UTF-8",
    "text/json",
    "application/vnd.signoff+json",
    "application/problem+JSON; x=1",
    None,
]
HALF = '"a\\ud800b"'
LISTS = [
    "/api/runs",
    "/api/asks",
    "/api/audit",
    "/api/lessons",
    "/api/agents",
    "/api/deliverables",
    "/api/notifications",
    "/api/runs/dashboard",
    "/api/rules/stats",
    "/api/audit/export",
    "/api/audit/verify",
]


def send(house: House, path: str, content: bytes, kind: str | None = "application/json", **more: str) -> httpx.Response:
    headers = {"Content-Type": kind} if kind is not None else {}
    return house.client.post(path, content=content, headers=headers | more)


def all_fine(house: House) -> None:
    """Every list answers, and what it answers is text."""
    for path in LISTS:
        response = house.client.get(path)
        assert response.status_code == 200, f"{path} {response.text}"
        response.content.decode()


@pytest.fixture(scope="module")
def agent(house: House) -> str:
    return agent_that(house, DONE)


def test_half_a_character_is_mended_whatever_the_header_says(house: House, agent: str) -> None:
    body = f'{{"agent": "{agent}", "task": {HALF}, "title": {HALF}, "input": {{{HALF}: [{HALF}]}}}}'
    for spelling in SPELLINGS:
        made = send(house, "/api/runs", body.encode(), spelling)
        assert made.status_code == 201, f"{spelling} {made.text}"
        run = made.json()
        assert (run["task"], run["title"], run["input"]) == ("a?b", "a?b", {"a?b": ["a?b"]}), spelling
    all_fine(house)


def test_an_approvers_edit_is_mended_whatever_the_header_says(house: House) -> None:
    body = f'{{"decision": "approve", "arguments": {{"path": "a.txt", "content": {HALF}}}, "note": {HALF}}}'
    for spelling in SPELLINGS:
        run, ask = waiting(house)
        answered = send(house, f"/api/asks/{ask['id']}/answer", body.encode(), spelling)
        assert answered.status_code == 200, f"{spelling} {answered.text}"
        assert house.ended(run)["status"] == "completed"
        assert house.calls(run)[0]["arguments"]["content"] == "a?b", spelling
    all_fine(house)


BAD = {
    "NaN": b'{"x": NaN}',
    "infinity": b'{"x": -Infinity}',
    "too large": b'{"x": 1e999}',
    "5,000 digits": b'{"x": ' + b"9" * 5000 + b"}",
    "deep": b'{"x": ' + b"[" * 100 + b"]" * 100 + b"}",
    "very deep": b"[" * 200_000,
    "twice": b'{"agent": "a", "task": "x", "task": "y"}',
    "twice inside": b'{"input": [{"a": 1, "b": 2, "a": 3}]}',
    "raw half": b'{"task": "\xed\xa0\x80"}',
    "no UTF-8": b'{"task": "\xff"}',
    "no JSON": b"task=x",
    "cut": b'{"task": ',
    "more": b'{"task": "x"} {}',
}


@pytest.mark.parametrize("which", BAD)
def test_what_is_no_strict_json_is_not_read(which: str) -> None:
    with pytest.raises(jsons.BadJson):
        jsons.loads(BAD[which], once=True)


def test_what_is_no_strict_json_is_invalid_whatever_the_header_says(house: House) -> None:
    for which, body in BAD.items():
        for spelling in ("application/json", "application/JSON", None):
            refused = problem(send(house, "/api/runs", body, spelling), 422)
            assert refused["detail"].startswith("The body is not valid JSON: "), f"{which} as {spelling}"


def test_other_encodings_are_read_and_mean_the_same(house: House, agent: str) -> None:
    body = json.dumps({"agent": agent, "task": "schön 🙂"}, ensure_ascii=False)
    for encoding in ("utf-16", "utf-16-le", "utf-32", "utf-8-sig"):
        made = send(house, "/api/runs", body.encode(encoding), "application/JSON")
        assert made.status_code == 201, f"{encoding} {made.text}"
        assert made.json()["task"] == "schön 🙂"


FOREIGN = ["application/x-www-form-urlencoded", "text/plain", "application/xml", "multipart/form-data; boundary=x", "x"]


def test_a_body_that_is_declared_as_something_else_is_not_read(house: House, agent: str) -> None:
    before = house.get("/api/runs")["total"]
    body = json.dumps({"agent": agent, "task": "x"}).encode()
    for spelling in (*FOREIGN, "text/plain; x=application/json", "", "application/jsonp"):
        refused = problem(send(house, "/api/runs", body, spelling), 415)
        assert refused["code"] == "unsupported_media_type", spelling
        assert "application/json" in refused["detail"]
    assert house.get("/api/runs")["total"] == before


def test_two_content_types_are_one_too_many(house: House, agent: str) -> None:
    headers = [("Content-Type", "text/plain"), ("Content-Type", "application/json")]
    body = json.dumps({"agent": agent, "task": "x"}).encode()
    problem(house.client.post("/api/runs", content=body, headers=headers), 415)


def test_the_same_key_with_another_body_is_refused_however_it_is_spelled(house: House, agent: str) -> None:
    key = {"Idempotency-Key": "spelled"}
    made = send(house, "/api/runs", json.dumps({"agent": agent, "task": "x"}).encode(), **key)
    assert made.status_code == 201
    again = send(house, "/api/runs", json.dumps({"agent": agent, "task": "x"}).encode(), "application/JSON", **key)
    assert again.json()["id"] == made.json()["id"]
    problem(send(house, "/api/runs", json.dumps({"agent": agent, "task": "y"}).encode(), **key), 422)


def test_a_large_body_is_read_like_a_small_one(house: House, agent: str) -> None:
    made = send(house, "/api/runs", json.dumps({"agent": agent, "task": "x", "input": {"t": "é" * 400_000}}).encode())
    assert made.status_code == 201, made.text


# Who nobody knows


def keys(number: int) -> bytes:
    return json.dumps({f"{each:x}": 1 for each in range(number)}).encode()


STRANGE = {
    "bad JSON": b'{"task": ',
    "NaN": b'{"task": NaN}',
    "wrong fields": b'{"agent": 7}',
    "many fields": keys(1_000),
    "large": keys(10_000),
    "large and bad": b"[" * 20_000,
}


@pytest.fixture
def stranger(house: House) -> Iterator[httpx.Client]:
    headers = {"Authorization": "Bearer nope", "Content-Type": "application/json"}
    with httpx.Client(base_url=house.url, headers=headers, verify=False) as stranger:
        yield stranger


@pytest.mark.parametrize("path", ["/api/runs", "/api/agents"])
def test_a_stranger_learns_nothing_from_a_body(stranger: httpx.Client, path: str) -> None:
    for body in STRANGE.values():
        problem(stranger.post(path, content=body), 401)


@pytest.mark.parametrize("path", ["/api/auth/sign-in", "/api/auth/sign-out", "/api/auth/password"])
def test_where_strangers_sign_in_bodies_are_short(stranger: httpx.Client, path: str) -> None:
    body = keys(10_000)
    pieces = (body[at : at + 8_000] for at in range(0, len(body), 8_000))
    for content in (body, pieces):
        assert "16 KB" in problem(stranger.post(path, content=content), 413)["detail"]


def test_many_unknown_fields_are_told_as_one(house: House) -> None:
    refused = problem(send(house, "/api/runs", keys(201)), 422)
    assert "more than 200 fields" in refused["detail"]
    assert "errors" not in refused


def test_a_body_has_a_bounded_number_of_values_and_texts_count_once(house: House, agent: str) -> None:
    refused = problem(send(house, "/api/runs", json.dumps({"input": [[]] * 150_000}).encode()), 422)
    assert "more than 200,000 values" in refused["detail"]
    prose = json.dumps({"agent": agent, "task": "x", "input": {"t": ['one, [two], {three}\\", ' * 80_000]}}).encode()
    assert send(house, "/api/runs", prose).status_code == 201


@pytest.mark.parametrize(
    "text_", ['"' + '\\"' * 300_000, "[" * 300_000, '{"a": "' + "," * 300_000, "\\" * 9 + "," * 300_000]
)
def test_what_does_not_end_is_looked_at_once(text_: str) -> None:
    with pytest.raises(jsons.BadJson):
        jsons.loads(text_, most=200_000)


# What is stored already, or comes another way


def spoil(house: House, table: str, column: str, key: str, value: Any) -> None:
    """Put escaped half characters into a row, as was possible once."""
    broken = json.dumps(value).replace("HALF", "\\ud800")

    def work(session: Any) -> None:
        cast = "CAST(:value AS json)" if session.get_bind().dialect.name == "postgresql" else ":value"
        done = session.execute(
            text(f"UPDATE {table} SET {column} = {cast} WHERE id = :id"), {"value": broken, "id": key}
        )
        assert done.rowcount == 1

    house.parts.db.write(work)


@contextmanager
def spoilt(house: House, table: str, column: str, key: str, stored: str) -> Iterator[None]:
    """Put something else where a row has JSON, and put it back."""

    def swap(session: Session, value: str | None) -> str | None:
        cast = "CAST(:value AS json)" if session.get_bind().dialect.name == "postgresql" else ":value"
        before = session.scalar(text(f'SELECT CAST("{column}" AS TEXT) FROM {table} WHERE id = :id'), {"id": key})
        change = text(f'UPDATE {table} SET "{column}" = {cast} WHERE id = :id')
        session.execute(change, {"value": value, "id": key})
        return before

    before = house.parts.db.write(lambda session: swap(session, stored))
    yield
    house.parts.db.write(lambda session: swap(session, before))


Two = tuple[House, tuple[str, str], tuple[str, str]]


@pytest.fixture(scope="module")
def two(house: House) -> Two:
    """Two runs that wait, each with its ask."""
    (run, ask), (other, beside) = waiting(house), waiting(house)
    return house, (run, ask["id"]), (other, beside["id"])


@pytest.mark.both_databases
def test_a_bad_row_from_before_breaks_no_list(house: House) -> None:
    run, ask = waiting(house)
    bad = {"path": "HALF", "content": "x", "HALF": ["HALF"]}
    spoil(house, "runs", "input", run, bad)
    spoil(house, "asks", "arguments", ask["id"], bad)
    spoil(house, "asks", "options", ask["id"], [{"id": "1", "label": "HALF", "value": "HALF", "description": None}])
    spoil(house, "calls", "proposed_arguments", house.calls(run)[0]["id"], bad)
    all_fine(house)
    assert house.run(run)["input"]["path"] == "?"
    assert house.get(f"/api/asks/{ask['id']}")["arguments"]["path"] == "?"
    for part in ("calls", "messages"):
        assert house.client.get(f"/api/runs/{run}/{part}").status_code == 200


SPOILT = {
    "runs": ["input", "limits", "progress", "output", "error"],
    "asks": ["arguments", "options", "schema", "plan", "risk_reasons", "signatures", "approvers", "stages", "answer"],
    "calls": ["edited_arguments", "proposed_arguments", "verdict", "result", "late"],
}


# The lists that a run, its asks and its calls are read for.
SHARED = ["/api/runs", "/api/runs/dashboard", "/api/asks", "/api/rules/stats"]


@pytest.mark.parametrize(("table", "column"), [(each, column) for each, all_ in SPOILT.items() for column in all_])
def test_one_spoilt_row_hides_no_other(two: Two, table: str, column: str) -> None:
    house, (run, ask), (other, _) = two
    # PostgreSQL stores no text that is no JSON.
    for stored in ("{bad", "[[1]]", "7") if house.parts.db.is_sqlite else ("[[1]]", "7"):
        key = {"runs": run, "asks": ask, "calls": house.calls(other)[0]["id"]}[table]
        with spoilt(house, table, column, key, stored):
            hides_no_other(two)


def hides_no_other(two: Two) -> None:
    house, (run, ask), (other, beside) = two
    for path in SHARED:
        assert house.client.get(path).status_code == 200, path
    assert other in {each["id"] for each in house.get("/api/runs?limit=200")["items"]}
    assert beside in {each["id"] for each in house.get("/api/asks?limit=200")["items"]}
    assert other in {each["id"] for each in house.get("/api/runs/dashboard")["needs_attention"]}
    for part in ("calls", "messages", "asks"):
        assert house.client.get(f"/api/runs/{other}/{part}").status_code == 200
    for path in (f"/api/runs/{run}", f"/api/asks/{ask}"):
        answer = house.client.get(path)
        assert answer.status_code == 200 or problem(answer, 500)["code"] == "unreadable"


def test_a_text_that_is_no_utf_8_breaks_no_list(house: House) -> None:
    if not house.parts.db.is_sqlite:
        pytest.skip("PostgreSQL stores no such text")
    run, _ = waiting(house)
    house.parts.db.write(
        lambda s: s.execute(text("UPDATE runs SET title = CAST(x'61eda08062' AS TEXT) WHERE id = :id"), {"id": run})
    )
    all_fine(house)
    assert house.run(run)["title"].startswith("a")


@pytest.mark.both_databases
def test_what_a_model_writes_is_mended_before_it_is_stored(house: House) -> None:
    written = f'{{"path": "a.txt", "content": {HALF}, "_reasoning": {HALF}}}'
    _, ask = waiting(house, call("write_file", written))
    assert ask["arguments"]["content"] == "a?b"
    all_fine(house)


@pytest.mark.both_databases
def test_the_chain_holds_with_half_characters_in_what_it_covers(house: House) -> None:
    _, ask = waiting(house)
    body = f'{{"decision": "deny", "note": {HALF}}}'
    assert send(house, f"/api/asks/{ask['id']}/answer", body.encode(), "application/JSON").status_code == 200
    assert house.get("/api/audit/verify")["ok"] is True


@pytest.mark.both_databases
def test_text_columns_take_no_nul_and_no_half_character(house: House) -> None:
    run, _ = waiting(house)

    def work(session: Any) -> None:
        session.get_one(Run, run).title = "a\x00\ud800b"

    house.parts.db.write(work)
    assert house.run(run)["title"] == "a?b"


# Pure


@pytest.mark.parametrize("value", ["\ud800", {"\udfff": 1}, ["a\ud83d"], "🙂", "\x00", 10**400])
def test_what_is_dumped_can_be_written_and_read(value: Any) -> None:
    written = jsons.dumps(value)
    assert jsons.loads(written.encode()) == jsons.whole(value)


@pytest.mark.both_databases
def test_a_tool_s_result_that_cannot_be_written_is_still_a_success(house: House) -> None:
    def huge() -> Any:
        return [10**5000]

    house.parts.context.registry.register(tool(name="huge", risk="low")(huge))
    run = house.start(agent_that(house, says("", call("huge", {})), tools=("huge",), autonomy="full"))
    assert house.ended(run)["status"] == "completed"
    assert house.calls(run)[0]["status"] == "succeeded"
