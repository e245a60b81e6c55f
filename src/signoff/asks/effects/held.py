"""What makes the time of a veto window stand still: a pause of its run or of everything, or the emergency stop."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.claims.models import claimable
from signoff.claims.pause_all import is_paused
from signoff.rules import queries as rules

PAUSED = "paused"


def is_held(session: Session, ask: Ask) -> bool:
    """Whether the time of this one stands still now."""
    return ask in held_among(session, [ask])


def held_among(session: Session, asks: Sequence[Ask]) -> list[Ask]:
    """Those of these whose time stands still, in as many statements for one as for a thousand of a workspace."""
    workspaces = {ask.workspace_id for ask in asks}
    all_held = {each for each in workspaces if is_paused(session, each) or rules.is_stopped(session, each)}
    run_ids = {ask.run_id for ask in asks if ask.run_id and ask.workspace_id not in all_held}
    run, paused = claimable.c, set[str | None]()
    if run_ids:
        paused.update(session.scalars(select(run.id).where(run.id.in_(run_ids), run.status == PAUSED)))
    return [ask for ask in asks if ask.workspace_id in all_held or ask.run_id in paused]
