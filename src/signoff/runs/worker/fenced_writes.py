"""What a worker writes to a run that goes on: each transaction carries the claim's fence."""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import bindparam, case, update
from sqlalchemy.orm import Session

from signoff.claims.actions import Claim, LostClaim
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.db import events
from signoff.kit.db.columns import table
from signoff.kit.db.prepared import Prepared
from signoff.runs.ending import close_open
from signoff.runs.events import RUN_STATUS, RunState, mark_of_test
from signoff.runs.models import Run
from signoff.runs.states import ENDED, RUN, Phase, RunStatus

_RUNS = table(Run)


@dataclass(frozen=True)
class Release:
    """Nobody holds the run any more, until `wake_at` or somebody's wake; one since `wakes` was read is kept."""

    wakes: int
    wake_at: datetime | None = None


def begin(session: Session, claim: Claim, run: Run) -> None:
    """A queued run begins."""
    run.started_at = clock.now()
    write_run(session, claim, run, Phase(run.phase).status, started_at=run.started_at)


def write_run(
    session: Session,
    claim: Claim,
    run: Run,
    to: RunStatus | None = None,
    *,
    release: Release | None = None,
    **values: Any,
) -> RunStatus:
    """The fenced write of every turn. Returns the status as it now is: a person may have paused or ended the run."""
    change = _fenced_update(to, release is not None, tuple(values))
    given = {f"new_{name}": value for name, value in values.items()} | {"run": claim.run_id, "token": claim.fence}
    if release is not None:
        given |= {"seen": release.wakes, "at": release.wake_at}
    row = change.first(session, given)
    if row is None:
        raise LostClaim(claim.run_id)
    status, before = RunStatus(row[0]), run.status
    run.status, run.wakes = status.value, row[1]
    if status in ENDED:
        # A person ended it meanwhile, and this turn may have opened something.
        close_open(session, Actor.system(run.workspace_id), run, is_claimed=release is None)
    elif status is to and before != status.value:
        state: RunState = {"status": status.value, "completion_reason": None, **mark_of_test(run)}
        events.emit(session, run.workspace_id, RUN_STATUS, run.id, state)
    return status


@lru_cache(maxsize=256)
def _fenced_update(to: RunStatus | None, releases: bool, names: tuple[str, ...]) -> Prepared:
    """The statement for these columns; few shapes occur, and building one costs more than running it."""
    assert to not in ENDED, "A run ends in runs.ending."
    values: dict[str, Any] = {name: bindparam(f"new_{name}", type_=_RUNS.c[name].type) for name in names}
    if to is not None:
        # Only people resume what people paused.
        sources = [source.value for source in RUN.sources(to) if source is not RunStatus.PAUSED]
        values["status"] = case((_RUNS.c.status.in_(sources), to.value), else_=_RUNS.c.status)
    if releases:
        # A wake since the worker last looked stays: nothing that came in is lost.
        still, at = _RUNS.c.wakes == bindparam("seen"), bindparam("at", type_=_RUNS.c.wake_at.type)
        values |= {"owner": None, "lease_until": None, "wake_at": case((still, at), else_=_RUNS.c.wake_at)}
        values.setdefault("falls", 0)
    fence = (_RUNS.c.id == bindparam("run"), _RUNS.c.fence == bindparam("token"))
    change = update(_RUNS).where(*fence).values(values or {"fence": _RUNS.c.fence})
    return Prepared(change.returning(_RUNS.c.status, _RUNS.c.wakes))
