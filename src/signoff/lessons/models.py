from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.clock import now
from signoff.kit.db.columns import Base, JsonText
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject


class Lesson(Base):
    """One correction: what was proposed, what a person made of it, and why."""

    __tablename__ = "lessons"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    # edited | refused | redirected
    kind: Mapped[str]
    agent: Mapped[str]
    tool: Mapped[str]
    # In which situation: the run's title.
    scenario: Mapped[str]
    original: Mapped[JsonObject | None] = mapped_column(JsonText)
    changed: Mapped[JsonObject | None] = mapped_column(JsonText)
    reason: Mapped[str | None]
    ask_id: Mapped[str]
    run_id: Mapped[str | None]
    created_by: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(default=now)

    __table_args__ = (Index("lessons_by_tool", "workspace_id", "tool", "id"),)
