"""A run that another one started by a call, and whose output is that call's result."""

from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from signoff.asks.signatures.parties import parties_of_run
from signoff.catalog import queries as catalog
from signoff.catalog.schemas import AgentDefinition, Limits
from signoff.kit import jsons
from signoff.kit.actor import Actor
from signoff.kit.errors import Invalid
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject, Written
from signoff.policy.evaluate import Autonomy
from signoff.runs import actions
from signoff.runs.granting.actions import grant_at_start
from signoff.runs.large_values import value_of
from signoff.runs.limits import within
from signoff.runs.models import Call, Run
from signoff.runs.states import Phase
from signoff.runs.workflow.queries import merged_output
from signoff.runs.workflow.start import (
    NO_LIMITS,
    check_input,
    inherit,
    launch_workflow,
    new_workflow_run,
    open_with_input,
    refuse_too_deep,
    stricter,
)
from signoff.workflows import queries as workflows

# One that starts more is better written as a workflow.
MOST_STARTED = 50


class TooManyRuns(Invalid):
    """A run starts only so many others."""

    code = "too_many_runs"


def start_by_call(session: Session, parent: Run, call: Call, left: Limits) -> Run:
    """Start what a call wants, in the name of who started the run that makes it, within what is `left` to that."""
    wanted = {name: value for name, value in call.arguments.items() if value is not None}
    if ("agent" in wanted) == ("workflow" in wanted):
        raise Invalid("Give one of agent and workflow.")
    # Somebody may have spoken to it since its worker read it.
    parent.parties = parties_of_run(session, parent.id)
    refuse_too_deep(session, parent)
    if (session.scalar(select(func.count()).where(Run.parent_id == parent.id)) or 0) >= MOST_STARTED:
        raise TooManyRuns(f"A run starts at most {MOST_STARTED} others.")
    by, given = Actor.system(parent.workspace_id), wanted.get("input")
    if "workflow" in wanted:
        return _start_workflow(session, by, parent, call, wanted, left)
    if not str(wanted.get("task") or "").strip():
        raise Invalid("Say in `task` what the agent is to do.")
    child, definition = _agent_run(session, by, parent, wanted, left)
    child.parent_call_id = call.id
    if given is None:
        actions.launch(session, by, child)
    else:
        text = jsons.exact(given)
        child.input = Written(text)
        actions.launch(session, by, child, transcript=lambda made: open_with_input(session, made, text))
    grant_at_start(session, by, child, definition, None, without_missing=False)
    return child


def started_by(session: Session, parent: Run, call_ids: list[str]) -> dict[str, Run]:
    """The runs that these calls started, by call."""
    query = select(Run).where(Run.parent_id == parent.id, Run.parent_call_id.in_(call_ids))
    return {run.parent_call_id or "": run for run in session.scalars(query.execution_options(populate_existing=True))}


def output_of(session: Session, run: Run) -> Any:
    """What it made; a workflow's that is too large to be kept twice is put together."""
    made = value_of(session, run, "output")
    return merged_output(session, run) if run.kind == "workflow" and made is None else made


def _start_workflow(session: Session, by: Actor, parent: Run, call: Call, wanted: JsonObject, left: Limits) -> Run:
    workflow = workflows.deployed(session, by, wanted["workflow"])
    given: Any = wanted.get("input", {})
    check_input(workflow.definition, given)
    child = new_workflow_run(parent.workspace_id, workflow, created_by=parent.created_by)
    child.parent_call_id = call.id
    child.title = f"{workflow.definition.name} · {parent.title}"[: actions.TITLE_LENGTH]
    child.task = wanted.get("task") or child.task
    child.limits = _limits(NO_LIMITS, wanted, left)
    child.autonomy = stricter(Autonomy(child.autonomy), Autonomy(parent.autonomy)).value
    inherit(parent, child)
    child.input = Written(jsons.exact(given))
    launch_workflow(session, by, child, workflow.definition)
    return child


def _agent_run(
    session: Session, by: Actor, parent: Run, wanted: JsonObject, left: Limits
) -> tuple[Run, AgentDefinition]:
    agent = catalog.current(session, by, wanted["agent"])
    definition = catalog.frozen(session, agent.revision_id)
    clarify = definition.clarify and definition.clarification_max_exchanges > 0
    child = Run(
        id=new_id(),
        workspace_id=parent.workspace_id,
        agent=agent.slug,
        agent_name=definition.name,
        agent_revision=agent.revision,
        revision_id=agent.revision_id,
        title=f"{definition.name} · {parent.title}"[: actions.TITLE_LENGTH],
        task=wanted["task"],
        mode=definition.mode,
        phase=Phase.first(clarify, definition.mode).value,
        autonomy=stricter(definition.autonomy, Autonomy(parent.autonomy)).value,
        limits=_limits(definition.limits, wanted, left),
    )
    inherit(parent, child)
    return child, definition


def _limits(own: Limits, wanted: JsonObject, left: Limits) -> JsonObject:
    """The lowest of what is its own, what was asked for, and what is left."""
    asked: JsonObject = wanted.get("limits") or {}
    given = {name: value for name, value in asked.items() if value is not None}
    return within(left, within(own, own.model_copy(update=given))).model_dump()
