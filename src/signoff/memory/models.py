from datetime import datetime

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.clock import now
from signoff.kit.db.columns import Base
from signoff.kit.ids import new_id


class MemoryNote(Base):
    """One thing that an agent keeps. Its text is untrusted, whoever wrote it: it may come from any page it read."""

    __tablename__ = "memory_notes"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    # Whose it is, by slug: each agent knows its own only.
    agent: Mapped[str]
    # A name by which the agent finds and replaces it.
    key: Mapped[str | None]
    text: Mapped[str]
    created_by: Mapped[str]
    updated_by: Mapped[str]
    # The run that wrote it last; none if a person did.
    run_id: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(default=now)
    updated_at: Mapped[datetime] = mapped_column(default=now)

    __table_args__ = (
        UniqueConstraint("workspace_id", "agent", "key"),
        Index("memory_notes_by_agent", "workspace_id", "agent", "id"),
    )
