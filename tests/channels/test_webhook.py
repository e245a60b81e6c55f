"""Webhooks get every event they want, signed as Standard Webhooks are, once, whatever happens to them."""

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy.orm import Session
from standardwebhooks import Webhook, WebhookVerificationError

from signoff.channels.models import Delivery
from signoff.kit.ids import new_id
from tests.channels.moving_clock import moving_clock
from tests.channels.receiver import Received, Receiver
from tests.contract.scenes import free_run, problem, waiting
from tests.house import House
from tests.ports import free_port
from tests.wire import call, says

OTHER = "whsec_" + "b3RoZXIgc2VjcmV0IG90aGVyIHNlY3JldCBvdGhlcg=="


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


def hook(house: House, receiver: Receiver, *events: str, **fields: Any) -> dict[str, Any]:
    settings = {"url": receiver.url + "/in", **({"events": list(events)} if events else {})}
    return house.post("/api/channels", {"kind": "webhook", "name": new_id(), "settings": settings, **fields}, 201)


def verified(received: Received, secret: str) -> Any:
    return Webhook(secret).verify(received.body, received.headers)


@pytest.mark.both_databases
def test_an_ask_and_its_answer_arrive_signed_and_in_the_shape_of_events(house: House, receiver: Receiver) -> None:
    made = hook(house, receiver, "ask.created", "ask.settled")
    _, ask = waiting(house)
    house.answer(ask)
    first, second = sorted((verified(each, made["signing_secret"]) for each in receiver.wait_for(2)), key=_position)
    assert (first["type"], second["type"]) == ("ask.created", "ask.settled")
    assert first["data"]["ask"]["id"] == second["data"]["ask"]["id"] == ask["id"]
    assert first["run_id"] == ask["run_id"]
    assert len({each.headers["webhook-id"] for each in receiver.requests}) == 2
    with pytest.raises(WebhookVerificationError):
        verified(receiver.requests[0], OTHER)


def _position(event: dict[str, Any]) -> int:
    return event["id"]


def test_the_secret_is_shown_once_and_never_again(house: House, receiver: Receiver) -> None:
    made = hook(house, receiver)
    assert made["signing_secret"].startswith("whsec_")
    again = house.get(f"/api/channels/{made['id']}")
    assert again["secrets"] == ["secret"]
    assert made["signing_secret"] not in str(again)


def test_after_a_change_both_secrets_verify_for_a_day(house: House, receiver: Receiver) -> None:
    with moving_clock(house) as clock:
        made = hook(house, receiver, "run.ended")
        new = house.post(f"/api/channels/{made['id']}/rotate-secret")["signing_secret"]
        free_run(house)
        both = receiver.wait_for(1)[0]
        assert len(both.headers["webhook-signature"].split()) == 2
        clock.move(hours=25)
        house.client.patch(f"/api/channels/{made['id']}", json={"about": []})
        free_run(house)
        alone = receiver.wait_for(2)[1]
        assert len(alone.headers["webhook-signature"].split()) == 1
    assert new != made["signing_secret"]
    verified(both, new)
    verified(both, made["signing_secret"])


@pytest.mark.both_databases
def test_a_receiver_that_is_down_for_ten_minutes_loses_nothing_and_gets_nothing_twice(
    house: House, receiver: Receiver
) -> None:
    with moving_clock(house) as clock:
        receiver.answers = lambda _: (503, b"try later")
        made = hook(house, receiver, "run.ended")
        runs = [free_run(house)["id"] for _ in range(3)]

        def failing() -> list[dict[str, Any]]:
            found = house.get("/api/deliveries", channel=made["id"])["items"]
            return found if len(found) == 3 and all(each["error"] for each in found) else []

        assert "503" in house.until(failing)[0]["error"]
        for _ in range(10):
            clock.move(minutes=1)
        receiver.answers = lambda _: (200, b"")
        clock.move(minutes=10)
        told = [str(each.json["run_id"]) for each in receiver.wait_for(3)]
        assert sorted(told) == sorted(runs)
        house.until(lambda: _all_sent(house, made["id"]))
    assert len(receiver.requests) == 3


def _all_sent(house: House, channel: str) -> bool:
    return {each["status"] for each in house.get("/api/deliveries", channel=channel)["items"]} == {"sent"}


def test_what_failed_for_good_is_replayed_when_somebody_says_so(house: House, receiver: Receiver) -> None:
    receiver.answers = lambda _: (410, b"gone")
    made = hook(house, receiver, "run.ended")
    free_run(house)
    failed = house.until(lambda: house.get("/api/deliveries", channel=made["id"], status="failed")["items"])[0]
    assert "410" in failed["error"]
    assert failed["attempts"][0]["outcome"] == "failed"
    receiver.answers = lambda _: (200, b"")
    assert house.post(f"/api/channels/{made['id']}/retry-failed") == {"queued": 1}
    again = receiver.wait_for(1)[0]
    assert again.headers["webhook-id"] == failed["id"]
    house.until(lambda: _all_sent(house, made["id"]))
    assert house.post(f"/api/deliveries/{failed['id']}/retry")["status"] == "queued"
    receiver.wait_for(2)


def test_only_the_events_that_are_wanted_come_and_unknown_ones_are_refused(house: House, receiver: Receiver) -> None:
    hook(house, receiver, "deliverable.created")
    report = call("create_deliverable", {"name": "a.md", "type": "markdown", "content": "# A"})
    free_run(house, says("", report))
    made = receiver.wait_for(1)
    assert [each.json["type"] for each in made] == ["deliverable.created"]
    wrong = {"kind": "webhook", "name": "x", "settings": {"url": receiver.url, "events": ["run.exploded"]}}
    found = problem(house.client.post("/api/channels", json=wrong), 422)
    assert found["errors"][0]["path"] == "settings.events"


def test_no_event_at_all_and_a_secret_that_is_none_are_refused_at_their_fields(
    house: House, receiver: Receiver
) -> None:
    wrong = {"kind": "webhook", "name": "x", "settings": {"url": receiver.url, "events": []}}
    found = problem(house.client.post("/api/channels", json=wrong | {"secrets": {"secret": "whsec_no base64!"}}), 422)
    said = {each["path"]: each["message"] for each in found["errors"]}
    assert said.keys() == {"settings.events", "secrets.secret"}
    assert "name at least one, or leave it out" in said["settings.events"]
    assert "whsec_ with base64 behind it" in said["secrets.secret"]
    made = hook(house, receiver)
    for secret in ("whsec_é", "whsec_", "whsec_abc"):
        changed = house.client.patch(f"/api/channels/{made['id']}", json={"secrets": {"secret": secret}})
        assert problem(changed, 422)["errors"][0]["path"] == "secrets.secret"


@pytest.mark.parametrize("url", ["ftp://x", "not an address", "https://user:secret@example.org/", "http://"])
def test_an_address_that_is_none_is_refused_at_its_field(house: House, url: str) -> None:
    wrong = {"kind": "webhook", "name": "x", "settings": {"url": url}}
    found = problem(house.client.post("/api/channels", json=wrong), 422)
    assert found["errors"][0]["path"] == "settings.url"
    assert "secret" not in str(found)


def test_an_event_that_is_kept_no_more_is_not_made_up(house: House, receiver: Receiver) -> None:
    made = hook(house, receiver, "run.ended")
    free_run(house)
    house.until(lambda: house.get("/api/deliveries", channel=made["id"], status="sent")["items"])

    def forget(session: Session) -> None:
        row = session.query(Delivery).filter_by(channel_id=made["id"]).one()
        row.event_position = 10**12

    house.parts.db.write(forget)
    sent = house.get("/api/deliveries", channel=made["id"])["items"][0]
    house.post(f"/api/deliveries/{sent['id']}/retry")
    failed = house.until(lambda: house.get("/api/deliveries", channel=made["id"], status="failed")["items"])[0]
    assert "kept no more" in failed["error"]
    assert len(receiver.requests) == 1
    assert house.post(f"/api/channels/{made['id']}/test", {}) == {"ok": True, "error": None}


def test_a_failed_test_names_the_place_and_stays_until_the_channel_changes(house: House) -> None:
    nobody = f"127.0.0.1:{free_port()}"
    given = {"kind": "webhook", "name": "Nobody there", "settings": {"url": f"http://{nobody}/secret-path"}}
    made = house.post("/api/channels", given, 201)
    why = f"The connection to {nobody} failed: Connection refused."
    assert house.post(f"/api/channels/{made['id']}/test", {}) == {"ok": False, "error": why}
    assert house.get(f"/api/channels/{made['id']}")["test_error"] == why
    changed = house.client.patch(f"/api/channels/{made['id']}", json={"name": "Still nobody"}).json()
    assert changed["test_error"] is None
    house.client.delete(f"/api/channels/{made['id']}").raise_for_status()


def test_what_is_no_whole_address_is_told_what_one_looks_like(house: House) -> None:
    given = {"kind": "webhook", "name": "Begun", "settings": {"url": "http://"}}
    refused = house.client.post("/api/channels", json=given).json()
    assert "https://hooks.example.org/signoff" in refused["errors"][0]["message"]
