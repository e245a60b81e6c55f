"""A workflow's run as people see it: its steps, with what went in and came out."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session, defer

from signoff.asks.models import Ask
from signoff.asks.states import AskStatus
from signoff.kit import jsons
from signoff.kit.clock import now
from signoff.kit.db.columns import table
from signoff.kit.db.prepared import PreparedIn
from signoff.runs.models import Run
from signoff.runs.workflow.limits import size_warning
from signoff.runs.workflow.models import RunStep
from signoff.runs.workflow.schemas import ItemOut, StepOut, StepSummary
from signoff.runs.workflow.states import DONE, StepStatus
from signoff.runs.workflow.values import input_of, inputs_of_steps, outputs_of_rows, outputs_of_steps
from signoff.workflows import queries as workflows
from signoff.workflows.context import Context
from signoff.workflows.definition import Step, in_order, needs_of

_RUNS = table(Run)
_WORKED = PreparedIn(select(_RUNS.c.id, _RUNS.c.working_seconds), _RUNS.c.id)


def step_summaries(session: Session, runs: Sequence[Run]) -> dict[str, list[StepSummary]]:
    """The steps of several workflows' runs, in one query that leaves out their data, which may be large."""
    if not runs:
        return {}
    ids = [run.id for run in runs]
    of_runs = select(RunStep).where(RunStep.run_id.in_(ids)).order_by(RunStep.position)
    rows = session.scalars(of_runs.options(defer(RunStep.input), defer(RunStep.output)))
    by_run: dict[str, dict[str, RunStep]] = {run_id: {} for run_id in ids}
    for row in rows:
        by_run[row.run_id][row.step] = row
    holding = _asks_below(session, runs)
    worked = _working_seconds(session, by_run)
    return {
        run.id: [
            StepSummary(**each, working_seconds=worked.get((run.id, each["id"])))
            for each in _shown(session, run, by_run[run.id], holding.get(run.id, {}))
        ]
        for run in runs
    }


def steps_of(session: Session, run: Run, longest: int | None = None) -> list[StepOut]:
    """Each step with its data, without what has more characters than wanted; a run that is no workflow's has none."""
    if run.kind != "workflow":
        return []
    rows = {row.step: row for row in session.scalars(select(RunStep).where(RunStep.run_id == run.id))}
    inputs, outputs = (of(session, list(rows.values())) for of in (inputs_of_steps, outputs_of_steps))
    outputs |= outputs_of_rows(session, _at_checkpoints_after(session, run, rows))
    worked, found = _working_seconds(session, {run.id: rows}), list[StepOut]()
    for shown in _shown(session, run, rows, _asks_below(session, [run]).get(run.id, {})):
        row = rows[shown["id"]]
        output = outputs.get(row.step)
        data = {"input": inputs.get(row.step), "output": output}
        long = {name: len(text) for name, text in data.items() if text and longest is not None and len(text) > longest}
        several = [ItemOut(index=at, run_id=each) for at, each in enumerate(row.children)]
        found.append(
            StepOut(
                **shown,
                working_seconds=worked.get((run.id, row.step)),
                **{name: jsons.loads(text) for name, text in data.items() if text is not None and name not in long},
                left_out=long,
                warning=size_warning(output) if output is not None else None,
                runs=several if len(several) > 1 else None,
            )
        )
    return found


def _at_checkpoints_after(session: Session, run: Run, rows: dict[str, RunStep]) -> list[RunStep]:
    """The steps whose output a person is to approve."""
    waiting = [row for row in rows.values() if row.status == StepStatus.WAITING.value]
    if not waiting:
        return []
    steps = {step.id: step for step in workflows.frozen(session, run.workflow_revision_id or "").steps}
    return [row for row in waiting if (at := steps[row.step].checkpoint) is not None and at.when == "after"]


def outputs_by_step(session: Session, run: Run) -> dict[str, str]:
    """What the steps of a workflow's run made so far, as JSON."""
    return outputs_of_steps(session, list(session.scalars(select(RunStep).where(RunStep.run_id == run.id))))


def merged_output(session: Session, run: Run) -> Any:
    """The context as far as it has come: what is too large to be kept twice is put together here."""
    context, outputs = Context.start(input_of(session, run.id)), outputs_by_step(session, run)
    for step in in_order(workflows.frozen(session, run.workflow_revision_id or "")) if outputs else ():
        if step.id in outputs:
            context = context.with_output(step.id, outputs[step.id])
    return jsons.loads(context.text())


def _working_seconds(session: Session, by_run: Mapping[str, Mapping[str, RunStep]]) -> dict[tuple[str, str], float]:
    """By run and step: how long the runs that do it have worked, in all tries. Neither people's time is in it, nor a
    wait. What is kept from an earlier run was worked there."""
    own = select(Run.parent_id, Run.step, func.sum(Run.working_seconds)).where(Run.parent_id.in_(by_run))
    grouped = session.execute(own.group_by(Run.parent_id, Run.step))
    worked = {(run or "", step or ""): float(seconds) for run, step, seconds in grouped}
    kept = {
        child: (run, row.step)
        for run, rows in by_run.items()
        for row in rows.values()
        for child in row.children
        if child is not None and (run, row.step) not in worked
    }
    for child, seconds in _WORKED.rows(session, list(kept)):
        worked[kept[child]] = worked.get(kept[child], 0.0) + seconds
    return {at: round(seconds, 3) for at, seconds in worked.items()}


def _asks_below(session: Session, runs: Sequence[Run]) -> dict[str, dict[str, str]]:
    """By run and step: the oldest ask that holds up the step's run, or one below that. In one query."""
    at_work = [run.id for run in runs if run.ended_at is None]
    if not at_work:
        return {}
    of_step = select(Run.parent_id.label("top"), Run.step.label("step"), Run.id).where(Run.parent_id.in_(at_work))
    below = of_step.cte("below", recursive=True)
    below = below.union_all(select(below.c.top, below.c.step, Run.id).join(below, Run.parent_id == below.c.id))
    holding = select(below.c.top, below.c.step, Ask.id).join(Ask, Ask.run_id == below.c.id)
    holding = holding.where(Ask.status == AskStatus.PENDING.value, Ask.blocking.is_(True))
    found = dict[str, dict[str, str]]()
    # Put in order here: for it in this order, SQLite goes through all asks that there ever were.
    for ask_id, top, step in sorted((row[2], row[0], row[1]) for row in session.execute(holding)):
        found.setdefault(top, {}).setdefault(step, ask_id)
    return found


def _shown(session: Session, run: Run, rows: dict[str, RunStep], holding: dict[str, str]) -> list[dict[str, Any]]:
    if not rows:
        return []
    definition = workflows.frozen(session, run.workflow_revision_id or "")
    needs = needs_of(definition)
    return [
        _one(run, step, rows[step.id], list(needs[step.id]), holding.get(step.id))
        for step in definition.steps
        if step.id in rows
    ]


def _one(run: Run, step: Step, row: RunStep, needs: list[str], waits_for: str | None) -> dict[str, Any]:
    # Who ends a run leaves its steps as they are: nothing comes of them any more.
    is_cut_off = run.ended_at is not None and StepStatus(row.status) not in DONE
    ended_at = row.ended_at or (run.ended_at if row.started_at else None)
    took = ((ended_at or now()) - row.started_at).total_seconds() if row.started_at else None
    return {
        "id": step.id,
        "name": step.name or step.id,
        "agent": step.agent,
        "workflow": step.workflow,
        "tool": step.tool,
        "needs": needs,
        "status": StepStatus.CANCELLED.value if is_cut_off else StepStatus.WAITING.value if waits_for else row.status,
        "attempt": row.attempt,
        "run_id": row.children[0] if len(row.children) == 1 else None,
        "ask_id": row.ask_id,
        "waits_for": waits_for,
        "started_at": row.started_at,
        "ended_at": ended_at,
        "duration_seconds": took,
        "error": row.error,
    }
