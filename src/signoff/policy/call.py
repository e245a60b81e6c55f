"""What an agent wants to do, and what it is allowed in general."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import fields as dataclass_fields
from datetime import datetime
from enum import StrEnum
from typing import Any

from signoff.kit.jsons import JsonObject, digest
from signoff.policy.risk import Assessment, Risk


class Autonomy(StrEnum):
    """How much an agent may do without a person."""

    FULL = "full"
    APPROVE_HIGH_RISK = "approve_high_risk"
    APPROVE_MILESTONES = "approve_milestones"
    APPROVE_ALL = "approve_all"

    @classmethod
    def _missing_(cls, value: object) -> "Autonomy | None":
        """Seed 004 spells the first one differently."""
        return cls.FULL if value == "full_auto" else None


# What rules can be about: a call, which needs an approval, and what else an agent puts before people.
CALLS = "approval"
# The tool, as rules call it, of a place in a workflow where a person looks at the data; no agent reads what they say.
CHECKPOINT = "checkpoint"
RULED_KINDS = (CALLS, "plan", "milestone", "budget", "question")

# The field that names the schedule which started the run.
SCHEDULE = "schedule"


@dataclass(frozen=True, slots=True)
class ProposedCall:
    """What an agent wants to do, or what else it puts before people."""

    tool: str
    assessment: Assessment
    # A control tool: progress, deliverable, question, completion. They never ask.
    is_control: bool = False
    operation_type: str = ""
    arguments: JsonObject = field(default_factory=dict[str, Any])
    confidence: float | None = None
    # In credits.
    cost: float | None = None
    agent: str | None = None
    workflow: str | None = None
    # Whose call it is, for rollouts: the run.
    scope: str = ""
    # Further context for custom fields: the run's input, who started it, …
    fields: JsonObject = field(default_factory=dict[str, Any])
    # The tool's own, where it is known: what it declares and the call leaves out is not known.
    schema: JsonObject | None = None
    # One of `RULED_KINDS`. Rules that name none are about calls.
    ask_kind: str = CALLS

    @property
    def is_scheduled(self) -> bool:
        """Whether a schedule started the run; what comes from outside has no run."""
        return self.fields.get(SCHEDULE) is not None

    @property
    def key(self) -> str:
        """A rollout is decided by run and content: the same call, tried again, gets the same fate."""
        return f"{self.scope}:{self.tool}:{digest(self.arguments)}"

    def to_json(self) -> JsonObject:
        """All that policy looks at, for keeping: but for arguments and schema, which an ask has by themselves."""
        seen = {name: getattr(self, name) for name in _KEPT}
        seen["assessment"] = self.assessment.to_json()
        return {name: value for name, value in seen.items() if value is not _KEPT[name] and value != {}}

    @classmethod
    def from_json(cls, kept: JsonObject, arguments: JsonObject, schema: JsonObject | None) -> "ProposedCall":
        """The call as it was kept, with the arguments it is about now."""
        seen: JsonObject = {name: value for name, value in kept.items() if name in _KEPT}
        assessment = Assessment.from_json(seen.pop("assessment"))
        return cls(assessment=assessment, arguments=arguments, schema=schema, **seen)


# Each by its default, which needs no place.
_KEPT = {each.name: each.default for each in dataclass_fields(ProposedCall) if each.name not in ("arguments", "schema")}


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a person allowed from then on: a tool up to a risk, until a time, and only calls that fit."""

    id: str
    tool: str
    # Calls of a higher risk than what the person saw still ask.
    risk: Risk
    # Put into words only for the one that covers.
    words: Callable[[], str]
    until: datetime | None = None
    # None: whatever its arguments, as allowances were given before they were narrow.
    fits: Callable[[ProposedCall], bool | None] | None = None

    def covers(self, call: ProposedCall, at: datetime | None) -> bool:
        if call.tool != self.tool or call.assessment.level.rank > self.risk.rank:
            return False
        if self.until is not None and (at is None or at >= self.until):
            return False
        return self.fits is None or self.fits(call) is True


@dataclass(frozen=True, slots=True)
class Stance:
    """What the agent is allowed in general."""

    autonomy: Autonomy
    overrides: Mapping[str, str] = field(default_factory=dict[str, str])
    allowances: Sequence[Allowance] = ()
