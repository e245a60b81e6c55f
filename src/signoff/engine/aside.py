"""A run that takes its workers down is set aside: a person decides, and nothing of it is evaluated before."""

import asyncio

from sqlalchemy.orm import Session

from signoff.asks import actions as asks
from signoff.asks.models import Ask
from signoff.asks.states import AskKind, AskStatus
from signoff.catalog import queries as catalog
from signoff.claims.actions import Claim
from signoff.engine.asking import option
from signoff.engine.held import Desk, Held
from signoff.runs import steps
from signoff.runs.models import Run
from signoff.runs.states import ENDED, Phase, Reason, RunStatus
from signoff.runs.steps import Snapshot


async def stays_aside(desk: Desk, claim: Claim) -> bool:
    """Let the run go as it is, with an ask; end it; or, when a person wants that, try it again (False)."""
    held, ask = await desk.db.aread(lambda s: _look(s, claim))
    return await desk.db.awrite(lambda s: _settle(s, held, ask))


def _look(session: Session, claim: Claim) -> tuple[Held, Ask | None]:
    """Only the run's own row: its conversation and its calls may be what nobody survives."""
    run = session.get_one(Run, claim.run_id)
    snapshot = Snapshot(run, catalog.frozen(session, run.revision_id), [], [])
    ask = session.get(Ask, run.aside_id) if run.aside_id else None
    return Held.of(claim, snapshot, asyncio.Event()), ask


def _settle(session: Session, held: Held, ask: Ask | None) -> bool:
    claim, run, falls = held.claim, held.run, held.claim.falls
    stopped = RunStatus(run.status) in ENDED or run.status == RunStatus.PAUSED.value
    if stopped or (ask is not None and ask.status == AskStatus.PENDING.value):
        to = None if stopped else RunStatus.WAITING_INPUT
        steps.write_run(session, claim, run, to, falls=falls, **steps.resting(held.wakes))
        return True
    if ask is None:
        opened, rest = _ask(held), steps.resting(held.wakes)
        if run.started_at is None:
            steps.begin(session, claim, run)
        asks.open_ask(session, held.actor, opened)
        steps.write_run(session, claim, run, RunStatus.WAITING_INPUT, aside_id=opened.id, falls=falls, **rest)
        return True
    if (ask.answer or {}).get("value") == "retry":
        to = Phase(run.phase).status if run.started_at else None
        steps.write_run(session, claim, run, to, aside_id=None, falls=0)
        return False
    told = {"message": f"A person gave up on a run that took its worker down {falls} times.", "ask_id": ask.id}
    steps.end(session, claim, run, RunStatus.FAILED, Reason.ERROR, error=told)
    return True


def _ask(held: Held) -> Ask:
    falls = held.claim.falls
    return held.ask(
        AskKind.RECOVERY,
        f"This run took its worker down {falls} times",
        description=(
            f"The process that worked on it died or stood still {falls} times in a row before anything was stored. "
            "It is set aside and nobody works on it. Look for the reason in the server's log, mend it, then try again; "
            "or give up: the run fails, all is kept."
        ),
        response_type="choice",
        options=[
            option("retry", "Try again", "It is worked on as before."),
            option("skip", "Give up", "The run fails; everything is kept."),
        ],
    )
