"""Whether what the runs of a step made may go on to the next one."""

from sqlalchemy import Text, cast, func, select

from signoff.engine.workflow.claimed_workflow import ClaimedWorkflow
from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.runs.models import Run
from signoff.runs.states import Reason
from signoff.runs.worker.snapshot import definition_of
from signoff.runs.workflow.limits import MOST_BYTES, TOO_LARGE, problem_of_output, size_problem
from signoff.runs.workflow.values import outputs_of_runs
from signoff.workflows.definition import Step

GONE = "the run that did it was deleted."


def problem_of_outputs(claimed: ClaimedWorkflow, step: Step) -> JsonObject | None:
    """Why not: one of them is gone, does not fit its schema, or all together are too large; with the item it is."""
    ids = [str(each) for each in claimed.rows[step.id].children]
    columns = (Run.id, Run.kind, Run.completion_reason, func.length(cast(Run.output, Text)))
    found = {row[0]: row for row in claimed.session.execute(select(*columns).where(Run.id.in_(ids)))} if ids else {}
    # Never read into memory before it is known to be small enough.
    if sum(row[3] or 0 for row in found.values()) > MOST_BYTES:
        return {"message": TOO_LARGE}
    made = outputs_of_runs(claimed.session, ids)
    for at, run_id in enumerate(ids):
        row = found.get(run_id)
        wrong = {"message": GONE} if row is None else None
        if row is not None and (row[1] == "workflow" or row[2] == Reason.USER_COMPLETED.value):
            wrong = _problem_of(claimed, step, run_id, row[1], made[run_id])
        if wrong is not None:
            return wrong | {"run_id": run_id} | ({"item": at} if step.each is not None else {})
    too_large = size_problem(claimed.run.id, list(made.values()))
    return {"message": too_large} if too_large is not None else None


def _problem_of(claimed: ClaimedWorkflow, step: Step, run_id: str, kind: str, made: str) -> JsonObject | None:
    """Of what nobody has checked: what a workflow made, and what was there when a person ended a run."""
    schema = step.output_schema
    if schema is None and kind != "workflow":
        schema = definition_of(claimed.session, claimed.session.get_one(Run, run_id)).output_schema
    return problem_of_output(schema, jsons.loads(made)) if schema is not None else None
