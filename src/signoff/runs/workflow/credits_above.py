"""What runs may still spend together. Those at work beside each other share it: none has all of it for itself."""

from math import inf

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from signoff.runs.models import Call, Run
from signoff.runs.states import CallStatus

NO_MONEY = "What this run and those beside it may spend together is used up."


def credits_left_above(session: Session, run: Run) -> float:
    """The least of what is left to the runs above it, now. Asks nothing of the database where there are none."""
    return _left(session, run.parent_id)


def credits_left_to(session: Session, run: Run) -> float:
    """The least of what is left to it and to the runs above it, now."""
    return _left(session, run.id)


def _left(session: Session, run_id: str | None) -> float:
    least, above = inf, run_id
    while above is not None:
        columns = (Run.parent_id, Run.kind, Run.cost_credits, Run.limits)
        found = session.execute(select(*columns).where(Run.id == above)).one_or_none()
        if found is None:
            break
        if most := found.limits["max_cost_credits"]:
            least = min(least, most - _spent(session, above, found.kind, found.cost_credits))
        above = found.parent_id
    return least


def _spent(session: Session, run_id: str, kind: str, own: float) -> float:
    """What it and all below it have cost. Its own figure is as old as its last move: of a workflow's steps all are
    counted anew, of the runs that an agent started those whose end it has not taken in."""
    below = select(Run.id, Run.kind, Run.cost_credits).where(Run.parent_id == run_id)
    if kind == "workflow":
        ended = select(func.coalesce(func.sum(Run.cost_credits), 0.0))
        spent = session.scalar(ended.where(Run.parent_id == run_id, Run.ended_at.is_not(None))) or 0.0
        below = below.where(Run.ended_at.is_(None))
    else:
        spent = own
        below = below.join(Call, Call.id == Run.parent_call_id).where(Call.status == CallStatus.STARTED.value)
    return spent + sum(_spent(session, *each) for each in session.execute(below).all())
