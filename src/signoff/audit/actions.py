from typing import Any

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from signoff.audit.chain import GENESIS, hash_of
from signoff.audit.models import AuditEntry
from signoff.audit.seals import Sealer, batch_text
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.db import events
from signoff.kit.db.columns import table
from signoff.kit.db.database import Finisher
from signoff.kit.db.prepared import Prepared
from signoff.kit.errors import SignoffError
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject, clean_text, whole
from signoff.kit.text.masking import masked


class OtherAuditKey(SignoffError):
    """This process has another key than the one that the record is sealed with."""

    status = 503
    code = "other_audit_key"
    title = "The audit record has another key"


def record(
    session: Session,
    actor: Actor,
    action: str,
    subject: str,
    data: JsonObject | None = None,
    *,
    run_id: str | None = None,
) -> None:
    """Put a decision on the record, in the same transaction as its effect. Secrets in it are masked."""
    workspace_id = actor.workspace_id
    details = {"via": actor.via} | ({"address": actor.address} if actor.address else {}) | (data or {})
    # The hash covers what is stored, and what is stored is mended.
    texts = {"actor": clean_text(actor.label), "action": action, "subject": clean_text(subject)}
    entry = {**texts, "run_id": run_id, "data": whole(masked(details))}
    pending: dict[str, list[dict[str, Any]]] = session.info.setdefault("audit", {})
    pending.setdefault(workspace_id, []).append(entry)
    events.add_entry(session, workspace_id, lambda s, last: _append(s, workspace_id, last))


def sealed_by(sealer: Sealer) -> Finisher:
    """For the database, before `events.finish`: entries are sealed with this key."""

    def hand_over(session: Session) -> None:
        session.info["sealer"] = sealer

    return hand_over


def seal_older(session: Session, sealer: Sealer, workspace_id: str) -> None:
    """The record has entries from before there was a key: one more is written, and its seal covers them all."""
    session.info.setdefault("seals_older", set[str]()).add(workspace_id)
    record(session, Actor.system(workspace_id), "audit.sealed", workspace_id, {"key": sealer.public})


def _append(session: Session, workspace_id: str, last: int) -> None:
    """Chain the entries to the ones before; nobody else can append meanwhile."""
    pending: list[dict[str, Any]] = session.info["audit"].pop(workspace_id)
    before = last - len(pending)
    found = _LAST.first(session, {"workspace": workspace_id, "before": before})
    previous, key_id = found or (GENESIS, None)
    at, rows = clock.now(), list[dict[str, Any]]()
    for number, entry in enumerate(pending, before + 1):
        row = {"workspace_id": workspace_id, "number": number, "id": new_id(), "at": at, "previous": previous, **entry}
        row["hash"] = previous = hash_of(row)
        rows.append(row | {"seal": None, "key_id": None})
    sealer: Sealer | None = session.info.get("sealer")
    if sealer is not None:
        if key_id is not None:
            refuse_foreign_key(sealer, key_id)
        # A seal speaks for its own transaction alone: what somebody else put before it stays without one, and shows.
        first = 1 if key_id is None and workspace_id in session.info.get("seals_older", ()) else before + 1
        text = batch_text(sealer.key_id, first, last, previous)
        rows[-1] |= {"seal": sealer.seal(text), "key_id": sealer.key_id}
    _INSERT.run(session, rows)


def refuse_foreign_key(sealer: Sealer, key_id: str) -> None:
    """A record is never carried on with another key by accident."""
    if sealer.ring.rank(key_id) is None:
        raise OtherAuditKey(
            f"The audit record is sealed with the key {key_id}, but this process has the key {sealer.key_id}. "
            "Every process of one database needs the same key: copy audit.key from the first server's data folder, "
            "or set SIGNOFF_AUDIT_KEY to the same value everywhere. If that key is lost, name its public key in "
            "SIGNOFF_AUDIT_RETIRED_KEYS, and this one carries on."
        )


_INSERT = Prepared.insert(table(AuditEntry))
_LAST = Prepared(
    select(AuditEntry.hash, AuditEntry.key_id).where(
        AuditEntry.workspace_id == bindparam("workspace"), AuditEntry.number == bindparam("before")
    )
)
