"""Silence means something only where somebody could have objected: time in which no server was there does not count.

Every process that serves the web says now and then that it is there, all of them in one row; one that only works says
nothing, since nobody objects there. Whether there was a gap is for that row to say: it is none when one server starts
anew while another one goes on.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from signoff.asks.effects import windows
from signoff.asks.effects.models import THE_ROW, Attendance
from signoff.asks.effects.veto import counts_since
from signoff.asks.models import Ask
from signoff.asks.queries import PENDING
from signoff.kit import clock

SEEN_EVERY = timedelta(seconds=5)
# A server that is busy may miss its turn twice.
GAP = timedelta(seconds=15)
NOT_SEEN = datetime(1970, 1, 1, tzinfo=UTC)
NAME = "attendance"


def due(session: Session, at: datetime, limit: int) -> list[str]:
    """Whether it is to be said again: only where time counts, so nothing is written while nobody waits."""
    counting = select(Ask.id).where(PENDING, Ask.veto.is_not(None), Ask.deadline.is_not(None)).limit(1)
    return [NAME] if session.scalar(counting) is not None and at - _seen_at(session) >= SEEN_EVERY else []


def run_due(session: Session, due_id: str, at: datetime) -> None:
    """A server is there. If none was for a while, what was left then is left now: the first that comes sees to it."""
    before = _hold(session)
    if at - before.seen_at < SEEN_EVERY:
        return
    since, before.seen_at = before.seen_at, at
    session.flush()
    if at - since > GAP:
        windows.leave_out(session, since, at, GAP)


def next_time(session: Session) -> datetime:
    """When to look again."""
    return clock.now() + SEEN_EVERY


def end_attended(session: Session, ask: Ask) -> None:
    """The time of a window is over. Where nobody could have objected in the end it only seems so: a server that comes
    back makes up for it. The caller holds the ask."""
    at = clock.now()
    if at - max(_seen_at(session), counts_since(ask)) <= GAP:
        windows.end_window(session, ask)
        return
    ask.due_at = at + GAP
    session.flush()


def _seen_at(session: Session) -> datetime:
    return session.scalar(select(Attendance.seen_at)) or NOT_SEEN


def _hold(session: Session) -> Attendance:
    """The row, held until the commit: of several servers that come back one makes up for the gap."""
    held: dict[str, Any] = {"with_for_update": True, "populate_existing": True}
    found = session.get(Attendance, THE_ROW, **held)
    if found is None:
        dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
        session.execute(dialect.insert(Attendance).values(id=THE_ROW, seen_at=NOT_SEEN).on_conflict_do_nothing())
        found = session.get_one(Attendance, THE_ROW, **held)
    return found
