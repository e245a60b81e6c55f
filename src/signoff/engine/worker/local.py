"""The engine inside our own process: claims, leases, nudges. What it promises is written in `port`."""

import asyncio
import logging
import threading
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from signoff.claims import actions as claims
from signoff.claims.actions import Claim
from signoff.engine.context import EngineContext
from signoff.engine.loop.advance import advance
from signoff.engine.worker.owner import is_dead, this_owner
from signoff.kit.clock import now
from signoff.kit.db.unavailable import DATABASE_FAILED
from signoff.runs.models import Run
from signoff.runs.states import Phase, RunStatus
from signoff.runs.worker.fenced_writes import begin
from signoff.runs.worker.snapshot import Opened, halted, load, load_run

log = logging.getLogger(__name__)

CLAIM_AT_ONCE = 50
# So few are read by whoever claims them; of many each reads its own, so that no one waits for all.
OPEN_AT_ONCE = 4
# Only a safety net: wakes come as nudges, due times are known.
LONGEST_SLEEP = 5.0
DRAIN_SECONDS = 10.0


class LocalEngine:
    """An engine inside our own process: it drives every ready run of the database, as many at once as is allowed."""

    def __init__(self, engine: EngineContext) -> None:
        self._engine = engine
        self._owner = this_owner()
        self._lease = timedelta(seconds=engine.settings.lease_seconds)
        self._tasks: dict[str, tuple[asyncio.Task[None], asyncio.Event]] = {}
        self._renewed_at = now()
        # The one that has its last try: nobody else's of that kind is taken beside it.
        self._last_try: Claim | None = None
        self._nudge = asyncio.Event()
        self._check_halted = False
        self._is_full = False
        self._closing = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._claiming: asyncio.Task[None] | None = None
        self._renewing = threading.Thread(target=self._renew, name="signoff-lease", daemon=True)

    @property
    def live(self) -> int:
        """How many runs are in this worker's hands."""
        return len(self._tasks)

    @property
    def healthy(self) -> bool:
        return self._claiming is not None and not self._claiming.done()

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        await self._free_the_dead()
        self._renewing.start()
        self._claiming = asyncio.create_task(self._claim(), name="signoff-claims")

    async def stop(self) -> None:
        """Finish the calls under way, drop model requests, release everything."""
        self._closing.set()
        self._nudge.set()
        if self._claiming:
            await asyncio.wait({self._claiming})
        for task, _ in self._tasks.values():
            task.cancel()
        tasks = [task for task, _ in self._tasks.values()]
        if tasks:
            await asyncio.wait(tasks, timeout=DRAIN_SECONDS)
        await self._engine.models.close()
        await self._engine.db.awrite(lambda s: claims.release_owner(s, self._owner))

    def ready(self, run_ids: Collection[str]) -> None:
        if run_ids:
            self._from_any_thread(halted=False)

    def halted(self, run_ids: Collection[str]) -> None:
        if not self._tasks.keys().isdisjoint(run_ids):
            self._from_any_thread(halted=True)

    def look_around(self) -> None:
        self._from_any_thread(halted=True)

    async def claim(self, run_id: str) -> bool:
        at = now()
        claim = await self._engine.db.awrite(lambda s: claims.claim_run(s, self._owner, run_id, at, self._lease))
        if claim is not None:
            self._set_to_work(claim, None)
        return claim is not None

    def _from_any_thread(self, *, halted: bool) -> None:
        if self._loop and not self._loop.is_closed() and not self._closing.is_set():
            self._loop.call_soon_threadsafe(self._wake_up, halted)

    def _wake_up(self, halted: bool) -> None:
        self._check_halted = self._check_halted or halted
        self._nudge.set()

    async def _claim(self) -> None:
        while not self._closing.is_set():
            self._nudge.clear()
            try:
                if self._check_halted:
                    await self._stop_halted()
                pause = await self._take()
            except Exception:
                log.exception("could not claim runs, trying again")
                pause = 1.0
            if pause > 0 and not self._nudge.is_set():
                with suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await self._nudge.wait()

    async def _take(self) -> float:
        """Claim what is ready and set to work. Returns how long to sleep: 0 when there may be more."""
        free = min(self._engine.settings.max_live_runs - len(self._tasks), CLAIM_AT_ONCE)
        self._is_full = free <= 0
        if self._is_full:
            return LONGEST_SLEEP
        await self._engine.crash_point("claiming")
        taken, due = await self._engine.db.ahop(lambda: self._claim_and_open(free))
        for claim, rows in taken:
            self._set_to_work(claim, rows)
        if len(taken) == free:
            return 0.0
        return LONGEST_SLEEP if due is None else min(max((due - now()).total_seconds(), 0.001), LONGEST_SLEEP)

    def _set_to_work(self, claim: Claim, rows: Opened | None) -> None:
        stop = asyncio.Event()
        task = asyncio.create_task(self._work(claim, stop, rows), name=f"run-{claim.run_id}")
        self._tasks[claim.run_id] = (task, stop)
        if claim.falls == claims.LAST_TRY:
            self._last_try = claim

    def _claim_and_open(self, free: int) -> tuple[list[tuple[Claim, Opened | None]], datetime | None]:
        """Both in one hop. The claim is committed first: if a run's rows take us down, that is counted."""
        db, known = self._engine.db, dict[str, Run]()
        taken, due = db.write(lambda s: self._claim_free(s, free, known))
        if len(taken) > OPEN_AT_ONCE:
            return [(claim, None) for claim in taken], due
        return [(each, db.read(lambda s, each=each: _rows(s, each, known.get(each.run_id)))) for each in taken], due

    def _claim_free(self, session: Session, free: int, known: dict[str, Run]) -> tuple[list[Claim], datetime | None]:
        """What is ours now, and when there may be more. Rows that are read on the way are `known` from then on."""
        at = now()
        if at > self._renewed_at + self._lease:
            # The machine slept. What nobody took meanwhile is still in our hands: it is not free.
            self._keep(session, at)
        taken = claims.claim_ready(session, self._owner, at, self._lease, free)
        for claim in taken[:OPEN_AT_ONCE]:
            run = _begin(session, claim)
            known |= {} if run is None else {run.id: run}
        if len(taken) == free:
            return taken, None
        due, last_try_due = claims.next_due(session, self._owner)
        if last_try_due is None or (self._last_try and claims.has_last_try(session, self._last_try)):
            return taken, due
        if last_try_due <= at:
            taken += claims.claim_ready(session, self._owner, at, self._lease, 1, last_try=True)
            return taken, due
        return taken, min(due or last_try_due, last_try_due)

    async def _work(self, claim: Claim, stop: asyncio.Event, rows: Opened | None) -> None:
        rests = False
        try:
            rests = await advance(self._engine, claim, stop, rows)
        except Exception:
            # The database is away, or the run is gone: its lease ends by itself and it is taken up again.
            log.exception("run %s was dropped", claim.run_id)
        finally:
            # A run that was lost may be in our hands again while its old task still ends.
            if (self._tasks.get(claim.run_id) or (None, None))[1] is stop:
                del self._tasks[claim.run_id]
            # It may have been woken in the moment it was released, and others may have waited for room.
            if not rests or self._is_full or claim is self._last_try:
                self._nudge.set()

    async def _stop_halted(self) -> None:
        """A person paused or ended a run in our hands: its model call need not go on."""
        self._check_halted = False
        ids = list(self._tasks)
        for run_id in await self._engine.db.aread(lambda s: halted(s, ids)) if ids else ():
            if run_id in self._tasks:
                self._tasks[run_id][1].set()

    async def _free_the_dead(self) -> None:
        """Runs of a process on this host that died are ready at once, without waiting for its lease to end."""
        for owner in await self._engine.db.aread(claims.owners):
            if is_dead(owner):
                freed = await self._engine.db.awrite(lambda s, owner=owner: claims.free_dead(s, owner))
                log.info("took over %s runs of a dead process", freed)

    def _renew(self) -> None:
        """In a thread of its own: a busy event loop must not lose its leases."""
        while not self._closing.wait(self._lease.total_seconds() / 3):
            try:
                if self._tasks:
                    self._engine.db.write(lambda s: self._keep(s, now()))
                else:
                    self._renewed_at = now()
            except Exception:
                log.exception("could not renew leases")

    def _keep(self, session: Session, at: datetime) -> None:
        claims.renew(session, self._owner, list(self._tasks), at + self._lease)
        self._renewed_at = at


def _begin(session: Session, claim: Claim) -> Run | None:
    """A queued run begins with its claim. What took its workers down before is not looked at here."""
    run = None if claim.falls else _run(session, claim)
    if run is not None and run.started_at is None and run.status == RunStatus.QUEUED.value:
        begin(session, claim, run)
    return run


def _run(session: Session, claim: Claim) -> Run | None:
    """Nothing that is wrong with one run's row may keep the others from being claimed: its own work fails by it."""
    try:
        run = load_run(session, claim)
        Phase(run.phase)
    except DATABASE_FAILED:
        raise
    except Exception:
        log.debug("run %s cannot be read", claim.run_id, exc_info=True)
        return None
    return run


def _rows(session: Session, claim: Claim, known: Run | None) -> Opened | None:
    try:
        return None if claim.falls else load(session, claim, known)
    except Exception:
        # Whatever is wrong here is this run's: its own work reads again, and the others go on.
        log.debug("run %s cannot be read", claim.run_id, exc_info=True)
        return None
