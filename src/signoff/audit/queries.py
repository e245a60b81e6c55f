import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, Text, and_, cast, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from signoff.audit.chain import Anchors, Proof, check
from signoff.audit.models import AuditEntry
from signoff.audit.seals import Keyring
from signoff.kit.actor import Actor
from signoff.kit.db import events

CHUNK = 1_000
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


@dataclass(frozen=True)
class Wanted:
    """A part of what a column says; or one of these, which go by a name that has it."""

    part: str
    named: Sequence[str] = ()


def entries(
    actor: Actor,
    *,
    who: Wanted | None = None,
    action: Wanted | None = None,
    subject: Wanted | None = None,
    run_id: str | None = None,
    since: datetime | None = None,
) -> Select[AuditEntry]:
    """The record of the actor's workspace, narrowed down."""
    query = select(AuditEntry).where(AuditEntry.workspace_id == actor.workspace_id)
    given = {AuditEntry.actor: who, AuditEntry.action: action, AuditEntry.subject: subject}
    for column, wanted in given.items():
        if wanted is not None:
            query = query.where(_matches(column, wanted))
    if run_id is not None:
        query = query.where(AuditEntry.run_id == run_id)
    return query.where(AuditEntry.at >= since) if since else query


def _matches(column: InstrumentedAttribute[str], wanted: Wanted) -> ColumnElement[bool]:
    if _ID.fullmatch(wanted.part):
        # Whoever has the whole id means this one, and an index finds it.
        return column == wanted.part
    part = column.icontains(wanted.part, autoescape=True)
    return or_(part, column.in_(wanted.named)) if wanted.named else part


def verify(session: Session, workspace_id: str, ring: Keyring | None = None, anchors: Anchors | None = None) -> Proof:
    """Check a workspace's whole chain, its end included. Others may append while it is read."""
    least = events.entries(session, workspace_id)
    proof = check(walk(session, workspace_id), ring, anchors)
    if proof.ok and not least <= proof.entries <= events.entries(session, workspace_id):
        reason = f"The record ends at entry {proof.entries}, but there were {least}."
        return replace(proof, ok=False, first_broken=f"number {proof.entries + 1}", reason=reason)
    return proof


def ends(session: Session) -> list[dict[str, Any]]:
    """The last entry of each workspace, as plain values."""
    last = (AuditEntry.workspace_id == events.Head.workspace_id, AuditEntry.number == events.Head.entries)
    names = ("workspace_id", "number", "hash", "at", "key_id")
    columns = [getattr(AuditEntry, name) for name in names]
    return [dict(row) for row in session.execute(select(*columns).join(events.Head, and_(*last))).mappings()]


def hashes(session: Session, workspace_id: str) -> dict[int, str]:
    """What each entry says its hash is, by its number; whether it is so, only `verify` knows."""
    query = select(AuditEntry.number, AuditEntry.hash).where(AuditEntry.workspace_id == workspace_id)
    return {row.number: row.hash for row in session.execute(query)}


def was_ever_sealed(session: Session, workspace_id: str) -> bool:
    """Whether any entry bears a seal."""
    sealed = (AuditEntry.workspace_id == workspace_id, AuditEntry.seal.is_not(None))
    return session.scalar(select(AuditEntry.number).where(*sealed).limit(1)) is not None


def walk(session: Session, workspace_id: str) -> Iterator[dict[str, Any]]:
    """Every entry from the first, as plain values, in chunks."""
    # Its hash covers what was written, so nothing may be mended on the way.
    written = cast(AuditEntry.data, Text).label("data")
    columns = [*(each for each in AuditEntry.__table__.columns if each.name != "data"), written]
    number = 0
    while True:
        query = select(*columns).where(AuditEntry.workspace_id == workspace_id, AuditEntry.number > number)
        rows = session.execute(query.order_by(AuditEntry.number).limit(CHUNK)).mappings().all()
        yield from ({**row, "data": _as_written(row["data"])} for row in rows)
        if len(rows) < CHUNK:
            return
        number = rows[-1]["number"]


def _as_written(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        # Somebody else wrote it, and its hash will not fit.
        return text
