"""What goes into runs and comes out of them, as the JSON that was written: nothing is parsed and made anew."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Text, bindparam, cast, func, select, text, update
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import set_committed_value

from signoff.kit.db.columns import table
from signoff.kit.db.driver import driver_of
from signoff.runs.large_values import ValueName, is_large, put_apart
from signoff.runs.models import Run, RunValue
from signoff.runs.workflow.models import RunStep
from signoff.runs.workflow.states import StepStatus

_RUNS = table(Run)
_SQLITE = {each: text(f"UPDATE runs SET {each} = :value WHERE id = :run") for each in ("input", "output")}  # noqa: S608
_POSTGRESQL = {
    each: text(f"UPDATE runs SET {each} = CAST(:value AS json) WHERE id = :run")  # noqa: S608
    for each in ("input", "output")
}


def write_input(session: Session, run: Run, value: str) -> None:
    _write(session, run, "input", value)


def write_output(session: Session, run: Run, value: str) -> None:
    _write(session, run, "output", value)


def _write(session: Session, run: Run, name: ValueName, value: str) -> None:
    if is_large(value):
        put_apart(session, run.id, name, value)
        apart = [*run.apart, name]
        session.execute(update(_RUNS).where(_RUNS.c.id == run.id).values(apart=apart))
        set_committed_value(run, "apart", apart)
        return
    statements = _SQLITE if driver_of(session).is_sqlite else _POSTGRESQL
    session.execute(statements[name].bindparams(bindparam("value", type_=Text)), {"value": value, "run": run.id})


def input_of(session: Session, run_id: str) -> str:
    query = select(RunValue.value, cast(Run.input, Text)).select_from(Run)
    row = session.execute(query.outerjoin(RunValue, _of_run("input")).where(Run.id == run_id)).one_or_none()
    return "{}" if row is None else row[0] or row[1] or "{}"


def _texts(session: Session, run_ids: Sequence[str], name: ValueName) -> dict[str, str | None]:
    """By run, as JSON; those that are gone are not there."""
    if not run_ids:
        return {}
    query = select(Run.id, RunValue.value, cast(getattr(Run, name), Text)).outerjoin(RunValue, _of_run(name))
    return {row[0]: row[1] or row[2] for row in session.execute(query.where(Run.id.in_(run_ids)))}


def _of_run(name: ValueName) -> ColumnElement[bool]:
    return (RunValue.run_id == Run.id) & (RunValue.name == name)


@dataclass(frozen=True)
class Made:
    """What a run made, before it is read."""

    kind: str
    completion_reason: str | None
    characters: int


def made_by_runs(session: Session, run_ids: Sequence[str]) -> dict[str, Made]:
    """By run; nothing large is read for that."""
    if not run_ids:
        return {}
    length = func.coalesce(RunValue.characters, func.length(cast(Run.output, Text)), 0)
    query = select(Run.id, Run.kind, Run.completion_reason, length).outerjoin(RunValue, _of_run("output"))
    return {row[0]: Made(*row[1:]) for row in session.execute(query.where(Run.id.in_(run_ids)))}


def inputs_of_steps(session: Session, rows: Sequence[RunStep]) -> dict[str, str]:
    """What each step got; of one that a single run does it stands there alone."""
    at_run = {row.step: row.children[0] for row in rows if row.input is None and row.children}
    of_runs = _texts(session, list(at_run.values()), "input")
    found = {row.step: of_runs.get(at_run[row.step]) if row.step in at_run else row.input for row in rows}
    return {step: given for step, given in found.items() if given is not None}


def outputs_of_runs(session: Session, run_ids: Sequence[str]) -> dict[str, str]:
    """By run; one without an output has null."""
    return {run_id: output or "null" for run_id, output in _texts(session, run_ids, "output").items()}


def outputs_of_steps(
    session: Session, rows: Sequence[RunStep], read: Callable[[Sequence[str]], Mapping[str, str]] | None = None
) -> dict[str, str]:
    """What the steps that succeeded made, in the order of the definition. `read` knows what runs made already."""
    made = [row for row in sorted(rows, key=lambda row: row.position) if row.status == StepStatus.SUCCEEDED.value]
    at_run = [row.children[0] for row in made if row.output is None and row.children]
    of_runs = read(at_run) if read is not None else outputs_of_runs(session, at_run)
    return {row.step: row.output or of_runs.get(row.children[0] if row.children else "", "null") for row in made}
