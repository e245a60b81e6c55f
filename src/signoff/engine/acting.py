"""Calls that are decided: answers taken in, tools run, results stored. Starts and ends are commits of their own."""

import asyncio
from collections.abc import Sequence

from sqlalchemy.orm import Session

from signoff.asks import actions as asks
from signoff.asks.models import Ask
from signoff.asks.states import AskStatus
from signoff.engine.calls import SKIPPED, Returned, carry_out, failure_message, recovery, safe
from signoff.engine.held import Desk, Held
from signoff.engine.turn import waiting_status
from signoff.kit.jsons import JsonObject
from signoff.runs import steps
from signoff.runs.models import Call, Message
from signoff.runs.states import ENDED, CallStatus, Reason, RunStatus


def batch(desk: Desk, held: Held) -> list[Call]:
    """The calls to run next: neighbours that only read, together; anything else alone and in order."""
    ready = [call for call in held.unfinished if call.status == CallStatus.APPROVED.value and not _own(desk, call)]
    chosen = list[Call]()
    for call in ready:
        if chosen and not safe(desk.registry.get(call.tool)):
            break
        chosen.append(call)
        if not safe(desk.registry.get(call.tool)):
            break
    return chosen


def _own(desk: Desk, call: Call) -> bool:
    tool = desk.registry.get(call.tool)
    return tool is not None and tool.own_means


def left_over(held: Held) -> list[Call]:
    """Calls whose start is stored and whose end is not: their worker died."""
    return [call for call in held.unfinished if call.status == CallStatus.STARTED.value]


async def act(desk: Desk, held: Held) -> bool:
    """Take in answers, run what may run, store the results. True: the run has ended."""
    if held.settled or left_over(held) or not all(_idempotent(desk, call) for call in batch(desk, held)):
        await desk.checkpoint("prepare")
        # A start that a power cut could take back would be a call that may run twice.
        risky = any(not _idempotent(desk, call) for call in held.unfinished)
        await desk.db.awrite(lambda s: _prepare(s, desk, held), durable=risky)
        if RunStatus(held.run.status) in ENDED:
            return True
        if held.run.status == RunStatus.PAUSED.value:
            return False
    # What was just marked as started comes first; it is always one call.
    running = left_over(held) or batch(desk, held)
    if not running:
        return False
    await desk.checkpoint("started")
    working = asyncio.create_task(_run(desk, held, running))
    try:
        await asyncio.shield(working)
    except asyncio.CancelledError:
        # The worker is told to leave. A call cut off now would be one whose end nobody knows.
        await working
        raise
    return False


async def _run(desk: Desk, held: Held, calls: Sequence[Call]) -> None:
    returned = await asyncio.gather(*(carry_out(desk, held, call) for call in calls))
    await desk.checkpoint("ran")
    await desk.db.awrite(lambda s: _store(s, desk, held, returned))
    await desk.checkpoint("results")


def _idempotent(desk: Desk, call: Call) -> bool:
    tool = desk.registry.get(call.tool)
    return tool is None or tool.idempotent


def _prepare(session: Session, desk: Desk, held: Held) -> None:
    """One transaction: what people answered, what a crash left behind, and the mark on what starts now."""
    lines, changed, rejected = list[Message](), list[Call](), None
    for call in left_over(held):
        _recover(session, desk, held, call)
        changed.append(call)
    for call in held.unfinished:
        ask = held.settled.get(call.ask_id or "")
        if ask is not None:
            rejected = rejected or _rejection(ask)
            lines += _take_in(session, held, call, ask)
            changed.append(call)
    values: JsonObject = dict(held.work())
    own = held.settled.get(held.run.ask_id or "")
    gave_up = own is not None and (own.answer or {}).get("value") != "retry"
    if own is not None:
        held.run.ask_id, held.run.retries = None, 0
        values |= {"ask_id": None, "retries": 0, "error": None}
    held.settled = {}
    if rejected is not None:
        steps.end(session, held.claim, held.run, RunStatus.CANCELLED, Reason.REJECTED, error=rejected, **values)
    elif gave_up:
        error = {"message": "A person gave up on the model's problem."}
        steps.end(session, held.claim, held.run, RunStatus.FAILED, Reason.ERROR, **values | {"error": error})
    else:
        _start(session, desk, held, changed, values)
    for call in {call.id: call for call in changed}.values():
        steps.save_call(session, call)
    steps.add_messages(session, lines)
    held.messages += lines


def _start(session: Session, desk: Desk, held: Held, changed: list[Call], values: JsonObject) -> None:
    """Go on, and mark what is not idempotent as started, unless a person stopped the run just now."""
    waits = any(call.status in steps.ASKING for call in held.unfinished)
    to = waiting_status(held) if waits else RunStatus.RUNNING
    status = steps.write_run(session, held.claim, held.run, to, **values)
    if status in ENDED:
        asks.cancel_open(session, held.actor, held.run.id)
    if status in ENDED or status is RunStatus.PAUSED:
        return
    for call in batch(desk, held):
        if not _idempotent(desk, call):
            steps.start_call(session, held.run, call)
        elif call.started_at is None:
            steps.set_out(session, held.run, call)
        changed.append(call)


def _recover(session: Session, desk: Desk, held: Held, call: Call) -> None:
    """It was started and its end is unknown: again if that does no harm, else a person decides."""
    if _idempotent(desk, call):
        call.status = CallStatus.APPROVED.value
        return
    ask = recovery(held, call)
    call.status, call.ask_id = CallStatus.UNKNOWN.value, ask.id
    asks.open_ask(session, held.actor, ask)


def _rejection(ask: Ask) -> JsonObject | None:
    given = ask.answer or {}
    if ask.status == AskStatus.DENIED.value and given.get("end_run"):
        return {"message": f"Rejected by {ask.settled_by}: {given.get('note')}"}
    return None


def _take_in(session: Session, held: Held, call: Call, ask: Ask) -> list[Message]:
    """What an answer makes of its call."""
    if call.status == CallStatus.UNKNOWN.value:
        return _take_in_recovery(session, held, call, ask)
    given = ask.answer or {}
    status, note = AskStatus(ask.status), given.get("note")
    if status is AskStatus.APPROVED:
        call.status = CallStatus.APPROVED.value
        call.edited_arguments = given.get("arguments")
        return []
    if status is AskStatus.ANSWERED:
        result = given.get("value") if not note else {"answer": given.get("value"), "note": note}
        return [steps.finish_call(session, held.run, call, CallStatus.SUCCEEDED, result=result)]
    if status is AskStatus.DENIED and given.get("decision") == "respond":
        error = f"Not done. Instead of approving, {ask.settled_by} says: {given.get('value')}"
    elif status is AskStatus.DENIED:
        error = (
            f"Refused by {ask.settled_by}. Reason: {note or 'none given'}. Do not try the same again; find another way."
        )
    else:
        error = f"Nobody will answer: the ask is {ask.status}. Go on without it."
    return [steps.finish_call(session, held.run, call, CallStatus.DENIED, error=error)]


def _take_in_recovery(session: Session, held: Held, call: Call, ask: Ask) -> list[Message]:
    match (ask.answer or {}).get("value"):
        case "retry":
            call.status = CallStatus.APPROVED.value
            return []
        case "done":
            result = "The process stopped during this call; a person confirmed that it happened."
            return [steps.finish_call(session, held.run, call, CallStatus.SUCCEEDED, result=result)]
        case _:
            return [steps.finish_call(session, held.run, call, CallStatus.FAILED, error=SKIPPED)]


def _store(session: Session, desk: Desk, held: Held, returned: Sequence[Returned]) -> None:
    """The results, the count of failures in a row, events: one commit."""
    failures, lines = dict(held.run.tool_failures), list[Message]()
    for each in returned:
        call, error = each.call, each.error
        if error is None:
            failures.pop(call.tool, None)
            lines.append(steps.finish_call(session, held.run, call, CallStatus.SUCCEEDED, result=each.result))
        else:
            failures[call.tool] = failures.get(call.tool, 0) + 1
            told = failure_message(call.tool, error, failures[call.tool])
            lines.append(steps.finish_call(session, held.run, call, CallStatus.FAILED, error=told))
        if call.ask_id or not _idempotent(desk, call):
            steps.audit_call(session, held.run, call)
    # The run's row first, then its calls, as when they start: two orders of locks could wait for each other.
    steps.write_run(session, held.claim, held.run, None, tool_failures=failures, **held.work())
    for each in returned:
        steps.save_call(session, each.call)
    steps.add_messages(session, lines)
    held.messages += lines
    held.run.tool_failures = failures
