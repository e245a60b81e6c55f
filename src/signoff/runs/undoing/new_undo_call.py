"""A call that takes another one back begins as every call does."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from signoff.kit.jsons import JsonObject
from signoff.runs.calls import propose_call
from signoff.runs.models import Call
from signoff.runs.undoing.undo_calls import UNDO

# Behind all calls of their turn.
FIRST_POSITION = 1_000_000


def new_undo_call(
    session: Session, target: Call, tool: str, arguments: JsonObject, verdict: JsonObject, requested_by: str
) -> Call:
    """The call that takes another one back, not stored yet."""
    count = session.scalar(select(func.count()).where(Call.run_id == target.run_id, Call.undoes.is_not(None))) or 0
    place = (target.run_id, target.turn, FIRST_POSITION + count)
    call = propose_call(*place, f"{UNDO}{target.id}", tool, arguments)
    call.verdict, call.rule = verdict, verdict["rule"]
    call.undoes, call.requested_by = target.id, requested_by
    return call
