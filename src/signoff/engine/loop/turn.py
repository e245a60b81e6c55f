"""One step of the reasoning loop: limits → model → signals → calls, stored in one transaction."""

import asyncio

from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.engine.calls import control_tools
from signoff.engine.calls.ask_builders import approval, batch_approval
from signoff.engine.calls.judge import Judged, JudgedCall, PolicyContext, Unjudgeable, propose
from signoff.engine.calls.open_ask import alike, open_for_calls
from signoff.engine.calls.plan import PROPOSE, plan_result
from signoff.engine.calls.record_verdict import record_allowed, record_denied
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.engine.loop import phases
from signoff.engine.loop.model_retry import ask_for_budget, ask_someone, fail, try_later
from signoff.engine.loop.recall_lessons import lessons_for
from signoff.engine.loop.run_calls import announce_first
from signoff.engine.model.errors import AskSomeone, ModelProblem, TryLater
from signoff.engine.model.history import SIGNAL, Conversation
from signoff.engine.model.prompts import REMINDER, instructions
from signoff.engine.model.reply import ModelReply, OfferedTool, RawCall
from signoff.engine.model.request import ModelRequest, request_with_fallbacks
from signoff.engine.model.signals import signals
from signoff.kit import clock, jsons
from signoff.kit.db import events
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject
from signoff.policy.evaluate import Allow, AskFirst
from signoff.runs.calls import add_calls, approve_call, finish_call, save_calls
from signoff.runs.ending import COMPLETED, Ending, end
from signoff.runs.events import LIMIT_WARNING, RUN_DELTA, LimitWarning
from signoff.runs.fenced_writes import Release, write_run
from signoff.runs.limits import reached, to_warn
from signoff.runs.models import Call, Message
from signoff.runs.states import CallStatus, Phase, Reason, RunStatus
from signoff.runs.transcript.messages import add_messages, emit_message, mark_seen, new_message

SILENCES_ALLOWED = 3


async def think(engine: EngineContext, claimed: ClaimedRun) -> bool:
    """Request the model and store its reply. True: the run is released."""
    limit = reached(claimed.limits, claimed.usage)
    over = claimed.deadline is not None and clock.now() >= claimed.deadline
    if limit is not None:
        await claimed.stored()
    if limit is not None and limit.reason is Reason.MAX_COST and claimed.limits.ask_at_limit and not over:
        return await ask_for_budget(engine, claimed)
    if limit is not None:
        error = {"message": f"The limit {limit.limit} of {limit.most:g} is reached ({limit.used:.4g} used)."}
        ending = Ending(RunStatus.TIMEOUT, limit.reason, error)
        await engine.db.awrite(
            lambda s: end(s, claimed.claim, claimed.run, ending, calls=claimed.calls, **claimed.work())
        )
        return True
    notes = _warnings(claimed)
    pending = claimed.unread
    conversation = claimed.history.follow(claimed.messages, claimed.calls, notes)
    if claimed.lessons is None:
        claimed.lessons = await engine.db.aread(lambda s: lessons_for(s, claimed))
    await engine.crash_point("model")
    try:
        answer = await request_with_fallbacks(engine.models, _request(engine, claimed, conversation), claimed.stop)
    except ModelProblem as problem:
        await claimed.stored()
        return await _without_reply(engine, claimed, problem)
    await claimed.stored()
    if answer is None:
        return await _look_up(engine, claimed)
    await engine.crash_point("answered")
    released = await engine.db.awrite(lambda s: _store(s, engine, claimed, answer, notes, pending))
    await engine.crash_point("stored")
    return released


async def _without_reply(engine: EngineContext, claimed: ClaimedRun, problem: ModelProblem) -> bool:
    match problem:
        case TryLater():
            return await try_later(engine, claimed, problem)
        case AskSomeone():
            return await ask_someone(engine, claimed, problem)
        case _:
            return await fail(engine, claimed, str(problem))


def _request(engine: EngineContext, claimed: ClaimedRun, conversation: Conversation) -> ModelRequest:
    run = claimed.run
    return ModelRequest(
        claimed.definition,
        instructions(claimed.definition, phases.instructions_for(run), claimed.lessons or []),
        conversation,
        [OfferedTool(tool.name, tool.description, tool.model_schema) for tool in phases.offered(run, claimed.tools)],
        engine.settings.model_timeout_seconds,
        lambda text: engine.hub.transient(run.workspace_id, run.id, RUN_DELTA, text),
        run.iterations + 1,
        run.retries,
    )


def _warnings(claimed: ClaimedRun) -> list[Message]:
    """A note in the agent's context for each limit that is at 80 %."""
    close = to_warn(claimed.limits, claimed.usage, claimed.run.warned)
    texts = [f"{share.limit}: {share.used:.4g} of {share.most:g} are used. Come to an end soon." for share in close]
    return [new_message(claimed.run, "system", None, text=text) for text in texts]


def _store(
    session: Session,
    engine: EngineContext,
    claimed: ClaimedRun,
    answer: ModelReply,
    notes: list[Message],
    pending: list[Message],
) -> bool:
    """The answer, its calls, the effects of the agent's own means, counters and events: together or not at all."""
    run, turn, before = claimed.run, claimed.run.iterations + 1, claimed.run.phase
    proposals = _proposals(session, engine, claimed, answer, turn)
    said = new_message(run, "assistant", turn, response=_bounded(answer.response, engine.settings.max_message_bytes))
    _emit_warnings(session, claimed)
    lines = [*notes, said]
    for note in (*notes, *pending):
        note.turn = turn
    # What was said comes before what it led to.
    for line in lines:
        emit_message(session, run, line)
    claimed.calls += [proposal.call for proposal in proposals]
    completes = _settle_all(session, engine, claimed, proposals, lines)
    announce_first(session, claimed)
    run.silences = 0 if proposals else run.silences + 1
    # A plan's author who only answers in words was only asked for words.
    silent = run.silences >= SILENCES_ALLOWED or (not proposals and run.phase == Phase.PLANNING.value)
    if run.silences and not silent:
        lines.append(_note(session, claimed, REMINDER))
    add_calls(session, [proposal.call for proposal in proposals])
    mark_seen(session, pending, turn)
    add_messages(session, lines)
    claimed.messages += lines
    values = _counters(engine, claimed, answer) | claimed.work()
    if run.phase != before:
        # Only then: a person may have skipped the clarification meanwhile.
        values["phase"] = run.phase
    if completes is None and silent:
        completes = {"output": {"summary": answer.text}, "summary": jsons.clean_text(answer.text)}
    return _go_on(session, claimed, completes, values)


def _go_on(session: Session, claimed: ClaimedRun, completes: JsonObject | None, values: JsonObject) -> bool:
    """End the run, let it wait, or keep it. True: it is released."""
    run = claimed.run
    if completes is not None:
        end(session, claimed.claim, run, COMPLETED, calls=claimed.calls, **values, **completes)
        return True
    if claimed.unfinished and not any(call.status == CallStatus.APPROVED.value for call in claimed.unfinished):
        release = Release(claimed.wakes, claimed.deadline)
        write_run(session, claimed.claim, run, phases.waiting_status(claimed), release=release, **values)
        return True
    phase = Phase(run.phase).status
    write_run(session, claimed.claim, run, phase if phase.value != run.status else None, **values)
    return False


def _emit_warnings(session: Session, claimed: ClaimedRun) -> None:
    run = claimed.run
    for share in to_warn(claimed.limits, claimed.usage, run.warned):
        warning: LimitWarning = {"limit": share.limit, "used": share.used, "max": share.most}
        events.emit(session, run.workspace_id, LIMIT_WARNING, run.id, warning)
        run.warned = [*run.warned, share.limit]


def _settle_all(
    session: Session, engine: EngineContext, claimed: ClaimedRun, proposals: list[JudgedCall], lines: list[Message]
) -> JsonObject | None:
    """Take every proposed call as far as this transaction can. Returns the output, if one completes the run."""
    together = set[str]()
    for batch in alike(proposals):
        calls = [each.call for each in batch]
        together |= {call.id for call in calls}
        fate = batch[0].fate
        if isinstance(fate, Judged) and isinstance(fate.verdict, AskFirst):
            version = calls[0].verdict.get("policy_version", 0)
            ask = batch_approval(claimed, calls, fate.tool, fate.verdict, version)
            _wait_for(session, engine, claimed, calls, ask, lines, fate.verdict)
    completes: JsonObject | None = None
    # Completion comes last: it looks at how the other calls of the same answer ended.
    for proposal in sorted(proposals, key=lambda each: each.call.tool == "complete_task"):
        if proposal.call.id not in together:
            completes = _settle(session, engine, claimed, proposal, lines) or completes
    return completes


def _proposals(
    session: Session, engine: EngineContext, claimed: ClaimedRun, answer: ModelReply, turn: int
) -> list[JudgedCall]:
    written = [RawCall(f"{SIGNAL}{new_id()}", signal.tool, dict(signal.arguments)) for signal in signals(answer.text)]
    made = [*answer.calls, *written] or phases.written_calls(claimed.run, answer)
    if not made:
        return []
    if claimed.run.phase == Phase.CLARIFYING.value and any(each.tool in phases.BEYOND_CLARIFYING for each in made):
        # It hands something over or ends: then the task was clear.
        control_tools.leave_clarifying(claimed)
    context = PolicyContext.of(session, engine, claimed)
    return [
        propose(context, turn, position, each.tool_call_id, each.tool, each.arguments)
        for position, each in enumerate(made)
    ]


def _settle(
    session: Session, engine: EngineContext, claimed: ClaimedRun, proposal: JudgedCall, lines: list[Message]
) -> JsonObject | None:
    """Take one proposed call as far as this transaction can. Returns the output, if it completes the run."""
    call, fate = proposal.call, proposal.fate
    if isinstance(fate, Unjudgeable):
        _finish(session, claimed, call, CallStatus.FAILED, lines, error=fate.error)
    elif fate.tool.is_control:
        return _apply(session, engine, claimed, call, lines)
    elif isinstance(fate.verdict, Allow):
        approve_call(call)
        record_allowed(session, claimed, proposal, fate.tool, fate.verdict)
    elif isinstance(fate.verdict, AskFirst):
        version = call.verdict.get("policy_version", 0)
        said = (proposal.reasoning, proposal.confidence)
        ask = approval(claimed, call, fate.tool, fate.verdict, version, *said)
        _wait_for(session, engine, claimed, [call], ask, lines, fate.verdict)
    else:
        record_denied(session, claimed, call, fate.verdict)
        _finish(session, claimed, call, CallStatus.DENIED, lines, error="; ".join(fate.verdict.reasons))
    return None


def _apply(
    session: Session, engine: EngineContext, claimed: ClaimedRun, call: Call, lines: list[Message]
) -> JsonObject | None:
    others = [each for each in claimed.unfinished if each.turn == call.turn and each.tool != call.tool]
    if call.tool == "complete_task" and others:
        # Wait for the other calls of this answer; `advance` comes back to it.
        approve_call(call)
        return None
    if call.tool == PROPOSE and call.status == CallStatus.APPROVED.value:
        _finish(session, claimed, call, CallStatus.SUCCEEDED, lines, result=plan_result(claimed, call))
        return None
    applied = control_tools.apply(session, engine, claimed, call)
    if applied.ask is not None:
        opened = _wait_for(session, engine, claimed, [call], applied.ask, lines)
        if opened and applied.result is not None:
            _finish(session, claimed, call, CallStatus.SUCCEEDED, lines, result=applied.result)
    elif applied.error is not None:
        _finish(session, claimed, call, CallStatus.FAILED, lines, error=applied.error)
    else:
        _finish(session, claimed, call, CallStatus.SUCCEEDED, lines, result=applied.result)
    return applied.completes


def complete_now(session: Session, engine: EngineContext, claimed: ClaimedRun, call: Call) -> bool:
    """A completion that waited for the other calls of its answer. True: the run has ended."""
    lines = list[Message]()
    completes = _apply(session, engine, claimed, call, lines)
    save_calls(session, [call])
    add_messages(session, lines)
    claimed.messages += lines
    if completes is None:
        write_run(session, claimed.claim, claimed.run, None, falls=0, **claimed.work())
        return False
    end(session, claimed.claim, claimed.run, COMPLETED, calls=claimed.calls, **completes, **claimed.work())
    return True


def _wait_for(
    session: Session,
    engine: EngineContext,
    claimed: ClaimedRun,
    calls: list[Call],
    ask: Ask,
    lines: list[Message],
    verdict: AskFirst | None = None,
) -> bool:
    """Open an ask for its calls, unless the run has flooded people already."""
    error = open_for_calls(session, engine.settings, claimed, ask, calls, verdict)
    if error is not None:
        for call in calls:
            _finish(session, claimed, call, CallStatus.FAILED, lines, error=error)
    return error is None


def _finish(
    session: Session,
    claimed: ClaimedRun,
    call: Call,
    status: CallStatus,
    lines: list[Message],
    *,
    result: object = None,
    error: str | None = None,
) -> None:
    lines.append(finish_call(session, claimed.run, call, status, result=result, error=error))
    if error and call.tool_call_id.startswith(SIGNAL):
        # The model made no call that could get a result, so it reads the error as a note.
        lines.append(_note(session, claimed, f"Your signal {call.tool} failed: {error}"))


def _note(session: Session, claimed: ClaimedRun, text: str) -> Message:
    """A word of Signoff's own, which the model reads next time."""
    note = new_message(claimed.run, "system", None, text=text)
    emit_message(session, claimed.run, note)
    return note


def _counters(engine: EngineContext, claimed: ClaimedRun, answer: ModelReply) -> JsonObject:
    run = claimed.run
    run.iterations += 1
    run.tokens_input += answer.input_tokens
    run.tokens_output += answer.output_tokens
    run.cost_incomplete = run.cost_incomplete or answer.cost is None
    run.cost_credits += (answer.cost or 0.0) / engine.settings.usd_per_credit
    run.retries = 0
    names = ("iterations", "tokens_input", "tokens_output", "cost_incomplete", "cost_credits", "retries", "silences")
    return {name: getattr(run, name) for name in (*names, "warned", "progress", "exchanges")} | {"falls": 0}


def _bounded(response: JsonObject, most: int) -> JsonObject:
    """A huge answer is kept cut: the transcript must stay readable and sendable."""
    if len(jsons.dumps(response)) <= most:
        return response
    parts = [
        part
        | (
            {"args": {"_omitted": "too large"}}
            if "args" in part
            else {"content": str(part.get("content"))[: most // 4]}
        )
        if len(jsons.dumps(part)) > most // 4
        else part
        for part in response.get("parts", [])
    ]
    return response | {"parts": parts}


async def _look_up(engine: EngineContext, claimed: ClaimedRun) -> bool:
    """A person stopped the run during the model call: see what they want."""
    await engine.db.awrite(lambda s: write_run(s, claimed.claim, claimed.run, None, **claimed.work()))
    claimed.stop.clear()
    await asyncio.sleep(0)
    return False
