"""A person asks an agent about an ask: one request to the run's own model, without tools and beside the transcript."""

import asyncio
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.asks.comments.models import Comment
from signoff.asks.comments.replies import Reply
from signoff.asks.comments.states import ReplyState
from signoff.asks.models import Ask
from signoff.catalog import queries as catalog
from signoff.catalog.schemas import AgentDefinition
from signoff.engine.context import EngineContext
from signoff.engine.model.errors import ContextFull, ModelProblem
from signoff.engine.model.history import Conversation
from signoff.engine.model.question_prompt import answering_instructions, question_prompt
from signoff.engine.model.reply import ModelReply
from signoff.engine.model.request import ModelRequest, request_with_fallbacks
from signoff.kit.jsons import clean_text
from signoff.runs.models import Call, Message, Run

# How much of the transcript is sent, in characters; less, when the model says that it is too much.
MOST_SENT = (200_000, 30_000)
MOST_TOKENS = 4_000
# The last so many of the conversation.
COMMENTS_READ = 20
LONGEST_REPLY = 12_000


class CannotAnswer(Exception):
    """There is nothing that a model could be asked; the text says why."""


@dataclass(frozen=True)
class Question:
    """A question with all that the agent answers it from."""

    ask: Ask
    definition: AgentDefinition
    messages: list[Message]
    calls: list[Call]
    thread: list[Comment]
    asked: Comment

    def prompt(self, most: int) -> str:
        return question_prompt(self.messages, self.calls, self.ask, self.thread, self.asked, most)


async def answer_question(engine: EngineContext, reply_id: str) -> Reply:
    """What the agent says. Whatever goes wrong becomes a reply, too, since a person waits for one."""
    try:
        question = await engine.db.aread(lambda s: _load(s, reply_id))
        await engine.crash_point("question")
        async with asyncio.timeout(2 * engine.settings.model_timeout_seconds):
            return _understood(engine, await _request(engine, question))
    except CannotAnswer as error:
        return _failed(str(error))
    except TimeoutError:
        return _failed("The model took too long.")
    except ModelProblem as problem:
        return _failed(f"The model did not answer: {problem}")


def _load(session: Session, reply_id: str) -> Question:
    reply = session.get_one(Comment, reply_id)
    ask, asked = session.get_one(Ask, reply.ask_id), session.get_one(Comment, reply.question_id)
    run = session.get(Run, ask.run_id) if ask.run_id else None
    if run is None or run.revision_id is None:
        raise CannotAnswer("No agent can answer here.")
    if run.aside_id is not None:
        # Its rows may be what nobody survives.
        raise CannotAnswer("The run crashed its worker and is set aside, so the agent cannot answer.")
    messages = session.scalars(select(Message).where(Message.run_id == run.id).order_by(Message.id))
    calls = session.scalars(select(Call).where(Call.run_id == run.id).order_by(Call.turn, Call.position))
    before = select(Comment).where(Comment.ask_id == ask.id, Comment.id < asked.id)
    thread = session.scalars(before.order_by(Comment.id.desc()).limit(COMMENTS_READ)).all()
    definition = catalog.frozen(session, run.revision_id)
    return Question(ask, definition, list(messages), list(calls), list(reversed(thread)), asked)


async def _request(engine: EngineContext, question: Question) -> ModelReply | None:
    for most in MOST_SENT:
        try:
            return await _request_once(engine, question, most)
        except ContextFull:
            if most == MOST_SENT[-1]:
                raise
    return None


async def _request_once(engine: EngineContext, question: Question, most: int) -> ModelReply | None:
    definition = question.definition
    request = ModelRequest(
        definition.model_copy(update={"max_tokens": min(definition.max_tokens, MOST_TOKENS)}),
        answering_instructions(definition),
        Conversation([], [question.prompt(most)]),
        # Nothing to act with, whatever the model makes of the question.
        [],
        engine.settings.model_timeout_seconds,
        # Nor is it a word of the run's: its live text is not.
        lambda _: None,
        0,
        0,
    )
    return await request_with_fallbacks(engine.models, request, asyncio.Event())


def _understood(engine: EngineContext, reply: ModelReply | None) -> Reply:
    words = clean_text(reply.text).strip() if reply else ""
    if reply is None:
        return _failed("The model did not answer.")
    # A call that it wrote all the same is nobody's to make.
    state, text = (
        (ReplyState.ANSWERED, words[:LONGEST_REPLY])
        if words
        else (ReplyState.FAILED, "The model sent an empty answer.")
    )
    cost = (reply.cost or 0.0) / engine.settings.usd_per_credit
    return Reply(state, text, reply.input_tokens, reply.output_tokens, cost, reply.cost is None)


def _failed(why: str) -> Reply:
    return Reply(ReplyState.FAILED, clean_text(why)[:500])
