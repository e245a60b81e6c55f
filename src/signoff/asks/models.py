from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.clock import now
from signoff.kit.columns import Base, JsonText
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject


class Ask(Base):
    """One thing that a run needs from a person, with everything needed to decide on one screen."""

    __tablename__ = "asks"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    run_id: Mapped[str | None] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"))
    call_id: Mapped[str | None]
    kind: Mapped[str]
    status: Mapped[str] = mapped_column(default="pending")
    agent: Mapped[str]
    run_title: Mapped[str]
    title: Mapped[str]
    description: Mapped[str] = mapped_column(default="")
    tool: Mapped[str | None]
    action_type: Mapped[str | None]
    arguments: Mapped[JsonObject | None] = mapped_column(JsonText)
    arguments_schema: Mapped[JsonObject | None] = mapped_column(JsonText)
    # What exactly is approved, and what the person saw.
    digest: Mapped[str | None]
    risk_level: Mapped[str | None]
    # 0 is critical, 3 is low or none: sorts the most risky first.
    risk_order: Mapped[int] = mapped_column(default=3)
    risk_reasons: Mapped[list[str]] = mapped_column(default=list)
    rule: Mapped[str | None]
    confidence: Mapped[float | None]
    reasoning: Mapped[str | None]
    context: Mapped[str | None]
    alternatives: Mapped[str | None]
    estimated_cost_credits: Mapped[float | None]
    response_type: Mapped[str | None]
    options: Mapped[list[Any] | None] = mapped_column(JsonText)
    schema: Mapped[JsonObject | None] = mapped_column(JsonText)
    blocking: Mapped[bool] = mapped_column(default=True)
    default: Mapped[Any] = mapped_column(JsonText, nullable=True)
    deadline: Mapped[datetime | None]
    on_timeout: Mapped[str | None]
    answer: Mapped[JsonObject | None] = mapped_column(JsonText)
    settled_by: Mapped[str | None]
    settled_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(default=now)

    __table_args__ = (
        Index("asks_by_run", "run_id", "id"),
        Index("asks_by_workspace", "workspace_id", "id"),
        Index(
            "asks_open",
            "workspace_id",
            "id",
            sqlite_where=text("status = 'pending'"),
            postgresql_where=text("status = 'pending'"),
        ),
        Index(
            "asks_open_by_risk",
            "workspace_id",
            "risk_order",
            "id",
            sqlite_where=text("status = 'pending'"),
            postgresql_where=text("status = 'pending'"),
        ),
        Index(
            "asks_open_by_kind",
            "workspace_id",
            "kind",
            "risk_order",
            sqlite_where=text("status = 'pending'"),
            postgresql_where=text("status = 'pending'"),
        ),
        Index(
            "asks_open_by_deadline",
            "deadline",
            sqlite_where=text("status = 'pending'"),
            postgresql_where=text("status = 'pending'"),
        ),
    )
