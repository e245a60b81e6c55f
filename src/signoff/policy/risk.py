"""How risky a tool is, by its own word or by its class."""

from dataclasses import dataclass, replace
from enum import StrEnum

from signoff.kit.jsons import JsonObject
from signoff.policy.impact import Impact, why_critical
from signoff.policy.tool_classes import provider_of


class Risk(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        return list(Risk).index(self)


@dataclass(frozen=True)
class Assessment:
    """A level and the reasons for it."""

    level: Risk
    reasons: tuple[str, ...]
    # What these arguments do; None where nobody could say.
    impact: Impact | None = None

    def to_json(self) -> JsonObject:
        impact = {"impact": self.impact.to_json()} if self.impact else {}
        return {"level": self.level.value, "reasons": list(self.reasons), **impact}

    @classmethod
    def from_json(cls, kept: JsonObject) -> "Assessment":
        impact = Impact.from_json(kept["impact"]) if "impact" in kept else None
        return cls(Risk(kept["level"]), tuple(kept["reasons"]), impact)


READING = frozenset({"read", "query", "search"})
HIGH_OPERATIONS = frozenset(
    {
        "create",
        "modify",
        "modify_critical",
        "delete",
        "send_email",
        "send_message",
        "external_api_call",
        "financial_transaction",
        "refund",
    }
)


OWN_MEANS = "own_means"


def assess(tool: str, declared: Risk | None, operation_type: str, *, reviewed: bool) -> Assessment:
    """A tool's own declaration counts; without one, its class; what nobody knows is high.

    Neither counts for a tool that nobody `reviewed`: whoever wrote it chose its name and what it says of itself.
    """
    if not reviewed:
        level = Risk.CRITICAL if declared is Risk.CRITICAL else Risk.HIGH
        return Assessment(level, (f"Nobody has reviewed {tool}, so it counts as {level.value} risk",))
    if declared is not None:
        return Assessment(declared, (f"{tool} counts as {declared.value} risk",))
    if operation_type in READING:
        return Assessment(Risk.LOW, (f"{tool} only reads ({operation_type})",))
    if operation_type == OWN_MEANS:
        return Assessment(Risk.LOW, (f"{tool} stays with the agent",))
    if operation_type == "screenshot":
        return Assessment(Risk.MEDIUM, (f"{tool} captures a screen",))
    if operation_type in HIGH_OPERATIONS:
        where = provider_of(tool)
        acts = f"{tool} acts in {where}" if where else f"{tool} acts on the outside ({operation_type})"
        return Assessment(Risk.HIGH, (acts,))
    return Assessment(Risk.HIGH, (f"Nothing is known about {tool}, so it counts as high risk",))


def raised(found: Assessment) -> Assessment:
    """A high risk is critical with a grave impact, or when its tool did not say. No impact lowers a risk, and none
    makes one of what is none."""
    why = why_critical(found.impact) if found.level is Risk.HIGH else None
    return replace(found, level=Risk.CRITICAL, reasons=(*found.reasons, why)) if why else found
