"""A run that takes its workers down is set aside: a person decides, and nothing of it is evaluated before."""

from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.states import AskKind, AskStatus
from signoff.claims.actions import Claim
from signoff.engine.calls.ask_builders import option
from signoff.engine.context import EngineContext
from signoff.runs.asking.new_ask import new_ask
from signoff.runs.asking.open_ask import open_without_limit
from signoff.runs.ending import Ending, end
from signoff.runs.models import Run
from signoff.runs.states import ENDED, Phase, Reason, RunStatus
from signoff.runs.worker.fenced_writes import Release, begin, write_run


async def stays_aside(engine: EngineContext, claim: Claim) -> bool:
    """Let the run go as it is, with an ask; end it; or, when a person wants that, try it again (False)."""
    run, ask = await engine.db.aread(lambda s: _look(s, claim))
    return await engine.db.awrite(lambda s: _settle(s, claim, run, ask))


def _look(session: Session, claim: Claim) -> tuple[Run, Ask | None]:
    """Only the run's own row: its conversation and its calls may be what nobody survives."""
    run = session.get_one(Run, claim.run_id)
    return run, session.get(Ask, run.aside_id) if run.aside_id else None


def _settle(session: Session, claim: Claim, run: Run, ask: Ask | None) -> bool:
    falls, wakes = claim.falls, run.wakes
    stopped = RunStatus(run.status) in ENDED or run.status == RunStatus.PAUSED.value
    if stopped or (ask is not None and ask.status == AskStatus.PENDING.value):
        to = None if stopped else RunStatus.WAITING_INPUT
        write_run(session, claim, run, to, falls=falls, release=Release(wakes))
        return True
    if ask is None:
        opened, release = _ask(run, falls), Release(wakes)
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


def _ask(run: Run, falls: int) -> Ask:
    return new_ask(
        run,
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
