"""One tiny request to a model, to see whether it works: by the same way that runs take, so that it proves something."""

import asyncio
import os
import time
from collections.abc import Mapping

from signoff.catalog.providers.known import OLLAMA, OPENAI, missing_variable, provider_of
from signoff.catalog.providers.schemas import ModelTestOut
from signoff.engine.model.errors import AskSomeone, ModelProblem, TryLater
from signoff.engine.model.history import Conversation
from signoff.engine.model.pool import ModelPool

SECONDS = 30.0
# A model that thinks first needs room for it.
MOST_TOKENS = 1_000
INSTRUCTIONS = "Somebody checks whether you can be reached."
TASK = "Reply with the one word: works"


async def try_model(pool: ModelPool, name: str) -> ModelTestOut:
    """Whether it replies, and how fast; else what its provider says, and what to do."""
    began = time.monotonic()
    try:
        async with asyncio.timeout(SECONDS):
            began = await _request(pool, name)
    except TimeoutError:
        return _failed(name, began, TryLater(f"It did not answer within {SECONDS:g} seconds.", None))
    except ModelProblem as problem:
        return _failed(name, began, problem)
    seconds = time.monotonic() - began
    message = f"Works, answered in {seconds:.1f} s."
    return ModelTestOut(model=name, works=True, seconds=seconds, message=message, remedy=None)


async def _request(pool: ModelPool, name: str) -> float:
    """Until it has replied. When the request went out: what is imported before that is not the model's time."""
    model = await pool.get(name)
    from signoff.engine.model.client import request_model

    began = time.monotonic()
    await request_model(
        model,
        INSTRUCTIONS,
        Conversation([], [TASK]),
        (),
        temperature=None,
        max_tokens=MOST_TOKENS,
        seconds=SECONDS,
        on_text=_nobody_listens,
    )
    return began


async def _nobody_listens(_text: str) -> None: ...


def _failed(name: str, began: float, problem: ModelProblem) -> ModelTestOut:
    message = str(problem).rstrip(".") + "."
    remedy = remedy_for(name, problem, os.environ)
    return ModelTestOut(model=name, works=False, seconds=time.monotonic() - began, message=message, remedy=remedy)


def remedy_for(name: str, problem: ModelProblem, environment: Mapping[str, str]) -> str:
    """What to do about it. Pure."""
    provider, (_, _, model) = provider_of(name), name.partition(":")
    if missing := missing_variable(name, environment):
        return f"Set {missing} where the server is started, and restart it."
    if isinstance(problem, AskSomeone):
        return problem.remedy
    if isinstance(problem, TryLater):
        if provider and (provider is OLLAMA or environment.get(provider.address)):
            return f"Check that the server is running and that {provider.address} points to it."
        return "Check the network and the provider's status page, then try again."
    if provider is OPENAI and environment.get(OPENAI.address) and not name.startswith("openai-chat:"):
        return f"Most self-hosted servers support only Chat Completions: try openai-chat:{model}"
    if provider is OLLAMA:
        return f"Check the name. To get the model: ollama pull {model}"
    return "Check the model's name against the list."
