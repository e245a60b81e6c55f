"""What became of the runs that do the steps."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

from sqlalchemy import select

from signoff.engine.workflow.check_outputs import problem_of_outputs
from signoff.engine.workflow.checkpoints import open_checkpoint, wants
from signoff.engine.workflow.claimed_workflow import ClaimedWorkflow, StepRun
from signoff.engine.workflow.order import stops_on_error
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.jsons import JsonObject
from signoff.runs.ending import CANCELLED, Ending, end, hold_family
from signoff.runs.models import Run
from signoff.runs.states import ENDED, IllegalMove, Reason, RunStatus
from signoff.runs.workflow.models import RunStep
from signoff.runs.workflow.states import StepStatus
from signoff.runs.workflow.values import input_of
from signoff.workflows.definition import Step

# A person's word, or one that never came, is no accident: trying again would not change it.
FINAL = frozenset({Reason.REJECTED.value, Reason.ASK_EXPIRED.value, Reason.CANCELLED.value})


# What the run of a step says of its failure beside the message.
KEPT = ("trace", "schema", "data", "errors")


class FailedStep(Exception):
    """The workflow ends with one of its steps."""

    def __init__(self, error: JsonObject, status: str | None = None) -> None:
        super().__init__(error["message"])
        self.ending = _ending(error, status)


def take_results(claimed: ClaimedWorkflow) -> None:
    """Take in every run of a step that has ended."""
    for step in claimed.definition.steps:
        row = claimed.rows[step.id]
        if row.status != StepStatus.RUNNING.value:
            continue
        runs = [claimed.unfinished.get(each) for each in row.children]
        failed = next((at for at, run in enumerate(runs) if run is not None and run.is_ended), None)
        if failed is not None:
            _take_failure(claimed, step, runs, failed)
        elif all(each is not None for each in row.children) and not any(runs):
            succeed(claimed, step)


def _take_failure(claimed: ClaimedWorkflow, step: Step, runs: Sequence[StepRun | None], at: int) -> None:
    failed = runs[at]
    assert failed is not None
    again = failed.completion_reason not in FINAL
    if again and _has_tries_left(claimed, step) and any(run is not None and not run.is_ended for run in runs):
        # What is under way is not done twice: it comes to its end first.
        return
    error = _error(claimed, step, failed)
    error = error if step.each is None else error | {"item": at}
    fail(claimed, step, error, again=again, status=failed.status)


def fail(claimed: ClaimedWorkflow, step: Step, error: JsonObject, *, again: bool, status: str | None = None) -> None:
    """A step did not do its work: it is tried again, or left, or the workflow ends with it as its run did."""
    row = claimed.rows[step.id]
    if again and _has_tries_left(claimed, step):
        wait = step.retry_backoff_seconds * 2 ** (row.attempt - 1)
        if step.each is not None:
            row.children = _done_well(claimed, row, error.get("item"))
        elif row.children:
            # The next try gets what this one got, also what a person made of it.
            row.input = input_of(claimed.session, row.children[0])
            # The run of a workflow that failed is taken up where it stopped.
            row.children = row.children if step.workflow is not None and status is not None else []
        row.retry_at = clock.now() + timedelta(seconds=wait)
        claimed.move(step, StepStatus.PENDING, error)
        return
    claimed.move(step, StepStatus.FAILED, error)
    if stops_on_error(claimed.definition, step):
        raise FailedStep(error, status)
    _end_runs(claimed, row)


def _ending(error: JsonObject, status: str | None) -> Ending:
    """A person's no, or nobody's word, is what the workflow ends by, too."""
    match error.get("completion_reason"):
        case Reason.REJECTED.value:
            return Ending(RunStatus.CANCELLED, Reason.REJECTED, error)
        case Reason.ASK_EXPIRED.value:
            return Ending(RunStatus(status or RunStatus.FAILED.value), Reason.ASK_EXPIRED, error)
        case _:
            return Ending(RunStatus.FAILED, Reason.ERROR, error)


def _has_tries_left(claimed: ClaimedWorkflow, step: Step) -> bool:
    return claimed.rows[step.id].attempt <= step.retries


def _done_well(claimed: ClaimedWorkflow, row: RunStep, failed: int | None) -> list[str | None]:
    """The runs of items that need not be done again."""
    return [None if each in claimed.unfinished or at == failed else each for at, each in enumerate(row.children)]


def _end_runs(claimed: ClaimedWorkflow, row: RunStep) -> None:
    """Nobody waits any more for the other items of a step that failed."""
    ended = [status.value for status in ENDED]
    at_work = select(Run).where(Run.id.in_([each for each in row.children if each]), Run.status.not_in(ended))
    if claimed.session.scalar(at_work.with_only_columns(Run.id).limit(1)) is None:
        return
    claimed.session.flush()
    hold_family(claimed.session, claimed.run)
    for run in claimed.session.scalars(at_work.order_by(Run.id)).all():
        with suppress(IllegalMove):
            end(claimed.session, Actor.system(run.workspace_id), run, CANCELLED)
    claimed.started = [each for each in claimed.started if each not in row.children]


def error_of(claimed: ClaimedWorkflow, step: Step, message: str) -> JsonObject:
    """What went wrong, and where."""
    number = claimed.rows[step.id].position + 1
    named = step.name or step.id
    return {
        "message": f"Step {number} of {len(claimed.rows)}, {named}: {message}",
        "step": step.id,
        "step_name": named,
        "step_number": number,
        "steps": len(claimed.rows),
        "agent": step.agent or step.workflow or step.tool,
        "at": clock.now().isoformat(),
    }


def _error(claimed: ClaimedWorkflow, step: Step, run: StepRun) -> JsonObject:
    said = run.error or {}
    message = str(said.get("message") or f"its run ended as {run.status} ({run.completion_reason})")
    error = error_of(claimed, step, message) | {"run_id": run.id, "completion_reason": run.completion_reason}
    return error | {name: said[name] for name in KEPT if said.get(name)}


def succeed(claimed: ClaimedWorkflow, step: Step) -> None:
    """All that a step wanted is there, unless it is not what may go on."""
    row = claimed.rows[step.id]
    wrong = problem_of_outputs(claimed, step)
    if wrong is not None:
        # What all items made together becomes no smaller by another try.
        again = step.each is None or "item" in wrong
        fail(claimed, step, wrong | error_of(claimed, step, wrong["message"]), again=again)
        return
    if step.each is not None:
        made = claimed.made_by(row.children)
        row.output = "[" + ",".join(made[each] for each in row.children) + "]"
    if wants(step, "after") and row.passed != "after":
        open_checkpoint(claimed, step, "after")
    else:
        claimed.move(step, StepStatus.SUCCEEDED)
