from datetime import datetime

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.columns import Base
from signoff.kit.jsons import JsonObject


class AuditEntry(Base):
    """One entry; `hash` covers every field and the hash of the entry before it."""

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

    __table_args__ = (Index("audit_by_run", "run_id"), Index("audit_by_subject", "subject"))
