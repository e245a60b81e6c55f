"""Grants of connections to runs; who works on a run sees them with its next step."""

from collections.abc import Sequence

from sqlalchemy import update
from sqlalchemy.orm import Session

from signoff.asks.signatures.parties import steers
from signoff.catalog.schemas import AgentDefinition
from signoff.claims.actions import wake
from signoff.connections import grants, queries
from signoff.connections.models import Connection
from signoff.connections.queries import UnknownConnection
from signoff.connections.schemas import GrantIn
from signoff.kit import clock
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import FieldError, Invalid
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
        needed = _needed(session, actor, definition)
        if not without_missing:
            _refuse_missing(definition, [row for row, _ in [*chosen, *needed]])
        chosen = needed if wanted is None else chosen
    for row, tools in chosen:
        grants.grant(session, actor, run.id, row, tools)
    if chosen:
        _mark(session, run)


def refuse_missing(session: Session, actor: Actor, definition: AgentDefinition) -> None:
    """Refuse a start without what the agent cannot do without. Asks nothing of the database where it needs nothing."""
    if needs_of(definition):
        _refuse_missing(definition, [row for row, _ in _needed(session, actor, definition)])


def grant(session: Session, actor: Actor, run: Run, body: GrantIn) -> Connection:
    actor.require(Role.MEMBER)
    if RunStatus(run.status) in ENDED:
        raise IllegalMove(f"The run is {run.status} and uses nothing any more.", state={"status": run.status})
    row = queries.connection(session, actor, body.connection)
    steers(session, actor, run.id)
    grants.grant(session, actor, run.id, row, body.tools)
    _mark(session, run)
    _look_again(session, run)
    return row


def revoke(session: Session, actor: Actor, run: Run, named: str) -> Connection:
    """What has not started by now is refused."""
    actor.require(Role.MEMBER)
    row = queries.connection(session, actor, named)
    grants.revoke(session, actor, run.id, row)
    _look_again(session, run)
    return row


def carry_over(session: Session, actor: Actor, before: Run, run: Run) -> None:
    if before.has_connections and grants.carry_over(session, actor, before.id, run.id):
        _mark(session, run)


def _needed(
    session: Session, actor: Actor, definition: AgentDefinition
) -> list[tuple[Connection, Sequence[str] | None]]:
    """Asks nothing of the database for an agent that names none."""
    found = list[tuple[Connection, Sequence[str] | None]]()
    for need in needs_of(definition):
        try:
            found.append((queries.connection(session, actor, need.slug), need.tools))
        except UnknownConnection:
            continue
    return found


def _refuse_missing(definition: AgentDefinition, there: Sequence[Connection]) -> None:
    enabled = {row.slug for row in there if row.enabled}
    missing = [need for need in needs_of(definition) if need.required and need.slug not in enabled]
    if missing:
        names = ", ".join(need.slug for need in missing)
        problems = [FieldError(f"connections.{need.slug}", need.reason or "is not set up") for need in missing]
        detail = f"{definition.name} needs connections that are missing or switched off: {names}."
        raise ConnectionsMissing(detail, errors=problems, state={"missing": [need.slug for need in missing]})


def _mark(session: Session, run: Run) -> None:
    session.execute(update(Run).where(Run.id == run.id).values(has_connections=True))
    run.has_connections = True


def _look_again(session: Session, run: Run) -> None:
    """Whoever works on the run looks; one that waits for people goes on waiting."""
    if RunStatus(run.status) not in ENDED and run.status != RunStatus.PAUSED.value:
        wake(session, run.id, clock.now())
