"""`provider:model` → something that answers. Providers are imported when first used."""

import os
from typing import Any

from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model, infer_model
from pydantic_ai.providers import infer_provider

from signoff.engine.demo import demo_model
from signoff.engine.failures import AskSomeone, ModelFailed

# Servers on this machine want no key, but the client library wants a word.
NO_KEY = "none"


def model_for(name: str) -> Model:
    """The model with this name."""
    provider, _, rest = name.partition(":")
    if provider == "demo":
        return demo_model(rest)
    try:
        return infer_model(name, provider_factory=_provider)
    except UserError as error:
        message = str(error)
        if "API_KEY" in message or "api_key" in message:
            raise AskSomeone(f"{name} cannot be used: {message.splitlines()[0]}") from error
        raise ModelFailed(message.splitlines()[0]) from error
    except (ImportError, ValueError) as error:
        raise ModelFailed(f"{name} cannot be used: {error}") from error


def _provider(name: str) -> Any:
    if name in ("openai", "openai-chat", "openai-responses") and os.environ.get("OPENAI_BASE_URL"):
        from pydantic_ai.providers.openai import OpenAIProvider

        return OpenAIProvider(
            base_url=os.environ["OPENAI_BASE_URL"], api_key=os.environ.get("OPENAI_API_KEY") or NO_KEY
        )
    if name == "ollama":
        from pydantic_ai.providers.ollama import OllamaProvider

        return OllamaProvider(base_url=os.environ.get("OLLAMA_BASE_URL") or "http://localhost:11434/v1")
    return infer_provider(name)
