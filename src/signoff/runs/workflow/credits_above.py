"""What runs may still spend together. Those at work beside each other share it: none has all of it for itself."""

from math import inf

from sqlalchemy import Select, bindparam, exists, func, or_, select, true
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
        found = session.execute(select(Run.parent_id, Run.limits).where(Run.id == above)).one_or_none()
        if found is None:
            break
        if most := found.limits["max_cost_credits"]:
            least = min(least, most - (session.scalar(_SPENT, {"run": above}) or 0.0))
        above = found.parent_id
    return least


def _spent() -> Select[tuple[float]]:
    """What a run and all below it have cost. Its own figure is as old as its last move: of a workflow's steps all are
    counted anew, of the runs that an agent started those whose end it has not taken in."""
    top = select(Run.id, Run.kind, Run.cost_credits.label("cost"), true().label("counts_below"))
    spending = top.where(Run.id == bindparam("run")).cte("spending", recursive=True)
    below = select(Run.id, Run.kind, Run.cost_credits, Run.ended_at.is_(None))
    below = below.join(spending, Run.parent_id == spending.c.id).where(spending.c.counts_below)
    not_taken_in = exists().where(Call.id == Run.parent_call_id, Call.status == CallStatus.STARTED.value)
    spending = spending.union_all(below.where(or_(spending.c.kind == "workflow", not_taken_in)))
    counted_by_its_steps = (spending.c.kind == "workflow") & spending.c.counts_below
    return select(func.sum(spending.c.cost)).where(~counted_by_its_steps)


_SPENT = _spent()
