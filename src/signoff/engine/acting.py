"""Calls that are decided: answers taken in, tools run, results stored. Starts and ends are commits of their own."""

import asyncio
from collections.abc import Sequence

from sqlalchemy.orm import Session

from signoff.claims.actions import LostClaim
from signoff.engine.calls import Returned, carry_out, failure_message, safe
from signoff.engine.deciding import record_denied
from signoff.engine.held import Desk, Held
from signoff.engine.judging import Bench, judge_now
from signoff.engine.late import record_late, watch
from signoff.engine.phases import waiting_status
from signoff.engine.planning import ask_again, give_up_rest, held_back
from signoff.engine.taking import Taking, ending_of
from signoff.engine.unknown import ask_what_happened, ended_late, take_late
from signoff.kit.jsons import JsonObject
from signoff.policy.evaluate import Allow, Deny
from signoff.runs import steps
from signoff.runs.models import Call, Message
from signoff.runs.states import ENDED, FINISHED, CallStatus, Phase, RunStatus

# What is known of a call that another worker began.
LEFT_OPEN = "Its worker stopped, or stood still until its lease ended, before the end was known."


def batch(desk: Desk, held: Held) -> list[Call]:
    """The calls to run next: neighbours that only read, together; anything else alone and in order."""
    waits = held_back(held)
    ready = [
        call
        for call in held.unfinished
        if call.status == CallStatus.APPROVED.value and not _own(desk, call) and call.id not in waits
    ]
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
    unprepared = any(call.id not in held.cleared for call in batch(desk, held))
    if held.settled or held.late or left_over(held) or ended_late(held) or unprepared:
        await desk.checkpoint("prepare")
        # A start that a power cut could take back would be a call that may run twice.
        risky = any(not idempotent(desk, call) for call in held.unfinished)
        await desk.db.awrite(lambda s: _prepare(s, desk, held), durable=risky)
        if RunStatus(held.run.status) in ENDED:
            return True
        if held.run.status == RunStatus.PAUSED.value:
            return False
    # What was just marked as started comes first; it is always one call.
    running = left_over(held) or batch(desk, held)
    if not running:
        return False
    held.cleared.clear()
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
    for each in returned:
        watch(desk, held, each)
    try:
        await desk.db.awrite(lambda s: _store(s, desk, held, returned))
    except LostClaim:
        # The run is another's, who does not know how these ended.
        for each in returned:
            if not idempotent(desk, each.call) and each.goes_on is None:
                await record_late(desk, held.run.id, each.call.attempt, each)
        raise
    await desk.checkpoint("results")


def idempotent(desk: Desk, call: Call) -> bool:
    tool = desk.registry.get(call.tool)
    return tool is None or tool.idempotent


def _prepare(session: Session, desk: Desk, held: Held) -> None:
    """One transaction: what people answered, what a crash left behind, and the mark on what starts now."""
    lines, changed, ending = list[Message](), list[Call](), None
    for call in ended_late(held):
        lines.append(take_late(session, held, call))
        changed.append(call)
        if call.status == CallStatus.FAILED.value:
            rest, told_of = give_up_rest(session, held, call)
            changed, lines = changed + rest, lines + told_of
    for call in left_over(held):
        _recover(session, desk, held, call)
        changed.append(call)
    taking = Taking(session, desk, held)
    for call in held.unfinished:
        ask = held.settled.get(call.ask_id or "")
        # An answer before may have given up the rest of a plan.
        if ask is not None and call.status not in FINISHED:
            ending = ending or ending_of(ask)
            lines += taking.take_in(call, ask)
            changed.append(call)
    lines += taking.late_answers()
    changed += taking.changed
    own = held.settled.get(held.run.ask_id or "")
    if own is not None:
        unwanted = taking.own_answer(own)
        ending = ending or ending_of(own) or unwanted
    held.signed |= held.settled
    held.settled = {}
    values: JsonObject = dict(held.work()) | taking.values
    if ending is not None:
        end = {**values, "error": ending.error}
        steps.end(session, held.claim, held.run, ending.status, ending.reason, **end)
    else:
        lines += _start(session, desk, held, changed, values)
    made = {call.id for call in taking.made}
    steps.add_calls(session, taking.made)
    for call in {call.id: call for call in changed if call.id not in made}.values():
        steps.save_call(session, call)
    steps.add_messages(session, lines)
    held.messages += lines


def _start(session: Session, desk: Desk, held: Held, changed: list[Call], values: JsonObject) -> list[Message]:
    """Go on, and mark what is not idempotent as started, unless a person stopped the run just now."""
    lines = _judge_again(session, desk, held, changed)
    waits = any(call.status in steps.ASKING for call in held.unfinished)
    to = waiting_status(held) if waits else Phase(held.run.phase).status
    status = steps.write_run(session, held.claim, held.run, to, **values)
    if status in ENDED or status is RunStatus.PAUSED:
        return lines
    starting = batch(desk, held)
    for call in starting:
        if not idempotent(desk, call):
            steps.start_call(session, held.claim, held.run, call)
        elif call.started_at is None:
            steps.set_out(session, held.run, call)
        changed.append(call)
    held.cleared = {call.id for call in starting}
    return lines


def set_out_first(session: Session, desk: Desk, held: Held) -> None:
    """Calls that this very transaction judged begin with it, if a start needs no mark. The others are judged again."""
    held.cleared = set()
    for call in batch(desk, held):
        if idempotent(desk, call):
            steps.set_out(session, held.run, call)
            held.cleared.add(call.id)


def _judge_again(session: Session, desk: Desk, held: Held, changed: list[Call]) -> list[Message]:
    """The rules of this moment have the last word, whoever let the calls through before."""
    lines, cleared = list[Message](), set[str]()
    bench: Bench | None = None
    # What is next changes with every call that is stopped.
    while call := next((each for each in batch(desk, held) if each.id not in cleared), None):
        bench = bench or Bench.of(session, desk, held)
        verdict = judge_now(bench, call)
        if verdict is None or isinstance(verdict, Allow):
            cleared.add(call.id)
            continue
        changed.append(call)
        before = "Approved, but a rule made since" if call.ask_id else "A rule made since it was let through"
        if isinstance(verdict, Deny):
            record_denied(session, held, call, verdict)
            lines += _deny(session, held, call, changed, f"{before} forbids it: {'; '.join(verdict.reasons)}")
        elif not ask_again(session, bench, call, verdict):
            lines += _deny(session, held, call, changed, f"It needs an approval now. {call.verdict['reasons'][0]}")
    return lines


def _deny(session: Session, held: Held, call: Call, changed: list[Call], why: str) -> list[Message]:
    line = steps.finish_call(session, held.run, call, CallStatus.DENIED, error=why)
    rest, lines = give_up_rest(session, held, call)
    changed += rest
    return [line, *lines]


def _recover(session: Session, desk: Desk, held: Held, call: Call) -> None:
    """It was started and its end is unknown: again if that does no harm, else a person decides."""
    tool = desk.registry.get(call.tool)
    if tool is not None and tool.idempotent:
        call.status = CallStatus.APPROVED.value
        return
    ask_what_happened(session, desk, held, call, LEFT_OPEN)


def _store(session: Session, desk: Desk, held: Held, returned: Sequence[Returned]) -> None:
    """The results, the count of failures in a row, events: one commit."""
    failures, lines, left = dict(held.run.tool_failures), list[Message](), list[Call]()
    for each in returned:
        call, error = each.call, each.error
        if each.unknown is not None:
            ask_what_happened(session, desk, held, call, each.unknown)
            continue
        if error is None:
            failures.pop(call.tool, None)
            lines.append(steps.finish_call(session, held.run, call, CallStatus.SUCCEEDED, result=each.result))
        else:
            failures[call.tool] = failures.get(call.tool, 0) + 1
            told = failure_message(call.tool, error, failures[call.tool])
            lines.append(steps.finish_call(session, held.run, call, CallStatus.FAILED, error=told))
            given_up, told_of = give_up_rest(session, held, call)
            left, lines = left + given_up, lines + told_of
        if call.ask_id or call.rule or not idempotent(desk, call):
            steps.audit_call(session, held.run, call)
    # The run's row first, then its calls, as when they start: two orders of locks could wait for each other.
    steps.write_run(session, held.claim, held.run, None, tool_failures=failures, falls=0, **held.work())
    for call in (*(each.call for each in returned), *left):
        steps.save_call(session, call)
    steps.add_messages(session, lines)
    held.messages += lines
    held.run.tool_failures = failures
