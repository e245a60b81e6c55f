"""What is due, from sources that are registered where the parts are put together. Sleeps in between."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from sqlalchemy.orm import Session

from signoff.kit.clock import now
from signoff.kit.db.database import Commit, Database
from signoff.kit.errors import SignoffError

log = logging.getLogger(__name__)

AT_ONCE = 200
# For the asks of a process that died; what this one opens, it hears of.
LONGEST_SLEEP = 15.0
AFTER_AN_ERROR = 1.0


class Source(Protocol):
    """Something that time does to rows. Several processes may look at the same one: the row decides who was first."""

    @property
    def name(self) -> str:
        """What it is about, for the log."""
        ...

    def due(self, session: Session, at: datetime, limit: int, /) -> Sequence[str]:
        """What is due, the longest overdue first."""
        ...

    def run_due(self, session: Session, due_id: str, at: datetime, /) -> None:
        """Do what is due for one of them, in a transaction of its own."""
        ...

    def next_time(self, session: Session, /) -> datetime | None:
        """When to look again, if not before."""
        ...


@dataclass(frozen=True)
class DueRows:
    """A source whose times stand in the rows."""

    name: str
    due: Callable[[Session, datetime, int], Sequence[str]]
    run_due: Callable[[Session, str, datetime], None]
    next_time: Callable[[Session], datetime | None]
    # What becomes of one that could not be done: in another transaction, since the first left nothing behind.
    failed: Callable[[Session, str, datetime, Exception], None] | None = None


@dataclass
class Every:
    """A source that does one thing at the start and then every so often; again at once if that says more is left."""

    name: str
    every: timedelta
    work: Callable[[Session, datetime], bool | None]
    _last: datetime | None = field(default=None, init=False)

    def due(self, session: Session, at: datetime, limit: int) -> Sequence[str]:
        return [self.name] if self._last is None or at - self._last >= self.every else []

    def run_due(self, session: Session, due_id: str, at: datetime) -> None:
        # Before the work: what fails is tried again at its time, not at once.
        self._last = at
        if self.work(session, at):
            self._last = at - self.every

    def next_time(self, session: Session) -> datetime | None:
        return None if self._last is None else self._last + self.every


class Timers:
    """One per process that works. A source that fails never holds up the others."""

    def __init__(self, db: Database, sources: Sequence[Source]) -> None:
        self._db = db
        self._sources = sources
        self._nudge = asyncio.Event()
        self._closing = False
        self._sleeps_until: datetime | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._db.listeners.append(self._heard)
        self._task = asyncio.create_task(self._run(), name="signoff-timers")

    async def stop(self) -> None:
        self._closing = True
        if self._heard in self._db.listeners:
            self._db.listeners.remove(self._heard)
        self._nudge.set()
        if self._task:
            await asyncio.wait({self._task})

    def _heard(self, commit: Commit) -> None:
        """Called by whichever thread committed."""
        sooner = commit.due is not None and (self._sleeps_until is None or commit.due < self._sleeps_until)
        if sooner and self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._nudge.set)

    async def _run(self) -> None:
        while not self._closing:
            self._nudge.clear()
            pause = await self.run_due()
            self._sleeps_until = now() + timedelta(seconds=pause)
            if pause > 0 and not self._nudge.is_set():
                with suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await self._nudge.wait()
            self._sleeps_until = None

    async def run_due(self) -> float:
        """Do what is due now. Returns how long to sleep."""
        pause = LONGEST_SLEEP
        for source in self._sources:
            try:
                pause = min(pause, await self._run_source(source))
            except Exception:
                log.exception("the timer of %s failed, trying again", source.name)
                pause = min(pause, AFTER_AN_ERROR)
        return pause

    async def _run_source(self, source: Source) -> float:
        at = now()
        ids = await self._db.aread(lambda session: source.due(session, at, AT_ONCE))
        for due_id in ids:
            if self._closing:
                break
            # One transaction each: what fails for one must not hold up the others.
            try:
                await self._run_one(source, due_id, at)
            except Exception:
                log.exception("what is due for %s %s could not be done", source.name, due_id)
        if len(ids) == AT_ONCE:
            return 0.0
        due = await self._db.aread(source.next_time)
        return LONGEST_SLEEP if due is None else max((due - now()).total_seconds(), 0.05)

    async def _run_one(self, source: Source, due_id: str, at: datetime) -> None:
        try:
            await self._db.awrite(lambda session: source.run_due(session, due_id, at))
        except Exception as error:
            failed = source.failed if isinstance(source, DueRows) else None
            if failed is None:
                raise
            if not isinstance(error, SignoffError):
                log.exception("what is due for %s %s could not be done", source.name, due_id)
            # Bound here: the name is gone after this block.
            trouble = error
            await self._db.awrite(lambda session: failed(session, due_id, at, trouble))
