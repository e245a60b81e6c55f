"""A run that waits for other runs: rows only, as with people."""

from collections.abc import Sequence

from sqlalchemy import bindparam, delete, update
from sqlalchemy.orm import Session

from signoff.claims.actions import wake
from signoff.kit import clock
from signoff.kit.db.columns import table
from signoff.kit.db.prepared import Prepared
from signoff.runs.models import Run, RunWait

RUNS, WAITS = table(Run), table(RunWait)
_OVER = Prepared(delete(WAITS).where(WAITS.c.waits_for_id == bindparam("run")).returning(WAITS.c.run_id))
_WAIT = Prepared.insert(WAITS)
_MORE = Prepared(
    update(RUNS)
    .where(RUNS.c.id == bindparam("run"))
    .values(awaited_runs=RUNS.c.awaited_runs + bindparam("more"))
    .returning(RUNS.c.awaited_runs)
)
# The row is counted down where it lies: of two runs that end at the same moment one sees the other's end.
_ONE_LESS = (
    update(RUNS)
    .where(RUNS.c.id.in_(bindparam("ids", expanding=True)))
    .values(awaited_runs=RUNS.c.awaited_runs - 1)
    .returning(RUNS.c.id, RUNS.c.awaited_runs, RUNS.c.kind)
)


def wait_for(session: Session, run: Run, others: Sequence[str]) -> None:
    """Let a run rest until all of these have ended. They began in this transaction: nobody else can end one before its
    commit."""
    if others:
        _WAIT.run(session, [{"run_id": run.id, "waits_for_id": other} for other in others])
        run.awaited_runs = _MORE.scalar(session, {"run": run.id, "more": len(others)}) or 0


def wake_waiters(session: Session, run: Run) -> None:
    """A run has ended: whoever waited for it, and for nothing else, goes on; a workflow looks at every end."""
    waiters = sorted(row[0] for row in _OVER.rows(session, {"run": run.id}))
    if waiters:
        left = session.connection().execute(_ONE_LESS, {"ids": waiters}).all()
        for run_id, awaited, kind in left:
            if awaited == 0 or kind == "workflow":
                wake(session, run_id, clock.now())
