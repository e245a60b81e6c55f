"""Live events: one tailer per process reads what was committed and fans it out in memory.

A waiting reader holds no session, no thread and no connection. Nudges come from this process's commits, and
from other processes by LISTEN/NOTIFY (PostgreSQL) or `PRAGMA data_version` (SQLite).
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy.orm import Session

from signoff.kit import clock
from signoff.kit.db import events
from signoff.kit.db.database import Commit, Database
from signoff.kit.db.events import Data, EventType
from signoff.kit.jsons import JsonObject

BATCH = 500
# A reader this far behind is cut off; it resumes from its last event.
QUEUE = 2_000


@dataclass(frozen=True)
class StreamAccess:
    """Whether a reader may go on: checked again whenever a credential ended, and over at a fixed time."""

    is_allowed: Callable[[Session], bool]
    ends_at: datetime | None = None

    @property
    def seconds_left(self) -> float | None:
        return None if self.ends_at is None else (self.ends_at - clock.now()).total_seconds()


ALWAYS = StreamAccess(lambda _session: True)


@dataclass(eq=False)
class _Reader:
    workspace_id: str
    run_id: str | None
    queue: asyncio.Queue[JsonObject | None] = field(default_factory=lambda: asyncio.Queue(QUEUE + 1))

    def offer(self, item: JsonObject) -> None:
        of_run = self.run_id is None or item["run_id"] == self.run_id
        if not of_run and item["type"] != events.ACCESS_CHANGED.name:
            return
        if self.queue.qsize() < QUEUE:
            self.queue.put_nowait(item)
        elif self.queue.qsize() == QUEUE:
            self.queue.put_nowait(None)


class Hub:
    """Delivers events to the readers in this process."""

    def __init__(self, db: Database) -> None:
        self._db = db
        # Sends unstored events to other processes: a worker without a web side has no readers of its own.
        self.relay: Callable[[str, JsonObject], None] | None = None
        self._readers: dict[str, set[_Reader]] = {}
        self._positions: dict[str, int] = {}
        self._dirty: set[str] = set()
        self._nudge = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tailer: asyncio.Task[None] | None = None
        self._closed = False

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._db.listeners.append(self._on_commit)
        self._tailer = asyncio.create_task(self._tail(), name="signoff-tailer")

    async def stop(self) -> None:
        if self._on_commit in self._db.listeners:
            self._db.listeners.remove(self._on_commit)
        self.end_streams()
        if self._tailer:
            self._tailer.cancel()

    def end_streams(self) -> None:
        """The process leaves: readers go on elsewhere, or when it is back."""
        self._closed = True
        for readers in self._readers.values():
            for reader in readers:
                # One that is cut off already has its end in the queue.
                if not reader.queue.full():
                    reader.queue.put_nowait(None)

    def transient(self, workspace_id: str, run_id: str | None, kind: EventType[Data], data: Data) -> None:
        """Send an event to current readers without storing it: text as the model writes it."""
        item = {"id": None, "type": kind.name, "run_id": run_id, "at": clock.now().isoformat(), "data": data}
        self.pass_on(workspace_id, item)
        if self.relay is not None:
            self.relay(workspace_id, item)

    def pass_on(self, workspace_id: str, item: JsonObject) -> None:
        """Send an unstored event to this process's readers."""
        for reader in self._readers.get(workspace_id, ()):
            reader.offer(item)

    def pass_on_from_thread(self, workspace_id: str, item: JsonObject) -> None:
        """The same for an event of another process; may be called from any thread."""
        if self._loop and not self._closed:
            self._loop.call_soon_threadsafe(self.pass_on, workspace_id, item)

    async def follow(
        self, workspace_id: str, position: int, run_id: str | None = None, access: StreamAccess = ALWAYS
    ) -> AsyncGenerator[JsonObject]:
        """Every event after `position`, once and in order, then live ones, for as long as the reader has access."""
        reader = _Reader(workspace_id, run_id)
        if workspace_id not in self._positions:
            self._positions[workspace_id] = await self._db.aread(lambda s: events.position(s, workspace_id))
        self._readers.setdefault(workspace_id, set()).add(reader)
        try:
            seen = position

            def catch_up(session: Session) -> list[JsonObject] | None:
                batch = events.after(session, workspace_id, seen, BATCH, run_id)
                # Checked after reading: who has access now had it for every event in the batch.
                return batch if access.is_allowed(session) else None

            while batch := await self._db.aread(catch_up):
                for item in batch:
                    if item["type"] != events.ACCESS_CHANGED.name:
                        yield item
                seen = batch[-1]["id"]
            while batch is not None and (item := await self._next(reader, access)) is not None:
                if item["id"] is None or item["id"] > seen:
                    seen = item["id"] or seen
                    yield item
        finally:
            readers = self._readers[workspace_id]
            readers.discard(reader)
            if not readers:
                del self._readers[workspace_id], self._positions[workspace_id]

    async def _next(self, reader: _Reader, access: StreamAccess) -> JsonObject | None:
        """The next live event; None when the reader's access ended or the server stops."""
        while not self._closed:
            try:
                item = await asyncio.wait_for(reader.queue.get(), access.seconds_left)
            except TimeoutError:
                return None
            if item is None or item["type"] != events.ACCESS_CHANGED.name:
                return item
            if not await self._db.aread(access.is_allowed):
                return None
        return None

    async def allows(self, access: StreamAccess) -> bool:
        left = access.seconds_left
        return (left is None or left > 0) and await self._db.aread(access.is_allowed)

    def _on_commit(self, commit: Commit) -> None:
        """Called in the thread that committed."""
        followed = commit.from_elsewhere or not commit.workspaces.isdisjoint(self._readers)
        if followed and self._loop and not self._closed:
            self._loop.call_soon_threadsafe(self._note, commit)

    def _note(self, commit: Commit) -> None:
        self._dirty |= set(self._readers) if commit.from_elsewhere else commit.workspaces & set(self._readers)
        if self._dirty:
            self._nudge.set()

    async def _tail(self) -> None:
        while True:
            await self._nudge.wait()
            self._nudge.clear()
            while self._dirty:
                await self._fan_out(self._dirty.pop())

    async def _fan_out(self, workspace_id: str) -> None:
        while (position := self._positions.get(workspace_id)) is not None:
            batch = await self._db.aread(lambda s, p=position: events.after(s, workspace_id, p, BATCH))
            for item in batch:
                for reader in self._readers.get(workspace_id, ()):
                    reader.offer(item)
            if batch and workspace_id in self._positions:
                self._positions[workspace_id] = batch[-1]["id"]
            if len(batch) < BATCH:
                return
