"""One run, as far as it can go. What to do next follows from its rows alone."""

import asyncio
import logging
import traceback
from enum import Enum, auto

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from signoff.claims.actions import FALLS_ALLOWED, Claim, LostClaim
from signoff.engine.acting import act, batch, left_over
from signoff.engine.aside import stays_aside
from signoff.engine.held import Desk, Held
from signoff.engine.phases import waiting_status
from signoff.engine.turn import complete_now, think
from signoff.engine.unknown import ended_late
from signoff.kit.clock import now
from signoff.runs import steps
from signoff.runs.limits import reached
from signoff.runs.states import ENDED, CallStatus, Reason, RunStatus

log = logging.getLogger(__name__)

# The connection broke, another transaction had to go first, the disk is full: no bug, and no reason to fail a run.
DATABASE_FAILED = (OperationalError, InterfaceError, PoolTimeout)


class Next(Enum):
    """What a run needs."""

    LET_GO = auto()
    BEGIN = auto()
    ACT = auto()
    COMPLETE = auto()
    WAIT = auto()
    THINK = auto()


def next_step(desk: Desk, held: Held) -> Next:
    """From the rows, and the time where waiting counts, to the next step."""
    status = RunStatus(held.run.status)
    if status in ENDED or status is RunStatus.PAUSED:
        return Next.LET_GO
    if held.run.started_at is None:
        return Next.BEGIN
    if held.deadline and now() >= held.deadline:
        # Where waiting counts, time runs out also while people think: the step's own check ends the run.
        return Next.THINK
    if held.settled or held.late or left_over(held) or ended_late(held) or batch(desk, held):
        return Next.ACT
    if held.run.ask_id or any(call.status in steps.ASKING for call in held.unfinished):
        return Next.WAIT
    if held.unfinished:
        return Next.COMPLETE
    return Next.THINK


async def advance(desk: Desk, claim: Claim, stop: asyncio.Event) -> None:
    """Work on a claimed run until it rests. Our own bugs fail the run, never the worker."""
    await desk.checkpoint("claimed")
    try:
        if claim.falls < FALLS_ALLOWED or not await stays_aside(desk, claim):
            await _advance(desk, claim, stop)
    except LostClaim:
        log.info("run %s is another worker's now", claim.run_id)
    except DATABASE_FAILED:
        # Only the step under way is lost: when the lease has ended, whoever claims the run goes on from its rows.
        log.warning("run %s is let go, the database did not take its step", claim.run_id, exc_info=True)


async def _advance(desk: Desk, claim: Claim, stop: asyncio.Event) -> None:
    held = Held.of(claim, await desk.db.aread(lambda s: steps.load(s, claim)), stop)
    try:
        while not await _step(desk, held):
            if held.run.wakes != held.wakes:
                await _look_again(desk, held)
    except (LostClaim, *DATABASE_FAILED):
        raise
    except Exception as error:
        await _fail(desk, held, error)
        log.exception("run %s failed by an error of our own", claim.run_id)


async def _step(desk: Desk, held: Held) -> bool:
    """One step. True: the run is no longer ours."""
    claim, run = held.claim, held.run
    match next_step(desk, held):
        case Next.LET_GO:
            await desk.db.awrite(
                lambda s: steps.write_run(s, claim, run, None, **held.work(), **steps.resting(held.wakes))
            )
            return True
        case Next.BEGIN:
            await desk.db.awrite(lambda s: steps.begin(s, claim, run))
            return False
        case Next.ACT:
            return await act(desk, held)
        case Next.COMPLETE:
            waiting = [call for call in held.unfinished if call.status == CallStatus.APPROVED.value]
            # A plan comes to its end before the run does.
            last = min(waiting, key=lambda call: call.tool == "complete_task")
            return await desk.db.awrite(lambda s: complete_now(s, desk, held, last))
        case Next.WAIT:
            to = _own_wait(held) if run.ask_id else waiting_status(held)
            rest = steps.resting(held.wakes, held.deadline)
            await desk.db.awrite(lambda s: steps.write_run(s, claim, run, to, **held.work(), **rest))
            return True
        case Next.THINK:
            return await think(desk, held)


def _own_wait(held: Held) -> RunStatus:
    """What the run itself waits for: more money where that is used up, else a word on the model's problem."""
    limit = reached(held.limits, held.usage)
    short = limit is not None and limit.reason is Reason.MAX_COST
    return RunStatus.WAITING_APPROVAL if short else RunStatus.WAITING_INPUT


async def _look_again(desk: Desk, held: Held) -> None:
    """Somebody said or answered something while we worked."""
    held.wakes = held.run.wakes
    news = await desk.db.aread(lambda s: steps.refresh(s, held.run, held.calls))
    held.settled, held.late, held.run.phase = news.settled, news.late, news.phase
    known = {message.id for message in held.messages}
    held.messages += [message for message in news.messages if message.id not in known]


async def _fail(desk: Desk, held: Held, error: Exception) -> None:
    trace = "".join(traceback.format_exception(error))[-8000:]
    told = {"message": f"Signoff itself failed: {type(error).__name__}: {error}"[:1000], "trace": trace}
    snapshot = await desk.db.aread(lambda s: steps.load(s, held.claim))
    await desk.db.awrite(lambda s: steps.end(s, held.claim, snapshot.run, RunStatus.FAILED, Reason.ERROR, error=told))
