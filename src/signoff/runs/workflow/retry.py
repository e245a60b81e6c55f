"""Try an ended workflow again: from the start, or with all that was done well."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.asks.signatures.parties import names
from signoff.kit.actor import Actor
from signoff.kit.jsons import Written
from signoff.runs.models import Run
from signoff.runs.states import IllegalMove, RunStatus
from signoff.runs.workflow.models import RunStep
from signoff.runs.workflow.start import launch_workflow, new_workflow_run
from signoff.runs.workflow.states import GOOD, StepStatus
from signoff.runs.workflow.values import input_of, inputs_of_steps, outputs_of_steps
from signoff.workflows import queries as workflows
from signoff.workflows.definition import WorkflowDefinition, steps_before
from signoff.workflows.queries import DeployedWorkflow

GONE = "What the step {step} made was deleted. Try the workflow again from its start."


def retry_workflow(session: Session, actor: Actor, ended: Run, run_id: str, *, from_last_good: bool) -> Run:
    """From the start it is the workflow as it is deployed now; from the last good step it is the one that ran."""
    if ended.kind != "workflow":
        raise IllegalMove("A single step is not retried. Retry its workflow.", state={"status": ended.status})
    slug = ended.workflow or ""
    anew = workflows.newest if ended.test else workflows.deployed
    workflow = _same(session, ended) if from_last_good else anew(session, actor, slug)
    run = new_workflow_run(actor.workspace_id, workflow, created_by=actor.label)
    run.id, run.title, run.task, run.context = run_id, ended.title, ended.task, ended.context
    run.retries_id, run.project_id, run.test, run.limits = ended.id, ended.project_id, ended.test, ended.limits
    # It is also the work of those who led the one before.
    run.parties = list(dict.fromkeys([ended.created_by, *ended.parties, *names(actor)]))
    run.input = Written(input_of(session, ended.id))
    launch_workflow(session, actor, run, workflow.definition)
    if from_last_good:
        session.flush()
        _keep_what_was_done(session, ended, run, workflow.definition)
    return run


def _keep_what_was_done(session: Session, ended: Run, run: Run, definition: WorkflowDefinition) -> None:
    """Steps that succeeded stand as they are. Their data is copied: somebody may delete the runs that did them."""
    rows = session.scalars(select(RunStep).where(RunStep.run_id == ended.id)).all()
    inputs, outputs = inputs_of_steps(session, rows), outputs_of_steps(session, rows)
    mine = {row.step: row for row in session.scalars(select(RunStep).where(RunStep.run_id == run.id))}
    good = {row.step for row in rows if row.status in GOOD}
    for before in rows:
        row = mine[before.step]
        if before.status not in GOOD:
            if before.passed == "before":
                # What a person made of it, which they are shown again.
                row.input = inputs.get(row.step)
            step = definition.step(row.step)
            if step is not None and step.each is not None and steps_before(definition, step.id) <= good:
                row.children = _items_done_well(session, before)
            continue
        if before.status == StepStatus.SUCCEEDED and row.step not in outputs:
            raise IllegalMove(GONE.format(step=row.step), state={"status": ended.status})
        for name in ("status", "attempt", "passed", "children", "started_at", "ended_at"):
            setattr(row, name, getattr(before, name))
        row.input, row.output = inputs.get(row.step), outputs.get(row.step)


def _items_done_well(session: Session, before: RunStep) -> list[str | None]:
    """The runs of an `each` that need not be done again: its list is the same, and nothing is wrong with what they
    made."""
    done = select(Run.id).where(Run.id.in_([each for each in before.children if each]))
    well = set(session.scalars(done.where(Run.status == RunStatus.COMPLETED.value)))
    unfit = (before.error or {}).get("item")
    return [each if each in well and at != unfit else None for at, each in enumerate(before.children)]


def _same(session: Session, ended: Run) -> DeployedWorkflow:
    revision = ended.workflow_revision_id or ""
    definition = workflows.frozen(session, revision)
    return DeployedWorkflow(ended.workflow or "", revision, ended.workflow_revision or 0, definition)
