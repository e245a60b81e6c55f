"""What people want taken back: done by whoever holds the run, one after the other, also after its end or in a pause."""

import asyncio
from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.states import LET_THROUGH
from signoff.audit.actions import record
from signoff.claims.actions import keep
from signoff.claims.pause_all import may_start
from signoff.engine.calls.execute import ToolOutcome, execute
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.kit import clock, jsons
from signoff.kit.actor import Actor
from signoff.kit.jsons import JsonObject
from signoff.runs.calls import END_NOT_SEEN, approve_call, finish_call, mark_started, mark_unseen, save_calls
from signoff.runs.models import Call
from signoff.runs.states import CallStatus
from signoff.runs.transcript.messages import FOR_PEOPLE, add_messages, emit_message, new_message
from signoff.runs.undoing.undo_calls import CannotBeUndone
from signoff.tools.undo.actions import why_not_now
from signoff.tools.undo.compensating import Compensation, compensation

BEHIND = "Not undone: something that came after it could not be undone."


async def take_back(engine: EngineContext, claimed: ClaimedRun) -> None:
    """Do what may be done, in order; what still waits for people keeps those behind it waiting."""
    while claimed.undos:
        call, ask = claimed.undos[0]
        if call.status == CallStatus.WAITING.value and ask is None:
            return
        found = await _found(engine, claimed, call)
        begins = await engine.db.awrite(
            lambda s, c=call, a=ask, f=found: _begin(s, engine, claimed, c, a, f), durable=True
        )
        if claimed.held:
            return
        if not begins:
            continue
        await engine.crash_point("undo")
        outcome = await execute(engine, claimed, call)
        await engine.crash_point("undone")
        await engine.db.awrite(lambda s, o=outcome: _store(s, engine, claimed, o))


async def _found(engine: EngineContext, claimed: ClaimedRun, call: Call) -> Compensation | str | None:
    """What would take it back now, or why nothing does: the world is looked at right before. What was begun may have
    changed it, so then nobody looks."""
    if call.attempt > 0:
        return None
    target = await engine.db.aread(lambda session: session.get_one(Call, call.undoes))
    around = (engine.registry, engine.settings, engine.db, claimed.run, target)
    try:
        found = await asyncio.to_thread(compensation, *around)
    except CannotBeUndone as refusal:
        return refusal.detail
    same = found.tool.name == call.tool and jsons.same(found.arguments, call.arguments)
    return found if same else "Undoing it would take something else by now."


def _begin(
    session: Session,
    engine: EngineContext,
    claimed: ClaimedRun,
    call: Call,
    ask: Ask | None,
    found: Compensation | str | None,
) -> bool:
    """Mark it as started, or give it its end. False: nothing is to be run."""
    claimed.held = not may_start(session, claimed.run.workspace_id)
    if claimed.held:
        return False
    _hold_on(session, engine, claimed)
    if call.status == CallStatus.STARTED.value:
        _left_open(session, claimed, call)
        return False
    if call.status == CallStatus.WAITING.value and ask is not None and ask.status not in LET_THROUGH:
        note = (ask.answer or {}).get("note")
        refused = f"Denied by {ask.settled_by}." if ask.settled_by else f"The ask is {ask.status}."
        _end(session, claimed, call, CallStatus.DENIED, error=f"{refused} {note or ''}".strip())
        return False
    if call.status == CallStatus.WAITING.value:
        approve_call(call)
    why_not = why_not_now(session, claimed.run, call, ask, found) if isinstance(found, Compensation) else found
    if why_not is not None:
        _end(session, claimed, call, CallStatus.FAILED, error=why_not)
        return False
    mark_started(session, claimed.claim, claimed.run, call)
    save_calls(session, [call])
    return True


def _left_open(session: Session, claimed: ClaimedRun, call: Call) -> None:
    """Its worker died. What does no harm twice is done again; of the rest nobody knows whether it happened."""
    tool = claimed.tool(call.tool)
    if tool is not None and tool.idempotent:
        approve_call(call)
        save_calls(session, [call])
        return
    _unseen(session, claimed, call, END_NOT_SEEN)


def _unseen(session: Session, claimed: ClaimedRun, call: Call, seen: str) -> None:
    mark_unseen(call, seen)
    _note(session, claimed, call, f"Nobody knows whether it was undone: {seen}")
    save_calls(session, [call])
    _audit(session, claimed, call)
    _give_up_rest(session, claimed)


def _store(session: Session, engine: EngineContext, claimed: ClaimedRun, outcome: ToolOutcome) -> None:
    _hold_on(session, engine, claimed)
    call = outcome.call
    if outcome.unknown is not None:
        _unseen(session, claimed, call, outcome.unknown)
    elif outcome.error is not None:
        _end(session, claimed, call, CallStatus.FAILED, error=outcome.error)
    else:
        _end(session, claimed, call, CallStatus.SUCCEEDED, result=outcome.result)


def _end(session: Session, claimed: ClaimedRun, call: Call, status: CallStatus, **ended: Any) -> None:
    """Its end, on the record, in the transcript, and for the agent to read. What is behind it rests on it."""
    finish_call(session, claimed.run, call, status, **ended)
    done = status is CallStatus.SUCCEEDED
    words = str(ended.get("result")) if done else f"It was not undone: {ended.get('error')}"
    _note(session, claimed, call, words)
    save_calls(session, [call])
    _audit(session, claimed, call)
    claimed.undos = claimed.undos[1:]
    if not done:
        _give_up_rest(session, claimed)


def _give_up_rest(session: Session, claimed: ClaimedRun) -> None:
    claimed.undos, rest = [], [call for call, _ in claimed.undos if call.status == CallStatus.APPROVED.value]
    for call in rest:
        finish_call(session, claimed.run, call, CallStatus.FAILED, error=BEHIND)
        _audit(session, claimed, call)
    save_calls(session, rest)


def _note(session: Session, claimed: ClaimedRun, call: Call, words: str) -> None:
    did = "undid" if call.status == CallStatus.SUCCEEDED.value else "wanted to undo"
    text = jsons.clean_text(f"{call.requested_by} {did} an earlier call, by {call.tool}. {words}")
    line = new_message(claimed.run, "system", None, text=text, author=FOR_PEOPLE)
    emit_message(session, claimed.run, line)
    add_messages(session, [line])
    claimed.messages.append(line)


def _audit(session: Session, claimed: ClaimedRun, call: Call) -> None:
    entry: JsonObject = {"tool": call.tool, "arguments": call.arguments, "digest": jsons.digest(call.arguments)}
    entry |= {"undoes": call.undoes, "requested_by": call.requested_by, "ask": call.ask_id, "error": call.error}
    told = {name: value for name, value in entry.items() if value is not None}
    record(session, Actor.system(claimed.run.workspace_id), f"call.{call.status}", call.id, told, run_id=call.run_id)


def _hold_on(session: Session, engine: EngineContext, claimed: ClaimedRun) -> None:
    """Whoever was overtaken writes nothing."""
    keep(session, claimed.claim, clock.now() + timedelta(seconds=engine.settings.lease_seconds))
