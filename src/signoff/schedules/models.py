from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.clock import now
from signoff.kit.db.columns import Base, JsonText
from signoff.kit.ids import new_id
from signoff.workspaces.mandates import Mandate


class Schedule(Base):
    """An agent or a workflow that runs by the clock, in the name of whoever made the schedule."""

    __tablename__ = "schedules"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    name: Mapped[str | None]
    # By slug, one of them: what it is when the time comes is what runs.
    agent: Mapped[str | None]
    workflow: Mapped[str | None]
    task: Mapped[str | None]
    input: Mapped[Any] = mapped_column(JsonText, nullable=True)
    cron: Mapped[str]
    timezone: Mapped[str]
    enabled: Mapped[bool]
    # Why Signoff switched it off; none where a person did.
    disabled_reason: Mapped[str | None]
    # When it is due; none while it is off.
    next_at: Mapped[datetime | None]
    last_at: Mapped[datetime | None]
    last_run_id: Mapped[str | None] = mapped_column(ForeignKey("runs.id", ondelete="SET NULL"))
    # Why the last time started nothing, and how often in a row.
    last_error: Mapped[str | None]
    failures: Mapped[int] = mapped_column(default=0)
    created_by: Mapped[str]
    # Whose rights its runs have, and no more of them than what it was made with had.
    owner_id: Mapped[str] = mapped_column(ForeignKey("users.id"))
    scope: Mapped[str | None]
    # The users who made what it was made with, if that was somebody else: good while they are admins.
    makers: Mapped[list[str]] = mapped_column(default=list)
    # The API token that it was made or changed with: it ends with it.
    bond_id: Mapped[str | None]
    # Who had a hand in it, by label and user id: none of them is the other pair of eyes.
    parties: Mapped[list[str]] = mapped_column(default=list)
    created_at: Mapped[datetime] = mapped_column(default=now)
    updated_at: Mapped[datetime] = mapped_column(default=now)

    __table_args__ = (
        CheckConstraint("(agent IS NULL) <> (workflow IS NULL)", name="schedule_target"),
        Index("schedules_by_workspace", "workspace_id", "id"),
        Index(
            "schedules_due",
            "next_at",
            sqlite_where=text("next_at IS NOT NULL"),
            postgresql_where=text("next_at IS NOT NULL"),
        ),
        Index("schedules_by_last_run", "last_run_id"),
    )

    @property
    def mandate(self) -> Mandate:
        """In whose name it starts runs."""
        makers = tuple(self.makers)
        return Mandate(self.workspace_id, self.owner_id, self.created_by, self.scope, makers, self.bond_id)

    @property
    def title(self) -> str:
        """How people know it."""
        return self.name or f"{self.agent or self.workflow} ({self.cron})"
