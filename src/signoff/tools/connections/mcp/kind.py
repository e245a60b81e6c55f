"""MCP servers as connections: their tools are those that the server listed."""

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from signoff.connections import tool_names
from signoff.kit import jsons
from signoff.kit.actor import Actor
from signoff.kit.errors import FieldError
from signoff.kit.jsons import JsonObject
from signoff.policy.impact import NOT_KNOWN, Impact
from signoff.tools.connections.keeping import keep_tools
from signoff.tools.connections.mcp import settings as mcp_settings
from signoff.tools.connections.mcp.faults import CutOff, NotConnected
from signoff.tools.connections.mcp.one_call import ToolIsAnother, WantedCall
from signoff.tools.connections.mcp.pool import POOL
from signoff.tools.connections.mcp.trust import Trust, trust
from signoff.tools.connections.port import Connected, ListedTool
from signoff.tools.effects import Preview
from signoff.tools.egress import host_of
from signoff.tools.registry import NeedsInput, Tool, ToolContext, ToolFailed

IS_ANOTHER = "{name} is another tool by now than when it was judged. Look at it again before you call it."
# What changes nothing by its server's word, which a person reviewed. That we could take it back is nobody's word.
READS = Impact((), "Only reads, by its server's word")


@dataclass(frozen=True)
class Mcp:
    kind: str = "mcp"
    secret_names: frozenset[str] | None = None

    def check(self, settings: JsonObject) -> list[FieldError]:
        return mcp_settings.problems(settings)

    def host(self, settings: JsonObject) -> str | None:
        target = mcp_settings.read(settings)
        return host_of(target.url) if isinstance(target, mcp_settings.Http) else None

    def tools(self, connection: Connected) -> list[Tool]:
        return [_tool(connection, each) for each in connection.listed]


def _tool(connection: Connected, listed: ListedTool) -> Tool:
    believed = trust(listed)
    # What is approved is this tool at this place: another one under its name, or elsewhere, is something else.
    identity = jsons.digest([*connection.place, listed.fingerprint])
    name = tool_names.whole_name(connection.slug, listed.name)
    return Tool(
        name=name,
        description=listed.description or f"{listed.remote_name} of {connection.name}",
        schema=listed.schema,
        function=partial(_call, connection, listed, believed),
        risk=believed.risk,
        operation_type=believed.operation_type,
        idempotent=believed.idempotent,
        source=f"connection:{connection.slug}",
        why_risky=believed.why,
        impact=READS if believed.operation_type == "read" else NOT_KNOWN,
        foreign_schema=True,
        preview=partial(_preview, connection, listed),
        dry_run=partial(_dry_run, connection, listed, believed.dry_run) if believed.dry_run else None,
        unreviewed=None if believed.reviewed else believed.why,
        identity=identity,
        is_changed=believed.changed,
    )


async def _call(
    connection: Connected, listed: ListedTool, believed: Trust, context: ToolContext, arguments: JsonObject
) -> Any:
    loop = asyncio.get_running_loop()

    def report(progress: float, total: float | None, message: str | None) -> None:
        # The session lives in a thread of its own.
        loop.call_soon_threadsafe(context.report, progress, total, message)

    wanted = WantedCall(listed, arguments, context.run_id, believed.idempotent, context.given_input, report)
    try:
        made = await POOL.call(connection, context.settings, wanted)
    except NotConnected as error:
        raise ToolFailed(f"{connection.name} could not be reached: {error}") from None
    except ToolIsAnother as found:
        await _keep(context, connection, found.listed)
        raise ToolFailed(IS_ANOTHER.format(name=tool_names.whole_name(connection.slug, listed.name))) from None
    if made.news is not None:
        await _keep(context, connection, made.news)
    return made.value


async def _dry_run(
    connection: Connected,
    listed: ListedTool,
    argument: str,
    context: ToolContext,
    arguments: JsonObject,
    seconds: float,
) -> str:
    if arguments.get(argument) is True:
        raise ToolFailed("The call is a dry run itself.")
    wanted = WantedCall(listed, {**arguments, argument: True}, context.run_id, idempotent=False)
    try:
        return await POOL.dry_run(connection, context.settings, wanted, seconds)
    except (NotConnected, CutOff) as error:
        raise ToolFailed(str(error)) from None
    except NeedsInput:
        raise ToolFailed("It asked a question first.") from None
    except ToolIsAnother:
        raise ToolFailed("The tool is another one by now than the one that was reviewed.") from None


async def _keep(context: ToolContext, connection: Connected, listed: list[ListedTool]) -> None:
    actor = Actor.system(connection.workspace_id)
    await context.db.awrite(lambda session: keep_tools(session, actor, connection, listed))


def _preview(connection: Connected, listed: ListedTool, _context: ToolContext, arguments: JsonObject) -> Preview:
    """The arguments by the labels of the schema: what the server does with them is not known before."""
    about: JsonObject = listed.schema.get("properties") or {}
    fields = [{"label": _label(name, about.get(name)), "value": _text(value)} for name, value in arguments.items()]
    return Preview("fields", f"{listed.remote_name} of {connection.name}", {"fields": fields})


def _label(name: str, about: Any) -> str:
    title = cast("JsonObject", about).get("title") if isinstance(about, dict) else None
    return title if isinstance(title, str) and title else name


def _text(value: Any) -> str:
    return value if isinstance(value, str) else jsons.dumps(value)
