"""What an ended workflow's run has done, for the one that goes on from there: nothing of it is done again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.runs.models import Run
from signoff.runs.states import IllegalMove, Reason, RunStatus
from signoff.runs.workflow.models import RunStep
from signoff.runs.workflow.states import GOOD, StepStatus
from signoff.runs.workflow.values import input_of, inputs_of_steps, outputs_of_runs, outputs_of_steps
from signoff.workflows import queries as workflows
from signoff.workflows.definition import steps_before
from signoff.workflows.queries import DeployedWorkflow

GONE = "What the step {step} made was deleted. Try the workflow again from its start."


@dataclass(frozen=True)
class Kept:
    """The workflow as it ran, and how far it came."""

    workflow: DeployedWorkflow
    rows: Sequence[RunStep]
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    # The step whose data a person, or nobody in time, refused.
    refused: str | None

    @classmethod
    def of(cls, session: Session, ended: Run) -> "Kept":
        rows = session.scalars(select(RunStep).where(RunStep.run_id == ended.id)).all()
        outputs = outputs_of_steps(session, rows)
        for row in rows:
            if row.status == StepStatus.SUCCEEDED and row.step not in outputs:
                raise IllegalMove(GONE.format(step=row.step), state={"status": ended.status})
        refused = (ended.error or {}).get("step") if ended.completion_reason == Reason.REJECTED.value else None
        return cls(_workflow_of(session, ended), rows, inputs_of_steps(session, rows), outputs, refused)

    def lay_out(self, session: Session, run: Run) -> None:
        """Steps that succeeded stand as they are. Their data is copied: somebody may delete the runs that did them."""
        mine = {row.step: row for row in session.scalars(select(RunStep).where(RunStep.run_id == run.id))}
        for before in self.rows:
            row = mine[before.step]
            if before.status not in GOOD:
                self._lay_out_begun(session, before, row)
                continue
            for name in ("status", "attempt", "passed", "children", "started_at", "ended_at"):
                setattr(row, name, getattr(before, name))
            row.input, row.output = self.inputs.get(row.step), self.outputs.get(row.step)

    def _lay_out_begun(self, session: Session, before: RunStep, row: RunStep) -> None:
        """Of a step that did not succeed: what a person made of its input, which they are shown again, and what its
        runs did well, if it gets the same once more."""
        if before.passed == "before":
            row.input = self.inputs.get(row.step)
        definition, step = self.workflow.definition, self.workflow.definition.step(before.step)
        good = {each.step for each in self.rows if each.status in GOOD}
        if step is None or not before.children or not steps_before(definition, step.id) <= good:
            return
        done = select(Run.id).where(Run.id.in_([each for each in before.children if each]))
        well = set(session.scalars(done.where(Run.status == RunStatus.COMPLETED.value)))
        if step.each is not None:
            # Nothing is wrong with what they made.
            unfit = (before.error or {}).get("item")
            row.children = [each if each in well and at != unfit else None for at, each in enumerate(before.children)]
        elif before.children[0] not in well:
            # A workflow's run is taken up in its turn, from its own last good step.
            row.children = before.children if step.workflow is not None else []
        elif before.status != StepStatus.FAILED.value and self.refused != step.id:
            self._take_in_again(session, before, row)

    def _take_in_again(self, session: Session, before: RunStep, row: RunStep) -> None:
        """Its work is done, and only what comes behind that is not: people look at it now, or once more."""
        for name in ("attempt", "passed", "children", "started_at"):
            setattr(row, name, getattr(before, name))
        made = outputs_of_runs(session, before.children)
        row.status, row.input = StepStatus.RUNNING.value, self.inputs.get(row.step)
        row.output = before.output or made[before.children[0]]


def kept_by(session: Session, earlier: str | None, given: str) -> Kept | None:
    """What an earlier run of a nested workflow has done, if the next one gets the same."""
    ended = session.get(Run, earlier) if earlier is not None else None
    return Kept.of(session, ended) if ended is not None and input_of(session, ended.id) == given else None


def _workflow_of(session: Session, ended: Run) -> DeployedWorkflow:
    revision = ended.workflow_revision_id or ""
    definition = workflows.frozen(session, revision)
    return DeployedWorkflow(ended.workflow or "", revision, ended.workflow_revision or 0, definition)
