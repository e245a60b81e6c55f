from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.clock import now
from signoff.kit.db.columns import Base
from signoff.kit.ids import new_id


def _where(condition: str) -> dict[str, Any]:
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


class Deliverable(Base):
    """One version of a file that a run hands over. Small ones are inline, large ones in the file store."""

    __tablename__ = "deliverables"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    run_id: Mapped[str] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"))
    agent: Mapped[str]
    # As people know them; none on rows from before.
    agent_name: Mapped[str | None]
    run_title: Mapped[str | None]
    name: Mapped[str]
    type: Mapped[str]
    mime_type: Mapped[str]
    description: Mapped[str] = mapped_column(default="")
    status: Mapped[str] = mapped_column(default="draft")
    version: Mapped[int]
    # Only the newest version is listed.
    newest: Mapped[bool] = mapped_column(default=True)
    size_bytes: Mapped[int] = mapped_column(BigInteger().with_variant(Integer(), "sqlite"))
    storage: Mapped[str]
    content: Mapped[bytes | None]
    file_key: Mapped[str | None]
    external_url: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(default=now)
    updated_at: Mapped[datetime] = mapped_column(default=now)

    __table_args__ = (
        UniqueConstraint("run_id", "name", "version"),
        Index("deliverables_by_workspace", "workspace_id", "newest", "id"),
        # Whether a stored file is still some deliverable's.
        Index("deliverables_by_file", "file_key", **_where("file_key IS NOT NULL")),
    )
