"""The hosts that the agents above a run may reach: none of them gets further through a run that it starts."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.catalog import queries as catalog
from signoff.runs.models import Run

# What a run was started by never changes, so it is read once per process.
_KNOWN: dict[str, tuple[list[str], ...]] = {}
MOST_KNOWN = 1_000


def hosts_above(session: Session, run: Run) -> tuple[list[str], ...]:
    """The lists that bind it beside its own agent's. Asks nothing of the database for a run that no other started."""
    if run.parent_id is None:
        return ()
    known = _KNOWN.get(run.parent_id)
    if known is None:
        known = _read(session, run.parent_id)
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[run.parent_id] = known
    return known


def _read(session: Session, run_id: str) -> tuple[list[str], ...]:
    columns = (Run.parent_id, Run.revision_id)
    above = select(*columns).where(Run.id == run_id).cte(recursive=True)
    above = above.union_all(select(*columns).join(above, Run.id == above.c.parent_id))
    ids = session.scalars(select(above.c.revision_id).where(above.c.revision_id.is_not(None)))
    found = catalog.frozen_each(session, set(ids)).values()
    return tuple(each.egress for each in found if each.egress is not None)
