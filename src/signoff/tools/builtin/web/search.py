"""Searching the web with the provider that whoever runs the server has chosen."""

import json
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from signoff.kit.jsons import JsonObject, clean_text
from signoff.kit.network.http import RequestFailed, exchange
from signoff.kit.settings import Settings
from signoff.tools.builtin.web.answer import UNTRUSTED
from signoff.tools.builtin.web.search_providers import PROVIDERS, Provider
from signoff.tools.egress import host_of
from signoff.tools.registry import Tool, ToolContext, ToolFailed, tool

MOST_RESULTS = 20
MOST_TOLD = 300
HOW_TO_ADD = (
    "No search provider is set up. Set SIGNOFF_SEARCH_PROVIDER to brave, tavily or exa and SIGNOFF_SEARCH_KEY to its "
    "key, or SIGNOFF_SEARXNG_URL to the address of a SearXNG, then restart the server."
)
NEEDS_KEY = "{provider} needs a key. Set SIGNOFF_SEARCH_KEY, then restart the server."


def web_search(
    context: ToolContext,
    query: Annotated[str, Field(min_length=1, max_length=400)],
    count: Annotated[int, Field(ge=1, le=MOST_RESULTS)] = 5,
) -> JsonObject:
    """Search the web. Gives titles, addresses and snippets; read a page with web_fetch before you rely on it."""
    settings = context.settings
    provider = chosen(settings)
    if provider is None:
        raise ToolFailed(missing(settings) or HOW_TO_ADD)
    if not context.reach.allows(host_of(provider.url)):
        raise ToolFailed(f"{host_of(provider.url)} is not among the hosts that this agent may reach.")
    results = searched(provider, settings.search_key, query, count)
    return {"query": query, "results": results, "about": UNTRUSTED}


def chosen(settings: Settings) -> Provider | None:
    """The provider that is set up, whole."""
    if missing(settings):
        return None
    name = settings.search_provider or "searxng"
    return replace(PROVIDERS[name], url=settings.searxng_url) if name == "searxng" else PROVIDERS[name]


def missing(settings: Settings) -> str | None:
    if settings.search_provider in ("", "searxng"):
        return None if settings.searxng_url else HOW_TO_ADD
    needs_key = not settings.search_key
    return NEEDS_KEY.format(provider=settings.search_provider.capitalize()) if needs_key else None


def searched(provider: Provider, key: str, query: str, count: int) -> list[JsonObject]:
    """What the provider finds. Its address was set by whoever runs the server, so it may be a private one."""
    request = provider.request(provider.url, query, count, key)
    try:
        response = exchange(
            request.url,
            method=request.method,
            content=request.content,
            headers=request.headers,
            reaches_private=True,
            most_read=4 * 1024 * 1024,
        )
    except RequestFailed as error:
        raise ToolFailed(
            f"The search provider {provider.name} could not be reached: {_without(key, str(error))}"
        ) from None
    if not response.is_success:
        said = _without(key, " ".join(clean_text(response.text).split()))[:MOST_TOLD]
        raise ToolFailed(f"The search provider {provider.name} answered {response.status_code}: {said}")
    try:
        return provider.found(json.loads(response.content), count)
    except ValueError as error:
        raise ToolFailed(f"The search provider {provider.name} gave an answer that is no JSON.") from error


def _without(key: str, text: str) -> str:
    return text.replace(key, "[key]") if key else text


def search_tool(settings: Settings | None) -> Tool:
    """The tool with what a search costs where it is set up."""
    provider = chosen(settings) if settings else None
    cost = provider.cost_cents / 100 / settings.usd_per_credit if provider and settings else None
    return tool(
        operation_type="search",
        risk="low",
        idempotent=True,
        source="builtin",
        title="Search for {query}",
        estimated_cost_credits=cost,
        missing=missing,
    )(web_search)
