"""What agents can do: the registry and the built-in tools."""

from signoff.policy.impact import Impact, ImpactKind
from signoff.tools.registry import ToolContext, ToolFailed, tool

__all__ = ["Impact", "ImpactKind", "ToolContext", "ToolFailed", "tool"]
