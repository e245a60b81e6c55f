from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import and_, bindparam, case, func, or_, select, update
from sqlalchemy.orm import Session

from signoff.claims.models import claimable as c
from signoff.claims.pause_all import GOES_ON
from signoff.kit.db import events
from signoff.kit.db.database import commit_of
from signoff.kit.db.driver import driver_of
from signoff.kit.db.prepared import Prepared

# A run that took so many workers down in a row is worked on alone: those beside it are not to be blamed for it.
LAST_TRY = 2
# And then no more, until a person says so.
FALLS_ALLOWED = 3


class LostClaim(Exception):
    """Another worker holds the run now; whatever this one wanted to write is void."""


@dataclass(frozen=True)
class Claim:
    """The right to write for a run, until the lease ends."""

    run_id: str
    owner: str
    fence: int
    falls: int = 0


def wake(session: Session, run_id: str, at: datetime) -> None:
    """Make a run ready. Waking twice, or waking a held run, does no harm."""
    _WAKE.run(session, {"run": run_id, "at": at})
    commit_of(session).woken_runs.add(run_id)


def wake_with_workflows(session: Session, run_id: str, at: datetime) -> None:
    """A person is done with a run: it goes on, and so do the clocks of the workflows that it belongs to."""
    commit_of(session).woken_runs.add(run_id)
    wake_workflows(session, _WAKE_BELOW.scalar(session, {"run": run_id, "at": at}), at)


def wake_workflows(session: Session, lowest: str | None, at: datetime) -> None:
    """Make the workflows ready among a run and those above it, the lowest first."""
    run_id = lowest
    while run_id is not None:
        above, revision = _ABOVE.first(session, {"run": run_id}) or (None, None)
        if revision is not None:
            wake(session, run_id, at)
        run_id = above


def announce_ready(session: Session, workspace_id: str) -> None:
    """Say that a workspace's runs may be claimed again: their rows say when each is due."""
    ready = select(c.c.id).where(c.c.workspace_id == workspace_id, c.c.wake_at.is_not(None))
    # One would do: whoever hears of it looks for all.
    commit_of(session).woken_runs.update(session.scalars(ready.limit(events.MOST_RUNS)))


def announce_halt(session: Session, workspace_id: str) -> None:
    """Let those look up who work on a workspace's runs."""
    claimed = select(c.c.id).where(c.c.workspace_id == workspace_id, c.c.owner.is_not(None))
    commit_of(session).halted_runs.update(session.scalars(claimed))


def hold(session: Session, run_id: str) -> None:
    """Keep others from writing the run's row until the commit; on SQLite nobody else writes anyway."""
    if not driver_of(session).is_sqlite:
        _HOLD.run(session, {"run": run_id})


def claim_ready(
    session: Session, owner: str, now: datetime, lease: timedelta, limit: int, *, last_try: bool = False
) -> list[Claim]:
    """Take ready runs that nobody holds, longest waiting first. One statement; the database settles who gets which.

    Those that have their last try are taken only when asked for."""
    given = {"now": now, "limit": limit, "by": owner, "until": now + lease}
    rows = _taking(not driver_of(session).is_sqlite, last_try).rows(session, given)
    return [Claim(row[0], owner, row[1], row[2]) for row in rows]


def claim_run(session: Session, owner: str, run_id: str, now: datetime, lease: timedelta) -> Claim | None:
    """Take this run, if it is ready and nobody holds it; fence and falls count as with any other claim."""
    given = {"now": now, "run": run_id, "by": owner, "until": now + lease}
    row = _TAKE_ONE.first(session, given)
    return None if row is None else Claim(row[0], owner, row[1], row[2])


def has_last_try(session: Session, claim: Claim) -> bool:
    """Whether a run in our hands has stored nothing yet since it took its workers down."""
    falls = select(c.c.falls).where(c.c.id == claim.run_id, c.c.fence == claim.fence, c.c.owner.is_not(None))
    return session.connection().scalar(falls) == LAST_TRY


def keep(session: Session, claim: Claim, until: datetime) -> None:
    """Hold on to one run, if nobody has taken it up meanwhile and not everything is paused."""
    mine = (c.c.id == claim.run_id, c.c.fence == claim.fence, c.c.owner == claim.owner, GOES_ON)
    kept = session.connection().execute(update(c).where(*mine).values(lease_until=until).returning(c.c.id))
    if kept.first() is None:
        raise LostClaim(claim.run_id)


def worker_name(owner: str) -> str:
    """An owner as people know it."""
    host, pid, *_ = f"{owner}|".split("|")
    return f"{host.split('/')[0]}, process {pid}"


def renew(session: Session, owner: str, run_ids: Sequence[str], until: datetime) -> None:
    """Keep what this worker works on. What it dropped in distress is left to its lease, so that someone goes on."""
    session.execute(update(c).where(c.c.owner == owner, c.c.id.in_(run_ids)).values(lease_until=until))


def release_owner(session: Session, owner: str) -> None:
    """Let go of everything, as a worker does that leaves."""
    session.execute(update(c).where(c.c.owner == owner).values(_FREED))


def free_dead(session: Session, owner: str) -> int:
    """Free what a dead worker held, without waiting for its lease to end."""
    freed = session.execute(update(c).where(c.c.owner == owner).values({**_FREED, "falls": c.c.falls + 1}))
    return getattr(freed, "rowcount", 0)


def owners(session: Session) -> list[str]:
    """Everyone who holds a run now."""
    return list(session.scalars(select(c.c.owner).where(c.c.owner.is_not(None)).distinct()))


def next_due(session: Session, owner: str) -> tuple[datetime | None, datetime | None]:
    """When the next run becomes claimable, by its wake time or by the end of a lease: any, and one on its last try."""
    row = _NEXT_DUE.rows(session, {"by": owner})[0]
    return row[0], row[1]


# How often it fell, with the fall that nobody has counted yet: somebody else still stands there as its owner.
_LEFT = and_(c.c.owner.is_not(None), c.c.owner != bindparam("by"))
_FALLEN = c.c.falls + case((_LEFT, 1), else_=0)
_NOW = bindparam("now", type_=c.c.wake_at.type)
_READY = (c.c.wake_at <= _NOW, or_(c.c.lease_until.is_(None), c.c.lease_until < _NOW), GOES_ON)
_FREED: dict[str, Any] = {"owner": None, "lease_until": None, "fence": c.c.fence + 1}


@cache
def _taking(skips_locked: bool, last_try: bool) -> Prepared:
    these = _FALLEN == LAST_TRY if last_try else _FALLEN != LAST_TRY
    ready = select(c.c.id).where(*_READY, these).order_by(c.c.wake_at).limit(bindparam("limit"))
    if skips_locked:
        ready = ready.with_for_update(skip_locked=True)
    return _take(c.c.id.in_(ready))


def _take(*these: Any) -> Prepared:
    take = update(c).where(*these)
    take = take.values(owner=bindparam("by"), fence=c.c.fence + 1, lease_until=bindparam("until"), falls=_FALLEN)
    return Prepared(take.returning(c.c.id, c.c.fence, c.c.falls))


_DUE = case((c.c.lease_until.is_(None), c.c.wake_at), else_=c.c.lease_until)
_NEXT_DUE = Prepared(
    select(
        func.min(case((_FALLEN != LAST_TRY, _DUE)), type_=c.c.wake_at.type),
        func.min(case((_FALLEN == LAST_TRY, _DUE)), type_=c.c.wake_at.type),
    ).where(c.c.wake_at.is_not(None), GOES_ON)
)
_TAKE_ONE = _take(c.c.id == bindparam("run"), *_READY)
_WAKING = update(c).where(c.c.id == bindparam("run")).values(wake_at=bindparam("at"), wakes=c.c.wakes + 1)
_WAKE = Prepared(_WAKING)
_WAKE_BELOW = Prepared(_WAKING.returning(c.c.parent_id))
_ABOVE = Prepared(select(c.c.parent_id, c.c.workflow_revision_id).where(c.c.id == bindparam("run")))
_HOLD = Prepared(select(c.c.id).where(c.c.id == bindparam("run")).with_for_update(key_share=True))
