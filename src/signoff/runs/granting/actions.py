"""Grants of connections to runs; who works on a run sees them with its next step."""

from collections.abc import Sequence

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from signoff.asks.signatures.parties import steers
from signoff.catalog.schemas import AgentDefinition
from signoff.claims.actions import hold, wake
from signoff.claims.models import of_family
from signoff.connections import grants, queries
from signoff.connections.models import Connection, ConnectionGrant
from signoff.connections.queries import UnknownConnection
from signoff.connections.schemas import GrantIn
from signoff.kit import clock
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import FieldError, Invalid
from signoff.runs.ending import hold_family
from signoff.runs.granting.needs import needs_of
from signoff.runs.models import Run
from signoff.runs.states import ENDED, IllegalMove, RunStatus


class ConnectionsMissing(Invalid):
    """The agent needs connections that are not there."""

    code = "connections_missing"


def grant_at_start(
    session: Session,
    actor: Actor,
    run: Run,
    definition: AgentDefinition,
    wanted: Sequence[str | GrantIn] | None,
    *,
    without_missing: bool,
) -> None:
    """What was asked for, else what the agent names. What it cannot do without must be there."""
    given = [each if isinstance(each, GrantIn) else GrantIn(connection=each) for each in wanted or ()]
    chosen = [(queries.connection(session, actor, each.connection), each.tools) for each in given]
    if wanted is None or not without_missing:
        needed = _needed(session, actor, run, definition)
        if not without_missing:
            _refuse_missing(run, definition, [row for row, _ in [*chosen, *needed]])
        chosen = needed if wanted is None else chosen
    for row, tools in chosen:
        grants.grant(session, actor, run.id, row, tools)
    if chosen:
        _mark(session, run)


def refuse_missing(session: Session, actor: Actor, run: Run, definition: AgentDefinition) -> None:
    """Refuse a start without what the agent cannot do without. Asks nothing of the database where it needs nothing."""
    if needs_of(definition):
        _refuse_missing(run, definition, [row for row, _ in _needed(session, actor, run, definition)])


def grant(session: Session, actor: Actor, run: Run, body: GrantIn) -> Connection:
    actor.require(Role.MEMBER)
    if RunStatus(run.status) in ENDED:
        raise IllegalMove(f"The run is {run.status} and uses nothing any more.", state={"status": run.status})
    row = queries.connection(session, actor, body.connection)
    steers(session, actor, run.id)
    if run.kind == "workflow":
        if not grants.lift(session, actor, run.id, row):
            detail = "A workflow uses no connection itself. Give it to the run of the step that is at work."
            raise IllegalMove(detail, state={"status": run.status})
        return row
    grants.grant(session, actor, run.id, row, body.tools)
    _mark(session, run)
    _look_again(session, run)
    return row


def revoke(session: Session, actor: Actor, run: Run, named: str) -> Connection:
    """What has not started by now is refused, in the runs that it started as well."""
    actor.require(Role.MEMBER)
    row = queries.connection(session, actor, named)
    # Whoever starts a run below it comes before, and is seen here, or after, and sees this.
    hold_family(session, run)
    hold(session, run.id)
    if run.kind == "workflow":
        grants.bar(session, actor, run.id, row)
    else:
        grants.revoke(session, actor, run.id, row)
    for below in _granted_below(session, run, row):
        grants.revoke(session, actor, below, row)
    _look_again(session, run)
    return row


def carry_over(session: Session, actor: Actor, before: Run, run: Run) -> None:
    if before.has_connections and grants.carry_over(session, actor, before.id, run.id):
        _mark(session, run)


def _needed(
    session: Session, actor: Actor, run: Run, definition: AgentDefinition
) -> list[tuple[Connection, Sequence[str] | None]]:
    """What the agent names, less what people took from a run above. Asks nothing of the database for an agent that
    names none."""
    needs, found = needs_of(definition), list[tuple[Connection, Sequence[str] | None]]()
    taken = _taken_above(session, run) if needs else ()
    for need in needs:
        try:
            row = queries.connection(session, actor, need.slug)
        except UnknownConnection:
            continue
        if row.id not in taken:
            found.append((row, need.tools))
    return found


def _granted_below(session: Session, run: Run, row: Connection) -> Sequence[str]:
    """The runs below it that are at work and may use a connection."""
    at_work = select(Run.id).where(Run.id.in_(of_family(run.id)), Run.id != run.id, Run.ended_at.is_(None))
    below = (ConnectionGrant.run_id.in_(at_work),)
    own = (ConnectionGrant.connection_id == row.id, ConnectionGrant.revoked_at.is_(None))
    return session.scalars(select(ConnectionGrant.run_id).where(*below, *own).order_by(ConnectionGrant.run_id)).all()


def _taken_above(session: Session, run: Run) -> Sequence[str]:
    """The connections that people took from the runs above it."""
    if run.parent_id is None:
        return ()
    above = select(Run.id, Run.parent_id).where(Run.id == run.parent_id).cte("above", recursive=True)
    above = above.union_all(select(Run.id, Run.parent_id).join(above, Run.id == above.c.parent_id))
    taken = (ConnectionGrant.run_id.in_(select(above.c.id)), ConnectionGrant.revoked_at.is_not(None))
    return session.scalars(select(ConnectionGrant.connection_id).where(*taken)).all()


def _refuse_missing(run: Run, definition: AgentDefinition, there: Sequence[Connection]) -> None:
    enabled = {row.slug for row in there if row.enabled}
    missing = [need for need in needs_of(definition) if need.required and need.slug not in enabled]
    if missing:
        names = ", ".join(need.slug for need in missing)
        problems = [FieldError(f"connections.{need.slug}", need.reason or "is not set up") for need in missing]
        where = (
            "missing or switched off" if run.parent_id is None else "missing, switched off or taken from the run above"
        )
        detail = f"{definition.name} needs connections that are {where}: {names}."
        raise ConnectionsMissing(detail, errors=problems, state={"missing": [need.slug for need in missing]})


def _mark(session: Session, run: Run) -> None:
    session.execute(update(Run).where(Run.id == run.id).values(has_connections=True))
    run.has_connections = True


def _look_again(session: Session, run: Run) -> None:
    """Whoever works on the run looks; one that waits for people goes on waiting."""
    if RunStatus(run.status) not in ENDED and run.status != RunStatus.PAUSED.value:
        wake(session, run.id, clock.now())
