from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from signoff.catalog.models import AgentRevision
from signoff.kit.jsons import JsonObject
from signoff.kit.text.fields import Line, LongText, Name, Slug
from signoff.kit.waiting_time import WaitingMinutes
from signoff.policy.evaluate import Autonomy

Override = Literal["low", "medium", "high", "critical", "safe", "approval_required"]
ModelName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]*:.+$", max_length=200, description="provider:model")]

Host = Annotated[str, Field(pattern=r"^(\*\.)?[^\s*/:@?#]+$", max_length=253)]


MOST_CREDITS = 1_000_000


class Limits(BaseModel):
    """How long, how costly and how many steps a run may become."""

    model_config = ConfigDict(extra="forbid")

    max_duration_hours: float = Field(default=4.0, ge=0, le=24, description="Working time; 0 means no limit.")
    max_cost_credits: float = Field(default=100.0, ge=0, le=MOST_CREDITS, description="0 means no limit.")
    max_iterations: int = Field(default=500, ge=1, le=100_000)
    waiting_counts: bool = Field(default=False, description="Also count the time spent waiting for people.")
    ask_at_limit: bool = Field(
        default=False,
        exclude_if=lambda asks: not asks,
        description="At the cost limit, ask for more instead of ending.",
    )


def _unsaid(value: Any) -> bool:
    return value is None or value == []


class AgentNotifications(BaseModel):
    """Who is told about an agent's runs outside the app, and where. What is not said is as people and channels are."""

    # Definitions from before there were channels may hold other fields.
    model_config = ConfigDict(extra="allow")

    channels: list[Name] = Field(
        default=[], max_length=20, exclude_if=_unsaid, description="Channels by name or kind; empty: all."
    )
    recipients: list[Line] = Field(
        default=[],
        max_length=50,
        exclude_if=_unsaid,
        description="Emails, `role:…` or `group:…`, unless a rule names some.",
    )
    slack_channel_id: Line | None = Field(
        default=None, exclude_if=_unsaid, description="Another conversation than the Slack channel's."
    )
    email_on_completion: bool | None = Field(
        default=None, exclude_if=_unsaid, description="Mail who started a run when it is completed."
    )
    email_on_approval_needed: bool | None = Field(
        default=None,
        exclude_if=_unsaid,
        description="On: mail at once, beside a push. Off: no mail for its asks. Null: as people want it.",
    )


class LimitsIn(BaseModel):
    """Limits to change for one run; what is absent stays as the agent has it."""

    model_config = ConfigDict(extra="forbid")

    max_duration_hours: float | None = Field(default=None, ge=0, le=24)
    max_cost_credits: float | None = Field(default=None, ge=0, le=MOST_CREDITS)
    max_iterations: int | None = Field(default=None, ge=1, le=100_000)
    waiting_counts: bool | None = None
    ask_at_limit: bool | None = None


class AgentDefinition(BaseModel):
    """Everything that a revision freezes."""

    model_config = ConfigDict(extra="forbid")

    name: Name
    title: Line = ""
    description: LongText = ""
    avatar_url: Line = ""
    category: Line = ""
    tags: list[Line] = []
    expertise_areas: list[Line] = []
    example_tasks: list[LongText] = []
    typical_deliverables: list[Any] = []
    instructions: LongText = ""
    model: ModelName
    fallback_models: list[ModelName] = []
    temperature: float | None = Field(default=None, ge=0, le=2)
    max_tokens: int = Field(default=4096, ge=1, le=1_000_000)
    tools: list[Line] = []
    connections_required: list[Any] = []
    autonomy: Autonomy = Autonomy.APPROVE_HIGH_RISK
    mode: Literal["auto", "plan"] = "auto"
    clarify: bool = False
    clarification_max_exchanges: int = Field(default=3, ge=0, le=20)
    risk_overrides: dict[str, Override] = {}
    limits: Limits = Limits()
    egress: list[Host] | None = Field(
        default=None,
        max_length=500,
        description="Hosts its tools may reach: example.org, *.example.org. Null: any public host.",
    )
    question_timeout_minutes: WaitingMinutes | None = Field(
        default=None,
        description="How long its questions wait, in minutes; none: no limit. Null: the workspace's setting.",
    )
    output_schema: JsonObject | None = None
    notifications: AgentNotifications = AgentNotifications()
    featured: bool = False
    sort_order: int = Field(
        default=0,
        ge=-1_000_000,
        le=1_000_000,
        description="Position in lists of agents: lowest first.",
    )
    status: Literal["active", "beta", "deprecated"] = "active"
    persona: bool = False


class AgentIn(AgentDefinition):
    slug: Slug


class AgentPatch(BaseModel):
    """Any of an agent's fields; they replace what was there."""

    model_config = ConfigDict(extra="allow")

    def given(self) -> JsonObject:
        return self.model_extra or {}


class AgentOut(AgentDefinition):
    slug: str
    revision: int
    created_at: datetime
    updated_at: datetime


class SavedAgentOut(AgentOut):
    warnings: list[str] = Field(description="What is saved but cannot work, such as a channel that is not on.")


class RevisionOut(BaseModel):
    revision: int
    created_by: str
    created_at: datetime
    definition: AgentDefinition

    @classmethod
    def of(cls, row: AgentRevision) -> "RevisionOut":
        definition = AgentDefinition.model_validate(row.definition)
        return cls(revision=row.revision, created_by=row.created_by, created_at=row.created_at, definition=definition)
