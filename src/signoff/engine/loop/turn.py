"""One turn of the reasoning loop: limits → model → signals → calls, stored in one transaction."""

import asyncio
from dataclasses import replace

from sqlalchemy.orm import Session

from signoff.claims.pause_all import may_start
from signoff.engine.calls.made_previews import calls_of, previews_made
from signoff.engine.calls.stated_impacts import calls_in, impacts_stated
from signoff.engine.calls.taken_files import files_taken
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.engine.loop import phases
from signoff.engine.loop.compact import request_compacted
from signoff.engine.loop.model_retry import ask_for_budget, ask_someone, fail, try_later
from signoff.engine.loop.recall_lessons import recall
from signoff.engine.loop.reply_calls import add_note, apply_control, judge_calls, settle_calls
from signoff.engine.loop.room import is_stopped
from signoff.engine.loop.run_calls import announce_first
from signoff.engine.model.errors import AskSomeone, ModelProblem, TryLater
from signoff.engine.model.history import Conversation
from signoff.engine.model.prompts import REMINDER, instructions
from signoff.engine.model.reply import ModelReply, OfferedTool
from signoff.engine.model.request import ModelRequest
from signoff.engine.model.status import listed, status
from signoff.engine.workflow.input_file import input_laid_out
from signoff.kit import clock, jsons
from signoff.kit.db import events
from signoff.kit.jsons import JsonObject
from signoff.runs.calls import add_calls, save_calls
from signoff.runs.ending import COMPLETED, Ending, end
from signoff.runs.events import LIMIT_WARNING, RUN_DELTA, LimitWarning
from signoff.runs.limits import reached, seconds_left, to_warn
from signoff.runs.models import Call, Message
from signoff.runs.states import CallStatus, Phase, Reason, RunStatus
from signoff.runs.transcript.messages import add_messages, emit_message, mark_seen, new_message
from signoff.runs.worker.fenced_writes import Release, write_run
from signoff.runs.workflow.limits import problem_of_output

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
        error = {"message": f"The {limit.words} is reached."}
        ending = Ending(RunStatus.TIMEOUT, limit.reason, error)
        await engine.db.awrite(
            lambda s: end(s, claimed.claim, claimed.run, ending, calls=claimed.calls, **claimed.work())
        )
        return True
    notes = _warnings(claimed)
    pending = claimed.unread
    if claimed.lessons is None:
        claimed.lessons = await recall(engine, claimed)
    await engine.crash_point("model")
    if await is_stopped(engine, claimed):
        return not claimed.held
    request = await _request(engine, claimed)
    try:
        async with input_laid_out(engine, claimed):
            reply = await request_compacted(engine, claimed, notes, request)
    except ModelProblem as problem:
        await claimed.stored()
        if isinstance(problem, TryLater) and reached(claimed.limits, claimed.usage) is not None:
            # Its time is over: there is no later.
            return await think(engine, claimed)
        return await _without_reply(engine, claimed, problem)
    await claimed.stored()
    if reply is None:
        return await _look_up(engine, claimed)
    reply = bounded(reply, engine.settings.max_message_bytes)
    await engine.crash_point("replied")
    async with (
        impacts_stated(engine, claimed, calls_in(reply)),
        previews_made(engine, claimed, calls_of(reply)),
        files_taken(engine, claimed, reply),
    ):
        released = await engine.db.awrite(lambda s: store_reply(s, engine, claimed, reply, notes, pending))
    await engine.crash_point("stored")
    return released


async def _without_reply(engine: EngineContext, claimed: ClaimedRun, problem: ModelProblem) -> bool:
    match problem:
        case TryLater():
            return await try_later(engine, claimed, problem)
        case AskSomeone():
            return await ask_someone(engine, claimed, str(problem), problem.remedy)
        case _:
            return await fail(engine, claimed, str(problem))


async def _request(engine: EngineContext, claimed: ClaimedRun) -> ModelRequest:
    """What is asked of the model, but for what was said: that is put in as far as it fits."""
    run = claimed.run
    files = await asyncio.to_thread(listed, engine.settings.runs_folder / run.id)
    now = status(files, claimed.tools, claimed.limits, claimed.usage)
    return ModelRequest(
        claimed.definition,
        instructions(claimed.definition, phases.instructions_for(run), claimed.lessons or []),
        Conversation([], [], status=now),
        [OfferedTool(tool.name, tool.description, tool.model_schema) for tool in phases.offered(run, claimed.tools)],
        min(engine.settings.model_timeout_seconds, seconds_left(claimed.limits, claimed.usage)),
        lambda text: engine.hub.transient(run.workspace_id, run.id, RUN_DELTA, text),
        run.iterations + 1,
        run.retries,
    )


def _warnings(claimed: ClaimedRun) -> list[Message]:
    """A note in the agent's context for each limit that is at 80 %."""
    close = to_warn(claimed.limits, claimed.usage, claimed.run.warned)
    texts = [f"{share.used / share.most:.0%} of the {share.words} is used. Come to an end soon." for share in close]
    return [new_message(claimed.run, "system", None, text=text) for text in texts]


def store_reply(
    session: Session,
    engine: EngineContext,
    claimed: ClaimedRun,
    reply: ModelReply,
    notes: list[Message],
    pending: list[Message],
) -> bool:
    """The reply, its calls, the effects of control tools, counters and events: together or not at all."""
    run, turn, before = claimed.run, claimed.run.iterations + 1, claimed.run.phase
    proposals = judge_calls(session, engine, claimed, reply, turn)
    said = new_message(run, "assistant", turn, response=reply.response)
    _emit_warnings(session, claimed)
    lines = [*notes, said]
    for note in (*notes, *pending):
        note.turn = turn
    # What was said comes before what it led to.
    for line in lines:
        emit_message(session, run, line)
    claimed.calls += [proposal.call for proposal in proposals]
    completes = settle_calls(session, engine, claimed, proposals, lines)
    announce_first(session, claimed)
    run.silences = 0 if proposals else run.silences + 1
    # A model that only has words instead of a plan was only asked for words.
    silent = run.silences >= SILENCES_ALLOWED or (not proposals and run.phase == Phase.PLANNING.value)
    if run.silences and not silent:
        lines.append(add_note(session, claimed, REMINDER))
    add_calls(session, [proposal.call for proposal in proposals])
    mark_seen(session, pending, turn)
    add_messages(session, lines)
    claimed.messages += lines
    values = _counters(engine, claimed, reply) | claimed.work()
    if run.phase != before:
        # Only then: a person may have skipped the clarification meanwhile.
        values["phase"] = run.phase
    if completes is None and silent:
        completes = _words_alone(claimed, reply)
    return _go_on(session, claimed, completes, values)


def _go_on(session: Session, claimed: ClaimedRun, completes: JsonObject | None, values: JsonObject) -> bool:
    """End the run, let it wait, or keep it. True: it is released."""
    run = claimed.run
    if completes is not None:
        ending, made = _ending(completes)
        end(session, claimed.claim, run, ending, calls=claimed.calls, **values, **made)
        return True
    waits = claimed.unfinished and not any(call.status == CallStatus.APPROVED.value for call in claimed.unfinished)
    if waits and not claimed.settled:
        release = Release(claimed.wakes, claimed.deadline)
        write_run(session, claimed.claim, run, phases.waiting_status(claimed), release=release, **values)
        return True
    phase = Phase(run.phase).status
    write_run(session, claimed.claim, run, phase if phase.value != run.status else None, **values)
    return False


def _words_alone(claimed: ClaimedRun, reply: ModelReply) -> JsonObject:
    """What was said last is the result, unless a step owes something of another shape."""
    made = {"summary": reply.text}
    wrong = problem_of_output(claimed.definition.output_schema, made) if claimed.run.step is not None else None
    return {"error": wrong} if wrong is not None else {"output": made, "summary": jsons.clean_text(reply.text)}


def _emit_warnings(session: Session, claimed: ClaimedRun) -> None:
    run = claimed.run
    for share in to_warn(claimed.limits, claimed.usage, run.warned):
        warning: LimitWarning = {"limit": share.limit, "used": share.used, "max": share.most}
        events.emit(session, run.workspace_id, LIMIT_WARNING, run.id, warning)
        run.warned = [*run.warned, share.limit]


def complete_now(session: Session, engine: EngineContext, claimed: ClaimedRun, call: Call) -> bool:
    """A completion that waited for the other calls of its reply. True: the run has ended."""
    claimed.held = not may_start(session, claimed.run.workspace_id)
    if claimed.held:
        return False
    lines = list[Message]()
    completes = apply_control(session, engine, claimed, call, lines)
    save_calls(session, [call])
    add_messages(session, lines)
    claimed.messages += lines
    if completes is None:
        write_run(session, claimed.claim, claimed.run, None, falls=0, **claimed.work())
        return False
    ending, made = _ending(completes)
    end(session, claimed.claim, claimed.run, ending, calls=claimed.calls, **made, **claimed.work())
    return True


def _ending(completes: JsonObject) -> tuple[Ending, JsonObject]:
    """The end of a run by its own word, with what it made; or by an output that others cannot use."""
    error = completes.get("error")
    return (COMPLETED, completes) if error is None else (Ending(RunStatus.FAILED, Reason.ERROR, error), {})


def _counters(engine: EngineContext, claimed: ClaimedRun, reply: ModelReply) -> JsonObject:
    run = claimed.run
    run.iterations += 1
    run.retries = 0
    counted = claimed.count(reply, engine.settings.usd_per_credit)
    names = ("iterations", "retries", "silences", "warned", "progress", "exchanges", "found_tools")
    return counted | {name: getattr(run, name) for name in names} | {"falls": 0}


def bounded(reply: ModelReply, most: int) -> ModelReply:
    """A huge reply is kept cut: the transcript must stay readable and sendable."""
    response = reply.response
    if len(jsons.dumps(response)) <= most:
        return reply
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
    return replace(reply, response=response | {"parts": parts})


async def _look_up(engine: EngineContext, claimed: ClaimedRun) -> bool:
    """A person stopped the run during the model call: see what they want."""
    await engine.db.awrite(lambda s: write_run(s, claimed.claim, claimed.run, None, **claimed.work()))
    claimed.stop.clear()
    await asyncio.sleep(0)
    return False
