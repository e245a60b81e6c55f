"""Who decides a kind of ask soonest, by what they decided lately."""

from collections.abc import Sequence
from datetime import timedelta
from statistics import median

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.states import DECIDED
from signoff.kit import clock

LATELY = timedelta(days=90)
# Fewer decisions say nothing about somebody.
ENOUGH = 3
MOST_LOOKED_AT = 500


def fastest(session: Session, ask: Ask, candidates: Sequence[str]) -> str | None:
    """The one of these with the shortest usual time; None: nobody has decided enough to tell."""
    query = (
        select(Ask.settled_by, Ask.created_at, Ask.settled_at)
        .where(
            Ask.workspace_id == ask.workspace_id,
            Ask.status.in_([each.value for each in DECIDED]),
            Ask.kind == ask.kind,
            Ask.settled_by.in_(candidates),
            Ask.settled_at > clock.now() - LATELY,
        )
        .order_by(Ask.settled_at.desc())
        .limit(MOST_LOOKED_AT)
    )
    taken = dict[str, list[float]]()
    for by, created_at, settled_at in session.execute(query):
        if by is not None and settled_at is not None:
            taken.setdefault(by, []).append((settled_at - created_at).total_seconds())
    usual = {by: median(times) for by, times in taken.items() if len(times) >= ENOUGH}
    return min(usual, key=lambda by: usual[by]) if usual else None
