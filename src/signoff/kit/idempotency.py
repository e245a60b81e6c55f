"""The same request with the same `Idempotency-Key` gets the same response; the work is done once."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Mapped, Session, mapped_column

from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.columns import Base, JsonText
from signoff.kit.errors import Invalid

MAX_KEY = 200
# A client that was away for longer than this asks how things stand before it tries again.
KEPT = timedelta(days=30)


class SpentKey(Base):
    """A key with the response that it got."""

    __tablename__ = "idempotency_keys"

    workspace_id: Mapped[str] = mapped_column(primary_key=True)
    caller: Mapped[str] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    fingerprint: Mapped[str]
    status: Mapped[int | None]
    body: Mapped[Any] = mapped_column(JsonText, nullable=True)
    created_at: Mapped[datetime] = mapped_column(default=clock.now, index=True)


class Replay(Exception):
    """The request was carried out before; this was its response."""

    def __init__(self, status: int, body: Any) -> None:
        super().__init__("replay")
        self.status = status
        self.body = body


class KeyReused(Invalid):
    code = "idempotency_key_reused"


def spend(session: Session, actor: Actor, key: str, fingerprint: str) -> None:
    """Take the key for this transaction. Raises `Replay` when it was spent; waits for one that is being spent."""
    if len(key) > MAX_KEY:
        raise Invalid(f"An Idempotency-Key has at most {MAX_KEY} characters.")
    place = {"workspace_id": actor.workspace_id, "caller": actor.label, "key": key}
    dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    take = (
        dialect.insert(SpentKey)
        .values(**place, fingerprint=fingerprint, created_at=clock.now())
        .on_conflict_do_nothing()
    )
    if session.scalar(take.returning(SpentKey.key)) is not None:
        return
    spent = session.scalars(select(SpentKey).filter_by(**place)).one()
    if spent.fingerprint != fingerprint:
        raise KeyReused("This Idempotency-Key was used for another request; make a new key for a new request.")
    raise Replay(spent.status or 200, spent.body)


def keep(session: Session, actor: Actor, key: str, status: int, body: Any) -> None:
    """Store the response beside its effects, in the same transaction."""
    where = (SpentKey.workspace_id == actor.workspace_id, SpentKey.caller == actor.label, SpentKey.key == key)
    session.execute(update(SpentKey).where(*where).values(status=status, body=body))


def forget(session: Session, at: datetime) -> None:
    """Keys that nobody will come back with."""
    session.execute(delete(SpentKey).where(SpentKey.created_at < at - KEPT))
