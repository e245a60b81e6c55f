from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import bindparam, case, func, or_, select, update
from sqlalchemy.orm import Session
from sqlalchemy.sql.dml import ReturningUpdate

from signoff.claims.models import claimable as c
from signoff.kit.db import commit_of


class LostClaim(Exception):
    """Another worker holds the run now; whatever this one wanted to write is void."""


@dataclass(frozen=True)
class Claim:
    """The right to write for a run, until the lease ends."""

    run_id: str
    owner: str
    fence: int


def wake(session: Session, run_id: str, at: datetime) -> None:
    """Make a run ready. Waking twice, or waking a held run, does no harm."""
    session.connection().execute(_WAKE, {"run": run_id, "at": at})
    commit_of(session).woke = True


def hold(session: Session, run_id: str) -> None:
    """Keep others from writing the run's row until the commit; on SQLite nobody else writes anyway."""
    if session.get_bind().dialect.name == "postgresql":
        session.connection().execute(_HOLD, {"run": run_id})


def claim_ready(session: Session, owner: str, now: datetime, lease: timedelta, limit: int) -> list[Claim]:
    """Take ready runs that nobody holds, longest waiting first. One statement; the database settles who gets which."""
    connection = session.connection()
    given = {"now": now, "limit": limit, "by": owner, "until": now + lease}
    rows = connection.execute(_taking(connection.dialect.name == "postgresql"), given)
    return [Claim(row[0], owner, row[1]) for row in rows]


def renew(session: Session, owner: str, run_ids: Sequence[str], until: datetime) -> None:
    """Keep what this worker works on. What it dropped in distress is left to its lease, so that someone goes on."""
    session.execute(update(c).where(c.c.owner == owner, c.c.id.in_(run_ids)).values(lease_until=until))


def release_owner(session: Session, owner: str) -> int:
    """Free what a dead worker held, without waiting for its lease to end."""
    freed = session.execute(
        update(c).where(c.c.owner == owner).values(owner=None, lease_until=None, fence=c.c.fence + 1)
    )
    return getattr(freed, "rowcount", 0)


def owners(session: Session) -> list[str]:
    """Everyone who holds a run now."""
    return list(session.scalars(select(c.c.owner).where(c.c.owner.is_not(None)).distinct()))


def next_due(session: Session) -> datetime | None:
    """When the next run becomes claimable, by its wake time or by the end of a lease."""
    return session.connection().scalar(_NEXT_DUE)


@cache
def _taking(skips_locked: bool) -> ReturningUpdate[Any, Any]:
    """Made once: building the statement would take longer than running it."""
    now = bindparam("now", type_=c.c.wake_at.type)
    free = or_(c.c.lease_until.is_(None), c.c.lease_until < now)
    ready = select(c.c.id).where(c.c.wake_at <= now, free).order_by(c.c.wake_at).limit(bindparam("limit"))
    if skips_locked:
        ready = ready.with_for_update(skip_locked=True)
    take = update(c).where(c.c.id.in_(ready))
    take = take.values(owner=bindparam("by"), fence=c.c.fence + 1, lease_until=bindparam("until"))
    return take.returning(c.c.id, c.c.fence)


_DUE = case((c.c.lease_until.is_(None), c.c.wake_at), else_=c.c.lease_until)
_NEXT_DUE = select(func.min(_DUE, type_=c.c.wake_at.type)).where(c.c.wake_at.is_not(None))
_WAKE = update(c).where(c.c.id == bindparam("run")).values(wake_at=bindparam("at"), wakes=c.c.wakes + 1)
_HOLD = select(c.c.id).where(c.c.id == bindparam("run")).with_for_update()
