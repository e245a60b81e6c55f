"""Whether an agent does something for the first time: this tool, aimed at this target, in this workspace."""

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from signoff.kit.db.columns import table
from signoff.kit.db.prepared import Prepared
from signoff.kit.jsons import JsonObject, digest
from signoff.policy.risk import READING
from signoff.policy.targets import targets
from signoff.runs.models import Call, Run
from signoff.runs.states import CallStatus

# Let through, done, or perhaps done. What was refused or failed was not.
DONE = (CallStatus.APPROVED, CallStatus.STARTED, CallStatus.SUCCEEDED, CallStatus.UNKNOWN)


def aim(run: Run, tool: str, operation_type: str, arguments: JsonObject) -> str | None:
    """The mark of all calls that do the same to the same place; None for those that only read."""
    if operation_type in READING:
        return None
    # What a test let through was not done.
    kind = ["test"] if run.test else []
    return digest([run.workspace_id, run.agent, tool, targets(arguments), *kind])[:32]


def is_first(session: Session, mark: str) -> bool:
    """Whether no call with this mark was let through before: one look into an index."""
    return _DONE_BEFORE.first(session, {"aim": mark}) is None


_CALLS = table(Call)
_DONE_BEFORE = Prepared(
    select(_CALLS.c.id)
    .where(_CALLS.c.aim == bindparam("aim"), _CALLS.c.status.in_([status.value for status in DONE]))
    .limit(1)
)
