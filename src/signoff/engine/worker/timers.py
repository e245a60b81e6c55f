"""What is due: reminders, escalations and expiries, each from an indexed time; now and then tidying. Sleeps between."""

import asyncio
import logging
from contextlib import suppress
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from signoff.asks.deadlines import expiry
from signoff.kit.clock import now
from signoff.kit.db import idempotency
from signoff.kit.db.database import Commit, Database
from signoff.workspaces import credentials as people

log = logging.getLogger(__name__)

AT_ONCE = 200
# For the asks of a process that died; what this one opens, it hears of.
LONGEST_SLEEP = 15.0
TIDY_EVERY = timedelta(hours=1)


def tidy(session: Session, at: datetime) -> None:
    """What nobody will ask for again."""
    idempotency.forget(session, at)
    people.forget_expired(session, at)


class Timers:
    """One per engine. Several may look at the same ask: the row decides who was first."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._nudge = asyncio.Event()
        self._closing = False
        self._sleeps_until: datetime | None = None
        self._tidied: datetime | None = None
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
            try:
                pause = await self.run_due()
            except Exception:
                log.exception("the timers stumbled, trying again")
                pause = 1.0
            self._sleeps_until = now() + timedelta(seconds=pause)
            if pause > 0 and not self._nudge.is_set():
                with suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await self._nudge.wait()
            self._sleeps_until = None

    async def run_due(self) -> float:
        """Do what is due now, the longest overdue first. Returns how long to sleep."""
        at = now()
        if self._tidied is None or at - self._tidied > TIDY_EVERY:
            self._tidied = at
            await self._db.awrite(lambda s: tidy(s, at))
        ids = await self._db.aread(lambda s: expiry.due(s, at, AT_ONCE))
        for ask_id in ids:
            if self._closing:
                break
            # One transaction each: what fails for one ask must not hold up the others.
            try:
                await self._db.awrite(lambda s, ask_id=ask_id: expiry.tend(s, ask_id, at))
            except Exception:
                log.exception("ask %s could not be tended to", ask_id)
        if len(ids) == AT_ONCE:
            return 0.0
        due = await self._db.aread(expiry.next_time)
        return LONGEST_SLEEP if due is None else min(max((due - now()).total_seconds(), 0.05), LONGEST_SLEEP)
