"""A model call under way: text streamed to those who look on, fallbacks tried, dropped when a person stops the run."""

import asyncio
import time

from signoff.engine.answer import ModelAnswer, Offered
from signoff.engine.failures import ContextFull, ModelFailed, ModelProblem, TryLater
from signoff.engine.held import Desk, Held
from signoff.engine.phases import offered
from signoff.engine.prompts import Line, compacted

# Text is handed on in small pieces, but not one event per word.
DELTA_SECONDS = 0.05


async def ask_with_fallbacks(desk: Desk, held: Held, instructions: str, lines: list[Line]) -> ModelAnswer | None:
    """The first model that answers, or the last one's problem. None: a person stopped the run meanwhile."""
    tools = [Offered(tool.name, tool.description, tool.model_schema) for tool in offered(held.run, held.tools(desk))]
    problem: ModelProblem = ModelFailed("no model")
    for attempt, name in enumerate((held.definition.model, *held.definition.fallback_models)):
        asking = asyncio.create_task(_ask(desk, held, name, attempt, instructions, lines, tools))
        stopping = asyncio.create_task(held.stop.wait())
        await asyncio.wait({asking, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if not asking.done():
            asking.cancel()
            await asyncio.wait({asking})
            return None
        try:
            return asking.result()
        except ContextFull as error:
            shorter = compacted(lines, hard=True)
            if shorter == lines:
                raise ModelFailed(f"The conversation is too long for {name}: {error}") from error
            return await ask_with_fallbacks(desk, held, instructions, shorter)
        except ModelProblem as error:
            problem = error if not isinstance(problem, TryLater) else problem
    raise problem


async def _ask(
    desk: Desk, held: Held, name: str, attempt: int, instructions: str, lines: list[Line], tools: list[Offered]
) -> ModelAnswer:
    model = await desk.shelf.get(name)
    from signoff.engine.wire import ask_model

    voice = _Voice(desk, held, attempt)
    answer = await ask_model(
        model,
        instructions,
        lines,
        tools,
        temperature=held.definition.temperature,
        max_tokens=held.definition.max_tokens,
        seconds=desk.settings.model_timeout_seconds,
        on_text=voice.say,
    )
    voice.flush()
    return answer


class _Voice:
    """Collects text and tells it a few times a second. Numbered by attempt: a retried step streams again."""

    def __init__(self, desk: Desk, held: Held, attempt: int) -> None:
        self._desk = desk
        self._run = held.run
        self._attempt = held.run.retries + attempt + 1
        self._text = ""
        # Where this piece begins, so that one who joins late knows what is missing.
        self._offset = 0
        self._told = 0.0

    async def say(self, text: str) -> None:
        self._text += text
        if time.monotonic() - self._told >= DELTA_SECONDS:
            self.flush()

    def flush(self) -> None:
        if self._text:
            data = {
                "text": self._text,
                "offset": self._offset,
                "turn": self._run.iterations + 1,
                "attempt": self._attempt,
            }
            self._offset += len(self._text)
            self._desk.hub.transient(self._run.workspace_id, self._run.id, "run.delta", data)
            self._text, self._told = "", time.monotonic()
