"""What the calls of asks would change, for those below the tools in the order of imports."""

from signoff.asks.effects.previews import PreviewOf
from signoff.asks.models import Ask
from signoff.kit.db.database import Database
from signoff.kit.jsons import JsonObject
from signoff.kit.settings import Settings
from signoff.tools.connections.available import ConnectionTools, granted_tool
from signoff.tools.previews import as_batch, make_preview, make_previews
from signoff.tools.registry import Registry, Tool, ToolContext
from signoff.tools.tool_impacts import NO_RUN


def tool_previews(registry: Registry, connected: ConnectionTools, settings: Settings, db: Database) -> PreviewOf:
    """By the tools that this process knows, and the folders of its runs."""

    def context(ask: Ask) -> ToolContext:
        run_id = ask.run_id or NO_RUN
        folder = settings.runs_folder / run_id
        return ToolContext(ask.workspace_id, run_id, ask.agent, ask.call_id or NO_RUN, folder, settings, db)

    def of_batch(tool: Tool, ask: Ask, calls: list[JsonObject | None]) -> JsonObject:
        around = context(ask)
        made = iter(make_previews((tool, around, each) for each in calls if each is not None))
        return as_batch([None if each is None else next(made) for each in calls])

    def show(ask: Ask, arguments: JsonObject) -> JsonObject | None:
        tool = registry.get(ask.tool or "")
        if tool is None and ask.run_id and ask.tool:
            # What its run may not use is not looked at for it either.
            tool = granted_tool(connected, db, ask.run_id, ask.tool)
        if tool is None or tool.preview is None:
            return None
        if ask.call_ids:
            return of_batch(tool, ask, arguments["calls"])
        return make_preview(tool, context(ask), arguments)

    return show
