from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy import text as sql
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.clock import now
from signoff.kit.db.columns import Base
from signoff.kit.ids import new_id


class Comment(Base):
    """One line of the conversation about an ask. The agent's stands there, pending, from when it was asked."""

    __tablename__ = "comments"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    ask_id: Mapped[str] = mapped_column(ForeignKey("asks.id", ondelete="CASCADE"))
    # person | agent
    kind: Mapped[str]
    # A person's email, or the agent's slug.
    author: Mapped[str]
    text: Mapped[str] = mapped_column(default="")
    # The emails of members whom it names.
    mentions: Mapped[list[str]] = mapped_column(default=list)
    # A person's question to the agent.
    to_agent: Mapped[bool] = mapped_column(default=False)
    # Of an agent's reply: pending | answered | failed, and the question that it replies to.
    state: Mapped[str | None]
    question_id: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(default=now)
    # Who makes the reply, until when they keep it, and how many began to: what is stored goes by all of it.
    owner: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    tries: Mapped[int] = mapped_column(default=0)
    tokens_input: Mapped[int] = mapped_column(default=0)
    tokens_output: Mapped[int] = mapped_column(default=0)
    cost_credits: Mapped[float] = mapped_column(default=0.0)
    # The model had no known price: only its tokens are counted.
    cost_incomplete: Mapped[bool] = mapped_column(default=False)
    # What it used is not among the run's own figures yet.
    uncounted: Mapped[bool] = mapped_column(default=False)

    __table_args__ = (
        Index("comments_by_ask", "ask_id", "id"),
        # At most one question at a time: the database sees to it, too.
        Index(
            "comments_pending",
            "ask_id",
            unique=True,
            sqlite_where=sql("state = 'pending'"),
            postgresql_where=sql("state = 'pending'"),
        ),
        Index("comments_uncounted", "id", sqlite_where=sql("uncounted = 1"), postgresql_where=sql("uncounted")),
    )
