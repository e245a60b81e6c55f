"""`evaluate(call, stance) → Verdict`: allow, ask or deny, with the reasons."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from signoff.policy.risk import Assessment, Risk


class Autonomy(StrEnum):
    """How much an agent may do without a person."""

    FULL = "full"
    APPROVE_HIGH_RISK = "approve_high_risk"
    APPROVE_MILESTONES = "approve_milestones"
    APPROVE_ALL = "approve_all"


@dataclass(frozen=True)
class ProposedCall:
    """What an agent wants to do."""

    tool: str
    assessment: Assessment
    # The agent's own means: progress, deliverable, question, completion. They never ask.
    own_means: bool = False


@dataclass(frozen=True)
class Stance:
    """What the agent is allowed in general."""

    autonomy: Autonomy
    overrides: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Allow:
    reasons: tuple[str, ...]
    risk: Assessment
    rule: str | None = None


@dataclass(frozen=True)
class AskFirst:
    reasons: tuple[str, ...]
    risk: Assessment
    rule: str | None = None


@dataclass(frozen=True)
class Deny:
    reasons: tuple[str, ...]
    risk: Assessment
    rule: str | None = None


Verdict: TypeAlias = Allow | AskFirst | Deny
LEVELS = frozenset(level.value for level in Risk)


def evaluate(call: ProposedCall, stance: Stance) -> Verdict:
    """The agent's override for the tool decides; else autonomy and risk; what cannot be evaluated asks."""
    if call.own_means:
        return Allow((f"{call.tool} is the agent's own means",), call.assessment)
    override = stance.overrides.get(call.tool)
    if override == "safe":
        return Allow((f"The agent's settings call {call.tool} safe",), call.assessment)
    if override == "approval_required":
        return AskFirst((f"The agent's settings want approval for {call.tool}",), call.assessment)
    risk = call.assessment
    if override in LEVELS:
        level = Risk(override)
        risk = Assessment(level, (f"The agent's settings call {call.tool} {level.value} risk",))
    elif override is not None:
        return AskFirst((f"The agent's override {override!r} for {call.tool} is unknown, so a person decides",), risk)
    return _by_autonomy(stance.autonomy, risk)


def _by_autonomy(autonomy: Autonomy, risk: Assessment) -> Verdict:
    level = risk.level
    match autonomy:
        case Autonomy.FULL:
            return Allow(("This agent may act on its own (autonomy: full)",), risk)
        case Autonomy.APPROVE_MILESTONES:
            return Allow(("Only this agent's milestones are reviewed (autonomy: approve_milestones)",), risk)
        case Autonomy.APPROVE_ALL:
            return AskFirst(("Every action of this agent needs a person (autonomy: approve_all)",), risk)
        case Autonomy.APPROVE_HIGH_RISK:
            if level.rank >= Risk.HIGH.rank:
                return AskFirst(
                    (f"This agent asks before {level.value}-risk actions (autonomy: approve_high_risk)", *risk.reasons),
                    risk,
                )
            return Allow(
                (
                    f"This agent may take {level.value}-risk actions on its own (autonomy: approve_high_risk)",
                    *risk.reasons,
                ),
                risk,
            )
