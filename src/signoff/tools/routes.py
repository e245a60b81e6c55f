from dataclasses import asdict

from fastapi import Request
from pydantic import BaseModel, Field

from signoff.kit.jsons import JsonObject
from signoff.kit.routing import api_router
from signoff.kit.settings import Settings
from signoff.tools.connections.available import ConnectionTools
from signoff.tools.own.watcher import OwnTools
from signoff.tools.registry import Registry, Tool
from signoff.workspaces.access import Caller
from signoff.workspaces.switching import is_installation_admin

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
    is_control: bool = Field(description="It steers the run of the agent that calls it.")
    can_be_step: bool = Field(description="Whether a workflow can have it as a step by itself.")
    # What has to be set up before it works, and how.
    missing: str | None


class ToolProblemOut(BaseModel):
    """Why a file of your tools is not used."""

    file: str
    line: int | None
    message: str
    kept: bool = Field(description="Whether the tools of its last good version are still in use.")


class ToolList(BaseModel):
    items: list[ToolOut]
    next_cursor: str | None = None
    total: int
    problems: list[ToolProblemOut] = Field(description="With the server's own tool files; for installation admins.")


@router.get("")
def list_tools(caller: Caller, request: Request) -> ToolList:
    """Everything an agent can be given."""
    registry: Registry = request.app.state.registry
    connected: ConnectionTools = request.app.state.connection_tools
    own_tools: OwnTools = request.app.state.own_tools
    of_connections, sees_problems = caller.read(
        lambda session, actor: (
            connected.of_workspace(session, actor.workspace_id),
            is_installation_admin(session, actor),
        )
    )
    shown = [_show(tool, request.app.state.settings) for tool in [*registry.all(), *of_connections]]
    problems = [ToolProblemOut(**asdict(each)) for each in own_tools.problems] if sees_problems else []
    return ToolList(items=shown, total=len(shown), problems=problems)


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
        is_control=tool.is_control,
        can_be_step=tool.can_be_step,
        missing=tool.missing(settings) if tool.missing else None,
    )
