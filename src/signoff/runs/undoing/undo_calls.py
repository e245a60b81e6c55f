"""Which calls of a run can be taken back, and which have been. The world itself is looked at when somebody wants it."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.kit.errors import Conflict, NotFound
from signoff.kit.jsons import JsonObject
from signoff.runs.models import Call, Run
from signoff.runs.states import CallStatus

# The model made no such call, so it reads no result of it.
UNDO = "undo:"
# How the result begins of a call that a test left undone.
NOT_MADE = "Test: this call was not made."
# An undo that came to nothing leaves its call to be undone.
IN_VAIN = frozenset({CallStatus.FAILED.value, CallStatus.DENIED.value, CallStatus.UNKNOWN.value})


class UnknownCall(NotFound):
    code = "unknown_call"


class CannotBeUndone(Conflict):
    """The call has no undo, did not happen, or the world has moved on; the words say which."""

    code = "cannot_undo"


class AlreadyUndone(Conflict):
    """Somebody undid it, or is about to."""

    code = "already_undone"


def find_call(session: Session, run: Run, call_id: str) -> Call:
    found = session.get(Call, call_id)
    if found is None or found.run_id != run.id:
        raise UnknownCall("Call not found in this run.")
    return found


def undone(session: Session, run_ids: Sequence[str]) -> dict[str, Call]:
    """The call that takes each of these runs' calls back, by the id of what it takes back."""
    query = select(Call).where(Call.run_id.in_(run_ids), Call.undoes.is_not(None)).order_by(Call.id)
    return {call.undoes: call for call in session.scalars(query) if call.undoes and call.status not in IN_VAIN}


def why_not_undone(call: Call, by: Call | None) -> str | None:
    """Why a call cannot be undone, as far as the rows tell."""
    if by is not None:
        how = "was undone" if by.status == CallStatus.SUCCEEDED.value else "is being undone"
        return f"It {how} by {by.requested_by}."
    if call.status != CallStatus.SUCCEEDED.value:
        return "It did not run to a good end."
    if was_not_made(call):
        return "It was not made: this was a test."
    impact: JsonObject = call.verdict.get("impact") or {}
    if not impact.get("kinds"):
        return "It changed nothing." if impact.get("reversible") else "This tool has no undo."
    return None if impact.get("reversible") else "It cannot be undone."


def was_not_made(call: Call) -> bool:
    """Whether a test left it undone: its result is only what it would have done."""
    return isinstance(call.result, str) and call.result.startswith(NOT_MADE)


def calls_since(session: Session, run: Run, since: Call) -> list[Call]:
    """A call and all that ended after it, the last one first."""
    query = select(Call).where(Call.run_id == run.id, Call.undoes.is_(None), Call.ended_at.is_not(None))
    ended = sorted(
        session.scalars(query), key=lambda call: (call.ended_at or call.created_at, call.turn, call.position)
    )
    first = next((index for index, call in enumerate(ended) if call.id == since.id), len(ended))
    return ended[first:][::-1]
