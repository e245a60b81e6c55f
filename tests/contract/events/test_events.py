"""One ordered stream, for the workspace and for a run, that can be taken up again."""

import json
import logging
import time
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from signoff.api.routes import event_routes as sse
from tests.contract.scenes import DELIVERABLE, WRITE, Abroad, agent_that, problem, read_until, run_that, stream, waiting
from tests.fresh import ROOT_TOKEN
from tests.house import House
from tests.wire import call, says

ROOT = ROOT_TOKEN


@pytest.fixture(scope="module")
def ended(house: House) -> str:
    """A run with a bit of everything behind it."""
    run = run_that(house, says("", call("report_progress", {"current_step": "x"}), DELIVERABLE, WRITE))
    house.answer(house.ask(run))
    house.ended(run)
    return run


@pytest.mark.both_databases
def test_a_run_can_be_followed_live_from_start_to_end(house: House) -> None:
    agent = agent_that(house, says("", DELIVERABLE, WRITE), tools=("write_file",))
    with stream(house, "/api/events") as events:
        run = house.start(agent)
        seen = read_until(events, "ask.created")
        house.answer(house.ask(run))
        seen += read_until(events, "run.ended")
    kinds = [event["type"] for event in seen if event["run_id"] == run]
    assert kinds[0] == "run.created"
    assert kinds[-1] == "run.ended"
    expected = {"run.status", "run.message", "call.finished", "ask.created", "ask.settled", "deliverable.created"}
    assert expected <= set(kinds)


def test_a_call_is_told_when_it_starts(house: House, ended: str) -> None:
    activity = house.get(f"/api/runs/{ended}/activity", limit=200)["items"]
    assert "call.started" in [event["type"] for event in activity]


@pytest.mark.both_databases
def test_an_event_has_every_field_and_its_position(house: House, ended: str) -> None:
    with stream(house, f"/api/runs/{ended}/events?after=0") as events:
        seen = read_until(events, "run.ended")
    for event in seen:
        assert {"id", "type", "run_id", "at", "data"} <= event.keys()
        assert str(event["id"]) == event["position"]
        assert event["run_id"] == ended
    positions = [int(event["position"]) for event in seen]
    assert positions == sorted(set(positions))


def test_what_a_model_said_is_told_as_the_transcript_has_it(house: House, ended: str) -> None:
    with stream(house, f"/api/runs/{ended}/events?after=0") as events:
        live = [event["data"]["message"] for event in read_until(events, "run.ended") if event["type"] == "run.message"]
    activity = house.get(f"/api/runs/{ended}/activity", limit=200)["items"]
    assert live == [event["data"]["message"] for event in activity if event["type"] == "run.message"]
    said = {each["id"]: each["text"] for each in house.get(f"/api/runs/{ended}/messages")["items"]}
    replies = {each["id"]: each["text"] for each in live if each["role"] == "assistant"}
    assert replies
    assert replies.items() <= said.items()


@pytest.mark.both_databases
@pytest.mark.parametrize("scope", ["run", "workspace"])
@pytest.mark.parametrize("way", ["header", "query"])
def test_a_stream_is_taken_up_after_the_last_event(house: House, ended: str, scope: str, way: str) -> None:
    path = f"/api/runs/{ended}/events" if scope == "run" else "/api/events"
    activity = house.get(f"/api/runs/{ended}/activity", limit=200)["items"]
    middle = activity[len(activity) // 2]["id"]
    headers = {"Last_Event_ID": str(middle)} if way == "header" else {}
    with stream(house, path if way == "header" else f"{path}?after={middle}", **headers) as events:
        seen = read_until(events, "run.ended")
    expected = [str(event["id"]) for event in activity if event["id"] > middle]
    assert [event["position"] for event in seen if event["run_id"] == ended] == expected


@pytest.mark.both_databases
def test_nothing_is_lost_between_history_and_live(house: House) -> None:
    run, ask = waiting(house)
    with stream(house, f"/api/runs/{run}/events?after=0") as events:
        seen = read_until(events, "ask.created")
        house.answer(ask)
        seen += read_until(events, "run.ended")
    stored = [event["id"] for event in house.get(f"/api/runs/{run}/activity", limit=200)["items"]]
    assert [event["id"] for event in seen if event["type"] != "run.delta"] == stored


@pytest.mark.both_databases
def test_a_stream_of_a_run_tells_of_that_run_only(house: House) -> None:
    run, ask = waiting(house)
    with stream(house, f"/api/runs/{run}/events") as events:
        waiting(house)
        house.answer(ask)
        seen = read_until(events, "run.ended")
    assert {event["run_id"] for event in seen} == {run}


@pytest.mark.both_databases
def test_a_stream_never_tells_of_another_workspace(house: House, abroad: Abroad) -> None:
    run, ask = waiting(house)
    with stream(house, "/api/events?after=0") as events:
        body = {"decision": "deny", "note": "no"}
        assert abroad.client.post(f"/api/asks/{abroad.ids['ask_id']}/answer", json=body).status_code == 200
        house.answer(ask)
        seen: list[str] = []
        while run not in seen:
            seen += [event["run_id"] for event in read_until(events, "run.ended")]
    assert abroad.ids["run_id"] not in seen


def test_a_message_to_people_is_a_notification_and_an_event(house: House) -> None:
    message = call("send_message", {"channel": "general", "text": "Lunch?"})
    agent = agent_that(house, says("", message), tools=("send_message",), autonomy="full")
    with stream(house, "/api/events") as events:
        run = house.start(agent)
        read_until(events, "notification.created")
    house.ended(run)
    sent = [each for each in house.get("/api/notifications", run=run)["items"] if each["kind"] == "message"]
    assert [(each["text"], each["read"]) for each in sent] == [("Lunch?", False)]


def test_notifications_are_read(house: House) -> None:
    message = call("send_message", {"channel": "general", "text": "Tea?"})
    house.ended(run_that(house, says("", message), says("", message), tools=("send_message",), autonomy="full"))
    first, second = house.get("/api/notifications")["items"][:2]
    assert house.client.post("/api/notifications/read", json={"ids": [first["id"]]}).status_code == 204
    after = {each["id"]: each["read"] for each in house.get("/api/notifications")["items"]}
    assert after[first["id"]]
    assert not after[second["id"]]
    assert house.client.post("/api/notifications/read", json={}).status_code == 204
    assert all(each["read"] for each in house.get("/api/notifications")["items"])


@pytest.mark.both_databases
@pytest.mark.parametrize(("after", "status"), [("soon", 422), ("-1", 422), ("1.5", 422), ("9" * 23, 200)])
def test_a_strange_position_is_invalid_or_just_the_end(house: House, ended: str, after: str, status: int) -> None:
    with house.client.stream("GET", f"/api/runs/{ended}/events", params={"after": after}, timeout=5) as response:
        assert response.status_code == status


def test_a_strange_last_event_id_is_no_crash(house: House, ended: str) -> None:
    headers = {"Last-Event-ID": "not a number"}
    with house.client.stream("GET", f"/api/runs/{ended}/events", headers=headers, timeout=5) as response:
        assert response.status_code == 200


def test_an_unknown_run_has_no_stream(house: House) -> None:
    problem(house.client.get("/api/runs/nothing/events"), 404)


def test_somebody_who_leaves_a_stream_is_no_error(house: House, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            with stream(house, "/api/events?after=0") as events:
                next(events)
            time.sleep(0.2)
    assert [record.getMessage() for record in caplog.records] == []


@pytest.mark.both_databases
def test_a_place_beyond_the_end_is_the_end(house: House) -> None:
    with stream(house, "/api/events?after=999999999") as events:
        run = house.start(agent_that(house, says("", DELIVERABLE)))
        assert run in {event["run_id"] for event in read_until(events, "run.ended")}


@pytest.mark.parametrize(("path", "said"), [("?heartbeat=true", "event: heartbeat"), ("", ": still here")])
def test_a_silent_stream_shows_that_it_lives(
    house: House, monkeypatch: pytest.MonkeyPatch, path: str, said: str
) -> None:
    monkeypatch.setattr(sse, "HEARTBEAT_SECONDS", 0.05)
    with house.client.stream("GET", f"/api/events{path}", timeout=20) as response:
        assert next(line for line in response.iter_lines() if "heart" in line or "here" in line) == said


def socket(house: House, query: str = "", token: str | None = None, **headers: str) -> ClientConnection:
    sent = {"Authorization": f"Bearer {token}"} if token else {}
    return connect(f"{house.url.replace('http', 'ws', 1)}/api/ws{query}", additional_headers=sent | headers, proxy=None)


def heard(events: ClientConnection, kind: str) -> list[dict[str, Any]]:
    """Every event up to the first of this type."""
    seen: list[dict[str, Any]] = []
    while not seen or seen[-1]["type"] != kind:
        seen.append(json.loads(events.recv(timeout=20)))
    return seen


def test_a_socket_carries_the_same_events(house: House) -> None:
    agent = agent_that(house, says("", DELIVERABLE, WRITE), tools=("write_file",))
    with socket(house, token=ROOT) as live, stream(house, "/api/events") as events:
        run = house.start(agent)
        house.answer(house.ask(run))
        by_socket, by_stream = heard(live, "run.ended"), read_until(events, "run.ended")
    kept = [event for event in by_socket if event["id"] is not None]
    assert kept == [{name: event[name] for name in kept[0]} for event in by_stream if event["id"] is not None]


def test_a_socket_is_taken_up_after_the_last_event_of_a_run(house: House, ended: str) -> None:
    activity = house.get(f"/api/runs/{ended}/activity", limit=200)["items"]
    middle = len(activity) // 2
    with socket(house, f"?run={ended}&after={activity[middle]['id']}", ROOT) as live:
        seen = heard(live, "run.ended")
    assert [event["id"] for event in seen] == [event["id"] for event in activity[middle + 1 :]]


def knock(house: House, query: str = "", **headers: str) -> httpx.Response:
    """Ask for a socket; a refusal is an ordinary response."""
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    key = {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    return httpx.get(f"{house.url}/api/ws{query}", headers=upgrade | key | headers)


def test_a_socket_is_refused_like_any_request(house: House) -> None:
    problem(knock(house), 401)
    nowhere = "?run=00000000-0000-7000-8000-000000000000"
    problem(knock(house, nowhere, Authorization=f"Bearer {ROOT}"), 404)


def test_a_page_of_another_site_hears_nothing_with_our_cookie(house: House) -> None:
    signed = httpx.post(f"{house.url}/api/auth/sign-in", json={"token": ROOT})
    cookie = f"signoff_session={signed.cookies['signoff_session']}"
    problem(knock(house, Cookie=cookie, Origin="https://elsewhere.example"), 403)
    problem(knock(house, Cookie=cookie, Origin="http://127.0.0.1"), 403)
    problem(knock(house, Cookie=cookie, Origin="null"), 403)
    problem(knock(house, Cookie=cookie), 403)
    with socket(house, Cookie=cookie, Origin=house.url) as live:
        house.start(agent_that(house, says("", DELIVERABLE)))
        assert heard(live, "run.ended")
