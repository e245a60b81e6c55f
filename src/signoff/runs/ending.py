"""The one way out of a run, whoever ends it: its worker, a person, time, or an answer that rejects."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import bindparam, case, null, select, update
from sqlalchemy.orm import Session

from signoff.asks import actions as asks
from signoff.asks.signatures.parties import hand_up
from signoff.audit.actions import record
from signoff.claims.actions import Claim, LostClaim, wake_workflows
from signoff.deliverables import actions as deliverables
from signoff.kit import clock, jsons
from signoff.kit.actor import Actor
from signoff.kit.db import events
from signoff.kit.db.columns import table
from signoff.kit.db.database import commit_of
from signoff.kit.db.prepared import Prepared
from signoff.kit.jsons import JsonObject
from signoff.runs.calls import give_up_open_calls
from signoff.runs.events import RUN_ENDED, RUN_STATUS, RunState, mark_of_test
from signoff.runs.large_values import is_large, put_apart
from signoff.runs.models import Call, Run
from signoff.runs.notices.end_notice import notify_of_end
from signoff.runs.states import ENDED, FINISHED, RUN, IllegalMove, Reason, RunStatus
from signoff.runs.waiting import wake_waiters

_RUNS = table(Run)
_ENDED = [status.value for status in ENDED]


@dataclass(frozen=True)
class Ending:
    """How a run ends, and why."""

    status: RunStatus
    reason: Reason
    error: JsonObject | None = None
    # Whose answer ended it.
    decided_by: str | None = None


CANCELLED = Ending(RunStatus.CANCELLED, Reason.CANCELLED)
COMPLETED = Ending(RunStatus.COMPLETED, Reason.SUCCESS)
COMPLETED_BY_USER = Ending(RunStatus.COMPLETED, Reason.USER_COMPLETED)


def end(
    session: Session,
    by: Claim | Actor,
    run: Run,
    ending: Ending,
    *,
    calls: Sequence[Call] | None = None,
    **values: Any,
) -> None:
    """End a run: by its worker, who holds the claim, or by a person, whoever holds it.

    Everything is kept; what is open is closed; the drafts of a completed run become final. The first end counts: a
    worker that comes second only releases the run, a person who comes second is refused. `calls` are all calls of the
    run where the worker has them at hand: if none of them is open, the database is not asked for such.
    """
    if has_children(run):
        hold_family(session, run)
    ended = {**values, "completion_reason": ending.reason.value, "ended_at": clock.now()}
    state: RunState = {"status": ending.status.value, "completion_reason": ending.reason.value, **mark_of_test(run)}
    if isinstance(by, Claim):
        closer, is_claimed = Actor.system(run.workspace_id), False
        large = _large_output(ended)
        if large is not None:
            ended = {**ended, "output": None, "apart": [*run.apart, "output"]}
        if not _end_claimed(session, by, run, ending.status, {**ended, "error": ending.error}):
            close_open(session, closer, run)
            return
        if large is not None:
            put_apart(session, run.id, "output", large)
        entry = {"title": run.title, **state}
        record(session, run.actor, "run.ended", run.id, entry, run_id=run.id)
    else:
        closer, is_claimed = by, _end_by_person(session, run, ending.status, ended)
        record(session, by, f"run.{ending.status.value}", run.id, {"title": run.title}, run_id=run.id)
    events.emit(session, run.workspace_id, RUN_STATUS, run.id, state)
    close_open(session, closer, run, is_claimed=is_claimed, calls=calls)
    if run.parent_id is not None:
        hand_up(session, run.id, run.parent_id)
    wake_waiters(session, run)
    if has_children(run):
        _end_children(session, run)
    why = ending.error.get("message") if ending.error else None
    who = ending.decided_by if isinstance(by, Claim) else by
    notify_of_end(session, run, ending.status, ending.reason, why, who)
    events.emit(session, run.workspace_id, RUN_ENDED, run.id, state)


def _large_output(values: Mapping[str, Any]) -> str | None:
    output = values.get("output")
    text = jsons.dumps(output) if output is not None else ""
    return text if is_large(text) else None


def has_children(run: Run) -> bool:
    """Whether others may be at work for it. Asks nothing of the database."""
    return run.kind == "workflow" or run.awaited_runs > 0


def hold_family(session: Session, run: Run) -> None:
    """Keep the runs below it from moving, the lowest first: as they do who end, so that none waits for another."""
    levels, above = list[Sequence[str]](), [run.id]
    while above:
        below = select(Run.id).where(Run.parent_id.in_(above), Run.status.not_in(_ENDED))
        above = list(session.scalars(below))
        levels.append(above)
    for ids in reversed(levels):
        if ids:
            session.execute(select(Run.id).where(Run.id.in_(ids)).order_by(Run.id).with_for_update(key_share=True))


def _end_children(session: Session, run: Run) -> None:
    """Nobody waits for what they would make."""
    children = select(Run).where(Run.parent_id == run.id, Run.status.not_in(_ENDED)).order_by(Run.id)
    for child in session.scalars(children).all():
        with suppress(IllegalMove):
            end(session, Actor.system(run.workspace_id), child, CANCELLED)


def close_open(
    session: Session, actor: Actor, run: Run, *, is_claimed: bool = False, calls: Sequence[Call] | None = None
) -> None:
    """What an ended run leaves open: nobody needs to answer any more, nothing starts any more, drafts are final if it
    is completed. A worker's last write may come after a person's end, and is closed in the same way.

    While a worker holds the run its calls are that worker's: it stores how they end, then releases the run.
    """
    if asks.cancel_open(session, actor, run.id):
        # Nobody has them before them any more, as if they were answered.
        wake_workflows(session, run.parent_id, clock.now())
    if not is_claimed and (calls is None or any(call.status not in FINISHED for call in calls)):
        give_up_open_calls(session, run)
    if run.status == RunStatus.COMPLETED.value:
        deliverables.finalise(session, run.id)


def _end_claimed(session: Session, claim: Claim, run: Run, to: RunStatus, values: dict[str, Any]) -> bool:
    """Whether this worker's end is the one that counts; either way the run is released."""
    mine = {"run": claim.run_id, "token": claim.fence}
    given = mine | {f"new_{name}": value for name, value in values.items()}
    row = _end_statement(to, tuple(values), fenced=True).first(session, given)
    released: Any = row or _RELEASE.first(session, mine)
    if released is None:
        raise LostClaim(claim.run_id)
    run.status, run.wakes = released[0], released[1]
    return row is not None


def _end_by_person(session: Session, run: Run, to: RunStatus, values: dict[str, Any]) -> bool:
    """Whether a worker holds the run, which then has to notice. A run that has ended is refused."""
    given = {f"new_{name}": value for name, value in values.items()} | {"run": run.id, "at": clock.now()}
    row = _end_statement(to, tuple(values), fenced=False).first(session, given)
    session.refresh(run)
    if row is None:
        raise IllegalMove(f"The run is {run.status} and cannot become {to.value}.", state={"status": run.status})
    commit_of(session).halted_runs.add(run.id)
    return run.owner is not None


@lru_cache(maxsize=64)
def _end_statement(to: RunStatus, names: tuple[str, ...], *, fenced: bool) -> Prepared:
    """Legality, the claim and the race are one WHERE. Made once for each shape: building it costs more than running."""
    values: dict[str, Any] = {name: bindparam(f"new_{name}", type_=_RUNS.c[name].type) for name in names}
    legal = [_RUNS.c.id == bindparam("run"), _RUNS.c.status.in_([source.value for source in RUN.sources(to)])]
    if fenced:
        legal.append(_RUNS.c.fence == bindparam("token"))
        values |= _RELEASED
    else:
        # Whoever holds it must notice; if that worker died, another closes what it left.
        at = bindparam("at", type_=_RUNS.c.wake_at.type)
        values |= {"wakes": _RUNS.c.wakes + 1, "wake_at": case((_RUNS.c.owner.is_(None), null()), else_=at)}
    change = update(_RUNS).where(*legal).values(status=to.value, **values)
    return Prepared(change.returning(_RUNS.c.status, _RUNS.c.wakes))


_RELEASED: dict[str, Any] = {"owner": None, "lease_until": None, "wake_at": None}
_RELEASE = Prepared(
    update(_RUNS)
    .where(_RUNS.c.id == bindparam("run"), _RUNS.c.fence == bindparam("token"))
    .values(_RELEASED)
    .returning(_RUNS.c.status, _RUNS.c.wakes)
)
