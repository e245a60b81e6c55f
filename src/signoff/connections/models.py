from datetime import datetime

from sqlalchemy import ForeignKey, Index, UniqueConstraint, false, true
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.clock import now
from signoff.kit.db.columns import Base, JsonText
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject


class Connection(Base):
    """An outside system that an admin has set up. Its secrets are in the store of secrets."""

    __tablename__ = "connections"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    # Its tools are named by it: `{slug}__{tool}`.
    slug: Mapped[str]
    name: Mapped[str]
    kind: Mapped[str]
    settings: Mapped[JsonObject] = mapped_column(default=dict)
    enabled: Mapped[bool] = mapped_column(default=True, server_default=true())
    # Grows when it is reached in another way, so that nobody goes on by the old one.
    version: Mapped[int] = mapped_column(default=1, server_default="1")
    # Grows when its tools are other ones, or are reviewed.
    tools_version: Mapped[int] = mapped_column(default=0, server_default="0")
    # When its server last said which tools it has; none: it was never asked, or its tools are ours.
    listed_at: Mapped[datetime | None]
    last_error: Mapped[str | None]
    created_by: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(default=now)
    updated_at: Mapped[datetime] = mapped_column(default=now)

    __table_args__ = (UniqueConstraint("workspace_id", "slug", name="connections_by_slug"),)


class ConnectionTool(Base):
    """A tool as the server of a connection describes it, and what a person said to that."""

    __tablename__ = "connection_tools"

    connection_id: Mapped[str] = mapped_column(ForeignKey("connections.id", ondelete="CASCADE"), primary_key=True)
    # Behind the slug; of letters that every model takes.
    name: Mapped[str] = mapped_column(primary_key=True)
    # As the server calls it.
    remote_name: Mapped[str]
    # Where it stands in the server's list.
    position: Mapped[int]
    description: Mapped[str]
    schema: Mapped[JsonObject]
    annotations: Mapped[JsonObject]
    # Of all three.
    fingerprint: Mapped[str]
    # The server has it no longer; its review is kept for when it comes back the same.
    gone: Mapped[bool] = mapped_column(default=False, server_default=false())
    reviewed_fingerprint: Mapped[str | None]
    reviewed_by: Mapped[str | None]
    reviewed_at: Mapped[datetime | None]
    # What the review says; none: what the annotations give.
    risk: Mapped[str | None]
    # The argument that makes a call of it a dry run, by the review; none: it has none that anybody trusts.
    dry_run: Mapped[str | None]


class ConnectionGrant(Base):
    """One run may use one connection: all of its tools, or those named."""

    __tablename__ = "connection_grants"

    run_id: Mapped[str] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    connection_id: Mapped[str] = mapped_column(ForeignKey("connections.id", ondelete="CASCADE"), primary_key=True)
    # By their names behind the slug; none: all.
    tools: Mapped[list[str] | None] = mapped_column(JsonText)
    granted_by: Mapped[str]
    granted_at: Mapped[datetime] = mapped_column(default=now)
    revoked_at: Mapped[datetime | None]
    revoked_by: Mapped[str | None]

    __table_args__ = (Index("connection_grants_by_connection", "connection_id"),)
