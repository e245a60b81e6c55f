"""`provider:model` → something that replies. Providers are imported when first used."""

import os
import re
from typing import Any

from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model, infer_model
from pydantic_ai.providers import infer_provider

from signoff.catalog.providers import known
from signoff.engine.model.demo.model import demo_model
from signoff.engine.model.end_marker import listen
from signoff.engine.model.errors import AskSomeone, ModelFailed

# Servers on this machine want no key, but the client library wants a word.
NO_KEY = "none"
KEY = re.compile(r"[A-Z_]+_API_KEY")


def model_for(name: str, opened: dict[str, Any]) -> Model:
    """The model with this name. All models of a provider share its connections, which are kept in `opened`."""

    def shared(provider: str) -> Any:
        if provider not in opened:
            opened[provider] = _provider(provider)
        return opened[provider]

    provider, _, rest = name.partition(":")
    if provider == "demo":
        return demo_model(rest)
    try:
        return infer_model(name, provider_factory=shared)
    except UserError as error:
        # What the library says is meant for programmers; only the variable matters here.
        if missing := KEY.search(str(error)):
            why = f"{name} cannot be used: the environment variable {missing[0]} is not set."
            raise AskSomeone(why, f"Set {missing[0]}, restart the server, then retry.") from error
        raise ModelFailed(str(error).splitlines()[0]) from error
    except (ImportError, ValueError) as error:
        raise ModelFailed(f"{name} cannot be used: {error}") from error


def _provider(name: str) -> Any:
    # A variable that is set to nothing is missing too, but the client libraries fail on it in ways of their own.
    if missing := known.missing_variable(name, os.environ):
        raise UserError(missing)
    provider = known.provider_of(name)
    if provider is known.OPENAI:
        from pydantic_ai.providers.openai import OpenAIProvider

        address, key = os.environ.get(known.OPENAI.address), known.OPENAI.key(os.environ)
        return _listening(OpenAIProvider(base_url=address or None, api_key=key or NO_KEY))
    if provider is known.OLLAMA:
        from pydantic_ai.providers.ollama import OllamaProvider

        return _listening(OllamaProvider(base_url=known.OLLAMA.place(os.environ)))
    return infer_provider(name)


def _listening(provider: Any) -> Any:
    # Some servers of this kind never say why they ended, only that they did.
    listen(provider.client)
    return provider
