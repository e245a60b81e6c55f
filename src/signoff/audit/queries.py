from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from signoff.audit.chain import Proof, check
from signoff.audit.models import AuditEntry
from signoff.kit import events
from signoff.kit.actor import Actor

CHUNK = 1_000


def entries(
    actor: Actor,
    *,
    who: str | None = None,
    action: str | None = None,
    subject: str | None = None,
    run_id: str | None = None,
    since: datetime | None = None,
) -> Select[AuditEntry]:
    """The record of the actor's workspace, narrowed down."""
    query = select(AuditEntry).where(AuditEntry.workspace_id == actor.workspace_id)
    given = {AuditEntry.actor: who, AuditEntry.action: action, AuditEntry.subject: subject, AuditEntry.run_id: run_id}
    for column, value in given.items():
        if value is not None:
            query = query.where(column == value)
    return query.where(AuditEntry.at >= since) if since else query


def verify(session: Session, workspace_id: str) -> Proof:
    """Check a workspace's whole chain, its end included. Others may append while it is read."""
    least = events.entries(session, workspace_id)
    proof = check(walk(session, workspace_id))
    if proof.ok and not least <= proof.entries <= events.entries(session, workspace_id):
        return Proof(ok=False, entries=proof.entries, first_broken=f"number {proof.entries + 1}")
    return proof


def walk(session: Session, workspace_id: str) -> Iterator[dict[str, Any]]:
    """Every entry from the first, as plain values, in chunks."""
    columns = list(AuditEntry.__table__.columns)
    number = 0
    while True:
        query = select(*columns).where(AuditEntry.workspace_id == workspace_id, AuditEntry.number > number)
        rows = session.execute(query.order_by(AuditEntry.number).limit(CHUNK)).mappings().all()
        yield from (dict(row) for row in rows)
        if len(rows) < CHUNK:
            return
        number = rows[-1]["number"]
