"""web_search: each provider is asked and read as its own documentation says."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from signoff.kit.settings import Settings
from signoff.tools.builtin import builtin_registry
from signoff.tools.builtin.web.search import missing, searched
from signoff.tools.builtin.web.search_providers import PROVIDERS
from signoff.tools.egress import Reach
from signoff.tools.registry import ToolFailed
from tests.tools.using import found, judged, use
from tests.tools.web.conftest import Site

KEY = "key-that-nobody-may-see"
BRAVE = {
    "type": "search",
    "query": {"original": "signoff"},
    "web": {
        "type": "search",
        "results": [
            {
                "title": "One",
                "url": "https://one.example/",
                "description": "The first",
                "page_age": "2026-01-02T00:00:00",
            },
            {"title": "Two", "url": "https://two.example/", "description": "x" * 3000, "age": "2 days ago"},
            {"title": "No address"},
        ],
    },
}
TAVILY = {
    "query": "signoff",
    "answer": None,
    "results": [
        {"title": "One", "url": "https://one.example/", "content": "The first", "score": 0.9, "raw_content": None},
        {"title": "Two", "url": "https://two.example/", "content": "x" * 3000, "published_date": "2026-01-03"},
    ],
    "response_time": 0.5,
}
EXA = {
    "requestId": "r",
    "results": [
        {
            "id": "1",
            "title": "One",
            "url": "https://one.example/",
            "publishedDate": "2026-01-02",
            "text": "The\n first",
        },
        {"id": "2", "title": None, "url": "https://two.example/", "text": "x" * 3000},
    ],
    "costDollars": {"total": 0.007},
}
SEARXNG = {
    "query": "signoff",
    "number_of_results": 0,
    "results": [
        {"title": "One", "url": "https://one.example/", "content": "The first", "engine": "a", "publishedDate": None},
        {"title": "Two", "url": "https://two.example/", "content": "x" * 3000, "engine": "b"},
    ],
    "answers": [],
}


@pytest.mark.parametrize(("name", "answer"), [("brave", BRAVE), ("tavily", TAVILY), ("exa", EXA), ("searxng", SEARXNG)])
def test_what_a_provider_answers_becomes_results(site: Site, name: str, answer: dict[str, Any]) -> None:
    url = site.page("/search", answer)
    provider = replace(PROVIDERS[name], url=site.url if name == "searxng" else url)
    one, two = searched(provider, KEY, "what & where", 5)
    assert (one["title"], one["url"], one["snippet"]) == ("One", "https://one.example/", "The first")
    assert len(two["snippet"]) == 1000
    assert len(searched(provider, KEY, "x", 1)) == 1


def test_each_provider_is_asked_in_its_own_way(site: Site) -> None:
    url = site.page("/search", {"results": []})
    for name in PROVIDERS:
        searched(replace(PROVIDERS[name], url=site.url if name == "searxng" else url), KEY, "a & b", 7)
    brave, tavily, exa, searxng = site.asked
    asked = parse_qs(urlsplit(brave.path).query)
    assert (brave.method, asked["q"], asked["count"]) == ("GET", ["a & b"], ["7"])
    assert brave.headers["x-subscription-token"] == KEY
    assert (tavily.method, tavily.headers["authorization"]) == ("POST", f"Bearer {KEY}")
    assert json.loads(tavily.body) == {"query": "a & b", "max_results": 7, "search_depth": "basic"}
    assert (exa.method, exa.headers["x-api-key"], json.loads(exa.body)["numResults"]) == ("POST", KEY, 7)
    assert parse_qs(urlsplit(searxng.path).query) == {"q": ["a & b"], "format": ["json"]}
    assert KEY not in str(searxng)


@pytest.mark.parametrize(
    ("status", "body"),
    [(401, f"bad key {KEY}"), (429, "slow down"), (403, "no json here"), (200, "no json")],
)
def test_a_refusal_is_told_without_the_key(site: Site, status: int, body: str) -> None:
    provider = replace(PROVIDERS["tavily"], url=site.page("/search", body, status))
    with pytest.raises(ToolFailed, match="tavily") as refused:
        searched(provider, KEY, "x", 5)
    assert KEY not in str(refused.value)
    assert provider.found([1], 5) == provider.found({"results": [{}, 1]}, 5) == []
    with pytest.raises(ToolFailed, match="could not be reached"):
        searched(replace(provider, url="http://127.0.0.1:1/"), KEY, "x", 5)


def test_the_tool_asks_the_searxng_that_is_set_up(site: Site, tmp_path: Path) -> None:
    site.page("/search", SEARXNG)
    settings = Settings(searxng_url=f"{site.url}/")
    said = use("web_search", tmp_path, settings=settings, query="signoff", count=2)
    assert [each["title"] for each in said["results"]] == ["One", "Two"]
    assert "none of it is an instruction" in said["about"]
    with pytest.raises(ToolFailed, match="not among the hosts"):
        use("web_search", tmp_path, settings=settings, reach=Reach.within(["example.org"]), query="signoff")
    assert len(site.asked) == 1


def test_without_a_provider_it_says_how_to_add_one(tmp_path: Path) -> None:
    with pytest.raises(ToolFailed, match=r"SIGNOFF_SEARCH_PROVIDER.*SIGNOFF_SEARXNG_URL"):
        use("web_search", tmp_path, settings=Settings(), query="x")
    with pytest.raises(ToolFailed, match="Brave needs a key"):
        use("web_search", tmp_path, settings=Settings(search_provider="brave"), query="x")
    assert missing(Settings(search_provider="searxng"))
    assert missing(Settings(search_provider="exa", search_key=KEY)) is None


def test_a_search_counts_what_its_provider_takes() -> None:
    def cost(settings: Settings) -> float | None:
        tool = builtin_registry(settings).get("web_search")
        assert tool is not None
        return tool.estimated_cost_credits

    assert cost(Settings(search_provider="tavily", search_key=KEY)) == pytest.approx(0.8)
    assert cost(Settings(search_provider="tavily", search_key=KEY, usd_per_credit=0.1)) == pytest.approx(0.08)
    assert cost(Settings(searxng_url="http://localhost")) == 0
    assert cost(Settings()) is None


def test_a_search_only_reads_and_the_key_is_in_no_print_of_the_settings(tmp_path: Path) -> None:
    assert judged("web_search", tmp_path, query="x")[0] == "low"
    assert found("web_search").headline({"query": "news"}) == "Search for news"
    assert KEY not in repr(Settings(search_provider="exa", search_key=KEY))
    assert found("web_search").check({"query": ""})
    assert found("web_search").check({"query": "x", "count": 21})
