from datetime import datetime
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, true
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.clock import now
from signoff.kit.db.columns import Base, JsonText
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject


class Scope(StrEnum):
    """How far a lesson reaches: as far as it was learnt, unless a person widened it."""

    AGENT_AND_TOOL = "agent_and_tool"
    # The same tool, whichever agent uses it.
    ALL_AGENTS = "all_agents"
    # The same agent, whichever tool it uses.
    ALL_TOOLS = "all_tools"


class Lesson(Base):
    """One correction: what was proposed, what a person made of it, and why."""

    __tablename__ = "lessons"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    # edited | refused | redirected | merged
    kind: Mapped[str]
    agent: Mapped[str]
    tool: Mapped[str]
    scope: Mapped[str] = mapped_column(default=Scope.AGENT_AND_TOOL.value, server_default=Scope.AGENT_AND_TOOL.value)
    # In which situation: the run's title.
    scenario: Mapped[str]
    original: Mapped[JsonObject | None] = mapped_column(JsonText)
    changed: Mapped[JsonObject | None] = mapped_column(JsonText)
    reason: Mapped[str | None]
    # What a person wrote in place of the sentence that is made of the rest.
    own_text: Mapped[str | None]
    # Switched off, nobody is told.
    active: Mapped[bool] = mapped_column(default=True, server_default=true())
    ask_id: Mapped[str]
    run_id: Mapped[str | None]
    created_by: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(default=now)

    __table_args__ = (Index("lessons_by_tool", "workspace_id", "tool", "id"),)


class ToldLesson(Base):
    """What an agent read in a run, in the words of that moment; the lesson may be changed or gone since."""

    __tablename__ = "told_lessons"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    run_id: Mapped[str] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"))
    lesson_id: Mapped[str]
    tool: Mapped[str]
    text: Mapped[str]
    told_at: Mapped[datetime] = mapped_column(default=now)

    __table_args__ = (Index("told_lessons_by_run", "run_id", "id"),)
