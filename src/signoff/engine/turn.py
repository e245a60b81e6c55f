"""One step of the reasoning loop: limits → model → signals → calls, stored in one transaction."""

import asyncio

from sqlalchemy.orm import Session

from signoff.asks import actions as asks
from signoff.asks.models import Ask
from signoff.engine import means, phases
from signoff.engine.acting import set_out_first
from signoff.engine.answer import ModelAnswer, RawCall
from signoff.engine.answering import ask_with_fallbacks
from signoff.engine.asking import approval, batch_approval
from signoff.engine.deciding import alike, flooding, record_allowed, record_denied, told
from signoff.engine.failures import AskSomeone, ModelProblem, TryLater
from signoff.engine.held import Desk, Held
from signoff.engine.judging import Bench, Judged, Proposal, Refused, propose
from signoff.engine.learning import lessons_for
from signoff.engine.planning import PROPOSE, plan_result
from signoff.engine.prompts import REMINDER, SIGNAL, compacted, conversation, instructions, unseen
from signoff.engine.signals import signals
from signoff.engine.troubles import ask_for_budget, ask_someone, fail, try_later
from signoff.kit import clock, events, jsons
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject
from signoff.policy.evaluate import Allow, AskFirst
from signoff.runs import steps
from signoff.runs.limits import reached, to_warn
from signoff.runs.models import Call, Message
from signoff.runs.states import CallStatus, Phase, Reason, RunStatus

SILENCES_ALLOWED = 3


async def think(desk: Desk, held: Held) -> bool:
    """Ask the model and store its answer. True: the run was let go."""
    limit = reached(held.limits, held.usage)
    over = held.deadline is not None and clock.now() >= held.deadline
    if limit is not None and limit.reason is Reason.MAX_COST and held.limits.ask_at_limit and not over:
        return await ask_for_budget(desk, held)
    if limit is not None:
        error = {"message": f"The limit {limit.limit} of {limit.most:g} is reached ({limit.used:.4g} used)."}
        await desk.db.awrite(
            lambda s: steps.end(s, held.claim, held.run, RunStatus.TIMEOUT, limit.reason, error=error, **held.work())
        )
        return True
    notes = _warnings(held)
    pending = unseen(held.messages)
    lines = compacted(conversation([*held.messages, *notes], held.calls, held.answered))
    if held.lessons is None:
        held.lessons = await desk.db.aread(lambda s: lessons_for(s, desk, held))
    await desk.checkpoint("model")
    try:
        said = instructions(held.definition, phases.told(held.run), held.lessons)
        answer = await ask_with_fallbacks(desk, held, said, lines)
    except TryLater as problem:
        return await try_later(desk, held, problem)
    except AskSomeone as problem:
        return await ask_someone(desk, held, problem)
    except ModelProblem as problem:
        return await fail(desk, held, str(problem))
    if answer is None:
        return await _look_up(desk, held)
    await desk.checkpoint("answered")
    released = await desk.db.awrite(lambda s: _store(s, desk, held, answer, notes, pending))
    await desk.checkpoint("stored")
    return released


def _warnings(held: Held) -> list[Message]:
    """A note in the agent's context for each limit that is at 80 %."""
    close = to_warn(held.limits, held.usage, held.run.warned)
    texts = [f"{share.limit}: {share.used:.4g} of {share.most:g} are used. Come to an end soon." for share in close]
    return [steps.line(held.run, "system", None, text=text) for text in texts]


def _store(
    session: Session, desk: Desk, held: Held, answer: ModelAnswer, notes: list[Message], pending: list[Message]
) -> bool:
    """The answer, its calls, the effects of the agent's own means, counters and events: together or not at all."""
    run, turn, before = held.run, held.run.iterations + 1, held.run.phase
    proposals = _proposals(session, desk, held, answer, turn)
    said = steps.line(run, "assistant", turn, response=_bounded(answer.response, desk.settings.max_message_bytes))
    _tell_warnings(session, held)
    lines = [*notes, said]
    for note in (*notes, *pending):
        note.turn = turn
    # What was said is told before what it led to.
    for line in lines:
        steps.tell_message(session, run, line)
    held.calls += [proposal.call for proposal in proposals]
    completes = _settle_all(session, desk, held, proposals, lines)
    set_out_first(session, desk, held)
    run.silences = 0 if proposals else run.silences + 1
    # A plan's author who only answers in words was only asked for words.
    silent = run.silences >= SILENCES_ALLOWED or (not proposals and run.phase == Phase.PLANNING.value)
    if run.silences and not silent:
        lines.append(_note(session, held, REMINDER))
    steps.add_calls(session, [proposal.call for proposal in proposals])
    steps.mark_seen(session, pending, turn)
    steps.add_messages(session, lines)
    held.messages += lines
    values = _counters(desk, held, answer) | held.work()
    if run.phase != before:
        # Only then: a person may have skipped the clarification meanwhile.
        values["phase"] = run.phase
    if completes is None and silent:
        completes = {"output": {"summary": answer.text}, "summary": jsons.clean_text(answer.text)}
    return _go_on(session, held, completes, values)


def _go_on(session: Session, held: Held, completes: JsonObject | None, values: JsonObject) -> bool:
    """End the run, let it wait, or keep it. True: it was let go."""
    run = held.run
    if completes is not None:
        steps.end(session, held.claim, run, RunStatus.COMPLETED, Reason.SUCCESS, **values, **completes)
        return True
    if held.unfinished and not any(call.status == CallStatus.APPROVED.value for call in held.unfinished):
        rest = steps.resting(held.wakes, held.deadline)
        steps.write_run(session, held.claim, run, phases.waiting_status(held), **values, **rest)
        return True
    phase = Phase(run.phase).status
    steps.write_run(session, held.claim, run, phase if phase.value != run.status else None, **values)
    return False


def _tell_warnings(session: Session, held: Held) -> None:
    run = held.run
    for share in to_warn(held.limits, held.usage, run.warned):
        told = {"limit": share.limit, "used": share.used, "max": share.most}
        events.emit(session, run.workspace_id, "limit.warning", run.id, told)
        run.warned = [*run.warned, share.limit]


def _settle_all(
    session: Session, desk: Desk, held: Held, proposals: list[Proposal], lines: list[Message]
) -> JsonObject | None:
    """Take every proposed call as far as this transaction can. Returns the output, if one completes the run."""
    together = set[str]()
    for batch in alike(proposals):
        calls = [each.call for each in batch]
        together |= {call.id for call in calls}
        fate = batch[0].fate
        if isinstance(fate, Judged) and isinstance(fate.verdict, AskFirst):
            version = calls[0].verdict.get("policy_version", 0)
            ask = batch_approval(held, calls, fate.tool, fate.verdict, version)
            _wait_for(session, desk, held, calls, ask, lines, told(fate.verdict))
    completes: JsonObject | None = None
    # Completion comes last: it looks at how the other calls of the same answer ended.
    for proposal in sorted(proposals, key=lambda each: each.call.tool == "complete_task"):
        if proposal.call.id not in together:
            completes = _settle(session, desk, held, proposal, lines) or completes
    return completes


def _proposals(session: Session, desk: Desk, held: Held, answer: ModelAnswer, turn: int) -> list[Proposal]:
    written = [RawCall(f"{SIGNAL}{new_id()}", signal.tool, dict(signal.arguments)) for signal in signals(answer.text)]
    made = [*answer.calls, *written] or phases.written_calls(held.run, answer)
    if not made:
        return []
    if held.run.phase == Phase.CLARIFYING.value and any(each.tool in phases.BEYOND_CLARIFYING for each in made):
        # It hands something over or ends: then the task was clear.
        means.leave_clarifying(held)
    bench = Bench.of(session, desk, held)
    return [
        propose(bench, turn, position, each.tool_call_id, each.tool, each.arguments)
        for position, each in enumerate(made)
    ]


def _settle(session: Session, desk: Desk, held: Held, proposal: Proposal, lines: list[Message]) -> JsonObject | None:
    """Take one proposed call as far as this transaction can. Returns the output, if it completes the run."""
    call, fate = proposal.call, proposal.fate
    if isinstance(fate, Refused):
        _finish(session, held, call, CallStatus.FAILED, lines, error=fate.error)
    elif fate.tool.own_means:
        return _apply(session, desk, held, call, lines)
    elif isinstance(fate.verdict, Allow):
        call.status = CallStatus.APPROVED.value
        record_allowed(session, held, proposal, fate.tool, fate.verdict)
    elif isinstance(fate.verdict, AskFirst):
        version = call.verdict.get("policy_version", 0)
        said = (proposal.reasoning, proposal.confidence)
        ask = approval(held, call, fate.tool, fate.verdict, version, *said)
        _wait_for(session, desk, held, [call], ask, lines, told(fate.verdict))
    else:
        record_denied(session, held, call, fate.verdict)
        _finish(session, held, call, CallStatus.DENIED, lines, error="; ".join(fate.verdict.reasons))
    return None


def _apply(session: Session, desk: Desk, held: Held, call: Call, lines: list[Message]) -> JsonObject | None:
    others = [each for each in held.unfinished if each.turn == call.turn and each.tool != call.tool]
    if call.tool == "complete_task" and others:
        # Wait for the other calls of this answer; `advance` comes back to it.
        call.status = CallStatus.APPROVED.value
        return None
    if call.tool == PROPOSE and call.status == CallStatus.APPROVED.value:
        _finish(session, held, call, CallStatus.SUCCEEDED, lines, result=plan_result(held, call))
        return None
    applied = means.apply(session, desk, held, call)
    if applied.ask is not None:
        opened = _wait_for(session, desk, held, [call], applied.ask, lines)
        if opened and applied.result is not None:
            _finish(session, held, call, CallStatus.SUCCEEDED, lines, result=applied.result)
    elif applied.error is not None:
        _finish(session, held, call, CallStatus.FAILED, lines, error=applied.error)
    else:
        _finish(session, held, call, CallStatus.SUCCEEDED, lines, result=applied.result)
    return applied.completes


def complete_now(session: Session, desk: Desk, held: Held, call: Call) -> bool:
    """A completion that waited for the other calls of its answer. True: the run has ended."""
    lines = list[Message]()
    completes = _apply(session, desk, held, call, lines)
    steps.save_call(session, call)
    steps.add_messages(session, lines)
    held.messages += lines
    if completes is None:
        steps.write_run(session, held.claim, held.run, None, falls=0, **held.work())
        return False
    steps.end(session, held.claim, held.run, RunStatus.COMPLETED, Reason.SUCCESS, **completes, **held.work())
    return True


def _wait_for(
    session: Session,
    desk: Desk,
    held: Held,
    calls: list[Call],
    ask: Ask,
    lines: list[Message],
    tell: tuple[str, ...] = (),
) -> bool:
    """Open an ask for its calls, unless the run has flooded people already."""
    error = flooding(session, held, desk.settings)
    for call in calls:
        if error is not None:
            _finish(session, held, call, CallStatus.FAILED, lines, error=error)
        else:
            call.status, call.ask_id = CallStatus.WAITING.value, ask.id
    if error is None:
        asks.open_ask(session, held.actor, ask, tell)
    return error is None


def _finish(
    session: Session,
    held: Held,
    call: Call,
    status: CallStatus,
    lines: list[Message],
    *,
    result: object = None,
    error: str | None = None,
) -> None:
    lines.append(steps.finish_call(session, held.run, call, status, result=result, error=error))
    if error and call.tool_call_id.startswith(SIGNAL):
        # The model made no call that could get a result, so it reads the error as a note.
        lines.append(_note(session, held, f"Your signal {call.tool} failed: {error}"))


def _note(session: Session, held: Held, text: str) -> Message:
    """A word of Signoff's own, which the model reads next time."""
    note = steps.line(held.run, "system", None, text=text)
    steps.tell_message(session, held.run, note)
    return note


def _counters(desk: Desk, held: Held, answer: ModelAnswer) -> JsonObject:
    run = held.run
    run.iterations += 1
    run.tokens_input += answer.input_tokens
    run.tokens_output += answer.output_tokens
    run.cost_incomplete = run.cost_incomplete or answer.cost is None
    run.cost_credits += (answer.cost or 0.0) / desk.settings.usd_per_credit
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


async def _look_up(desk: Desk, held: Held) -> bool:
    """A person stopped the run during the model call: see what they want."""
    await desk.db.awrite(lambda s: steps.write_run(s, held.claim, held.run, None, **held.work()))
    held.stop.clear()
    await asyncio.sleep(0)
    return False
