from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.clock import now
from signoff.kit.db.columns import Base
from signoff.kit.ids import new_id


class Upload(Base):
    """A file that somebody gave: kept beside the runs until one takes it, then in that run's folder."""

    __tablename__ = "uploads"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    created_by: Mapped[str]
    name: Mapped[str]
    size_bytes: Mapped[int] = mapped_column(BigInteger())
    sha256: Mapped[str]
    # Which run has it, and where in its folder; none while it waits for one.
    run_id: Mapped[str | None] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"))
    path: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(default=now)

    __table_args__ = (
        Index("uploads_by_workspace", "workspace_id"),
        Index("uploads_by_run", "run_id"),
        Index("uploads_by_age", "created_at"),
    )
