from typing import Any

from sqlalchemy import bindparam, insert, select
from sqlalchemy.orm import Session

from signoff.audit.chain import GENESIS, hash_of
from signoff.audit.models import AuditEntry
from signoff.kit import clock, events
from signoff.kit.actor import Actor
from signoff.kit.columns import table
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject


def record(
    session: Session,
    actor: Actor,
    action: str,
    subject: str,
    data: JsonObject | None = None,
    *,
    run_id: str | None = None,
) -> None:
    """Put a decision on the record, in the same transaction as its effect."""
    workspace_id = actor.workspace_id
    told = {"via": actor.via} | ({"address": actor.address} if actor.address else {}) | (data or {})
    entry = {"actor": actor.label, "action": action, "subject": subject, "run_id": run_id, "data": told}
    pending: dict[str, list[dict[str, Any]]] = session.info.setdefault("audit", {})
    pending.setdefault(workspace_id, []).append(entry)
    events.add_entry(session, workspace_id, lambda s, last: _append(s, workspace_id, last))


def _append(session: Session, workspace_id: str, last: int) -> None:
    """Chain the entries to the ones before; nobody else can append meanwhile."""
    pending: list[dict[str, Any]] = session.info["audit"].pop(workspace_id)
    before = last - len(pending)
    previous = session.connection().scalar(_HASH, {"workspace": workspace_id, "before": before}) or GENESIS
    at, rows = clock.now(), list[dict[str, Any]]()
    for number, entry in enumerate(pending, before + 1):
        row = {"workspace_id": workspace_id, "number": number, "id": new_id(), "at": at, "previous": previous, **entry}
        row["hash"] = previous = hash_of(row)
        rows.append(row)
    session.connection().execute(_INSERT, rows)


_INSERT = insert(table(AuditEntry))
_HASH = select(AuditEntry.hash).where(
    AuditEntry.workspace_id == bindparam("workspace"), AuditEntry.number == bindparam("before")
)
