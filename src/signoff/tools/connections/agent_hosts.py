"""The hosts that an agent may reach bind the tools of its connections, too."""

from dataclasses import replace
from typing import Any

from signoff.kit.jsons import JsonObject
from signoff.tools.effects import Preview
from signoff.tools.registry import Tool, ToolContext, ToolFailed


def bound_to(host: str, tool: Tool) -> Tool:
    """The same tool, for agents alone that may reach the host where its connection leads."""
    look, dry_run = tool.preview, tool.dry_run

    async def run(context: ToolContext, arguments: JsonObject) -> Any:
        _require(context, host)
        return await tool.function(context, arguments)

    def preview(context: ToolContext, arguments: JsonObject) -> Preview:
        assert look is not None, "only what has a preview gets this one"
        _require(context, host)
        return look(context, arguments)

    async def try_only(context: ToolContext, arguments: JsonObject, seconds: float) -> str:
        assert dry_run is not None, "only what has a dry run gets this one"
        _require(context, host)
        return await dry_run(context, arguments, seconds)

    looks = {"preview": preview if look else None, "dry_run": try_only if dry_run else None}
    return replace(tool, function=run, **looks)


def _require(context: ToolContext, host: str) -> None:
    if not context.reach.lists_allow(host):
        raise ToolFailed(f"{host} is not among the hosts that this agent may reach.")
