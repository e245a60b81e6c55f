"""What goes into runs and comes out of them, where it is large: in rows of their own.

Claims and releases write a run's row many times; on SQLite each of them would write such a value once more."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import set_committed_value

from signoff.kit import jsons
from signoff.kit.db.columns import table
from signoff.kit.db.prepared import Prepared
from signoff.runs.models import Run, RunValue

ValueName = Literal["input", "output"]
# Characters of JSON.
LARGE = 100_000
# Where a model reads what is too long to be told; whoever works on the run writes it when it begins.
INPUT_FILE = "input.json"
IN_A_FILE = f"Input: JSON in the file {INPUT_FILE} of your folder. It is too long to stand here."
_INSERT = Prepared.insert(table(RunValue))
_VALUES = table(RunValue)
_ONE = Prepared(
    select(_VALUES.c.value).where(_VALUES.c.run_id == bindparam("run"), _VALUES.c.name == bindparam("name"))
)


def is_large(text: str) -> bool:
    return len(text) > LARGE


def put_apart(session: Session, run_id: str, name: ValueName, text: str) -> None:
    """Whoever does so writes the name to the run's `apart`, too."""
    _INSERT.run(session, {"run_id": run_id, "name": name, "value": text, "characters": len(text)})


def value_of(session: Session, run: Any, name: ValueName) -> Any:
    """The input or output of a run, or of a row with these of its columns, wherever it stands."""
    value = getattr(run, name)
    if value is not None or name not in (run.apart or ()):
        return value
    value = jsons.stored(_ONE.scalar(session, {"run": getattr(run, "run_id", None) or run.id, "name": name}) or "null")
    if isinstance(run, Run):
        # Known from here on, and nothing that is to be written.
        set_committed_value(run, name, value)
    return value


def texts_apart(session: Session, run_ids: Sequence[str], name: ValueName) -> Mapping[str, str]:
    """By run, of those that stand apart, as JSON."""
    if not run_ids:
        return {}
    query = select(RunValue.run_id, RunValue.value).where(RunValue.run_id.in_(run_ids), RunValue.name == name)
    return {row[0]: row[1] for row in session.execute(query)}
