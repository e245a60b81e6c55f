"""What a run costs beside its own turns."""

from typing import Any

from sqlalchemy import true, update
from sqlalchemy.orm import Session

from signoff.kit.db.columns import table
from signoff.runs.models import Run

_RUNS = table(Run)


def add_cost(
    session: Session, run_id: str, *, tokens_input: int, tokens_output: int, cost_credits: float, cost_incomplete: bool
) -> bool:
    """Count this on the run. False: a worker holds it, whose next write would undo that; try again when it rests."""
    more: dict[str, Any] = {
        "tokens_input": _RUNS.c.tokens_input + tokens_input,
        "tokens_output": _RUNS.c.tokens_output + tokens_output,
        "cost_credits": _RUNS.c.cost_credits + cost_credits,
    }
    if cost_incomplete:
        more["cost_incomplete"] = true()
    change = update(_RUNS).where(_RUNS.c.id == run_id, _RUNS.c.owner.is_(None)).values(more)
    return session.scalar(change.returning(_RUNS.c.id)) is not None
