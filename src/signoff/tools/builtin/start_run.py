"""Another agent, or a workflow, at work for this one. The engine starts it and waits for its end."""

from pathlib import Path
from typing import Annotated, Any, NoReturn

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session

from signoff.catalog import queries as catalog
from signoff.kit import jsons
from signoff.kit.actor import Actor
from signoff.kit.errors import SignoffError
from signoff.kit.jsons import JsonObject
from signoff.policy.impact import Impact, ImpactKind, one_line
from signoff.runs.calls import START_RUN
from signoff.tools.effects import NoPreview, Preview
from signoff.tools.registry import Tool, ToolContext, ToolFailed, tool
from signoff.workflows import queries as workflows

MOST_SHOWN = 300


class WantedLimits(BaseModel):
    model_config = ConfigDict(extra="forbid")

    max_cost_credits: Annotated[float, Field(gt=0)] | None = None
    max_duration_hours: Annotated[float, Field(gt=0, le=24)] | None = None
    max_iterations: Annotated[int, Field(ge=1, le=100_000)] | None = None


def start_run(
    agent: str | None = None,
    workflow: str | None = None,
    task: str | None = None,
    input: Any = None,
    limits: WantedLimits | None = None,
) -> NoReturn:
    """Let another agent or a workflow do a part of the work, and get its output as the result.

    Give one of `agent` and `workflow`, by its slug. An agent needs a `task` in words, and may get `input`; a workflow
    takes an object as `input`. It works within what is left of your limits, or within lower `limits`.
    """
    raise ToolFailed("Only a run can start another one.")


def _would_start(context: ToolContext, arguments: JsonObject) -> Preview:
    name = context.db.read(lambda s: _name(s, context.workspace_id, arguments))
    rows = [("Task", arguments.get("task")), ("Input", arguments.get("input")), ("Limits", arguments.get("limits"))]
    fields = [{"label": label, "value": _short(value)} for label, value in rows if value is not None]
    kind = "workflow" if arguments.get("workflow") else "agent"
    summary = f"Starts the {kind} {name} and waits for its end"
    return Preview("fields", summary, {"fields": [{"label": kind.capitalize(), "value": name}, *fields]})


def _name(session: Session, workspace_id: str, arguments: JsonObject) -> str:
    by = Actor.system(workspace_id)
    try:
        if arguments.get("workflow"):
            return workflows.deployed(session, by, arguments["workflow"]).definition.name
        return catalog.frozen(session, catalog.current(session, by, arguments.get("agent") or "").revision_id).name
    except SignoffError as error:
        raise NoPreview(error.detail) from error


def _starting(arguments: JsonObject, _folder: Path) -> Impact:
    started = f"workflow {arguments['workflow']}" if arguments.get("workflow") else f"agent {arguments.get('agent')}"
    said = f"Starts the {started}, whose own calls are judged one by one"
    return Impact((ImpactKind.CANNOT_BE_UNDONE,), one_line(said))


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else jsons.dumps(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


RUNS: list[Tool] = [
    tool(
        operation_type=START_RUN,
        risk="medium",
        title="Start the workflow {workflow} | Start the agent {agent}: {task} | Start the agent {agent}",
        source="builtin",
        impact=_starting,
        preview=_would_start,
    )(start_run)
]
