from fastapi import Request
from pydantic import BaseModel, Field

from signoff.kit.jsons import JsonObject
from signoff.kit.routing import api_router
from signoff.kit.settings import Settings
from signoff.tools.connections.available import ConnectionTools
from signoff.tools.registry import Registry, Tool
from signoff.workspaces.access import Caller

router = api_router("tools", "/api/tools")


class ToolOut(BaseModel):
    name: str
    description: str
    schema_: JsonObject = Field(serialization_alias="schema")
    risk: str
    operation_type: str
    idempotent: bool
    estimated_cost_credits: float | None
    source: str
    # What has to be set up before it works, and how.
    missing: str | None


class ToolList(BaseModel):
    items: list[ToolOut]
    next_cursor: str | None = None
    total: int


@router.get("")
def list_tools(caller: Caller, request: Request) -> ToolList:
    """Everything an agent can be given."""
    registry: Registry = request.app.state.registry
    connected: ConnectionTools = request.app.state.connection_tools
    of_connections = caller.read(lambda session, actor: connected.of_workspace(session, actor.workspace_id))
    shown = [_show(tool, request.app.state.settings) for tool in [*registry.all(), *of_connections]]
    return ToolList(items=shown, total=len(shown))


def _show(tool: Tool, settings: Settings) -> ToolOut:
    return ToolOut(
        name=tool.name,
        description=tool.description,
        schema_=tool.model_schema,
        risk=tool.assessment.level.value,
        operation_type=tool.operation_type,
        idempotent=tool.idempotent,
        estimated_cost_credits=tool.estimated_cost_credits,
        source=tool.source,
        missing=tool.missing(settings) if tool.missing else None,
    )
