"""How far a tool is believed: its annotations are its server's word, until a person has reviewed them. Pure."""

from dataclasses import dataclass

from signoff.policy.risk import Risk
from signoff.tools.connections.port import ListedTool

NEVER = "Nobody has reviewed this tool, so it counts as high risk"
CHANGED = "It changed since its review, so it counts as high risk until somebody reviews it again"


@dataclass(frozen=True)
class Trust:
    """What policy is told of a tool."""

    risk: Risk
    why: str
    operation_type: str = "external_api_call"
    idempotent: bool = False
    reviewed: bool = True
    changed: bool = False
    # The argument that makes a call a dry run.
    dry_run: str | None = None


def trust(tool: ListedTool) -> Trust:
    """By its review, if that was of what the tool is now."""
    if tool.reviewed_fingerprint is None:
        return Trust(Risk.HIGH, NEVER, reviewed=False)
    if tool.reviewed_fingerprint != tool.fingerprint:
        return Trust(Risk.HIGH, CHANGED, reviewed=False, changed=True)
    reads = tool.annotations.get("read_only") is True
    same_twice = reads or tool.annotations.get("idempotent") is True
    risk, why = (
        (tool.risk, f"{tool.reviewed_by} reviewed it as {tool.risk.value} risk") if tool.risk else _by_hints(tool)
    )
    return Trust(risk, why, "read" if reads else "external_api_call", same_twice, dry_run=tool.dry_run)


def _by_hints(tool: ListedTool) -> tuple[Risk, str]:
    said, by = tool.annotations, f"by its annotations, which {tool.reviewed_by} reviewed"
    if said.get("read_only") is True and said.get("open_world") is False:
        return Risk.LOW, f"It only reads, and only what the server itself has, {by}"
    if said.get("read_only") is True:
        return Risk.MEDIUM, f"It only reads, perhaps from the outside, {by}"
    if said.get("destructive") is False:
        return Risk.MEDIUM, f"It adds and destroys nothing, {by}"
    return (
        Risk.HIGH,
        f"It may change or destroy something, {by}" if said else "Its server says nothing about what it does",
    )
