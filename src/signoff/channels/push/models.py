from datetime import datetime

from sqlalchemy import ForeignKey, Index, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.clock import now
from signoff.kit.db.columns import Base
from signoff.kit.ids import new_id


class PushSubscription(Base):
    """One browser of one member. Its keys seal what is sent to it; they are no secret of ours."""

    __tablename__ = "push_subscriptions"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    member_id: Mapped[str] = mapped_column(ForeignKey("members.id", ondelete="CASCADE"))
    endpoint: Mapped[str]
    p256dh: Mapped[str]
    auth: Mapped[str]
    # The browser, in words: for the list of one's devices.
    device: Mapped[str] = mapped_column(default="")
    # The API token that it was made with: when that ends, this ends, too.
    bond_id: Mapped[str | None] = mapped_column(ForeignKey("credentials.id", ondelete="CASCADE"))
    reaches_private: Mapped[bool] = mapped_column(default=False, server_default=false())
    created_at: Mapped[datetime] = mapped_column(default=now)

    __table_args__ = (
        UniqueConstraint("workspace_id", "member_id", "endpoint"),
        Index("push_subscriptions_by_member", "member_id"),
        Index("push_subscriptions_by_endpoint", "endpoint"),
        Index("push_subscriptions_by_bond", "bond_id"),
    )
