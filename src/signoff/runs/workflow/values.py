"""What goes into runs and comes out of them, as the JSON that was written: nothing is parsed and made anew."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Text, cast, select, update
from sqlalchemy.orm import Session

from signoff.kit.db.columns import table
from signoff.kit.db.prepared import PreparedIn
from signoff.kit.jsons import Written
from signoff.runs.large_values import ValueName, is_large, put_apart
from signoff.runs.models import Run, RunValue
from signoff.runs.workflow.models import RunStep
from signoff.runs.workflow.states import StepStatus

_RUNS, _VALUES = table(Run), table(RunValue)


def _of_runs(name: ValueName, *columns: ColumnElement[Any]) -> PreparedIn:
    """These columns of some runs, and of what of that name stands apart."""
    apart = _RUNS.outerjoin(_VALUES, (_VALUES.c.run_id == _RUNS.c.id) & (_VALUES.c.name == name))
    return PreparedIn(select(_RUNS.c.id, *columns).select_from(apart), _RUNS.c.id)


_INPUTS = _of_runs("input", _VALUES.c.value, cast(_RUNS.c.input, Text))
_OUTPUTS = _of_runs("output", _VALUES.c.value, cast(_RUNS.c.output, Text))
_MADE = _of_runs("output", _RUNS.c.kind, _RUNS.c.completion_reason, _VALUES.c.characters, cast(_RUNS.c.output, Text))


def write_output(session: Session, run: Run, value: str) -> None:
    if is_large(value):
        put_apart(session, run.id, "output", value)
        run.apart = [*run.apart, "output"]
        changed: dict[str, Any] = {"apart": run.apart}
    else:
        changed = {"output": Written(value)}
    session.execute(update(_RUNS).where(_RUNS.c.id == run.id).values(changed))


def input_of(session: Session, run_id: str) -> str:
    return _texts(session, _INPUTS, [run_id]).get(run_id) or "{}"


def _texts(session: Session, of_runs: PreparedIn, run_ids: Sequence[str]) -> dict[str, str | None]:
    """By run, as JSON; those that are gone are not there."""
    return {run_id: apart or here for run_id, apart, here in of_runs.rows(session, run_ids)}


@dataclass(frozen=True)
class Made:
    """What a run made, before it is read."""

    kind: str
    completion_reason: str | None
    characters: int
    # Only where it does not stand apart.
    output: str | None


def made_by_runs(session: Session, run_ids: Sequence[str]) -> dict[str, Made]:
    """By run; nothing large is read for that."""
    return {
        run_id: Made(kind, reason, apart or len(output or ""), output)
        for run_id, kind, reason, apart, output in _MADE.rows(session, run_ids)
    }


def inputs_of_steps(session: Session, rows: Sequence[RunStep]) -> dict[str, str]:
    """What each step got; of one that a single run does it stands there alone."""
    at_run = {row.step: row.children[0] for row in rows if row.input is None and row.children}
    of_runs = _texts(session, _INPUTS, list(at_run.values()))
    found = {row.step: of_runs.get(at_run[row.step]) if row.step in at_run else row.input for row in rows}
    return {step: given for step, given in found.items() if given is not None}


def outputs_of_runs(session: Session, run_ids: Sequence[str]) -> dict[str, str]:
    """By run; one without an output has null."""
    return {run_id: output or "null" for run_id, output in _texts(session, _OUTPUTS, run_ids).items()}


def outputs_of_steps(
    session: Session, rows: Sequence[RunStep], read: Callable[[Sequence[str]], Mapping[str, str]] | None = None
) -> dict[str, str]:
    """What the steps that succeeded made, but for those whose run was deleted. `read` knows what runs made already."""
    made = [row for row in rows if row.status == StepStatus.SUCCEEDED.value]
    return outputs_of_rows(session, made, read)


def outputs_of_rows(
    session: Session, rows: Sequence[RunStep], read: Callable[[Sequence[str]], Mapping[str, str]] | None = None
) -> dict[str, str]:
    """What these steps made, however they stand."""
    at_run = [row.children[0] for row in rows if row.output is None and row.children]
    of_runs = read(at_run) if read is not None else outputs_of_runs(session, at_run)
    found = {row.step: row.output or of_runs.get(row.children[0] if row.children else "") for row in rows}
    return {step: output for step, output in found.items() if output is not None}
