"""How risky a tool is, by its own word or by its class."""

from dataclasses import dataclass
from enum import StrEnum


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


def assess(tool: str, declared: Risk | None, operation_type: str) -> Assessment:
    """A tool's own declaration counts; without one, its class; what nobody knows is high."""
    if declared is not None:
        return Assessment(declared, (f"{tool} counts as {declared.value} risk",))
    if operation_type in READING:
        return Assessment(Risk.LOW, (f"{tool} only reads ({operation_type})",))
    if operation_type == "screenshot":
        return Assessment(Risk.MEDIUM, (f"{tool} captures a screen",))
    if operation_type in HIGH_OPERATIONS:
        return Assessment(Risk.HIGH, (f"{tool} acts on the outside ({operation_type})",))
    return Assessment(Risk.HIGH, (f"Nothing is known about {tool}, so it counts as high risk",))
