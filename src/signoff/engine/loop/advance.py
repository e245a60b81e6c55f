"""One run, as far as it can go. What to do next follows from its rows alone."""

import asyncio
import logging
import traceback
from enum import Enum, auto

from signoff.claims.actions import FALLS_ALLOWED, Claim, LostClaim
from signoff.connections.queries import UsableConnection
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.engine.loop.phases import waiting_status
from signoff.engine.loop.quarantine import stays_aside
from signoff.engine.loop.run_calls import act, batch, is_news, unaffordable
from signoff.engine.loop.take_back import take_back
from signoff.engine.loop.tool_step import use_tool
from signoff.engine.loop.turn import complete_now, think
from signoff.engine.workflow.advance_workflow import advance_workflow
from signoff.kit.clock import now
from signoff.kit.db.unavailable import DATABASE_FAILED
from signoff.runs.ending import Ending, end
from signoff.runs.limits import reached
from signoff.runs.states import ASKING, ENDED, CallStatus, Reason, RunStatus
from signoff.runs.worker import snapshot
from signoff.runs.worker.fenced_writes import Release, begin, write_run
from signoff.runs.worker.snapshot import Opened, WorkflowRun

log = logging.getLogger(__name__)


class Next(Enum):
    """What a run needs."""

    RELEASE = auto()
    HOLD = auto()
    BEGIN = auto()
    ACT = auto()
    COMPLETE = auto()
    WAIT = auto()
    THINK = auto()


def next_action(claimed: ClaimedRun) -> Next:
    """From the rows, and the time where waiting counts, to what comes next."""
    status = RunStatus(claimed.run.status)
    if claimed.held and claimed.undos:
        return Next.HOLD
    if status in ENDED or status is RunStatus.PAUSED:
        return Next.RELEASE
    if claimed.held:
        return Next.HOLD
    if claimed.run.started_at is None:
        return Next.BEGIN
    if claimed.deadline and now() >= claimed.deadline:
        # Where waiting counts, time runs out also while people think: the turn's own check ends the run.
        return Next.THINK
    if is_news(claimed) or batch(claimed):
        return Next.ACT
    if claimed.run.awaited_runs or claimed.run.ask_id or any(call.status in ASKING for call in claimed.unfinished):
        return Next.WAIT
    if claimed.unfinished and not unaffordable(claimed):
        return Next.COMPLETE
    return Next.THINK


async def advance(engine: EngineContext, claim: Claim, stop: asyncio.Event, opened: Opened | None = None) -> bool:
    """Work on a claimed run until it rests. Our own bugs fail the run, never the worker.

    `opened` are its rows, if whoever claimed it has read them. True: only a wake makes it ready again."""
    await engine.crash_point("claimed")
    try:
        if claim.falls < FALLS_ALLOWED or not await stays_aside(engine, claim):
            return await _advance(engine, claim, stop, opened)
    except LostClaim:
        log.info("run %s is another worker's now", claim.run_id)
    except DATABASE_FAILED:
        # Only what was under way is lost: when the lease has ended, whoever claims the run goes on from its rows.
        log.warning("run %s is released, the database did not take what it did", claim.run_id, exc_info=True)
    return False


async def _advance(engine: EngineContext, claim: Claim, stop: asyncio.Event, opened: Opened | None) -> bool:
    try:
        rows = opened or await engine.db.aread(lambda s: snapshot.load(s, claim))
        if isinstance(rows, WorkflowRun):
            return await advance_workflow(engine, claim)
        claimed = ClaimedRun.of(claim, rows, engine.registry, stop)
        await _connect(engine, claimed, rows.connections)
    except (LostClaim, *DATABASE_FAILED):
        raise
    except Exception as error:
        await _fail(engine, claim, error)
        log.exception("run %s failed, its rows cannot be read", claim.run_id)
        return True
    try:
        while not await _advance_once(engine, claimed):
            if claimed.run.wakes != claimed.wakes:
                await _look_again(engine, claimed)
    except (LostClaim, *DATABASE_FAILED):
        raise
    except Exception as error:
        await _settle_storing(claimed)
        await _fail(engine, claim, error)
        log.exception("run %s failed by an error of our own", claim.run_id)
    finally:
        await _settle_storing(claimed)
    return claimed.rests


async def _settle_storing(claimed: ClaimedRun) -> None:
    """Whatever ends the work here: a result on its way into the database gets there, or its rows stay as they were."""
    if claimed.storing is not None:
        storing, claimed.storing = claimed.storing, None
        await asyncio.wait({storing})
        if not storing.cancelled() and (error := storing.exception()) is not None:
            log.info("a result of run %s was not stored: %r", claimed.run.id, error)


async def _advance_once(engine: EngineContext, claimed: ClaimedRun) -> bool:
    """Do what comes next. True: the run is no longer ours."""
    claim, run = claimed.claim, claimed.run
    if claimed.undos and not claimed.held:
        await claimed.stored()
        await take_back(engine, claimed)
    following = next_action(claimed)
    if following is not Next.THINK:
        await claimed.stored()
    match following:
        case Next.RELEASE:
            release = Release(claimed.wakes)
            await engine.db.awrite(lambda s: write_run(s, claim, run, release=release, **claimed.work()))
            return True
        case Next.HOLD:
            # Ready from now on, and claimed by nobody until everything goes on.
            release = Release(claimed.wakes, now())
            await engine.db.awrite(lambda s: write_run(s, claim, run, release=release, **claimed.work()))
            return True
        case Next.BEGIN:
            await engine.db.awrite(lambda s: begin(s, claim, run))
            return False
        case Next.ACT:
            return await act(engine, claimed)
        case Next.COMPLETE:
            waiting = [call for call in claimed.unfinished if call.status == CallStatus.APPROVED.value]
            # A plan comes to its end before the run does.
            last = min(waiting, key=lambda call: call.tool == "complete_task")
            return await engine.db.awrite(lambda s: complete_now(s, engine, claimed, last))
        case Next.WAIT:
            to, release = _waiting_as(claimed), Release(claimed.wakes, claimed.deadline)
            await engine.db.awrite(lambda s: write_run(s, claim, run, to, release=release, **claimed.work()))
            return True
        case Next.THINK:
            return await (use_tool if run.kind == "tool" else think)(engine, claimed)


def _waiting_as(claimed: ClaimedRun) -> RunStatus | None:
    """How a run that waits calls itself. One that waits for other runs alone is at work: nobody has to do anything."""
    if claimed.run.ask_id:
        return _own_wait(claimed)
    asks = any(call.status in ASKING for call in claimed.unfinished)
    return waiting_status(claimed) if asks else None


def _own_wait(claimed: ClaimedRun) -> RunStatus:
    """What the run itself waits for: more money where that is used up, else a word on the model's problem."""
    limit = reached(claimed.limits, claimed.usage)
    short = limit is not None and limit.reason is Reason.MAX_COST
    return RunStatus.WAITING_APPROVAL if short else RunStatus.WAITING_INPUT


async def _look_again(engine: EngineContext, claimed: ClaimedRun) -> None:
    """Somebody said or answered something while we worked."""
    claimed.wakes = claimed.run.wakes
    incoming = await engine.db.aread(lambda s: snapshot.load_incoming(s, claimed.run, claimed.calls))
    claimed.settled, claimed.unread_answers = incoming.settled, incoming.unread_answers
    claimed.run.phase, claimed.run.awaited_runs = incoming.phase, incoming.awaited_runs
    claimed.undos = incoming.undos
    await _connect(engine, claimed, incoming.connections)
    known = {message.id for message in claimed.messages}
    claimed.messages += [message for message in incoming.messages if message.id not in known]


async def _connect(engine: EngineContext, claimed: ClaimedRun, usable: list[UsableConnection]) -> None:
    """Asks nothing of the database where there are no connections."""
    if usable or claimed.connected:
        await engine.db.aread(lambda s: claimed.connect(s, engine, usable))


async def _fail(engine: EngineContext, claim: Claim, error: Exception) -> None:
    """Whatever is wrong may be in what the run has said or done: only its own row is read."""
    trace = "".join(traceback.format_exception(error))[-8000:]
    shown = {"message": f"Signoff itself failed: {type(error).__name__}: {error}"[:1000], "trace": trace}
    ending = Ending(RunStatus.FAILED, Reason.ERROR, shown)
    run = await engine.db.aread(lambda s: snapshot.load_run(s, claim))
    await engine.db.awrite(lambda s: end(s, claim, run, ending))
