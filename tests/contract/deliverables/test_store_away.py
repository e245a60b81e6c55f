"""The file store is away, refuses, or has no room: agents and people are told that, and all goes on when it is back."""

import errno
import logging
import os
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest

from signoff import main
from signoff.deliverables.orphans import OrphanFiles
from signoff.files.stores import s3, store_for
from signoff.files.stores.port import StoreRefuses, StoreUnavailable
from signoff.kit import clock
from signoff.kit.errors import CannotStart
from signoff.kit.settings import Settings
from tests.contract.scenes import problem
from tests.house import House
from tests.s3 import BUCKET, Line, bucket_server
from tests.wire import call, says

LARGE = os.urandom(3 * 1024 * 1024)
GIVEN = {"name": "large.bin", "path": "input/large.bin"}
GONE = "The file store cannot be reached. Try again soon."


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


@pytest.fixture(scope="module")
def line() -> Iterator[Line]:
    with bucket_server() as line, pytest.MonkeyPatch.context() as patch:
        patch.setattr(s3, "PATIENCE", timedelta(milliseconds=50))
        yield line


@pytest.fixture(scope="module")
def settings(settings: Settings, line: Line) -> Settings:
    return settings.model_copy(update={"files": f"s3://{BUCKET}/of/signoff"})


def uploaded(house: House, content: bytes = LARGE) -> str:
    sent = house.client.post("/api/files", files={"files": ("large.bin", content)})
    assert sent.status_code == 201, sent.text
    return sent.json()["items"][0]["id"]


def handed_over(house: House, *given: dict[str, Any], content: bytes = LARGE) -> list[dict[str, Any]]:
    """The calls of a run that hands over all this, one in each answer."""
    name = f"m{os.urandom(6).hex()}"
    house.agent(name, house.model.script(name, *(says("", call("create_deliverable", each)) for each in given)))
    run = house.ended(house.start(name, files=[uploaded(house, content)]))
    assert run["status"] == "completed", run["error"]
    return house.calls(run["id"])[: len(given)]


def place_of(house: House, made: dict[str, Any]) -> str:
    (found,) = house.get(f"/api/runs/{made['run_id']}/deliverables")["items"]
    return f"/api/deliverables/{found['id']}/content"


def _warnings(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [each for each in caplog.records if each.levelno >= logging.WARNING and each.name.startswith("signoff")]


def is_away(response: httpx.Response) -> None:
    told = problem(response, 503)
    assert (told["code"], told["detail"]) == ("file_store_unavailable", GONE)
    assert response.headers["retry-after"] == "5"


def test_a_call_fails_while_the_store_is_away_and_the_next_one_hands_over(
    house: House, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "tries-again"
    # Whatever happens, it is back for the next test.
    monkeypatch.setattr(line, "away", False)

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        turn = sum(message["role"] == "assistant" for message in request["messages"])
        line.away = turn == 0
        return says("", call("complete_task", {"summary": "done"}) if turn == 2 else call("create_deliverable", GIVEN))

    house.agent(name, house.model.play(name, answer))
    run = house.ended(house.start(name, files=[uploaded(house)]))
    failed, made, _ = house.calls(run["id"])
    assert (run["status"], failed["status"], failed["error"]) == ("completed", "failed", GONE)
    assert made["status"] == "succeeded"
    assert house.client.get(place_of(house, made)).content == LARGE


def test_downloads_say_that_the_store_is_away_and_uploads_go_on(house: House, line: Line) -> None:
    (made,) = handed_over(house, GIVEN)
    content, archive = place_of(house, made), {"run": made["run_id"]}
    with line.is_away():
        is_away(house.client.get(content))
        is_away(house.client.get(content, headers={"Range": "bytes=5-9"}))
        is_away(house.client.get("/api/deliverables/download", params=archive))
        uploaded(house)
    assert house.client.get(content).content == LARGE


def test_a_download_that_breaks_off_does_not_look_whole(
    house: House, line: Line, caplog: pytest.LogCaptureFixture
) -> None:
    (made,) = handed_over(house, GIVEN)
    for path, params in (
        (place_of(house, made), {}),
        ("/api/deliverables/download", {"run": made["run_id"]}),
    ):
        with (
            line.breaks_after(2 * 1024 * 1024),
            pytest.raises(httpx.RemoteProtocolError, match=r"complete message body|incomplete chunked"),
        ):
            house.client.get(path, params=params)
    assert [each.getMessage() for each in _warnings(caplog) if "broke off" in each.getMessage()] == [
        f"a download broke off: {GONE}"
    ] * 2
    assert not [each for each in caplog.records if each.exc_info]


def test_a_file_that_the_store_has_lost_is_told_so(house: House) -> None:
    (made,) = handed_over(house, GIVEN, content=LARGE + b"lost")
    store, later = house.parts.context.store, clock.now() + timedelta(days=1)
    for key in list(store.older_than(later)):
        store.delete_older(key, later)
    assert problem(house.client.get(place_of(house, made)), 404)["code"] == "file_not_stored"


def test_a_store_that_is_away_is_logged_once_and_does_not_hold_up_the_timers(
    house: House, line: Line, caplog: pytest.LogCaptureFixture
) -> None:
    store, at = house.parts.context.store, clock.now() + timedelta(days=2)
    orphans = OrphanFiles(store)
    key = store.put(os.urandom(9))
    with line.is_away():
        house.parts.db.write(lambda session: orphans.run_due(session, key, at))
        for hours in (0, 2, 4):
            moment = at + timedelta(hours=hours)
            assert house.parts.db.read(lambda s, moment=moment: orphans.due(s, moment, 200)) == []
    (told,) = _warnings(caplog)
    assert (told.levelno, told.exc_info) == (logging.WARNING, None)
    assert told.getMessage().startswith(GONE)
    assert "Debug source" not in told.getMessage()
    assert key in house.parts.db.read(lambda session: orphans.due(session, at + timedelta(hours=6), 200))


def test_a_bucket_that_is_not_there_is_said_at_the_start(settings: Settings) -> None:
    wrong = settings.model_copy(update={"files": "s3://nope/pre"})
    with pytest.raises(CannotStart, match=r"no bucket 'nope'.*SIGNOFF_FILES"):
        main.prepare(main.assemble(wrong))
    with pytest.raises(StoreRefuses, match="no bucket 'nope'"):
        store_for(wrong).put(b"x")


def test_a_store_that_is_away_keeps_nobody_from_starting(
    settings: Settings, line: Line, caplog: pytest.LogCaptureFixture
) -> None:
    with line.is_away():
        store_for(settings).check_at_start()
    assert len(_warnings(caplog)) == 1
    store_for(settings).check_at_start()


@pytest.mark.parametrize(
    ("said", "refuses"),
    [
        ("status code: 403 Forbidden: <Code>InvalidAccessKeyId</Code>", True),
        ("status code: 400 Bad Request: <Code>AuthorizationHeaderMalformed</Code>", True),
        ("Received redirect without LOCATION, this normally indicates an incorrectly configured region", True),
        ("status code: 503 Service Unavailable: <Code>SlowDown</Code>", False),
        ("status code: 429 Too Many Requests", False),
        ("error sending request", False),
    ],
)
def test_only_what_the_settings_have_wrong_is_a_refusal(said: str, refuses: bool) -> None:
    found = s3.meaning(Exception(f"{said} Debug source: Generic"), "files", "some-key")
    assert isinstance(found, StoreUnavailable)
    assert isinstance(found, StoreRefuses) is refuses
    assert "Debug source" not in found.detail


def test_a_full_disk_is_told_and_not_that_the_file_is_missing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    file = uploaded(house)
    monkeypatch.setattr(os, "fsync", full)
    is_full = house.client.post("/api/files", files={"files": ("more.bin", LARGE)})
    assert problem(is_full, 503)["code"] == "disk_full"
    assert not list(house.settings.uploads_folder.glob(".*"))
    name = "full"
    house.agent(name, house.model.script(name, says("", call("create_deliverable", GIVEN))))
    run = house.ended(house.start(name, files=[file]))
    failed = house.calls(run["id"])[0]
    assert (run["status"], failed["status"]) == ("completed", "failed")
    assert failed["error"].startswith("The server's disk is full.")
    assert not list(house.settings.files_folder.glob(".*"))
