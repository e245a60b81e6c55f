from datetime import datetime

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.clock import now
from signoff.kit.db.columns import Base
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject


class Workflow(Base):
    """A workflow's name in a workspace, its newest revision and the one that runs."""

    __tablename__ = "workflows"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    slug: Mapped[str]
    name: Mapped[str]
    # The newest revision's number; the deployed one's, and its id. None: it was never deployed.
    version: Mapped[int] = mapped_column(default=0)
    deployed_version: Mapped[int | None]
    deployed_id: Mapped[str | None]
    created_by: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(default=now)
    updated_at: Mapped[datetime] = mapped_column(default=now)
    deleted_at: Mapped[datetime | None]

    __table_args__ = (
        Index(
            "workflows_by_slug",
            "workspace_id",
            "slug",
            unique=True,
            sqlite_where=text("deleted_at IS NULL"),
            postgresql_where=text("deleted_at IS NULL"),
        ),
    )


class WorkflowRevision(Base):
    """What a workflow said at one time. It never changes: runs refer to it."""

    __tablename__ = "workflow_revisions"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workflow_id: Mapped[str] = mapped_column(ForeignKey("workflows.id"))
    number: Mapped[int]
    definition: Mapped[JsonObject]
    # As it was written, with its comments.
    source: Mapped[str]
    saved_by: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(default=now)

    __table_args__ = (UniqueConstraint("workflow_id", "number", name="workflow_revisions_by_number"),)
