"""Try an ended workflow again: from the start, or with all that was done well."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.asks.signatures.parties import names
from signoff.claims.actions import hold
from signoff.kit import jsons
from signoff.kit.actor import Actor
from signoff.kit.jsons import Written
from signoff.runs.models import Run
from signoff.runs.states import ENDED, IllegalMove, Reason, RunStatus
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
    if from_last_good:
        _refuse_twice(session, ended)
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
    run.continues_id = ended.id if kept is not None else None
    launch_workflow(session, actor, run, workflow.definition)
    session.flush()
    if kept is not None:
        kept.lay_out(session, run)
    return run


def _refuse_twice(session: Session, ended: Run) -> None:
    """What is still to be done is done once, by one run at a time: the next one goes on only where that ended badly."""
    line = [ended.id]
    while (before := session.scalar(select(Run.continues_id).where(Run.id == line[-1]))) is not None:
        line.append(before)
    # Whoever goes on from any of them holds the same row.
    hold(session, line[-1])
    later = select(Run.id, Run.status, Run.completion_reason).where(Run.continues_id == line[-1])
    family = later.cte("family", recursive=True)
    after = select(Run.id, Run.status, Run.completion_reason).join(family, Run.continues_id == family.c.id)
    family = family.union_all(after)
    well = family.c.completion_reason == Reason.SUCCESS.value
    at_work = family.c.status.not_in([status.value for status in ENDED])
    found = session.execute(select(family.c.id, family.c.status).where(family.c.id.not_in(line), at_work | well))
    for run_id, status in sorted(found, key=lambda row: row.id):
        done = "completed it" if status == RunStatus.COMPLETED.value else "is doing that now"
        detail = f"It was resumed already, and the run {run_id} {done}. Open that one, or retry from the start."
        raise IllegalMove(detail, state={"status": ended.status, "run_id": run_id, "run_status": status})
