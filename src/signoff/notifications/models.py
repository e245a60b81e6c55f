from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.clock import now
from signoff.kit.db.columns import Base
from signoff.kit.ids import new_id


class Notification(Base):
    """One line for the people of a workspace."""

    __tablename__ = "notifications"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    run_id: Mapped[str | None] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"))
    channel: Mapped[str]
    sender: Mapped[str]
    text: Mapped[str]
    # Whom it is meant for; empty: everybody. Each is an e-mail, `role:…` or `group:…`.
    recipients: Mapped[list[str]] = mapped_column(default=list)
    ask_id: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(default=now)
    read_at: Mapped[datetime | None]

    __table_args__ = (Index("notifications_by_workspace", "workspace_id", "id"),)
