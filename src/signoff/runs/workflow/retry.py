"""Try an ended workflow again: from the start, or with all that was done well."""

from sqlalchemy.orm import Session

from signoff.asks.signatures.parties import names
from signoff.kit import jsons
from signoff.kit.actor import Actor
from signoff.kit.jsons import Written
from signoff.runs.models import Run
from signoff.runs.states import IllegalMove
from signoff.runs.workflow.kept import Kept
from signoff.runs.workflow.start import check_input, launch_workflow, new_workflow_run
from signoff.runs.workflow.values import input_of
from signoff.workflows import queries as workflows


def retry_workflow(session: Session, actor: Actor, ended: Run, run_id: str, *, from_last_good: bool) -> Run:
    """From the start it is the workflow as it is deployed now; from the last good step it is the one that ran."""
    if ended.kind != "workflow":
        raise IllegalMove("A single step is not retried. Retry its workflow.", state={"status": ended.status})
    slug = ended.workflow or ""
    # Of one that was deleted there are no new runs, whatever was done of an old one.
    workflows.workflow(session, actor, slug)
    anew = workflows.newest if ended.test else workflows.deployed
    kept = Kept.of(session, ended) if from_last_good else None
    workflow = kept.workflow if kept is not None else anew(session, actor, slug)
    given = input_of(session, ended.id)
    if kept is None:
        # What is deployed now may want something else.
        check_input(workflow.definition, jsons.loads(given))
    run = new_workflow_run(actor.workspace_id, workflow, created_by=actor.label)
    run.id, run.title, run.task, run.context = run_id, ended.title, ended.task, ended.context
    run.retries_id, run.project_id, run.test, run.limits = ended.id, ended.project_id, ended.test, ended.limits
    # It is also the work of those who led the one before.
    run.parties = list(dict.fromkeys([ended.created_by, *ended.parties, *names(actor)]))
    run.input = Written(given)
    launch_workflow(session, actor, run, workflow.definition)
    if kept is not None:
        session.flush()
        kept.lay_out(session, run)
    return run
