"""One step of the reasoning loop: limits → model → signals → calls, stored in one transaction."""

import asyncio

from sqlalchemy.orm import Session

from signoff.asks import actions as asks
from signoff.asks.models import Ask
from signoff.engine import means
from signoff.engine.answer import ModelAnswer
from signoff.engine.answering import ask_with_fallbacks
from signoff.engine.calls import Proposal, Refused, approval, propose
from signoff.engine.failures import AskSomeone, ModelProblem, TryLater
from signoff.engine.held import Desk, Held
from signoff.engine.prompts import REMINDER, SIGNAL, compacted, conversation, instructions, unseen
from signoff.engine.signals import signals
from signoff.engine.troubles import ask_someone, fail, try_later
from signoff.kit import events, jsons
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject
from signoff.policy.evaluate import Allow, AskFirst
from signoff.runs import steps
from signoff.runs.limits import reached, to_warn
from signoff.runs.models import Call, Message
from signoff.runs.states import ENDED, CallStatus, Reason, RunStatus

SILENCES_ALLOWED = 3


async def think(desk: Desk, held: Held) -> bool:
    """Ask the model and store its answer. True: the run was let go."""
    limit = reached(held.limits, held.usage)
    if limit is not None:
        error = {"message": f"The limit {limit.limit} of {limit.most:g} is reached ({limit.used:.4g} used)."}
        await desk.db.awrite(
            lambda s: steps.end(s, held.claim, held.run, RunStatus.TIMEOUT, limit.reason, error=error, **held.work())
        )
        return True
    notes = _warnings(held)
    pending = unseen(held.messages)
    lines = compacted(conversation([*held.messages, *notes], held.calls, held.answered))
    await desk.checkpoint("model")
    try:
        answer = await ask_with_fallbacks(desk, held, instructions(held.definition), lines)
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
    run, turn = held.run, held.run.iterations + 1
    proposals = _proposals(desk, held, answer, turn)
    said = steps.line(run, "assistant", turn, response=_bounded(answer.response, desk.settings.max_message_bytes))
    for share in to_warn(held.limits, held.usage, run.warned):
        told = {"limit": share.limit, "used": share.used, "max": share.most}
        events.emit(session, run.workspace_id, "limit.warning", run.id, told)
        run.warned = [*run.warned, share.limit]
    lines = [*notes, said]
    for note in (*notes, *pending):
        note.turn = turn
    # What was said is told before what it led to.
    for line in lines:
        steps.tell_message(session, run, line)
    held.calls += [proposal.call for proposal in proposals]
    completes: JsonObject | None = None
    # Completion comes last: it looks at how the other calls of the same answer ended.
    for proposal in sorted(proposals, key=lambda each: each.call.tool == "complete_task"):
        completes = _settle(session, desk, held, proposal, lines) or completes
    run.silences = 0 if proposals else run.silences + 1
    silent = run.silences >= SILENCES_ALLOWED
    if run.silences and not silent:
        lines.append(_note(session, held, REMINDER))
    steps.add_calls(session, [proposal.call for proposal in proposals])
    steps.mark_seen(session, pending, turn)
    steps.add_messages(session, lines)
    held.messages += lines
    values = _counters(desk, held, answer) | held.work()
    if completes is not None or silent:
        output = completes or {"output": {"summary": answer.text}, "summary": jsons.clean_text(answer.text)}
        steps.end(session, held.claim, run, RunStatus.COMPLETED, Reason.SUCCESS, **values, **output)
    elif held.unfinished and not any(call.status == CallStatus.APPROVED.value for call in held.unfinished):
        status = steps.write_run(
            session, held.claim, run, waiting_status(held), **values, **steps.resting(held.wakes, held.deadline)
        )
        if status in ENDED:
            # A person ended the run meanwhile: what was opened just now is closed with it.
            asks.cancel_open(session, held.actor, run.id)
    else:
        steps.write_run(session, held.claim, run, None, **values)
        return False
    return True


def _proposals(desk: Desk, held: Held, answer: ModelAnswer, turn: int) -> list[Proposal]:
    made = [(call.tool_call_id, call.tool, call.arguments) for call in answer.calls]
    written = [(f"{SIGNAL}{new_id()}", signal.tool, dict(signal.arguments)) for signal in signals(answer.text)]
    return [propose(desk, held, turn, position, *each) for position, each in enumerate([*made, *written])]


def _settle(session: Session, desk: Desk, held: Held, proposal: Proposal, lines: list[Message]) -> JsonObject | None:
    """Take one proposed call as far as this transaction can. Returns the output, if it completes the run."""
    call, fate, run = proposal.call, proposal.fate, held.run
    if isinstance(fate, Refused):
        _finish(session, held, call, CallStatus.FAILED, lines, error=fate.error)
    elif fate.tool.own_means:
        return _apply(session, desk, held, call, lines)
    elif isinstance(fate.verdict, Allow):
        call.status = CallStatus.APPROVED.value
        if fate.tool.idempotent:
            steps.set_out(session, run, call)
    elif isinstance(fate.verdict, AskFirst):
        ask = approval(held, proposal, fate.tool, fate.verdict)
        _wait_for(session, desk, held, call, ask, lines)
    else:
        _finish(session, held, call, CallStatus.DENIED, lines, error="; ".join(fate.verdict.reasons))
    return None


def _apply(session: Session, desk: Desk, held: Held, call: Call, lines: list[Message]) -> JsonObject | None:
    others = [each for each in held.unfinished if each.turn == call.turn and each.id != call.id]
    if call.tool == "complete_task" and others:
        # Wait for the other calls of this answer; `advance` comes back to it.
        call.status = CallStatus.APPROVED.value
        return None
    applied = means.apply(session, desk, held, call)
    if applied.ask is not None:
        _wait_for(session, desk, held, call, applied.ask, lines)
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
        steps.write_run(session, held.claim, held.run, None, **held.work())
        return False
    steps.end(session, held.claim, held.run, RunStatus.COMPLETED, Reason.SUCCESS, **completes, **held.work())
    return True


def _wait_for(session: Session, desk: Desk, held: Held, call: Call, ask: Ask, lines: list[Message]) -> None:
    """Open an ask for a call, unless the run has flooded people already."""
    waiting = sum(each.status == CallStatus.WAITING.value for each in held.calls)
    if waiting >= desk.settings.max_open_asks:
        error = f"{waiting} asks of this run wait already, and more are not allowed. Wait for their answers."
        _finish(session, held, call, CallStatus.FAILED, lines, error=error)
        return
    call.status = CallStatus.WAITING.value
    call.ask_id = ask.id
    asks.open_ask(session, held.actor, ask)


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
    return {name: getattr(run, name) for name in (*names, "warned", "progress")}


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


def waiting_status(held: Held) -> RunStatus:
    """Approvals come before questions in what the run says it waits for."""
    waiting = [call for call in held.unfinished if call.status == CallStatus.WAITING.value]
    approvals = any(call.verdict["verdict"] == "ask" for call in waiting)
    return RunStatus.WAITING_APPROVAL if approvals else RunStatus.WAITING_INPUT


async def _look_up(desk: Desk, held: Held) -> bool:
    """A person stopped the run during the model call: see what they want."""
    await desk.db.awrite(lambda s: steps.write_run(s, held.claim, held.run, None, **held.work()))
    held.stop.clear()
    await asyncio.sleep(0)
    return False
