"""A workflow's run in a worker's hands, inside the one transaction that moves it on."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from sqlalchemy import bindparam, case, func, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import instance_state, set_committed_value

from signoff.claims.actions import Claim
from signoff.engine.context import EngineContext
from signoff.kit import clock
from signoff.kit.db import events
from signoff.kit.db.columns import table
from signoff.kit.db.prepared import Loader, Prepared, PreparedIn
from signoff.kit.jsons import JsonObject
from signoff.runs.events import RUN_STEP, StepState
from signoff.runs.large_values import LARGE, ValueName
from signoff.runs.models import Run
from signoff.runs.states import ENDED, RunStatus
from signoff.runs.workflow.models import RunStep
from signoff.runs.workflow.states import DONE, GOOD, StepStatus
from signoff.runs.workflow.values import input_of, outputs_of_runs, outputs_of_steps
from signoff.workflows import queries as workflows
from signoff.workflows.context import MISSING, Context, items_of
from signoff.workflows.definition import Step, WorkflowDefinition, in_order, steps_before

_FIGURES = ("cost_credits", "working_seconds", "tokens_input", "tokens_output", "tokens_cached", "iterations")
_RUNS, _RUN_STEPS = table(Run), table(RunStep)
# What is large is read where it is needed.
_STEPS = Loader(
    RunStep,
    RunStep.run_id == bindparam("run"),
    put_off={name: func.length(_RUN_STEPS.c[name]) > LARGE for name in ("input", "output")},
)
_NOT_DONE_WELL = PreparedIn(
    select(_RUNS.c.id, _RUNS.c.status, _RUNS.c.completion_reason, _RUNS.c.error).where(
        _RUNS.c.parent_id == bindparam("run"), _RUNS.c.status != RunStatus.COMPLETED.value
    ),
    _RUNS.c.step,
)
_SPENT = Prepared(
    select(
        *(func.coalesce(func.sum(_RUNS.c[name]), 0) for name in _FIGURES),
        func.coalesce(func.max(case((_RUNS.c.cost_incomplete, 1), else_=0)), 0),
    ).where(_RUNS.c.parent_id == bindparam("run"))
)


@dataclass(frozen=True)
class StepRun:
    """A run of a step, as far as it decides what comes next: never its data, which may be large."""

    id: str
    status: str
    completion_reason: str | None
    error: JsonObject | None

    @property
    def is_ended(self) -> bool:
        return RunStatus(self.status) in ENDED


@dataclass
class ClaimedWorkflow:
    """All that decides what comes next. Nothing of it outlives the transaction: the rows are the state."""

    session: Session
    engine: EngineContext
    claim: Claim
    run: Run
    definition: WorkflowDefinition
    rows: dict[str, RunStep]
    # Runs that were started in this transaction.
    started: list[str] = field(default_factory=list[str])
    _outputs: dict[str, str] = field(default_factory=dict[str, str])
    _made: dict[str, str] = field(default_factory=dict[str, str])
    _contexts: dict[str, Context] = field(default_factory=dict[str, Context])

    @classmethod
    def load(cls, session: Session, engine: EngineContext, claim: Claim, run: Run) -> "ClaimedWorkflow":
        definition = workflows.frozen(session, run.workflow_revision_id or "")
        found = _STEPS.in_session(session, {"run": run.id})
        return cls(session, engine, claim, run, definition, {row.step: row for row in found})

    @property
    def states(self) -> dict[str, StepStatus]:
        return {name: StepStatus(row.status) for name, row in self.rows.items()}

    @property
    def is_done(self) -> bool:
        return all(state in DONE for state in self.states.values())

    @cached_property
    def unfinished(self) -> dict[str, StepRun]:
        """The runs of the steps under way that are at work or went wrong: few, however many are done well."""
        steps = [row.step for row in self.rows.values() if row.status == StepStatus.RUNNING.value]
        return {row[0]: StepRun(*row) for row in _NOT_DONE_WELL.rows(self.session, steps, {"run": self.run.id})}

    @cached_property
    def given(self) -> str:
        """The workflow's input."""
        return input_of(self.session, self.run.id)

    def know(self, outputs: Mapping[str, str]) -> None:
        """What some runs made, which is at hand."""
        self._made |= outputs

    def made_by(self, run_ids: Sequence[str]) -> dict[str, str]:
        """What these runs made, as JSON; each is read once."""
        self._made |= outputs_of_runs(self.session, [each for each in run_ids if each not in self._made])
        return {each: self._made[each] for each in run_ids if each in self._made}

    def context_of(self, step: Step) -> Context:
        """What a step knows: the input, and what the steps before it made, whatever others have made beside it."""
        if step.id not in self._contexts:
            self._contexts[step.id] = self._merged(steps_before(self.definition, step.id))
        return self._contexts[step.id]

    def items_of(self, step: Step) -> list[str] | None:
        """What an `each` goes through, as JSON; None: there is no list."""
        raw = self.context_of(step).raw(step.each.path) if step.each is not None else MISSING
        return None if raw is MISSING else items_of(raw)

    @property
    def context(self) -> Context:
        """What all steps so far have made, over the input."""
        return self._merged(self.rows)

    def _merged(self, steps: Collection[str]) -> Context:
        # Read once it is needed: it may be large.
        missing = [row for row in self.rows.values() if row.step in steps and row.step not in self._outputs]
        self._read(missing, "output")
        self._outputs |= outputs_of_steps(self.session, missing, self.made_by)
        context = Context.start(self.given)
        for step in in_order(self.definition):
            if step.id in steps and step.id in self._outputs:
                context = context.with_output(step.id, self._outputs[step.id])
        return context

    def read_inputs(self, steps: Iterable[str]) -> None:
        """What these steps were given before, in one query for all."""
        self._read([self.rows[each] for each in steps], "input")

    def _read(self, rows: Sequence[RunStep], name: ValueName) -> None:
        """What was put off when the steps were loaded, in one query for all."""
        unread = {row.step: row for row in rows if name in instance_state(row).unloaded}
        if not unread:
            return
        query = select(RunStep.step, getattr(RunStep, name)).where(RunStep.run_id == self.run.id)
        for step, value in self.session.execute(query.where(RunStep.step.in_(unread))):
            set_committed_value(unread[step], name, value)

    def move(self, step: Step, to: StepStatus, error: JsonObject | None = None) -> None:
        """Move a step, and say so to whoever looks on."""
        row, at = self.rows[step.id], clock.now()
        row.status, row.error = to.value, error
        if to in DONE:
            row.ended_at = at
        elif to is StepStatus.RUNNING and row.started_at is None:
            row.started_at = at
        done = sum(state in GOOD for state in self.states.values())
        child = next((each for each in row.children if each), None) if len(row.children) == 1 else None
        said: StepState = {
            "step": step.id,
            "name": step.name or step.id,
            "status": to.value,
            "run_id": child,
            "number": done,
            "of": len(self.rows),
        }
        events.emit(self.session, self.run.workspace_id, RUN_STEP, self.run.id, said)

    def count_spent(self) -> None:
        """What the steps have cost so far counts for the workflow, of those that were tried in vain, too."""
        *figures, unknown = _SPENT.rows(self.session, {"run": self.run.id})[0]
        for name, figure in zip(_FIGURES, figures, strict=True):
            setattr(self.run, name, type(getattr(self.run, name))(figure))
        self.run.cost_incomplete = bool(unknown)

    def spent(self) -> JsonObject:
        """The figures that are to be written."""
        return {name: getattr(self.run, name) for name in (*_FIGURES, "cost_incomplete")}

    @property
    def progress(self) -> JsonObject:
        """As an agent would report it."""
        by_state = {
            state: [_name(self.definition, name) for name, each in self.states.items() if each is state]
            for state in StepStatus
        }
        done: Sequence[str] = [
            _name(self.definition, step.id) for step in self.definition.steps if self.states[step.id] in GOOD
        ]
        at_work = [*by_state[StepStatus.RUNNING], *by_state[StepStatus.WAITING]]
        total = len(self.rows)
        return {
            "current_step": ", ".join(at_work) or (done[-1] if done else _name(self.definition, next(iter(self.rows)))),
            "completed_steps": list(done),
            "remaining_steps": by_state[StepStatus.PENDING],
            "percentage": round(100 * len(done) / total, 1) if total else 100.0,
            "message": f"{len(done)} of {total} steps",
        }

    @property
    def waits_for_people(self) -> RunStatus | None:
        waiting = any(state is StepStatus.WAITING for state in self.states.values())
        return RunStatus.WAITING_APPROVAL if waiting else RunStatus.RUNNING


def _name(definition: WorkflowDefinition, step_id: str) -> str:
    return next((step.name or step.id for step in definition.steps if step.id == step_id), step_id)
