from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Text
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.db.columns import Base, JsonText
from signoff.kit.jsons import JsonObject


class RunStep(Base):
    """How far a workflow's run is with one of its steps."""

    __tablename__ = "run_steps"

    run_id: Mapped[str] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    step: Mapped[str] = mapped_column(primary_key=True)
    # Its place in the definition.
    position: Mapped[int]
    status: Mapped[str] = mapped_column(default="pending")
    # How often it was begun.
    attempt: Mapped[int] = mapped_column(default=0)
    # The checkpoint at which it waits, or waited last, and whether that was passed: `before`, `after` or nothing.
    ask_id: Mapped[str | None]
    passed: Mapped[str | None]
    # JSON as it was written: its input and its output, where they are not its only child's.
    input: Mapped[str | None] = mapped_column(Text)
    output: Mapped[str | None] = mapped_column(Text)
    # The runs that do it, by the place of their item; none where one is still to be started.
    children: Mapped[list[Any]] = mapped_column(JsonText, default=list)
    error: Mapped[JsonObject | None] = mapped_column(JsonText)
    # When it is tried again.
    retry_at: Mapped[datetime | None]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
