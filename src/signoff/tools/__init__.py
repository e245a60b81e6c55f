"""What agents can do: the registry and the built-in tools."""

from signoff.tools.registry import ToolContext, ToolFailed, tool

__all__ = ["ToolContext", "ToolFailed", "tool"]
