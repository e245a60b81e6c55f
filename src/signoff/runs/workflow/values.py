"""What goes into runs and comes out of them, as the JSON that was written: nothing is parsed and made anew."""

from collections.abc import Sequence

from sqlalchemy import Text, bindparam, cast, select, text
from sqlalchemy.orm import Session

from signoff.kit.db.driver import driver_of
from signoff.runs.models import Run
from signoff.runs.workflow.models import RunStep
from signoff.runs.workflow.states import StepStatus

_SQLITE = {each: text(f"UPDATE runs SET {each} = :value WHERE id = :run") for each in ("input", "output")}  # noqa: S608
_POSTGRESQL = {
    each: text(f"UPDATE runs SET {each} = CAST(:value AS json) WHERE id = :run")  # noqa: S608
    for each in ("input", "output")
}


def write_input(session: Session, run_id: str, value: str) -> None:
    statements = _SQLITE if driver_of(session).is_sqlite else _POSTGRESQL
    session.execute(statements["input"].bindparams(bindparam("value", type_=Text)), {"value": value, "run": run_id})


def write_output(session: Session, run_id: str, value: str) -> None:
    statements = _SQLITE if driver_of(session).is_sqlite else _POSTGRESQL
    session.execute(statements["output"].bindparams(bindparam("value", type_=Text)), {"value": value, "run": run_id})


def input_of(session: Session, run_id: str) -> str:
    return session.scalar(select(cast(Run.input, Text)).where(Run.id == run_id)) or "{}"


def inputs_of_steps(session: Session, rows: Sequence[RunStep]) -> dict[str, str]:
    """What each step got; of one that a single run does it stands there alone."""
    at_run = {row.step: row.children[0] for row in rows if row.input is None and row.children}
    query = select(Run.id, cast(Run.input, Text)).where(Run.id.in_(list(at_run.values())))
    rows_of_runs = session.execute(query) if at_run else ()
    of_runs: dict[str, str | None] = {row[0]: row[1] for row in rows_of_runs}
    found = {row.step: of_runs.get(at_run[row.step]) if row.step in at_run else row.input for row in rows}
    return {step: given for step, given in found.items() if given is not None}


def outputs_of_runs(session: Session, run_ids: Sequence[str]) -> dict[str, str]:
    """By run; one without an output has null."""
    query = select(Run.id, cast(Run.output, Text)).where(Run.id.in_(run_ids))
    return {run_id: output or "null" for run_id, output in session.execute(query)} if run_ids else {}


def outputs_of_steps(session: Session, rows: Sequence[RunStep]) -> dict[str, str]:
    """What the steps that succeeded made, in the order of the definition."""
    made = [row for row in sorted(rows, key=lambda row: row.position) if row.status == StepStatus.SUCCEEDED.value]
    of_runs = outputs_of_runs(session, [row.children[0] for row in made if row.output is None and row.children])
    return {row.step: row.output or of_runs.get(row.children[0] if row.children else "", "null") for row in made}
