"""The life of a call: every move of its status, legal by the machine and written by compare-and-set."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, select, update
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import instance_state, set_committed_value

from signoff.audit.actions import record
from signoff.claims.actions import Claim, LostClaim
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.db import events
from signoff.kit.db.columns import table
from signoff.kit.db.events import EventType
from signoff.kit.db.prepared import Prepared
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject, clean_text, digest
from signoff.runs.events import CALL_FINISHED, CALL_STARTED, CallBrief, CallState, mark_of_test
from signoff.runs.models import Call, Message, Run
from signoff.runs.states import CALL, CallStatus
from signoff.runs.transcript.messages import new_message

# The tool whose calls are runs of their own.
START_RUN = "start_run"
NOT_RUN = "Not run: the run ended first."
END_NOT_SEEN = "The run ended before this call's result was known."
# What becomes of a call that its run leaves open. What was approved and not run failed; what still waited for people
# was not approved; what was started may have happened.
GIVEN_UP = {
    CallStatus.PROPOSED: CallStatus.FAILED,
    CallStatus.WAITING: CallStatus.DENIED,
    CallStatus.APPROVED: CallStatus.FAILED,
    CallStatus.STARTED: CallStatus.UNKNOWN,
}


class IllegalCallMove(Exception):
    """No call may become this from what it is: a bug of ours."""


class CallMoved(LostClaim):
    """Somebody else moved the call since it was read; whatever this worker wanted to write is void."""


def propose_call(run_id: str, turn: int, position: int, tool_call_id: str, tool: str, arguments: JsonObject) -> Call:
    """What the model wants, not judged and not stored yet."""
    return Call(
        id=new_id(),
        run_id=run_id,
        turn=turn,
        position=position,
        tool_call_id=clean_text(tool_call_id),
        tool=clean_text(tool)[:200],
        proposed_arguments=arguments,
        status=CallStatus.PROPOSED.value,
        attempt=0,
        cost_credits=0.0,
        created_at=clock.now(),
    )


def approve_call(call: Call) -> None:
    """It may run: by a rule, by a person, or once more after a start without an end."""
    _move(call, CallStatus.APPROVED)


def wait_for_ask(call: Call, ask_id: str) -> None:
    """It waits for what people say to this ask."""
    _move(call, CallStatus.WAITING)
    call.ask_id = ask_id


def mark_unknown(call: Call, ask_id: str) -> None:
    """It was started and nobody knows whether it happened; this ask will tell."""
    _move(call, CallStatus.UNKNOWN)
    call.ask_id = ask_id


def mark_unseen(call: Call, seen: str) -> None:
    """The same where nobody is asked: what is known of it stands on the call."""
    _move(call, CallStatus.UNKNOWN)
    call.error = clean_text(seen)


def announce_start(session: Session, run: Run, call: Call) -> None:
    """An idempotent call begins: people hear of it, but there is no mark that a crash would have to explain."""
    call.attempt += 1
    call.started_at = clock.now()
    emit_call(session, run, call, CALL_STARTED)


def mark_started(session: Session, claim: Claim, run: Run, call: Call) -> None:
    """Mark a call as started, before its tool runs: a crash then leaves a start without an end."""
    _move(call, CallStatus.STARTED)
    call.worker = claim.owner
    announce_start(session, run, call)


def finish_call(
    session: Session,
    run: Run,
    call: Call,
    status: CallStatus,
    *,
    result: Any = None,
    error: str | None = None,
    cost_credits: float = 0.0,
) -> Message:
    """Give a call its end; returns the message that the transcript gets. What it cost counts for the run."""
    message = settle_call(run, call, status, result=result, error=error, cost_credits=cost_credits)
    emit_call(session, run, call, CALL_FINISHED)
    return message


def settle_call(
    run: Run,
    call: Call,
    status: CallStatus,
    *,
    result: Any = None,
    error: str | None = None,
    cost_credits: float = 0.0,
) -> Message:
    """The same in memory alone, for a transaction that follows: the caller emits the end there."""
    _move(call, status)
    call.cost_credits = cost_credits
    run.cost_credits += cost_credits
    call.result = result
    call.error = clean_text(error) if error is not None else None
    call.ended_at = clock.now()
    return new_message(run, "tool", call.turn, call_id=call.id)


def _move(call: Call, to: CallStatus) -> None:
    """The row in memory; `save_calls` writes it if the stored one is still what this move began from."""
    if not CALL.allows(CallStatus(call.status), to):
        raise IllegalCallMove(f"The call {call.id} is {call.status} and cannot become {to.value}.")
    call.status = to.value


def add_calls(session: Session, calls: Sequence[Call]) -> None:
    """Store what the model proposed, as far as it has come in this transaction."""
    if calls:
        rows = [{column.key: getattr(call, column.key) for column in _CALLS.c} for call in calls]
        _INSERT.run(session, rows)
        _stored(calls)


def save_calls(session: Session, calls: Sequence[Call]) -> None:
    """Write calls back, all of them in one statement, each only if its row is as it was read."""
    if calls:
        rows = [{f"new_{name}": getattr(call, name) for name in SAVED} for call in calls]
        for row, call in zip(rows, calls, strict=True):
            row |= {"call": call.id, "was": instance_state(call).committed_state.get("status", call.status)}
        _write(session, _SAVE, rows)
        _stored(calls)


def _stored(calls: Sequence[Call]) -> None:
    """From here on a move begins from this status."""
    for call in calls:
        set_committed_value(call, "status", call.status)


def _write(session: Session, change: Prepared, rows: list[dict[str, Any]]) -> None:
    def check(written: int) -> None:
        if written != len(rows):
            raise CallMoved(f"calls {', '.join(row['call'] for row in rows)}")

    change.run(session, rows, check)


def give_up_open_calls(session: Session, run: Run) -> None:
    """The run has ended and nobody works on it: nothing of it starts any more, and a start without an end is unknown.

    Reads nothing that a model or a tool wrote: it may be what took the run's workers down."""
    at, rows = clock.now(), _OPEN.rows(session, {"run": run.id})
    if not rows:
        return
    ends = [_end_of_given_up(tool, CallStatus(status)) for _, tool, status, _ in rows]
    _write(session, _GIVE_UP, [_given_up(row[0], row[2], to, at) for row, to in zip(rows, ends, strict=True)])
    for (call_id, tool, _, attempt), to in zip(rows, ends, strict=True):
        if to is CallStatus.UNKNOWN:
            seen = {"tool": tool, "attempt": attempt, "error": END_NOT_SEEN}
            record(session, Actor.system(run.workspace_id), "call.unknown", call_id, seen, run_id=run.id)
        else:
            brief: CallBrief = {
                "id": call_id,
                "tool": tool,
                "status": to.value,
                "attempt": attempt,
                "error": NOT_RUN,
            }
            events.emit(session, run.workspace_id, CALL_FINISHED, run.id, {"call": brief})


def _end_of_given_up(tool: str, status: CallStatus) -> CallStatus:
    # The run that a call started ends with this one, which is known.
    return CallStatus.FAILED if tool == START_RUN else GIVEN_UP[status]


def _given_up(call_id: str, was: str, to: CallStatus, at: Any) -> dict[str, Any]:
    if to is CallStatus.UNKNOWN:
        return {"call": call_id, "was": was, "to": to.value, "new_error": END_NOT_SEEN, "new_ended_at": None}
    return {"call": call_id, "was": was, "to": to.value, "new_error": NOT_RUN, "new_ended_at": at}


def audit_call(session: Session, run: Run, call: Call) -> None:
    """What ran, with exactly which arguments."""
    entry = {"tool": call.tool, "digest": digest(call.arguments), "ask": call.ask_id, "error": call.error}
    entry |= {"arguments": call.arguments, "attempt": call.attempt}
    if call.edited_arguments is not None:
        entry["original_arguments"] = call.proposed_arguments
    entry = {name: value for name, value in entry.items() if value is not None} | {**mark_of_test(run)}
    record(session, run.actor, f"call.{call.status}", call.id, entry, run_id=run.id)


def emit_call(session: Session, run: Run, call: Call, kind: EventType[CallState]) -> None:
    brief: CallBrief = {
        "id": call.id,
        "tool": call.tool,
        "status": call.status,
        "attempt": call.attempt,
        "error": call.error,
    }
    events.emit(session, run.workspace_id, kind, run.id, {"call": brief})


_CALLS = table(Call)
# What changes in a call after it was proposed.
SAVED = (
    *("status", "edited_arguments", "verdict", "judged", "rule", "ask_id", "aim"),
    *("attempt", "worker", "result", "error", "started_at", "ended_at", "cost_credits"),
)
_INSERT = Prepared.insert(_CALLS)
_AS_READ = (_CALLS.c.id == bindparam("call"), _CALLS.c.status == bindparam("was"))
_SAVE = Prepared(
    update(_CALLS)
    .where(*_AS_READ)
    .values({name: bindparam(f"new_{name}", type_=_CALLS.c[name].type) for name in SAVED})
)
_GIVE_UP = Prepared(
    update(_CALLS)
    .where(*_AS_READ)
    .values(
        status=bindparam("to"),
        error=bindparam("new_error"),
        ended_at=bindparam("new_ended_at", type_=_CALLS.c.ended_at.type),
    )
)
_OPEN = Prepared(
    select(_CALLS.c.id, _CALLS.c.tool, _CALLS.c.status, _CALLS.c.attempt).where(
        _CALLS.c.run_id == bindparam("run"),
        _CALLS.c.status.in_([status.value for status in GIVEN_UP]),
        # What takes a call back is a person's, and goes on.
        _CALLS.c.undoes.is_(None),
    )
)
