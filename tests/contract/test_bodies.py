"""A bad body gives a clear error and leaves nothing behind."""

import json
from typing import Any

import httpx
import pytest

from tests.contract.scenes import DELIVERABLE, WRITE, agent_that, problem, waiting
from tests.house import House


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def agent(house: House) -> str:
    return agent_that(house)


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def send(house: House, path: str, content: bytes) -> httpx.Response:
    return house.client.post(path, content=content, headers=JSON)


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "task"),
        ({"agent": 3, "task": "x"}, "agent"),
        ({"agent": "AGENT", "task": ""}, "task"),
        ({"agent": "AGENT", "task": None}, "task"),
        ({"agent": "AGENT", "task": "x", "colour": "red"}, "colour"),
        ({"agent": "AGENT", "task": "x", "limits": {"max_iterations": -1}}, "limits.max_iterations"),
        ({"agent": "AGENT", "task": "x", "limits": {"max_duration_hours": 25}}, "limits.max_duration_hours"),
        ({"agent": "AGENT", "task": "x", "limits": {"max_cost_credits": "lots"}}, "limits.max_cost_credits"),
        ({"agent": "AGENT", "task": "x", "autonomy": "total"}, "autonomy"),
    ],
)
def test_a_bad_run_says_which_field_is_wrong(house: House, agent: str, body: dict[str, Any], path: str) -> None:
    text = json.dumps(body).replace("AGENT", agent)
    errors = problem(send(house, "/api/runs", text.encode()), 422)["errors"]
    assert path in [error["path"] for error in errors]
    assert all(error["message"] for error in errors)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"slug": "Not a slug!"}, "slug"),
        ({"slug": ""}, "slug"),
        ({"slug": "a/b"}, "slug"),
        ({"name": ""}, "name"),
        ({"model": "no-provider"}, "model"),
        ({"autonomy": "total"}, "autonomy"),
        ({"mode": "fast"}, "mode"),
        ({"status": "gone"}, "status"),
        ({"tools": "read_file"}, "tools"),
        ({"risk_overrides": {"write_file": "terrible"}}, "risk_overrides.write_file"),
        ({"limits": {"max_iterations": 0}}, "limits.max_iterations"),
        ({"limits": {"max_duration_hours": -1}}, "limits.max_duration_hours"),
        ({"temperature": "hot"}, "temperature"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"unheard": 1}, "unheard"),
    ],
)
def test_a_bad_agent_says_which_field_is_wrong(house: House, change: dict[str, Any], path: str) -> None:
    body = {"slug": "bad", "name": "Bad", "model": "openai-chat:x", **change}
    errors = problem(house.client.post("/api/agents", json=body), 422)["errors"]
    assert any(error["path"] == path or error["path"].startswith(path + ".") for error in errors), errors
    assert house.client.get("/api/agents/bad").status_code == 404


def test_a_bad_change_of_an_agent_leaves_it_as_it_was(house: House, agent: str) -> None:
    before = house.get(f"/api/agents/{agent}")
    for change in ({"autonomy": "total"}, {"model": None}, {"slug": "other"}, {"unheard": 1}, {"limits": {"x": 1}}):
        problem(house.client.patch(f"/api/agents/{agent}", json=change), 422)
    assert house.get(f"/api/agents/{agent}") == before


def test_an_unknown_agent_is_not_found(house: House) -> None:
    problem(house.client.post("/api/runs", json={"agent": "nobody", "task": "x"}), 404)


def test_a_taken_slug_conflicts(house: House, agent: str) -> None:
    body = {"slug": agent, "name": "x", "model": "openai-chat:x"}
    problem(house.client.post("/api/agents", json=body), 409)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"1", b'"x"', b"\xff\xfe", b"{'a': 1}"])
@pytest.mark.parametrize("path", ["/api/runs", "/api/agents", "/api/members", "/api/asks/batch", "/api/auth/sign-in"])
def test_what_is_no_json_object_is_invalid(house: House, path: str, content: bytes) -> None:
    problem(send(house, path, content), 422)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_number_that_json_does_not_know_is_invalid(house: House, agent: str, number: str) -> None:
    body = f'{{"agent": "{agent}", "task": "x", "input": {{"n": {number}}}}}'
    problem(send(house, "/api/runs", body.encode()), 422)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_a_limit_that_json_does_not_know_is_invalid(house: House, agent: str, number: str) -> None:
    body = f'{{"agent": "{agent}", "task": "x", "limits": {{"max_cost_credits": {number}}}}}'
    problem(send(house, "/api/runs", body.encode()), 422)


def test_sixty_levels_are_fine_and_sixty_five_are_not(house: House, agent: str) -> None:
    deep = nested(60)
    assert house.post("/api/runs", {"agent": agent, "task": "x", "input": deep}, 201)["input"] == deep
    assert problem(house.client.post("/api/runs", json={"agent": agent, "task": "x", "input": nested(65)}), 422)


@pytest.mark.parametrize("depth", [1000, 100_000])
def test_a_bottomless_body_is_invalid(house: House, depth: int) -> None:
    text = b'{"agent": "x", "task": "x", "input": ' + b"[" * depth + b"]" * depth + b"}"
    problem(send(house, "/api/runs", text), 422)


def test_a_huge_number_survives(house: House, agent: str) -> None:
    text = f'{{"agent": "{agent}", "task": "x", "input": {{"n": {"9" * 30}}}}}'
    response = send(house, "/api/runs", text.encode())
    assert response.status_code == 201, response.text
    assert response.json()["input"] == {"n": int("9" * 30)}


def test_a_number_of_a_million_digits_is_invalid(house: House, agent: str) -> None:
    text = f'{{"agent": "{agent}", "task": "x", "input": {"9" * 1_000_000}}}'
    problem(send(house, "/api/runs", text.encode()), 422)


def test_a_body_over_twelve_megabytes_is_too_large(house: House, agent: str) -> None:
    body = json.dumps({"agent": agent, "task": "x", "input": "a" * (12 * 1024 * 1024)}).encode()
    problem(send(house, "/api/runs", body), 413)


def test_a_body_over_twelve_megabytes_without_a_length_is_too_large(house: House) -> None:
    chunks = (b"a" * 1024 * 1024 for _ in range(13))
    problem(house.client.post("/api/runs", content=chunks, headers=JSON), 413)


def test_a_body_of_eleven_megabytes_fits(house: House, agent: str) -> None:
    text = "a" * (11 * 1024 * 1024)
    run = house.post("/api/runs", {"agent": agent, "task": "x", "input": text}, 201)
    assert run["input"] == text


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"decision": "perhaps"},
        {"decision": "approve", "arguments": []},
        {"decision": "approve", "arguments": {"path": "a.txt"}},
        {"decision": "approve", "arguments": {"path": 1, "content": "x"}},
        {"decision": "approve", "arguments": {"path": "a", "content": "x", "mode": 7}},
        {"decision": "deny", "end_run": True},
        {"decision": "deny", "end_run": True, "note": ""},
        {"decision": "deny", "end_run": True, "note": "  "},
        {"decision": "approve", "surprise": 1},
    ],
)
def test_a_bad_answer_leaves_the_ask_open(house: House, body: dict[str, Any]) -> None:
    _, ask = waiting(house)
    problem(house.client.post(f"/api/asks/{ask['id']}/answer", json=body), 422)
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "pending"


def test_bad_edits_say_which_argument_is_wrong(house: House) -> None:
    _, ask = waiting(house)
    body = {"decision": "approve", "arguments": {"path": 7, "content": "x"}}
    errors = problem(house.client.post(f"/api/asks/{ask['id']}/answer", json=body), 422)["errors"]
    assert any("path" in error["path"] for error in errors)


@pytest.mark.parametrize("wait", ["51", "-1", "soon", "nan"])
def test_a_wait_is_at_most_fifty_seconds(house: House, wait: str) -> None:
    _, ask = waiting(house)
    problem(house.client.get(f"/api/asks/{ask['id']}", params={"wait": wait}), 422)


@pytest.mark.parametrize("body", [{"ids": [], "decision": "perhaps"}, {"decision": "approve"}, {"ids": "x"}])
def test_a_bad_batch_is_invalid(house: House, body: dict[str, Any]) -> None:
    assert problem(house.client.post("/api/asks/batch", json=body), 422)["errors"]


@pytest.mark.parametrize("body", [{}, {"text": ""}, {"text": 4}, {"text": None}])
def test_a_message_needs_text(house: House, body: dict[str, Any]) -> None:
    run, _ = waiting(house)
    problem(house.client.post(f"/api/runs/{run}/messages", json=body), 422)


@pytest.mark.parametrize(
    "body",
    [
        {"email": "nowhere", "name": "x", "role": "member"},
        {"email": "a@example.org", "name": "x", "role": "king"},
        {"email": "a@example.org"},
    ],
)
def test_a_bad_member_is_invalid(house: House, body: dict[str, Any]) -> None:
    assert problem(house.client.post("/api/members", json=body), 422)["errors"]


@pytest.mark.parametrize(
    "body", [{}, {"name": ""}, {"name": "x", "expires_at": "soon"}, {"name": "x", "scopes": "all"}]
)
def test_a_bad_token_is_invalid(house: House, body: dict[str, Any]) -> None:
    assert problem(house.client.post("/api/tokens", json=body), 422)["errors"]


def test_a_filter_by_a_status_that_there_is_not_finds_nothing(house: House) -> None:
    waiting(house, DELIVERABLE, WRITE)
    for path in ("/api/runs", "/api/asks", "/api/deliverables"):
        assert house.get(path)["total"] > 0, path
        assert house.get(path, status="sideways") == {"items": [], "next_cursor": None, "total": 0}, path
