"""A conversation is brought to a size that its model takes. What that left out is marked in the transcript, so that
whoever works on the run next sends the same."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.engine.model.compaction import references, sizes
from signoff.engine.model.compaction.budget import context_budget, is_scripted
from signoff.engine.model.compaction.plan import Compaction
from signoff.engine.model.compaction.summary_prompt import (
    SUMMARY_INSTRUCTIONS,
    PastCall,
    PastTurn,
    summary_prompt,
)
from signoff.engine.model.errors import ContextFull
from signoff.engine.model.history import SHARE, Conversation, Turn
from signoff.engine.model.reply import ModelReply, OfferedTool
from signoff.engine.model.request import ModelRequest, request_with_fallbacks
from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.runs.models import Call, Message
from signoff.runs.states import FINISHED
from signoff.runs.transcript.messages import add_messages, emit_message, new_message
from signoff.runs.transcript.reading import COMPACTION, response_text, result_text
from signoff.runs.worker.fenced_writes import write_run

SUMMARY_TOKENS = 4_000
# What is read of a result to sum it up, at most, in characters.
MOST_READ = 60_000
# Turns whose calls are read together.
READ_AT_ONCE = 20
# How often a request is made smaller for a model that says it is too long.
TRIES = 4


@dataclass(frozen=True)
class Summary:
    """What stands for the turns that are left out, and the reply that it came in; none where no model made it."""

    text: str
    reply: ModelReply | None = None


async def request_compacted(
    engine: EngineContext, claimed: ClaimedRun, notes: Sequence[Message], request: ModelRequest
) -> ModelReply | None:
    """Request the model with a conversation that fits. None: a person stopped the run meanwhile."""
    beside = sizes.tokens(request.instructions) + sum(map(_size_of, request.tools))
    for _ in range(TRIES):
        conversation = await _fitting(engine, claimed, notes, beside)
        if conversation is None:
            return None
        whole = replace(conversation, status=request.conversation.status)
        try:
            return await request_with_fallbacks(engine.models, replace(request, conversation=whole), claimed.stop)
        except ContextFull:
            harder = claimed.history.harder(beside)
            if harder is None:
                raise
            await _compact(engine, claimed, harder)
    raise ContextFull(f"The conversation is too long for {request.definition.model}, however it is shortened.")


def _size_of(tool: OfferedTool) -> int:
    return sizes.tokens(tool.description) + sizes.tokens(jsons.dumps(tool.schema))


async def _fitting(
    engine: EngineContext, claimed: ClaimedRun, notes: Sequence[Message], beside: int
) -> Conversation | None:
    """The conversation within its budget, or as near as it gets. None: a person stopped the run meanwhile."""
    budget = await _budget(engine, claimed)
    while True:
        conversation = claimed.history.follow(claimed.messages, claimed.calls, notes, budget)
        needed = claimed.history.needed(beside)
        if needed is None:
            claimed.let_go()
            return conversation
        if not await _compact(engine, claimed, needed):
            return None


async def _budget(engine: EngineContext, claimed: ClaimedRun) -> int:
    if claimed.budget is None:
        definition, given = claimed.definition, engine.settings.context_tokens
        claimed.budget = await asyncio.to_thread(context_budget, definition.model, definition.max_tokens, given)
    return claimed.budget


async def _compact(engine: EngineContext, claimed: ClaimedRun, to: Compaction) -> bool:
    """Put a compaction down, with a summary where whole turns go. False: a person stopped the run meanwhile."""
    await claimed.stored()
    summary: Summary | None = None
    if to.summarized > claimed.history.compaction.summarized:
        summary = await _summed_up(engine, claimed, to)
        if summary is None:
            return False
    mark = new_message(claimed.run, COMPACTION, claimed.run.iterations + 1)
    mark.compaction = to.as_json() | {"sums_up": summary is not None}
    if summary is not None:
        mark.text, mark.response = summary.text, summary.reply.response if summary.reply else None
    await engine.crash_point("compacting")
    await engine.db.awrite(lambda s: _put_down(s, engine, claimed, mark, summary))
    claimed.messages.append(mark)
    return True


def _put_down(
    session: Session, engine: EngineContext, claimed: ClaimedRun, mark: Message, summary: Summary | None
) -> None:
    """The mark and what its summary cost: together or not at all."""
    counted: JsonObject = {}
    if summary is not None and summary.reply is not None:
        counted = claimed.count(summary.reply, engine.settings.usd_per_credit)
    # Fenced: a worker that lost the run shortens nothing.
    write_run(session, claimed.claim, claimed.run, **(counted | claimed.work()))
    add_messages(session, [mark])
    emit_message(session, claimed.run, mark)


async def _summed_up(engine: EngineContext, claimed: ClaimedRun, to: Compaction) -> Summary | None:
    """What happened before a turn, in the model's own words. None: a person stopped the run meanwhile."""
    # Where no model can say it: the same, cut short.
    before, turns = claimed.history.summary, claimed.history.turns_until(to.summarized)
    past = await engine.db.aread(lambda s: _past(s, claimed.run.id, turns))
    most = to.budget // SHARE
    if is_scripted(claimed.definition.model):
        return Summary(sizes.head(summary_prompt(before, past, most), most))
    room = to.budget // 2
    for _ in range(TRIES):
        try:
            reply = await _request_summary(engine, claimed, summary_prompt(before, past, room))
        except ContextFull:
            room //= 2
            continue
        if reply is None:
            return None
        words = jsons.clean_text(reply.text).strip()
        # One that only calls tools has summed up nothing.
        return Summary(words or sizes.head(summary_prompt(before, past, most), most), reply)
    return Summary(sizes.head(summary_prompt(before, past, most), most))


async def _request_summary(engine: EngineContext, claimed: ClaimedRun, prompt: str) -> ModelReply | None:
    definition = claimed.definition
    request = ModelRequest(
        definition.model_copy(update={"max_tokens": min(definition.max_tokens, SUMMARY_TOKENS)}),
        SUMMARY_INSTRUCTIONS,
        Conversation([], [prompt]),
        # Nothing to act with, whatever is written in what it sums up.
        [],
        engine.settings.model_timeout_seconds,
        # It is no word of the run's.
        lambda _: None,
        0,
        0,
    )
    return await request_with_fallbacks(engine.models, request, claimed.stop)


def _past(session: Session, run_id: str, turns: Sequence[Turn]) -> list[PastTurn]:
    """The turns as they were: what was cleared of them is read again, a few at a time, and only what is needed kept."""
    calls: dict[int, list[PastCall]] = {turn.number: [] for turn in turns}
    numbers = list(calls)
    for first in range(0, len(numbers), READ_AT_ONCE):
        some = Call.turn.in_(numbers[first : first + READ_AT_ONCE])
        query = select(Call).where(Call.run_id == run_id, some).order_by(Call.turn, Call.position)
        for call in session.scalars(query):
            number = references.call_number(call.turn, call.position)
            text = result_text(call)[:MOST_READ] if call.status in FINISHED else f"It is {call.status}."
            calls[call.turn].append(PastCall(number, call.tool, call.arguments, text))
        session.expunge_all()
    return [PastTurn(turn.number, turn.before, response_text(turn.response), calls[turn.number]) for turn in turns]
