"""A model call under way: text handed on as it comes, fallbacks tried, dropped when a person stops the run."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from signoff.catalog.schemas import AgentDefinition
from signoff.engine.model.errors import AskSomeone, ContextFull, ModelProblem, TryLater
from signoff.engine.model.history import Conversation
from signoff.engine.model.live_text import LiveText
from signoff.engine.model.pool import ModelPool
from signoff.engine.model.reply import ModelReply, OfferedTool
from signoff.runs.events import RunDelta


@dataclass(frozen=True)
class ModelRequest:
    """What is asked of a model, whichever of the agent's models it goes to."""

    definition: AgentDefinition
    instructions: str
    conversation: Conversation
    tools: Sequence[OfferedTool]
    seconds: float
    # Where the text goes while it is written, and how it is numbered there.
    send_text: Callable[[RunDelta], None]
    turn: int
    retries: int


async def request_with_fallbacks(pool: ModelPool, request: ModelRequest, stop: asyncio.Event) -> ModelReply | None:
    """The first model that replies, or the problem easiest to mend. None: a person stopped the run meanwhile."""
    problems = list[ModelProblem]()
    for attempt, name in enumerate((request.definition.model, *request.definition.fallback_models)):
        requesting = asyncio.create_task(_request(pool, request, name, request.retries + attempt + 1))
        stopping = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait({requesting, stopping}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            # The worker has to leave: nobody would hear the reply, or why there is none.
            requesting.cancel()
            raise
        finally:
            stopping.cancel()
        if not requesting.done():
            requesting.cancel()
            await asyncio.wait({requesting})
            return None
        try:
            return requesting.result()
        except ContextFull:
            # Whoever knows what can be left out tries again.
            raise
        except ModelProblem as error:
            problems.append(error)
    raise _most_hopeful(problems)


def _most_hopeful(problems: Sequence[ModelProblem]) -> ModelProblem:
    """Of what went wrong with each model, what mends itself, else what a person can mend, else what stays broken."""
    mends_itself = [each for each in problems if isinstance(each, TryLater)]
    mended_by_people = [each for each in problems if isinstance(each, AskSomeone)]
    return next(iter([*mends_itself, *mended_by_people, *problems]))


async def _request(pool: ModelPool, request: ModelRequest, name: str, attempt: int) -> ModelReply:
    model = await pool.get(name)
    from signoff.engine.model.client import request_model

    text = LiveText(request.send_text, request.turn, attempt)
    reply = await request_model(
        model,
        request.instructions,
        request.conversation,
        request.tools,
        temperature=request.definition.temperature,
        max_tokens=request.definition.max_tokens,
        seconds=request.seconds,
        on_text=text.hear,
    )
    text.flush()
    return reply
