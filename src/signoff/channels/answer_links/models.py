from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.clock import now
from signoff.kit.db.columns import Base


class AnswerLink(Base):
    """Lets one member answer one ask as it was when the message went out, once. Only the token's hash is kept."""

    __tablename__ = "answer_links"

    hash: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    ask_id: Mapped[str] = mapped_column(ForeignKey("asks.id", ondelete="CASCADE"))
    member_id: Mapped[str] = mapped_column(ForeignKey("members.id", ondelete="CASCADE"))
    # By which channel it went: those who keep that channel could have read it.
    channel_id: Mapped[str] = mapped_column(ForeignKey("channels.id", ondelete="CASCADE"))
    # What the message was about; none: the ask had none.
    digest: Mapped[str | None]
    # link: a page; reply: an answer by mail.
    purpose: Mapped[str] = mapped_column(default="link")
    created_at: Mapped[datetime] = mapped_column(default=now)
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]

    __table_args__ = (
        Index("answer_links_by_ask", "ask_id"),
        Index("answer_links_by_member", "member_id"),
        Index("answer_links_by_channel", "channel_id"),
        Index("answer_links_by_end", "expires_at"),
    )
