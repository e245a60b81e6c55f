"""Which run may use which connection: granted at its start or while it works, and taken back at any time."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.connections import tool_names
from signoff.connections.models import Connection, ConnectionGrant
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.errors import NotFound


def grant(session: Session, actor: Actor, run_id: str, row: Connection, tools: Sequence[str] | None) -> ConnectionGrant:
    """From now on, also where it was taken back before. `tools` by their names, with or without the slug."""
    short = None if tools is None else [tool_names.short_name(row.slug, each) for each in tools]
    short = None if short is not None and "*" in short else short
    found = session.get(ConnectionGrant, (run_id, row.id))
    if found is None:
        found = ConnectionGrant(run_id=run_id, connection_id=row.id)
        session.add(found)
    found.tools = None if short is None else list(dict.fromkeys(short))
    found.granted_by, found.granted_at = actor.label, clock.now()
    found.revoked_at = found.revoked_by = None
    session.flush()
    record(session, actor, "connection.granted", row.id, {"slug": row.slug, "tools": found.tools}, run_id=run_id)
    return found


def revoke(session: Session, actor: Actor, run_id: str, row: Connection) -> ConnectionGrant:
    """From the next call on. Twice is like once."""
    found = session.get(ConnectionGrant, (run_id, row.id))
    if found is None:
        raise NotFound(f"This run was not granted {row.slug}.")
    if found.revoked_at is None:
        found.revoked_at, found.revoked_by = clock.now(), actor.label
        record(session, actor, "connection.revoked", row.id, {"slug": row.slug}, run_id=run_id)
    return found


def bar(session: Session, actor: Actor, run_id: str, row: Connection) -> ConnectionGrant:
    """No run below this one is given it from now on, whatever its agent names. Twice is like once."""
    if session.get(ConnectionGrant, (run_id, row.id)) is None:
        session.add(ConnectionGrant(run_id=run_id, connection_id=row.id, granted_by=actor.label))
        session.flush()
    return revoke(session, actor, run_id, row)


def lift(session: Session, actor: Actor, run_id: str, row: Connection) -> bool:
    """Runs below this one may be given it again. False: nobody had taken it."""
    found = session.get(ConnectionGrant, (run_id, row.id))
    if found is None:
        return False
    session.delete(found)
    session.flush()
    record(session, actor, "connection.granted", row.id, {"slug": row.slug, "tools": None}, run_id=run_id)
    return True


def carry_over(session: Session, actor: Actor, before: str, run_id: str) -> int:
    """A run that goes on from another one may use what that one could at its end. How many connections there are."""
    own = (ConnectionGrant.run_id == before, ConnectionGrant.revoked_at.is_(None))
    rows = session.scalars(select(ConnectionGrant).where(*own)).all()
    for each in rows:
        made = ConnectionGrant(run_id=run_id, connection_id=each.connection_id, tools=each.tools)
        made.granted_by = actor.label
        session.add(made)
    session.flush()
    return len(rows)
