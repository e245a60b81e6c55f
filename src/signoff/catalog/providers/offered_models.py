"""Which models a provider offers: it is asked once in a while, within bounds, at the address of the environment."""

import asyncio
import json
import os
import re
import time
from collections.abc import Mapping
from typing import Any, cast

from signoff.catalog.providers.known import ANTHROPIC, DEMO, GOOGLE, OPENAI, Provider, full_names
from signoff.catalog.providers.redaction import redacted
from signoff.catalog.providers.schemas import OfferedModels

SECONDS = 8.0
MOST_BYTES = 2 * 1024 * 1024
MOST_MODELS = 300
KEPT_SECONDS, KEPT_AFTER_A_FAILURE = 600.0, 20.0
# An agent needs a model that writes text.
_NO_TEXT = re.compile(
    r"embed|whisper|tts|dall-e|moderation|audio|realtime|image|transcri|sora|davinci|babbage|instruct|search"
)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,150}")


class ListFailed(Exception):
    """The provider could not be asked, or what it said is no list."""


class ModelLists:
    """What providers said last. One application has one; whoever comes while it is asked waits for the same answer."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[float, OfferedModels]] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def get(self, provider: Provider) -> OfferedModels:
        async with self._locks.setdefault(provider.name, asyncio.Lock()):
            until, kept = self._kept.get(provider.name, (0.0, None))
            if kept is None or until < time.monotonic():
                kept = await _offered(provider, os.environ)
                lasts = KEPT_AFTER_A_FAILURE if kept.problem else KEPT_SECONDS
                self._kept[provider.name] = (time.monotonic() + lasts, kept)
            return kept


async def _offered(provider: Provider, environment: Mapping[str, str]) -> OfferedModels:
    problem = None
    if provider is not DEMO and provider.state(environment) != "missing":
        try:
            found = names_in(provider, await asyncio.to_thread(_fetch, provider, environment), environment)
            models = full_names(provider, found, environment)
            return OfferedModels(provider=provider.name, models=models, listed=True, problem=None)
        except ListFailed as error:
            problem = redacted(str(error), environment)
    known = full_names(provider, list(provider.examples), environment)
    return OfferedModels(provider=provider.name, models=known, listed=False, problem=problem)


def _fetch(provider: Provider, environment: Mapping[str, str]) -> Any:
    """Its answer as JSON. Redirects are not followed: a key goes to the one address that was set."""
    # Only who asks for a list waits for it.
    import httpx

    url, headers = request_for(provider, environment)
    ends, body = time.monotonic() + SECONDS, bytearray()
    try:
        with httpx.Client(timeout=SECONDS) as client, client.stream("GET", url, headers=headers) as answer:
            if answer.status_code != 200:
                raise ListFailed(f"It answered with the error {answer.status_code}.")
            for piece in answer.iter_bytes():
                body += piece
                if len(body) > MOST_BYTES or time.monotonic() > ends:
                    raise ListFailed("Its list of models is too long, or took too long.")
        return json.loads(body)
    except (httpx.HTTPError, httpx.InvalidURL, OSError):
        raise ListFailed("It could not be reached.") from None
    except (ValueError, RecursionError):
        raise ListFailed("It did not answer with a list of models.") from None


def request_for(provider: Provider, environment: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Where a provider lists its models, and how it wants to be asked."""
    place, key = provider.place(environment), provider.key(environment)
    if provider is ANTHROPIC:
        return f"{place}/v1/models?limit=1000", {"x-api-key": key or "", "anthropic-version": "2023-06-01"}
    if provider is GOOGLE:
        version = environment.get("GOOGLE_GENAI_API_VERSION") or "v1beta"
        return f"{place}/{version}/models?pageSize=1000", {"x-goog-api-key": key or ""}
    return f"{place}/models", {"authorization": f"Bearer {key}"} if key else {}


def names_in(provider: Provider, answer: Any, environment: Mapping[str, str]) -> list[str]:
    """The names of a list that may hold anything; newest first, where it says when they came."""
    rows = (
        cast("dict[str, Any]", answer).get("models" if provider is GOOGLE else "data")
        if isinstance(answer, dict)
        else None
    )
    if not isinstance(rows, list):
        raise ListFailed("It did not answer with a list of models.")
    models = [cast("dict[str, Any]", row) for row in cast("list[Any]", rows) if isinstance(row, dict)]
    if provider is GOOGLE:
        writes = (row for row in models if "generateContent" in str(row.get("supportedGenerationMethods")))
        names = [str(row.get("name")).removeprefix("models/") for row in writes]
    else:
        newest = sorted(models, key=_made, reverse=True)
        names = [str(row.get("id")) for row in newest]
    is_openai = provider is OPENAI and not environment.get(provider.address)
    fitting = [name for name in names if _NAME.fullmatch(name) and not (is_openai and _NO_TEXT.search(name))]
    return list(dict.fromkeys(fitting))[:MOST_MODELS]


def _made(row: dict[str, Any]) -> float:
    created = row.get("created")
    try:
        return float(created) if isinstance(created, int | float) else 0.0
    except OverflowError:
        return 0.0
