"""A stream of events, read in a thread of its own and across lost connections, while the terminal waits for a key."""

import json
import threading
import time
from queue import Empty, SimpleQueue

from signoff.cli.api_client import Api, Failure, Unreachable, path
from signoff.kit.jsons import JsonObject

FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 10.0
GIVE_UP_SECONDS = 120.0
# Not the server's events, but ours: the connection is gone, and is there again.
LOST = "connection.lost"
BACK = "connection.back"


class Feed:
    """Every event once and in order. `settled` runs ahead of what has been read, so that a prompt can be given up."""

    def __init__(self, api: Api, run_id: str | None = None) -> None:
        """A run's from its beginning to its end, or the workspace's from now on."""
        self.settled = dict[str, JsonObject]()
        self.ended = False
        self._api = api
        self._path = path("runs", run_id, "events") if run_id else path("events")
        self._run_id = run_id
        self._last = 0 if run_id else None
        self._live = False
        self._queue = SimpleQueue[JsonObject | Failure]()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._read, name="signoff-feed", daemon=True)

    def __enter__(self) -> "Feed":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        # At its end a run's stream closes by itself; a stream that goes on is left to the process's end.
        if self.ended:
            self._thread.join(1)

    def next(self, seconds: float | None = None) -> JsonObject | None:
        """The next event; None if none came for so long."""
        try:
            item = self._queue.get(timeout=seconds)
        except Empty:
            return None
        if isinstance(item, Failure):
            raise item
        return item

    def _read(self) -> None:
        try:
            self._keep_reading()
        except Exception:
            # The connection was closed under us, since nobody reads any more.
            if not self._closed.is_set():
                raise

    def _keep_reading(self) -> None:
        lost_at, pause = None, FIRST_PAUSE_SECONDS
        while not self._closed.is_set():
            self._live = False
            try:
                self._connect()
                failure = Unreachable(f"{self._api.url} ended the stream.")
            except Unreachable as unreachable:
                failure = unreachable
            except Failure as refused:
                self._queue.put(refused)
                return
            if self.ended:
                return
            if self._live:
                lost_at, pause = None, FIRST_PAUSE_SECONDS
            if lost_at is None:
                lost_at = time.monotonic()
                self._queue.put({"type": LOST, "data": {}})
            if time.monotonic() - lost_at > GIVE_UP_SECONDS:
                self._queue.put(failure)
                return
            self._closed.wait(pause)
            pause = min(pause * 2, LONGEST_PAUSE_SECONDS)

    def _connect(self) -> None:
        # Slow to import, and few commands follow events.
        from httpx_sse import EventSource

        last = str(self._last) if self._last else None
        with self._api.stream(self._path, last_event=last, after=self._last) as answer:
            self._queue.put({"type": BACK, "data": {}})
            self._live = True
            for event in EventSource(answer).iter_sse():
                # A heartbeat comes without data.
                if event.data:
                    self._take(json.loads(event.data))
                if self.ended or self._closed.is_set():
                    return

    def _take(self, event: JsonObject) -> None:
        position = event.get("id")
        if position is not None:
            if self._last is not None and position <= self._last:
                return
            self._last = position
        if event["type"] == "ask.settled":
            self.settled[event["data"]["ask"]["id"]] = event["data"]["ask"]
        if event["type"] == "run.ended" and event["run_id"] == self._run_id:
            self.ended = True
        self._queue.put(event)
