"""Whose work an ask is. Where four eyes are wanted, who had a hand in it cannot be the other pair."""

from sqlalchemy import column, select, table, update
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.claims.actions import hold
from signoff.kit.actor import Actor
from signoff.kit.columns import JsonText

# `runs` lies above in the order of imports.
_RUNS = table("runs", column("id"), column("parties", JsonText))


def steers(session: Session, actor: Actor, run_id: str) -> None:
    """Remember who had a say in what a run does: by a message, or by an answer in words."""
    # Held first, so that of two who speak at once both are remembered.
    hold(session, run_id)
    known = _of_run(session, run_id)
    if actor.label not in known:
        session.execute(update(_RUNS).where(_RUNS.c.id == run_id).values(parties=[*known, actor.label]))


def edits(ask: Ask, actor: Actor) -> None:
    """Remember who made an ask into what it is now."""
    if actor.label not in ask.edited_by:
        ask.edited_by = [*ask.edited_by, actor.label]


def parties(session: Session, ask: Ask) -> set[str]:
    """Who started or steered the run, or edited the ask."""
    found = {*ask.edited_by, *([ask.started_by] if ask.started_by else [])}
    return found | set(_of_run(session, ask.run_id)) if ask.run_id else found


def _of_run(session: Session, run_id: str) -> list[str]:
    return session.scalar(select(_RUNS.c.parties).where(_RUNS.c.id == run_id)) or []
