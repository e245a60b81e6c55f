from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.clock import now
from signoff.kit.db.columns import Base, JsonText
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject


class PolicyRow(Base):
    """A workspace's rules as they are now."""

    __tablename__ = "policies"

    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"), primary_key=True)
    version: Mapped[int] = mapped_column(default=0)
    # Grows with every change that matters to a verdict; processes keep what they compiled by it.
    stamp: Mapped[int] = mapped_column(default=0)
    yaml: Mapped[str] = mapped_column(default="")
    # The emergency stop: nothing is auto-approved.
    stopped: Mapped[bool] = mapped_column(default=False)
    stopped_by: Mapped[str | None]
    stopped_at: Mapped[datetime | None]
    # The watched file, when the rules come from one, and what is wrong with what stands there now.
    file: Mapped[str | None]
    file_problems: Mapped[list[Any] | None] = mapped_column(JsonText)
    updated_by: Mapped[str | None]
    updated_at: Mapped[datetime] = mapped_column(default=now)


class RuleVersion(Base):
    """What the rules were."""

    __tablename__ = "rule_versions"

    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    yaml: Mapped[str]
    note: Mapped[str | None]
    created_by: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(default=now)


class Allowance(Base):
    """A person said: allow what is like this from now on, for a run or for an agent."""

    __tablename__ = "allowances"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    agent: Mapped[str]
    # Empty: for every run of the agent.
    run_id: Mapped[str | None] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"))
    tool: Mapped[str]
    # Calls of a higher risk than what the person saw still ask.
    risk_level: Mapped[str]
    # Which arguments: {where, arguments}. None on those from before there were patterns, which are wide.
    pattern: Mapped[JsonObject | None] = mapped_column(JsonText)
    expires_at: Mapped[datetime | None]
    ask_id: Mapped[str]
    created_by: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(default=now)
    revoked_by: Mapped[str | None]
    revoked_at: Mapped[datetime | None]

    __table_args__ = (
        Index("allowances_by_tool", "workspace_id", "agent", "tool"),
        Index("allowances_by_run", "run_id"),
    )


class RuleProposal(Base):
    """A rule that somebody proposed while answering, or a suggestion that somebody does not want to see again."""

    __tablename__ = "proposals"

    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"), primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    state: Mapped[str]
    agent: Mapped[str]
    tool: Mapped[str]
    ask_id: Mapped[str | None]
    by: Mapped[str]
    at: Mapped[datetime] = mapped_column(default=now)
