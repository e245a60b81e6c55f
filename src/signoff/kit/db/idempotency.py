"""The same request with the same `Idempotency-Key` gets the same response; the work is done once."""

from datetime import datetime, timedelta
from typing import Any

from pydantic import BaseModel
from sqlalchemy import delete, false, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Mapped, Session, mapped_column

from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.db.columns import Base, JsonText
from signoff.kit.errors import Conflict, Invalid
from signoff.kit.secret_fields import holds_secret

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
    # Of an answer with a secret only the id of what was made.
    body: Mapped[Any] = mapped_column(JsonText, nullable=True)
    secret: Mapped[bool] = mapped_column(default=False, server_default=false())
    created_at: Mapped[datetime] = mapped_column(default=clock.now, index=True)


class RepeatedRequest(Exception):
    """The request was carried out before; this was its response."""

    def __init__(self, status: int, body: Any) -> None:
        super().__init__("repeated request")
        self.status = status
        self.body = body


class KeyReused(Invalid):
    code = "idempotency_key_reused"


class SecretNotRepeated(Conflict):
    """The request was carried out before; its answer had a secret, and secrets are not kept."""

    code = "secret_not_repeated"
    title = "The secret was shown once"


def claim_key(session: Session, actor: Actor, key: str, fingerprint: str) -> None:
    """Claim the key for this transaction, or raise `RepeatedRequest` if it was used; waits while another uses it."""
    if len(key) > MAX_KEY:
        raise Invalid(f"An Idempotency-Key can have at most {MAX_KEY} characters.")
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
        raise KeyReused("This Idempotency-Key was used for a different request. Use a new key.")
    if spent.secret:
        detail = "This was done already. The secret was shown once and is not stored. Revoke it and create a new one."
        raise SecretNotRepeated(detail, state=spent.body)
    raise RepeatedRequest(spent.status or 200, spent.body)


def store_response(session: Session, actor: Actor, key: str, status: int, result: Any) -> None:
    """Store the response beside its effects, in the same transaction; of one with a secret only what it is about."""
    secret = holds_secret(result)
    body = {"id": made} if secret and (made := getattr(result, "id", None)) else None if secret else _plain(result)
    where = (SpentKey.workspace_id == actor.workspace_id, SpentKey.caller == actor.label, SpentKey.key == key)
    session.execute(update(SpentKey).where(*where).values(status=status, body=body, secret=secret))


def _plain(result: Any) -> Any:
    return result.model_dump(mode="json", by_alias=True) if isinstance(result, BaseModel) else result


def forget(session: Session, at: datetime) -> None:
    """Keys that nobody will come back with."""
    session.execute(delete(SpentKey).where(SpentKey.created_at < at - KEPT))
