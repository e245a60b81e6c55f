"""A run that takes its workers down is set aside: a person decides, and nothing of it is evaluated before."""

import asyncio

from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.states import AskKind, AskStatus
from signoff.catalog import queries as catalog
from signoff.claims.actions import Claim
from signoff.engine.calls.ask_builders import option
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.runs.asking.open_ask import open_without_limit
from signoff.runs.ending import Ending, end
from signoff.runs.models import Run
from signoff.runs.states import ENDED, Phase, Reason, RunStatus
from signoff.runs.worker.fenced_writes import Release, begin, write_run
from signoff.runs.worker.snapshot import Snapshot


async def stays_aside(engine: EngineContext, claim: Claim) -> bool:
    """Let the run go as it is, with an ask; end it; or, when a person wants that, try it again (False)."""
    claimed, ask = await engine.db.aread(lambda s: _look(s, engine, claim))
    return await engine.db.awrite(lambda s: _settle(s, claimed, ask))


def _look(session: Session, engine: EngineContext, claim: Claim) -> tuple[ClaimedRun, Ask | None]:
    """Only the run's own row: its conversation and its calls may be what nobody survives."""
    run = session.get_one(Run, claim.run_id)
    snapshot = Snapshot(run, catalog.frozen(session, run.agent_subject.revision_id), [], [])
    ask = session.get(Ask, run.aside_id) if run.aside_id else None
    return ClaimedRun.of(claim, snapshot, engine.registry, asyncio.Event()), ask


def _settle(session: Session, claimed: ClaimedRun, ask: Ask | None) -> bool:
    claim, run, falls = claimed.claim, claimed.run, claimed.claim.falls
    stopped = RunStatus(run.status) in ENDED or run.status == RunStatus.PAUSED.value
    if stopped or (ask is not None and ask.status == AskStatus.PENDING.value):
        to = None if stopped else RunStatus.WAITING_INPUT
        write_run(session, claim, run, to, falls=falls, release=Release(claimed.wakes))
        return True
    if ask is None:
        opened, release = _ask(claimed), Release(claimed.wakes)
        if run.started_at is None:
            begin(session, claim, run)
        open_without_limit(session, run, opened)
        values = {"aside_id": opened.id, "falls": falls}
        write_run(session, claim, run, RunStatus.WAITING_INPUT, release=release, **values)
        return True
    if (ask.answer or {}).get("value") == "retry":
        to = Phase(run.phase).status if run.started_at else None
        write_run(session, claim, run, to, aside_id=None, falls=0)
        return False
    error = {"message": f"A person gave up on a run that crashed its worker {falls} times.", "ask_id": ask.id}
    end(session, claim, run, Ending(RunStatus.FAILED, Reason.ERROR, error, ask.settled_by))
    return True


def _ask(claimed: ClaimedRun) -> Ask:
    falls = claimed.claim.falls
    return claimed.ask(
        AskKind.RECOVERY,
        f"This run crashed its worker {falls} times",
        description=(
            f"The worker process died or froze {falls} times in a row before it could store anything. "
            "The run is set aside for now. Find the reason in the server log, fix it, then retry. "
            "If you give up, the run fails and its work is kept."
        ),
        response_type="choice",
        options=[
            option("retry", "Try again", "A worker takes it up again."),
            option("skip", "Give up", "The run fails. Everything is kept."),
        ],
    )
