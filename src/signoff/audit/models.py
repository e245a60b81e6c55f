from datetime import datetime

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.db.columns import Base
from signoff.kit.jsons import JsonObject


class AuditEntry(Base):
    """One entry; `hash` covers every field above it and the hash of the entry before."""

    __tablename__ = "audit"

    workspace_id: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str]
    at: Mapped[datetime]
    actor: Mapped[str]
    action: Mapped[str]
    subject: Mapped[str]
    run_id: Mapped[str | None]
    data: Mapped[JsonObject]
    hash: Mapped[str]
    previous: Mapped[str]
    # On the last entry of each transaction: the key's word for this entry and the ones since the seal before.
    seal: Mapped[str | None]
    key_id: Mapped[str | None]

    __table_args__ = (Index("audit_by_run", "run_id"), Index("audit_by_subject", "subject"))
