"""How each search provider is asked and answers: pure, so that it can be checked against what they really send."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast
from urllib.parse import urlencode

from signoff.kit.jsons import JsonObject, clean_text, dumps

LONGEST_SNIPPET = 1_000
LONGEST_TITLE = 300
ProviderName: TypeAlias = Literal["brave", "tavily", "exa", "searxng"]


@dataclass(frozen=True)
class SearchRequest:
    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes = b""


@dataclass(frozen=True)
class Provider:
    name: ProviderName
    # Where it is asked; a SearXNG is wherever its owner put it.
    url: str
    request: Callable[[str, str, int, str], SearchRequest]
    # Where the list of results is, and what its fields are called.
    results: tuple[str, ...]
    snippet: str
    published: tuple[str, ...]
    # For one search, in US cents.
    cost_cents: float

    def found(self, answer: Any, count: int) -> list[JsonObject]:
        """The results in our words; what is no result is left out."""
        for part in self.results:
            answer = answer.get(part) if isinstance(answer, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        listed = cast("list[Any]", answer) if isinstance(answer, list) else []
        return [self._result(each) for each in listed if isinstance(each, dict) and each.get("url")][:count]  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]

    def _result(self, given: Mapping[str, Any]) -> JsonObject:
        published = next((str(given[name]) for name in self.published if given.get(name)), None)
        result: JsonObject = {
            "title": _short(given.get("title"), LONGEST_TITLE),
            "url": clean_text(str(given["url"]))[:2000],
            "snippet": _short(given.get(self.snippet), LONGEST_SNIPPET),
        }
        return result | ({"published": _short(published, 40)} if published else {})


def _short(text: Any, longest: int) -> str:
    plain = " ".join(clean_text(str(text or "")).split())
    return plain if len(plain) <= longest else plain[: longest - 1] + "…"


def _brave(url: str, query: str, count: int, key: str) -> SearchRequest:
    asked = urlencode({"q": query, "count": count, "text_decorations": "false"})
    return SearchRequest("GET", f"{url}?{asked}", {"accept": "application/json", "x-subscription-token": key})


def _tavily(url: str, query: str, count: int, key: str) -> SearchRequest:
    body = {"query": query, "max_results": count, "search_depth": "basic"}
    return _posted(url, body, {"authorization": f"Bearer {key}"})


def _exa(url: str, query: str, count: int, key: str) -> SearchRequest:
    body = {"query": query, "numResults": count, "contents": {"text": {"maxCharacters": LONGEST_SNIPPET}}}
    return _posted(url, body, {"x-api-key": key})


def _searxng(url: str, query: str, _count: int, _key: str) -> SearchRequest:
    asked = urlencode({"q": query, "format": "json"})
    return SearchRequest("GET", f"{url.rstrip('/')}/search?{asked}", {"accept": "application/json"})


def _posted(url: str, body: JsonObject, headers: Mapping[str, str]) -> SearchRequest:
    return SearchRequest("POST", url, {"content-type": "application/json", **headers}, dumps(body).encode())


PROVIDERS: dict[str, Provider] = {
    each.name: each
    for each in (
        Provider(
            "brave",
            "https://api.search.brave.com/res/v1/web/search",
            _brave,
            ("web", "results"),
            "description",
            ("page_age", "age"),
            0.5,
        ),
        Provider("tavily", "https://api.tavily.com/search", _tavily, ("results",), "content", ("published_date",), 0.8),
        Provider("exa", "https://api.exa.ai/search", _exa, ("results",), "text", ("publishedDate",), 0.7),
        Provider("searxng", "", _searxng, ("results",), "content", ("publishedDate",), 0.0),
    )
}
