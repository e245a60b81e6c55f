"""What an agent wants to do, and what it is allowed in general."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from signoff.kit.jsons import JsonObject
from signoff.policy.risk import Assessment, Risk


class Autonomy(StrEnum):
    """How much an agent may do without a person."""

    FULL = "full"
    APPROVE_HIGH_RISK = "approve_high_risk"
    APPROVE_MILESTONES = "approve_milestones"
    APPROVE_ALL = "approve_all"


@dataclass(frozen=True, slots=True)
class ProposedCall:
    """What an agent wants to do."""

    tool: str
    assessment: Assessment
    # The agent's own means: progress, deliverable, question, completion. They never ask.
    is_control: bool = False
    operation_type: str = ""
    arguments: JsonObject = field(default_factory=dict[str, Any])
    confidence: float | None = None
    # In credits.
    cost: float | None = None
    agent: str | None = None
    workflow: str | None = None
    # A rollout is decided by this, so the same call always gets the same fate.
    key: str = ""
    # Further context for custom fields: the run's input, who started it, …
    fields: JsonObject = field(default_factory=dict[str, Any])
    # The tool's own, where it is known: what it declares and the call leaves out is not known.
    schema: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class Stance:
    """What the agent is allowed in general."""

    autonomy: Autonomy
    overrides: Mapping[str, str] = field(default_factory=dict[str, str])
    # Tool → the highest risk that a person allowed for good.
    allowances: Mapping[str, Risk] = field(default_factory=dict[str, Risk])
