"""Whether a workspace's runs may go on at all: looked at by every claim, and right before every start."""

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from signoff.claims.models import claimable as c
from signoff.kit.db.columns import table
from signoff.kit.db.driver import driver_of
from signoff.kit.db.prepared import Prepared
from signoff.workspaces.models import Workspace

_WORKSPACES = table(Workspace)
# Runs that nobody holds back by pausing everything.
GOES_ON = c.c.workspace_id.not_in(select(_WORKSPACES.c.id).where(_WORKSPACES.c.paused_at.is_not(None)))


def is_paused(session: Session, workspace_id: str) -> bool:
    """Whether everything is paused, as far as is committed now."""
    return _PAUSED.scalar(session, {"workspace": workspace_id}) is not None


def may_start(session: Session, workspace_id: str) -> bool:
    """Asked in the transaction that starts something. Whoever pauses everything waits for its commit, and whatever asks
    later hears of the pause: nothing starts once the pause is answered."""
    if not driver_of(session).is_sqlite:
        _START.run(session, {"workspace": workspace_id})
    return not is_paused(session, workspace_id)


def wait_for_starts(session: Session, workspace_id: str) -> None:
    """Wait for the starts under way, and keep others waiting until the commit; on SQLite nobody else writes anyway.

    An advisory lock stands in a queue, so starts that come one after the other cannot keep the pause from its turn."""
    if not driver_of(session).is_sqlite:
        _PAUSE.run(session, {"workspace": workspace_id})


_KEY = func.hashtextextended(bindparam("workspace"), 0)
_START = Prepared(select(func.pg_advisory_xact_lock_shared(_KEY)))
_PAUSE = Prepared(select(func.pg_advisory_xact_lock(_KEY)))
_PAUSED = Prepared(select(_WORKSPACES.c.paused_at).where(_WORKSPACES.c.id == bindparam("workspace")))
