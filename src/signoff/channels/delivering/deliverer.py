"""Brings messages out: one per process that works. Nudged by commits, asleep in between."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from signoff.channels.delivering import claim, webhook_events
from signoff.channels.delivering.claim import Room
from signoff.channels.delivering.jobs import Job
from signoff.channels.delivering.prepare import Preparation
from signoff.channels.delivering.record import put_back, record_failed, record_sent
from signoff.channels.kinds import TRANSPORTS
from signoff.channels.models import Channel
from signoff.channels.port import ChannelError, Receipt, told_without
from signoff.channels.routing.fan_out import AT_ONCE, route_due
from signoff.kit import clock
from signoff.kit.db.database import Commit, Database
from signoff.notifications.models import Notification

log = logging.getLogger(__name__)

T = TypeVar("T")

THREADS = 16
# Those that look, take and note. Behind a hundred runs that write at once, messages would wait for the last of them.
DATABASE_THREADS = 2
# One channel that hangs must not keep all others waiting.
THREADS_PER_CHANNEL = 6
# Taken together, so that many messages cost few commits.
MOST_IN_HAND = 500
# What comes meanwhile is taken together: a hundred runs that ask at once need their database, too.
BETWEEN_TURNS = 0.1
# Only a safety net: what is due is known, commits of other processes are heard.
LONGEST_SLEEP = 5.0
# Whether there is any channel at all is looked up so often; where there is none, nothing else is.
LOOK_FOR_CHANNELS = 5.0
# While the lease lasts, what is known of a message is not given up for a database that is away for a moment.
NOTED_AGAIN = (0.2, 1.0, 5.0, 15.0, 30.0)
CrashPoint: TypeAlias = Callable[[str], Coroutine[Any, Any, None]]


@dataclass(frozen=True)
class TooLate:
    """Its turn came when it may have been somebody else's already: nothing was sent."""


Ended: TypeAlias = Receipt | ChannelError | TooLate


class Deliverer:
    """Routes what is new, sends what is due, changes what was sent, and notes how each attempt ended."""

    def __init__(
        self,
        db: Database,
        prepare: Preparation,
        owner: str,
        is_dead: Callable[[str], bool],
        crash_point: CrashPoint,
    ) -> None:
        self._db, self._prepare, self._owner, self._is_dead = db, prepare, owner, is_dead
        self._crash_point = crash_point
        self._nudge = asyncio.Event()
        self._closing = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._jobs = set[asyncio.Task[None]]()
        self._in_hand = Counter[str]()
        self._at_work = dict[str, asyncio.Semaphore]()
        # Deliveries that a thread of this process still works on, whatever the clock says of its lease.
        self._working_on = set[str]()
        # What was handed over and is not noted yet.
        self._ended = list[tuple[Job, Ended]]()
        self._noting = asyncio.Lock()
        self._threads = ThreadPoolExecutor(THREADS, "signoff-deliver")
        self._database_threads = ThreadPoolExecutor(DATABASE_THREADS, "signoff-deliveries")
        self._has_channels = False
        self._looked_at: float = -LOOK_FOR_CHANNELS
        self._followed = set[str]()

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        for owner in await self._db.aread(claim.owners):
            if self._is_dead(owner):
                await self._db.awrite(lambda s, owner=owner: claim.free_dead(s, owner, clock.now()))
        self._db.listeners.append(self._heard)
        self._task = asyncio.create_task(self._run(), name="signoff-deliverer")

    async def stop(self) -> None:
        """What is on its way is waited for; the rest is somebody else's, or for the next start."""
        self._closing = True
        if self._heard in self._db.listeners:
            self._db.listeners.remove(self._heard)
        self._nudge.set()
        if self._task:
            await asyncio.wait({self._task})
        if self._jobs:
            await asyncio.wait(self._jobs, timeout=10)
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._database_threads.shutdown(wait=False, cancel_futures=True)

    def nudge(self) -> None:
        """Look now; may be called from any thread."""
        if self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._look_now)

    def _look_now(self) -> None:
        self._looked_at = -LOOK_FOR_CHANNELS
        self._nudge.set()

    def _heard(self, commit: Commit) -> None:
        """Called by whichever thread committed."""
        if commit.channels_changed:
            self.nudge()
            return
        concerns = commit.from_elsewhere or (commit.tells and self._has_channels)
        follows = not commit.workspaces.isdisjoint(self._followed)
        if (concerns or follows) and self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._nudge.set)

    async def _run(self) -> None:
        while not self._closing:
            self._nudge.clear()
            try:
                pause = await self._turn()
            except Exception:
                log.exception("could not look for messages to send, trying again")
                pause = 1.0
            if pause > 0 and not self._nudge.is_set():
                with suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await self._nudge.wait()

    async def _turn(self) -> float:
        """One look at everything. Returns how long to sleep."""
        await self._look_for_channels()
        if not self._has_channels:
            return LOOK_FOR_CHANNELS
        at = clock.now()
        hand = claim.Hand(self._owner, frozenset(self._working_on))
        taken = {channel: _room_beside(count) for channel, count in self._in_hand.items()}
        room = Room(MOST_IN_HAND - len(self._jobs), taken)
        seen, more, jobs = await self._hop(lambda: self._look_and_take(at, hand, room))
        if not seen.anything(at):
            left = LONGEST_SLEEP if seen.due is None else (seen.due - clock.now()).total_seconds()
            return min(max(left, 0.0), LONGEST_SLEEP)
        for job in jobs:
            self._begin(job)
        if not more:
            await asyncio.sleep(BETWEEN_TURNS)
        # Whatever is due and was not taken is looked at again when something ends.
        return 0.0 if more or jobs else LONGEST_SLEEP

    async def _hop(self, work: Callable[[], T]) -> T:
        assert self._loop
        return await self._loop.run_in_executor(self._database_threads, work)

    def _look_and_take(self, at: datetime, hand: claim.Hand, room: Room) -> "tuple[Seen, bool, list[Job]]":
        seen = self._db.read(lambda s: _look(s, at, self._followed))
        if not seen.anything(at):
            return seen, False, []
        return seen, *self._db.write(lambda s: self._take(s, at, seen, hand, room))

    def _take(
        self, session: Session, at: datetime, seen: "Seen", hand: claim.Hand, room: Room
    ) -> tuple[bool, list[Job]]:
        """Route what is new, and take what is due into our hand: one commit."""
        more = seen.routable and route_due(session, at) == AT_ONCE
        if seen.behind:
            more = webhook_events.follow(session, self._followed, at) or more
        return more, claim.claim_due(session, self._prepare, hand, at, room)

    async def _look_for_channels(self) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._looked_at < LOOK_FOR_CHANNELS:
            return
        self._looked_at = now
        self._has_channels, self._followed = await self._hop(lambda: self._db.read(_channels))

    def _begin(self, job: Job) -> None:
        self._in_hand[job.channel.id] += 1
        self._working_on.update((job.delivery_id, *job.with_ids))
        task = asyncio.create_task(self._deliver(job), name=f"delivery-{job.delivery_id}")
        self._jobs.add(task)
        task.add_done_callback(lambda done: self._finished(done, job))

    def _finished(self, task: "asyncio.Task[None]", job: Job) -> None:
        self._jobs.discard(task)
        self._in_hand[job.channel.id] -= 1
        left = self._in_hand[job.channel.id]
        if left <= 0:
            del self._in_hand[job.channel.id]
            self._at_work.pop(job.channel.id, None)
        self._working_on.difference_update((job.delivery_id, *job.with_ids))
        if left == 0 or left == claim.MOST_PER_CHANNEL // 2:
            self._nudge.set()

    async def _deliver(self, job: Job) -> None:
        """Hand it over in a thread, then note how that ended, together with others that ended meanwhile."""
        assert self._loop
        turn = self._at_work.setdefault(job.channel.id, asyncio.Semaphore(THREADS_PER_CHANNEL))
        try:
            async with turn:
                ended: Ended = await self._loop.run_in_executor(self._threads, _hand_over, job)
            if isinstance(ended, Receipt):
                await self._crash_point("delivered")
        except ChannelError as error:
            ended = error
        self._ended.append((job, ended))
        async with self._noting:
            batch, self._ended = self._ended, []
            if batch:
                await self._note(batch)

    async def _note(self, batch: list[tuple[Job, Ended]]) -> None:
        # In one order, so that two processes never wait for each other.
        batch = sorted(batch, key=lambda each: each[0].delivery_id)
        for pause in NOTED_AGAIN:
            try:
                await self._hop(lambda: self._db.write(lambda s: self._record(s, batch)))
            except Exception:
                log.exception("could not note how messages went out, trying again")
                await asyncio.sleep(pause)
            else:
                return
        # The lease ends by itself, and they are sent once more, marked as repeats.

    def _record(self, session: Session, batch: list[tuple[Job, Ended]]) -> None:
        at = clock.now()
        record_sent(session, self._owner, [(job, ended) for job, ended in batch if isinstance(ended, Receipt)], at)
        for job, ended in batch:
            if isinstance(ended, ChannelError):
                record_failed(session, self._owner, job, ended, at)
            elif isinstance(ended, TooLate):
                put_back(session, self._owner, job, at)


def _hand_over(job: Job) -> Receipt | TooLate:
    if job.begins_before is not None and clock.now() > job.begins_before:
        return TooLate()
    transport = TRANSPORTS[job.channel.kind]
    try:
        if job.purpose == "send":
            return transport.send(job.channel, job.to, job.message)
        transport.update(job.channel, job.remote or {}, job.message)
        return Receipt()
    except ChannelError as error:
        raise told_without(job.channel.secrets, error) from None
    except Exception as error:
        log.exception("the channel %s failed in a way of its own", job.channel.name)
        raise ChannelError(f"An error of ours: {type(error).__name__}.") from error


def _channels(session: Session) -> tuple[bool, set[str]]:
    some = session.scalar(select(func.count()).select_from(select(Channel.id).limit(1).subquery())) or 0
    return bool(some), webhook_events.webhook_workspaces(session)


def _room_beside(in_hand: int) -> int:
    """Half a hand is emptied before more is taken: one commit for many, not one for each."""
    return claim.MOST_PER_CHANNEL - in_hand if in_hand <= claim.MOST_PER_CHANNEL // 2 else 0


@dataclass(frozen=True)
class Seen:
    """What there is to do."""

    routable: bool
    behind: bool
    # When the next message is to be sent or changed.
    due: datetime | None

    def anything(self, at: datetime) -> bool:
        return self.routable or self.behind or (self.due is not None and self.due <= at)


def _look(session: Session, at: datetime, followed: set[str]) -> Seen:
    new = select(Notification.id).where(Notification.route_at <= at).limit(1)
    behind = bool(followed) and webhook_events.is_behind(session, followed)
    return Seen(session.scalar(new) is not None, behind, claim.next_time(session))
