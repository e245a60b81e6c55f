"""Start a workflow, and the runs that do its steps."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from signoff.asks.signatures.parties import names
from signoff.catalog import queries as catalog
from signoff.catalog.schemas import Limits
from signoff.catalog.tool_step import TOOL_STEP, tool_step
from signoff.kit import jsons
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import FieldError, Invalid
from signoff.kit.ids import new_id
from signoff.kit.jsons import Json, Written
from signoff.kit.schema.check import problems
from signoff.policy.evaluate import Autonomy
from signoff.runs import actions
from signoff.runs.granting.actions import grant_at_start, refuse_missing
from signoff.runs.large_values import IN_A_FILE, is_large
from signoff.runs.limits import within
from signoff.runs.lineage.continuation import looser
from signoff.runs.models import Call, Run
from signoff.runs.schemas import RunIn
from signoff.runs.states import Phase
from signoff.runs.transcript.messages import add_messages, new_message
from signoff.runs.workflow.kept import kept_by
from signoff.runs.workflow.models import RunStep
from signoff.workflows import queries as workflows
from signoff.workflows.definition import Step, WorkflowDefinition
from signoff.workflows.mapping import without_item
from signoff.workflows.queries import DeployedWorkflow

DEEPEST = 5
NO_LIMITS = Limits(max_duration_hours=0, max_cost_credits=0, max_iterations=100_000)


class TooDeep(Invalid):
    """Runs that start runs come to an end somewhere."""

    code = "workflow_too_deep"


@dataclass(frozen=True)
class StepInput:
    """What a child run gets, as JSON text, and for which item of an `each`."""

    text: str
    item: int | None = None
    # The ended run of a nested workflow that is taken up again.
    earlier: str | None = None


def start(session: Session, actor: Actor, given: RunIn, files: actions.GivenFiles | None = None) -> Run:
    """Start an agent or a workflow, whichever is named."""
    return (
        actions.start(session, actor, given, files) if given.workflow is None else start_workflow(session, actor, given)
    )


def start_workflow(session: Session, actor: Actor, given: RunIn, written: str | None = None) -> Run:
    """Start a workflow's deployed revision on an input, or on the same as it was `written`; a test takes the newest, so
    that a draft can be tried."""
    actor.require(Role.MEMBER)
    _refuse_what_is_for_agents(given)
    startable = workflows.newest if given.test else workflows.deployed
    workflow = startable(session, actor, given.workflow or "")
    value: Json = {} if given.input is None else given.input
    check_input(workflow.definition, value)
    run = new_workflow_run(actor.workspace_id, workflow, created_by=actor.label)
    run.title = (given.title or workflow.definition.name)[: actions.TITLE_LENGTH]
    run.task = given.task or workflow.definition.description or workflow.definition.name
    run.context, run.project_id, run.test = given.context, given.project_id, given.test
    run.limits = _narrowed(given, NO_LIMITS).model_dump()
    run.parties = names(actor)
    run.input = Written(jsons.exact(value) if written is None else written)
    launch_workflow(session, actor, run, workflow.definition)
    # Whoever started it sees its steps at once.
    session.flush()
    return run


def launch_workflow(session: Session, actor: Actor, run: Run, definition: WorkflowDefinition) -> None:
    """Set a workflow's run going, with a row for each of its steps."""
    actions.launch(session, actor, run, transcript=_nothing)
    rows = [RunStep(run_id=run.id, step=step.id, position=at, children=[]) for at, step in enumerate(definition.steps)]
    session.add_all(rows)


def new_workflow_run(workspace_id: str, workflow: DeployedWorkflow, *, created_by: str) -> Run:
    return Run(
        id=new_id(),
        workspace_id=workspace_id,
        kind="workflow",
        workflow=workflow.slug,
        workflow_revision=workflow.number,
        workflow_revision_id=workflow.revision_id,
        title=workflow.definition.name[: actions.TITLE_LENGTH],
        task=workflow.definition.description or workflow.definition.name,
        mode="auto",
        autonomy=Autonomy.APPROVE_HIGH_RISK.value,
        limits=NO_LIMITS.model_dump(),
        created_by=created_by,
    )


def start_child(session: Session, parent: Run, step: Step, given: StepInput) -> Run:
    """Start the run that does a step, or one item of it, in the name of who started the workflow. What refuses it does
    so before anything is written."""
    by = Actor.system(parent.workspace_id)
    if step.workflow is not None:
        return _start_nested(session, by, parent, step, given)
    child = _tool_run(parent, step) if step.tool is not None else _agent_run(session, by, parent, step)
    child.title = _title(parent, step, given.item)[: actions.TITLE_LENGTH]
    _inherit(session, parent, child, step)
    definition = tool_step(child.task) if step.tool else catalog.frozen(session, child.agent_subject.revision_id)
    refuse_missing(session, by, child, definition)
    child.input = Written(given.text)
    actions.launch(session, by, child, transcript=lambda made: open_with_input(session, made, given.text))
    # What is missing was refused above; a connection that goes meanwhile is missed by its calls.
    grant_at_start(session, by, child, definition, None, without_missing=True)
    return child


def _start_nested(session: Session, by: Actor, parent: Run, step: Step, given: StepInput) -> Run:
    refuse_too_deep(session, parent)
    kept = kept_by(session, given.earlier, given.text)
    workflow = kept.workflow if kept is not None else workflows.deployed(session, by, step.workflow or "")
    text = without_item(step, given.text, workflow.definition.input_schema)
    check_input(workflow.definition, jsons.loads(text))
    child = new_workflow_run(parent.workspace_id, workflow, created_by=parent.created_by)
    child.title = _title(parent, step, given.item)[: actions.TITLE_LENGTH]
    child.limits = {**child.limits, **_time(NO_LIMITS, step)}
    _inherit(session, parent, child, step)
    child.input = Written(text)
    launch_workflow(session, by, child, workflow.definition)
    if kept is not None:
        session.flush()
        child.retries_id = child.continues_id = given.earlier
        kept.lay_out(session, child)
    return child


def _agent_run(session: Session, by: Actor, parent: Run, step: Step) -> Run:
    agent = catalog.current(session, by, step.agent or "")
    definition = catalog.frozen(session, agent.revision_id)
    clarify = definition.clarify and definition.clarification_max_exchanges > 0
    limits = within(definition.limits, definition.limits.model_copy(update=_time(definition.limits, step)))
    return Run(
        id=new_id(),
        workspace_id=parent.workspace_id,
        agent=agent.slug,
        agent_name=definition.name,
        agent_revision=agent.revision,
        revision_id=agent.revision_id,
        task=step.task or f"Do your part of the workflow {parent.title!r}: {step.name or step.id}.",
        mode=definition.mode,
        phase=Phase.first(clarify, definition.mode).value,
        autonomy=definition.autonomy.value,
        limits=limits.model_dump(),
    )


def _tool_run(parent: Run, step: Step) -> Run:
    limits = Limits(max_cost_credits=0)
    return Run(
        id=new_id(),
        workspace_id=parent.workspace_id,
        kind="tool",
        agent=TOOL_STEP,
        agent_name=step.name or step.tool,
        task=step.tool,
        mode="auto",
        autonomy=parent.autonomy,
        limits=limits.model_copy(update=_time(limits, step)).model_dump(),
    )


def inherit(parent: Run, child: Run) -> None:
    """What a run has from the one that starts it: whose work it is, and whether it is a test."""
    child.parent_id, child.step = parent.id, parent.step
    child.workflow = child.workflow or parent.workflow
    child.created_by, child.parties = parent.created_by, list(parent.parties)
    child.project_id, child.schedule_id, child.test = parent.project_id, parent.schedule_id, parent.test


def stricter(one: Autonomy, other: Autonomy) -> Autonomy:
    return other if looser(one, other) else one


def _inherit(session: Session, parent: Run, child: Run, step: Step) -> None:
    inherit(parent, child)
    child.step, child.output_schema, child.context = step.id, step.output_schema, parent.context
    starter = _starter(session, parent)
    if starter is not None:
        child.autonomy = stricter(Autonomy(child.autonomy), starter).value
    most = parent.limits["max_duration_hours"]
    if most:
        own = child.limits["max_duration_hours"]
        child.limits = {**child.limits, "max_duration_hours": min(own, most) if own else most}
    left = _credits_left(parent)
    if left is not None:
        own = child.limits["max_cost_credits"]
        child.limits = {**child.limits, "max_cost_credits": min(own, left) if own else left}


def _starter(session: Session, run: Run | None) -> Autonomy | None:
    """How much the agent may do that started a workflow; None: no agent did."""
    while run is not None:
        above = run_above(session, run)
        if above is not None and (run.parent_call_id is not None or run.rule_call_id is not None):
            return Autonomy(above.autonomy)
        run = above
    return None


def run_above(session: Session, run: Run) -> Run | None:
    """The run that started it, or about whose call a rule did."""
    if run.parent_id is not None:
        return session.get(Run, run.parent_id)
    call = session.get(Call, run.rule_call_id) if run.rule_call_id is not None else None
    return session.get(Run, call.run_id) if call is not None else None


def _credits_left(parent: Run) -> float | None:
    most = parent.limits["max_cost_credits"]
    # Nothing left is not the same as no limit.
    return max(most - parent.cost_credits, 0.000001) if most else None


def _time(own: Limits, step: Step) -> dict[str, float]:
    """A step's time is working time, as an agent's is; the shorter counts."""
    hours = step.timeout_seconds / 3600
    return {"max_duration_hours": min(own.max_duration_hours, hours) if own.max_duration_hours else hours}


def open_with_input(session: Session, run: Run, given: str) -> None:
    """The first line of the transcript. What is too long for a prompt is a file in the run's folder, which is written
    when the run begins."""
    if run.kind == "tool":
        return
    told = IN_A_FILE if is_large(given) else f"Input:\n{given}"
    parts = [run.task, *([f"Context:\n{run.context}"] if run.context else []), told]
    if run.output_schema is not None:
        schema = jsons.dumps(run.output_schema)
        parts.append(f"When you are done, call complete_task with an `output` that fits this JSON Schema:\n{schema}")
    text = "\n\n".join(parts)
    add_messages(session, [new_message(run, "user", None, author=run.created_by, text=text)])


def _title(parent: Run, step: Step, item: int | None) -> str:
    number = "" if item is None else f" {item + 1}"
    return f"{step.name or step.id}{number} · {parent.title}"


def refuse_too_deep(session: Session, parent: Run) -> None:
    if _depth(session, parent) >= DEEPEST:
        raise TooDeep(f"Runs start other runs at most {DEEPEST} deep.")


def _depth(session: Session, run: Run) -> int:
    depth, above = 1, run_above(session, run)
    while above is not None and depth <= DEEPEST:
        depth, above = depth + 1, run_above(session, above)
    return depth


def check_input(definition: WorkflowDefinition, value: Any) -> None:
    if not isinstance(value, dict):
        raise Invalid("A workflow's input is an object.", errors=[FieldError("input", "must be an object")])
    if definition.input_schema is not None and (wrong := problems(definition.input_schema, value, "input")):
        raise Invalid("The input does not fit the workflow's schema.", errors=wrong)


def _refuse_what_is_for_agents(given: RunIn) -> None:
    """What would be taken and ignored is refused."""
    unfit = [name for name in ("mode", "autonomy", "connections") if getattr(given, name) is not None]
    unfit += [name for name in ("skip_clarification", "without_missing_connections", "files") if getattr(given, name)]
    if unfit:
        raise Invalid(
            f"A workflow takes no {', '.join(unfit)}: its agents say that themselves.",
            errors=[FieldError(name, "is for agents only") for name in unfit],
        )


def _narrowed(given: RunIn, own: Limits) -> Limits:
    changed = given.limits.model_dump(exclude_none=True) if given.limits else {}
    return Limits.model_validate(own.model_dump() | changed)


def _nothing(_run: Run) -> None:
    """A workflow has no transcript: its steps have."""
