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
from signoff.kit.jsons import JsonObject

BATCH = 500
# A reader this far behind is cut off; it resumes from its last event.
QUEUE = 2_000


@dataclass(frozen=True)
class Permit:
    """Whether somebody may go on reading: asked again whenever a way in ended, and over by itself at a time."""

    holds: Callable[[Session], bool]
    ends_at: datetime | None = None

    @property
    def seconds_left(self) -> float | None:
        return None if self.ends_at is None else (self.ends_at - clock.now()).total_seconds()


ALWAYS = Permit(lambda _session: True)


@dataclass(eq=False)
class _Reader:
    workspace_id: str
    run_id: str | None
    queue: asyncio.Queue[JsonObject | None] = field(default_factory=lambda: asyncio.Queue(QUEUE + 1))

    def offer(self, item: JsonObject) -> None:
        of_run = self.run_id is None or item["run_id"] == self.run_id
        if not of_run and item["type"] != events.ACCESS_CHANGED:
            return
        if self.queue.qsize() < QUEUE:
            self.queue.put_nowait(item)
        elif self.queue.qsize() == QUEUE:
            self.queue.put_nowait(None)


class Hub:
    """Hands events to whoever follows them in this process."""

    def __init__(self, db: Database) -> None:
        self._db = db
        # Where fleeting events go besides this process: a worker without a web side sends them to those with one.
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
        self._db.listeners.append(self._heard)
        self._tailer = asyncio.create_task(self._tail(), name="signoff-tailer")

    async def stop(self) -> None:
        self._closed = True
        if self._heard in self._db.listeners:
            self._db.listeners.remove(self._heard)
        for readers in self._readers.values():
            for reader in readers:
                reader.queue.put_nowait(None)
        if self._tailer:
            self._tailer.cancel()

    def transient(self, workspace_id: str, run_id: str | None, type_: str, data: JsonObject) -> None:
        """Tell those who look on right now; nothing is stored. For text as it is being written."""
        item = {"id": None, "type": type_, "run_id": run_id, "at": clock.now().isoformat(), "data": data}
        self.pass_on(workspace_id, item)
        if self.relay is not None:
            self.relay(workspace_id, item)

    def pass_on(self, workspace_id: str, item: JsonObject) -> None:
        """Hand a fleeting event to this process's readers."""
        for reader in self._readers.get(workspace_id, ()):
            reader.offer(item)

    def heard_elsewhere(self, workspace_id: str, item: JsonObject) -> None:
        """The same, from another process, by whichever thread heard of it."""
        if self._loop and not self._closed:
            self._loop.call_soon_threadsafe(self.pass_on, workspace_id, item)

    async def follow(
        self, workspace_id: str, position: int, run_id: str | None = None, permit: Permit = ALWAYS
    ) -> AsyncGenerator[JsonObject]:
        """Every event after `position`, in order, once; then live ones as they come, while the reader may."""
        reader = _Reader(workspace_id, run_id)
        if workspace_id not in self._positions:
            self._positions[workspace_id] = await self._db.aread(lambda s: events.position(s, workspace_id))
        self._readers.setdefault(workspace_id, set()).add(reader)
        try:
            seen = position

            def catch_up(session: Session) -> list[JsonObject] | None:
                batch = events.after(session, workspace_id, seen, BATCH, run_id)
                # Asked after it was read: whoever may now, might at everything in it.
                return batch if permit.holds(session) else None

            while batch := await self._db.aread(catch_up):
                for item in batch:
                    if item["type"] != events.ACCESS_CHANGED:
                        yield item
                seen = batch[-1]["id"]
            while batch is not None and (item := await self._next(reader, permit)) is not None:
                if item["id"] is None or item["id"] > seen:
                    seen = item["id"] or seen
                    yield item
        finally:
            readers = self._readers[workspace_id]
            readers.discard(reader)
            if not readers:
                del self._readers[workspace_id], self._positions[workspace_id]

    async def _next(self, reader: _Reader, permit: Permit) -> JsonObject | None:
        """The next live event, or nothing when the reader's time is over, or the house's."""
        while not self._closed:
            try:
                item = await asyncio.wait_for(reader.queue.get(), permit.seconds_left)
            except TimeoutError:
                return None
            if item is None or item["type"] != events.ACCESS_CHANGED:
                return item
            if not await self._db.aread(permit.holds):
                return None
        return None

    async def allows(self, permit: Permit) -> bool:
        left = permit.seconds_left
        return (left is None or left > 0) and await self._db.aread(permit.holds)

    def _heard(self, commit: Commit) -> None:
        """Called by whichever thread committed."""
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
