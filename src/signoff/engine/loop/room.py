"""Whether a run may take its next step: nothing is paused, and money is left to those above it."""

from sqlalchemy.orm import Session

from signoff.claims.pause_all import is_paused
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.runs.ending import Ending, end
from signoff.runs.states import Reason, RunStatus
from signoff.runs.workflow.credits_above import NO_MONEY, credits_left_above


async def is_stopped(engine: EngineContext, claimed: ClaimedRun) -> bool:
    """Whether nothing more is done now. A run that has no money left any more has ended by this."""
    await engine.db.aread(lambda s: _look(s, claimed))
    if claimed.held:
        return True
    if claimed.left_above > 0:
        return False
    await claimed.stored()
    ending = Ending(RunStatus.TIMEOUT, Reason.MAX_COST, {"message": NO_MONEY})
    await engine.db.awrite(lambda s: end(s, claimed.claim, claimed.run, ending, calls=claimed.calls, **claimed.work()))
    return True


def _look(session: Session, claimed: ClaimedRun) -> None:
    claimed.held = is_paused(session, claimed.run.workspace_id)
    claimed.left_above = credits_left_above(session, claimed.run)
