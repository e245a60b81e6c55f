"""Calls that are decided: answers taken in, tools run, results stored. Starts and ends are commits of their own."""

import asyncio
from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from signoff.claims.actions import LostClaim, hold
from signoff.claims.pause_all import may_start
from signoff.connections import queries as connections
from signoff.engine.calls.elicitation import ask_for_input
from signoff.engine.calls.execute import ToolOutcome, execute, failure_message, safe
from signoff.engine.calls.judge import PolicyContext, judge_now
from signoff.engine.calls.late_results import record_late, watch
from signoff.engine.calls.made_previews import previews_made
from signoff.engine.calls.plan import ask_again, give_up_rest, held_back
from signoff.engine.calls.record_verdict import record_denied
from signoff.engine.calls.stated_impacts import calls_to_start, impacts_stated
from signoff.engine.calls.unknown_results import ask_what_happened, ended_late, take_late
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.engine.loop.apply_answers import AnswersApplied, ending_of
from signoff.engine.loop.phases import waiting_status
from signoff.engine.loop.started_runs import are_over, at_work, begin_run, is_at_work, take_outputs
from signoff.kit.db.database import Work
from signoff.kit.jsons import JsonObject
from signoff.policy.evaluate import Allow, Deny
from signoff.runs.calls import (
    START_RUN,
    add_calls,
    announce_start,
    approve_call,
    audit_call,
    emit_call,
    finish_call,
    mark_started,
    save_calls,
    settle_call,
)
from signoff.runs.ending import end
from signoff.runs.events import CALL_FINISHED
from signoff.runs.limits import credits_left
from signoff.runs.models import Call, Message
from signoff.runs.states import ASKING, ENDED, FINISHED, CallStatus, Phase, RunStatus
from signoff.runs.transcript.messages import add_messages
from signoff.runs.worker.fenced_writes import write_run

# What is known of a call that another worker began.
LEFT_OPEN = "Its worker stopped, or stood still until its lease ended, before the end was known."


def batch(claimed: ClaimedRun) -> list[Call]:
    """The calls to run next: neighbours that only read, together; anything else alone and in order."""
    chosen = list[Call]()
    credits = min(credits_left(claimed.limits, claimed.usage), claimed.left_above)
    for call in _ready(claimed):
        if credits <= 0 or (chosen and not safe(claimed.tool(call.tool))):
            break
        chosen.append(call)
        credits -= claimed.cost(call)
        if not safe(claimed.tool(call.tool)):
            break
    return chosen


def unaffordable(claimed: ClaimedRun) -> bool:
    """Whether calls are left that might run if there were money."""
    return bool(_ready(claimed)) and not batch(claimed)


def _ready(claimed: ClaimedRun) -> list[Call]:
    """What is approved and waits for nothing else."""
    if at_work(claimed):
        # Whatever comes after a run that was started comes after its end.
        return []
    waits = held_back(claimed)
    return [
        call
        for call in claimed.unfinished
        if call.status == CallStatus.APPROVED.value and not _own(claimed, call) and call.id not in waits
    ]


def _own(claimed: ClaimedRun, call: Call) -> bool:
    tool = claimed.tool(call.tool)
    return tool is not None and tool.is_control


def left_over(claimed: ClaimedRun) -> list[Call]:
    """Calls whose start is stored and whose end is not: their worker died."""
    return [call for call in claimed.unfinished if call.status == CallStatus.STARTED.value and not is_at_work(call)]


def is_news(claimed: ClaimedRun) -> bool:
    """Whether something is to be taken in before anything starts."""
    if claimed.settled or claimed.unread_answers:
        return True
    return bool(left_over(claimed) or ended_late(claimed)) or are_over(claimed)


async def act(engine: EngineContext, claimed: ClaimedRun) -> bool:
    """Take in answers, run what may run, store the results. True: the run has ended."""
    unprepared = any(call.id not in claimed.cleared for call in batch(claimed))
    if is_news(claimed) or unprepared:
        await engine.crash_point("prepare")
        # A start that a power cut could take back would be a call that may run twice.
        risky = any(not idempotent(claimed, call) for call in claimed.unfinished)
        starting = list(calls_to_start(claimed, _ready(claimed)))
        async with impacts_stated(engine, claimed, starting), previews_made(engine, claimed, starting):
            await engine.db.awrite(lambda s: _prepare(s, engine, claimed), durable=risky)
        if RunStatus(claimed.run.status) in ENDED:
            return True
        if claimed.run.status == RunStatus.PAUSED.value or claimed.held:
            return False
    # What was just marked as started comes first; it is always one call.
    running = left_over(claimed) or [call for call in batch(claimed) if call.id in claimed.cleared]
    if not running:
        return False
    claimed.cleared.clear()
    await engine.crash_point("started")
    working = asyncio.create_task(_run(engine, claimed, running))
    try:
        await asyncio.shield(working)
    except asyncio.CancelledError:
        # The worker has to leave. A call cut off now would be one whose end nobody knows.
        await working
        raise
    return False


async def _run(engine: EngineContext, claimed: ClaimedRun, calls: Sequence[Call]) -> None:
    returned = await asyncio.gather(*(execute(engine, claimed, call) for call in calls))
    await engine.crash_point("ran")
    for each in returned:
        watch(engine, claimed, each)
    if all(_stores_aside(claimed, each) for each in returned):
        claimed.storing = asyncio.create_task(_store_aside(engine, claimed, _settled(claimed, returned)))
        return
    try:
        await engine.db.awrite(lambda s: _store(s, engine, claimed, returned))
    except LostClaim:
        # The run is another's, who does not know how these ended.
        for each in returned:
            if not idempotent(claimed, each.call) and each.goes_on is None:
                await record_late(engine, claimed.run.id, each.call.attempt, each)
        raise
    await engine.crash_point("results")


def idempotent(claimed: ClaimedRun, call: Call) -> bool:
    tool = claimed.tool(call.tool)
    return tool is None or tool.idempotent


def _prepare(session: Session, engine: EngineContext, claimed: ClaimedRun) -> None:
    """One transaction: what people answered, what a crash left behind, and the mark on what starts now."""
    lines, changed, ending = list[Message](), list[Call](), None
    for call in ended_late(claimed):
        lines.append(take_late(session, claimed, call))
        changed.append(call)
        if call.status == CallStatus.FAILED.value:
            rest, given_up = give_up_rest(session, claimed, call)
            changed, lines = changed + rest, lines + given_up
    taken, said = take_outputs(session, engine, claimed)
    changed, lines = changed + taken, lines + said
    for call in left_over(claimed):
        _recover(session, engine, claimed, call)
        changed.append(call)
    applied = AnswersApplied(session, engine, claimed)
    for call in claimed.unfinished:
        ask = claimed.settled.get(call.ask_id or "")
        # An answer before may have given up the rest of a plan.
        if ask is not None and call.status not in FINISHED:
            ending = ending or ending_of(ask)
            lines += applied.to_call(call, ask)
            changed.append(call)
    lines += applied.hand_over_unread()
    changed += applied.changed
    own = claimed.settled.get(claimed.run.ask_id or "")
    if own is not None:
        unwanted = applied.to_run(own)
        ending = ending or ending_of(own) or unwanted
    claimed.signed |= claimed.settled
    claimed.settled = {}
    values: JsonObject = dict(claimed.work()) | applied.values
    if ending is None:
        lines += _start(session, engine, claimed, changed, values)
    else:
        # The run's row first, then its calls: whoever else writes them takes both in this order.
        hold(session, claimed.run.id)
    made = {call.id for call in applied.made}
    add_calls(session, applied.made)
    save_calls(session, list({call.id: call for call in changed if call.id not in made}.values()))
    add_messages(session, lines)
    claimed.messages += lines
    if ending is not None:
        end(session, claimed.claim, claimed.run, ending, calls=claimed.calls, **values)


def _start(
    session: Session, engine: EngineContext, claimed: ClaimedRun, changed: list[Call], values: JsonObject
) -> list[Message]:
    """Go on, and mark what is not idempotent as started, unless a person stopped the run just now."""
    claimed.held = not may_start(session, claimed.run.workspace_id)
    lines = [] if claimed.held else _judge_again(session, engine, claimed, changed)
    waits = any(call.status in ASKING for call in claimed.unfinished)
    to = waiting_status(claimed) if waits else Phase(claimed.run.phase).status
    status = write_run(session, claimed.claim, claimed.run, to, **values)
    if status in ENDED or status is RunStatus.PAUSED or claimed.held:
        return lines
    starting = batch(claimed)
    for call in starting:
        if call.tool == START_RUN:
            rest, said = begin_run(session, claimed, call)
            changed += rest
            lines += said
        elif not idempotent(claimed, call):
            mark_started(session, claimed.claim, claimed.run, call)
        elif call.started_at is None:
            announce_start(session, claimed.run, call)
        changed.append(call)
    claimed.cleared = {call.id for call in starting}
    return lines


def announce_first(session: Session, claimed: ClaimedRun) -> None:
    """Calls that this very transaction judged begin with it, if a start needs no mark. The others are judged again."""
    claimed.cleared = set()
    # Of a connection it is looked at once more right before, whether the run may still use it.
    starting = [call for call in batch(claimed) if idempotent(claimed, call) and not claimed.is_connected(call.tool)]
    claimed.held = bool(starting) and not may_start(session, claimed.run.workspace_id)
    for call in [] if claimed.held else starting:
        announce_start(session, claimed.run, call)
        claimed.cleared.add(call.id)


def _judge_again(session: Session, engine: EngineContext, claimed: ClaimedRun, changed: list[Call]) -> list[Message]:
    """The rules of this moment have the last word, whoever let the calls through before."""
    lines, cleared = list[Message](), set[str]()
    context: PolicyContext | None = None
    if any(claimed.is_connected(call.tool) for call in batch(claimed)):
        lines += _refuse_revoked(session, engine, claimed, changed)
    # What is next changes with every call that is stopped.
    while call := next((each for each in batch(claimed) if each.id not in cleared), None):
        context = context or PolicyContext.of(session, engine, claimed)
        verdict = judge_now(context, call)
        if verdict is None or isinstance(verdict, Allow):
            cleared.add(call.id)
            continue
        changed.append(call)
        before = "Approved, but a newer rule" if call.ask_id else "A newer rule"
        if isinstance(verdict, Deny):
            record_denied(session, claimed, call, verdict)
            lines += _deny(session, claimed, call, changed, f"{before} denies it: {'; '.join(verdict.reasons)}")
        elif not ask_again(session, context, call, verdict):
            lines += _deny(session, claimed, call, changed, f"It needs an approval now. {call.verdict['reasons'][0]}")
    return lines


def _refuse_revoked(session: Session, engine: EngineContext, claimed: ClaimedRun, changed: list[Call]) -> list[Message]:
    """What the run may use is what its grants say at this very moment, whatever it could before."""
    claimed.connect(session, engine, connections.granted(session, claimed.run.id))
    lines = list[Message]()
    for call in _ready(claimed):
        if claimed.is_connected(call.tool) and call.tool not in claimed.connected:
            changed.append(call)
            why = connections.why_not(session, claimed.run.workspace_id, claimed.run.id, call.tool)
            lines += _deny(session, claimed, call, changed, f"Not started: {why} Find another way.")
    return lines


def _deny(session: Session, claimed: ClaimedRun, call: Call, changed: list[Call], why: str) -> list[Message]:
    line = finish_call(session, claimed.run, call, CallStatus.DENIED, error=why)
    rest, lines = give_up_rest(session, claimed, call)
    changed += rest
    return [line, *lines]


def _recover(session: Session, engine: EngineContext, claimed: ClaimedRun, call: Call) -> None:
    """It was started and its end is unknown: again if that does no harm, else a person decides."""
    tool = claimed.tool(call.tool)
    if tool is not None and tool.idempotent:
        approve_call(call)
        return
    ask_what_happened(session, engine, claimed, call, LEFT_OPEN)


def _stores_aside(claimed: ClaimedRun, outcome: ToolOutcome) -> bool:
    """Whether nobody has to wait until a result is stored: if it is lost, the call is made again and does no harm."""
    if outcome.error is not None or outcome.unknown is not None or outcome.question is not None:
        return False
    return safe(claimed.tool(outcome.call.tool))


def _settled(claimed: ClaimedRun, returned: Sequence[ToolOutcome]) -> Work[None]:
    """Take safe results in, so that the model can be requested with them; what is returned stores them."""
    run, calls = claimed.run, [each.call for each in returned]
    lines = [
        settle_call(run, each.call, CallStatus.SUCCEEDED, result=each.result, cost_credits=each.cost_credits)
        for each in returned
    ]
    names = {call.tool for call in calls}
    run.tool_failures = {name: count for name, count in run.tool_failures.items() if name not in names}
    claimed.messages += lines
    values: dict[str, Any] = {"tool_failures": run.tool_failures, "falls": 0, **claimed.work()}

    def store(session: Session) -> None:
        for call in calls:
            emit_call(session, run, call, CALL_FINISHED)
            if call.ask_id or call.rule:
                audit_call(session, run, call)
        write_run(session, claimed.claim, run, None, **values)
        save_calls(session, calls)
        add_messages(session, lines)

    return store


async def _store_aside(engine: EngineContext, claimed: ClaimedRun, store: Work[None]) -> None:
    """While the model is requested. Whoever writes next for the run waits for this."""
    try:
        await engine.db.awrite(store)
    except BaseException:
        # Nobody needs the model's reply any more.
        claimed.stop.set()
        raise
    await engine.crash_point("results")
    if RunStatus(claimed.run.status) in ENDED or claimed.run.status == RunStatus.PAUSED.value:
        claimed.stop.set()


def _store(session: Session, engine: EngineContext, claimed: ClaimedRun, returned: Sequence[ToolOutcome]) -> None:
    """The results, the count of failures in a row, events: one commit."""
    failures, lines, left = dict(claimed.run.tool_failures), list[Message](), list[Call]()
    for each in returned:
        call, error = each.call, each.error
        if each.unknown is not None:
            ask_what_happened(session, engine, claimed, call, each.unknown)
            continue
        if each.question is not None:
            error = ask_for_input(session, engine, claimed, call, each.question)
            if error is None:
                continue
        if error is None:
            failures.pop(call.tool, None)
            ended: JsonObject = {"result": each.result, "cost_credits": each.cost_credits}
            lines.append(finish_call(session, claimed.run, call, CallStatus.SUCCEEDED, **ended))
        else:
            failures[call.tool] = failures.get(call.tool, 0) + 1
            # How often it may fail is for a model; a step that is a tool has none.
            shown = error
            if claimed.run.kind != "tool":
                shown = failure_message(call.tool, error, failures[call.tool])
            cost = each.cost_credits
            lines.append(finish_call(session, claimed.run, call, CallStatus.FAILED, error=shown, cost_credits=cost))
        if call.ask_id or call.rule or not idempotent(claimed, call):
            audit_call(session, claimed.run, call)
    # Only once all that ran have their own ends: steps of a plan that only read run side by side.
    for call in [each.call for each in returned if each.error is not None]:
        rest, given_up = give_up_rest(session, claimed, call)
        left, lines = left + rest, lines + given_up
    # The run's row first, then its calls, as when they start: two orders of locks could wait for each other.
    write_run(session, claimed.claim, claimed.run, None, tool_failures=failures, falls=0, **claimed.work())
    save_calls(session, [*(each.call for each in returned), *left])
    add_messages(session, lines)
    claimed.messages += lines
    claimed.run.tool_failures = failures
