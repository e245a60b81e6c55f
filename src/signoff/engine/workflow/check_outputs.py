"""Whether what the runs of a step made may go on to the next one."""

from signoff.engine.workflow.claimed_workflow import ClaimedWorkflow
from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.runs.models import Run
from signoff.runs.states import Reason
from signoff.runs.worker.snapshot import definition_of
from signoff.runs.workflow.limits import MOST_BYTES, TOO_LARGE, WARN_BYTES, problem_of_output, size_problem
from signoff.runs.workflow.values import Made, made_by_runs
from signoff.workflows.definition import Step

# A character in UTF-8.
MOST_BYTES_OF_ONE = 4
GONE = "the run that did it was deleted."
CUT_SHORT = "somebody completed its run before it was done."


def problem_of_outputs(claimed: ClaimedWorkflow, step: Step) -> JsonObject | None:
    """Why not: one of them is gone, does not fit its schema, or all together are too large; with the item it is."""
    ids = [str(each) for each in claimed.rows[step.id].children]
    found = made_by_runs(claimed.session, ids)
    claimed.know({run_id: made.output for run_id, made in found.items() if made.output is not None})
    # Never read into memory before it is known to be small enough, nor if nothing is to be looked at.
    characters = sum(made.characters for made in found.values())
    if characters > MOST_BYTES:
        return {"message": TOO_LARGE}
    for at, run_id in enumerate(ids):
        made = found.get(run_id)
        wrong = {"message": GONE} if made is None else _problem_of(claimed, step, run_id, made)
        if wrong is not None:
            return wrong | {"run_id": run_id} | ({"item": at} if step.each is not None else {})
    if characters * MOST_BYTES_OF_ONE <= WARN_BYTES:
        return None
    too_large = size_problem(claimed.run.id, list(claimed.made_by(ids).values()))
    return {"message": too_large} if too_large is not None else None


def _problem_of(claimed: ClaimedWorkflow, step: Step, run_id: str, made: Made) -> JsonObject | None:
    """Of what nobody has checked: what a workflow made, and what was there when a person ended a run."""
    by_person = made.completion_reason == Reason.USER_COMPLETED.value
    if made.kind != "agent" and by_person:
        # What was still to come may have been somebody's decision, at a checkpoint or about a call.
        return {"message": CUT_SHORT}
    if made.kind != "workflow" and not by_person:
        return None
    schema = step.output_schema
    if schema is None and made.kind != "workflow":
        schema = definition_of(claimed.session, claimed.session.get_one(Run, run_id)).output_schema
    if schema is None:
        return None
    together = claimed.made_by(claimed.rows[step.id].children)
    return problem_of_output(schema, jsons.loads(together[run_id]))
