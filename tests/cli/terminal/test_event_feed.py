"""The feed gives each event of a stream once, however the stream is cut and whatever else is in it."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from signoff.cli.api_client import Api, Unreachable
from signoff.cli.terminal import event_feed
from signoff.cli.terminal.event_feed import Feed


def stream_of(*texts: bytes, kind: str = "text/event-stream") -> Api:
    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers={"content-type": kind}, content=iter(texts))

    return Api("http://127.0.0.1:1", None, httpx.MockTransport(answer))


def event(number: int, type: str = "run.progress", text: str = "") -> bytes:
    body = {"id": number, "type": type, "run_id": "r", "data": {"text": text}}
    return f"id: {number}\ndata: {json.dumps(body, ensure_ascii=False)}\n\n".encode()


def seen(*chunks: bytes) -> list[tuple[int, str]]:
    def events() -> Iterator[dict[str, Any]]:
        with stream_of(*chunks) as api, Feed(api, "r") as feed:
            while (each := feed.next(5)) is not None:
                yield each
                if each["type"] == "run.ended":
                    return

    return [(each["id"], each["data"]["text"]) for each in events() if "id" in each]


END = event(9, "run.ended")


def test_a_heartbeat_is_no_event():
    assert seen(b": hello\n\n", event(1, text="a"), b": still here\n\n", END) == [(1, "a"), (9, "")]


def test_a_character_and_a_line_end_may_be_cut_in_two():
    whole = event(1, text="Grüße ✓").replace(b"\n", b"\r\n") + END
    assert seen(*[whole[at : at + 1] for at in range(len(whole))]) == [(1, "Grüße ✓"), (9, "")]


def test_unicode_line_separators_do_not_end_a_line():
    assert seen(event(1, text="a\u2028b\x85c"), END) == [(1, "a\u2028b\x85c"), (9, "")]


def test_an_unfinished_event_is_read_when_it_comes_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(event_feed, "FIRST_PAUSE_SECONDS", 0)
    streams = iter([[event(1), event(2)[:-2]], [event(2), END]])

    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers={"content-type": "text/event-stream"}, content=iter(next(streams)))

    numbers = list[int]()
    with Api("http://127.0.0.1:1", None, httpx.MockTransport(answer)) as api, Feed(api, "r") as feed:
        while not numbers or numbers[-1] != 9:
            each = feed.next(5)
            assert each is not None
            numbers += [each["id"]] if "id" in each else []
    assert numbers == [1, 2, 9]


def test_a_page_that_is_no_stream_counts_as_a_lost_connection(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(event_feed, "GIVE_UP_SECONDS", -1)
    with stream_of(b"<html>", kind="text/html") as api, Feed(api, "r") as feed:
        kinds = [(feed.next(5) or {}).get("type") for _ in range(2)]
        with pytest.raises(Unreachable):
            feed.next(5)
    assert kinds == [event_feed.BACK, event_feed.LOST]
