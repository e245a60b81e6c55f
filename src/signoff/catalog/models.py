from datetime import datetime

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.clock import now
from signoff.kit.db.columns import Base
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject


class Agent(Base):
    """An agent by its slug; what it is now stands in its newest revision."""

    __tablename__ = "agents"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    slug: Mapped[str]
    name: Mapped[str]
    # As its newest revision has it: agents are listed in this order.
    sort_order: Mapped[int] = mapped_column(default=0, server_default="0")
    revision: Mapped[int] = mapped_column(default=1)
    revision_id: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(default=now)
    updated_at: Mapped[datetime] = mapped_column(default=now)
    # Deleted agents keep their revisions: old runs still show who worked.
    deleted_at: Mapped[datetime | None]

    __table_args__ = (UniqueConstraint("workspace_id", "slug"),)


class AgentRevision(Base):
    """What an agent was at one time. Never changed; a run keeps the one it started with."""

    __tablename__ = "agent_revisions"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    slug: Mapped[str]
    revision: Mapped[int]
    definition: Mapped[JsonObject]
    created_by: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(default=now)

    __table_args__ = (UniqueConstraint("workspace_id", "slug", "revision"),)
