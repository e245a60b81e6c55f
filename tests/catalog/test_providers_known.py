"""What each provider needs from the environment, what it offers, and what is never repeated of what it says."""

from typing import Any

import pytest

from signoff.catalog.providers.known import ANTHROPIC, GOOGLE, OLLAMA, OPENAI, PROVIDERS, full_names, missing_variable
from signoff.catalog.providers.offered_models import MOST_MODELS, ListFailed, names_in, request_for
from signoff.catalog.providers.redaction import redacted
from signoff.engine.model.errors import AskSomeone, ModelFailed, ModelProblem, TryLater
from signoff.engine.model.trial import remedy_for


@pytest.mark.parametrize(
    ("model", "environment", "missing"),
    [
        ("anthropic:x", {}, "ANTHROPIC_API_KEY"),
        ("anthropic:x", {"ANTHROPIC_API_KEY": ""}, "ANTHROPIC_API_KEY"),
        ("anthropic:x", {"ANTHROPIC_BASE_URL": "http://a"}, "ANTHROPIC_API_KEY"),
        ("anthropic:x", {"ANTHROPIC_API_KEY": "k"}, None),
        ("google:x", {}, "GOOGLE_API_KEY"),
        ("google:x", {"GEMINI_API_KEY": "k"}, None),
        ("openai:x", {}, "OPENAI_API_KEY"),
        ("openai-chat:x", {}, "OPENAI_API_KEY"),
        ("openai-responses:x", {"OPENAI_API_KEY": "k"}, None),
        # A server of one's own wants no key.
        ("openai-chat:x", {"OPENAI_BASE_URL": "http://a"}, None),
        ("ollama:x", {}, None),
        ("demo:x", {}, None),
        # Nobody here knows what it needs.
        ("elsewhere:x", {}, None),
    ],
)
def test_what_a_model_lacks(model: str, environment: dict[str, str], missing: str | None) -> None:
    assert missing_variable(model, environment) == missing


def test_of_what_is_set_only_the_names_are_told() -> None:
    environment = {"OPENAI_API_KEY": "sk-secret", "OPENAI_BASE_URL": "http://10.0.0.5/v1", "GOOGLE_API_KEY": ""}
    assert [(provider.name, provider.variables(environment)) for provider in PROVIDERS] == [
        ("anthropic", []),
        ("openai", ["OPENAI_API_KEY", "OPENAI_BASE_URL"]),
        ("google", []),
        ("ollama", []),
        ("demo", []),
    ]


@pytest.mark.parametrize(
    ("provider", "environment", "url", "headers"),
    [
        (
            ANTHROPIC,
            {"ANTHROPIC_API_KEY": "k"},
            "https://api.anthropic.com/v1/models?limit=1000",
            {"x-api-key": "k", "anthropic-version": "2023-06-01"},
        ),
        (OPENAI, {"OPENAI_API_KEY": "k"}, "https://api.openai.com/v1/models", {"authorization": "Bearer k"}),
        (OPENAI, {"OPENAI_BASE_URL": "http://a:1/v1/"}, "http://a:1/v1/models", {}),
        (
            GOOGLE,
            {"GEMINI_API_KEY": "k"},
            "https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000",
            {"x-goog-api-key": "k"},
        ),
        (OLLAMA, {}, "http://localhost:11434/v1/models", {}),
    ],
)
def test_each_provider_is_asked_at_its_own_place(
    provider: Any, environment: dict[str, str], url: str, headers: dict[str, str]
) -> None:
    assert request_for(provider, environment) == (url, headers)


@pytest.mark.parametrize(
    ("provider", "environment", "answer", "names"),
    [
        (ANTHROPIC, {}, {"data": [{"id": "claude-b"}, {"id": "claude-a"}]}, ["claude-b", "claude-a"]),
        # Newest first, and only what writes text.
        (
            OPENAI,
            {},
            {"data": [{"id": "gpt-1", "created": 1}, {"id": "text-embedding-3"}, {"id": "gpt-2", "created": 2}]},
            ["gpt-2", "gpt-1"],
        ),
        # On a server of one's own a name says nothing.
        (OPENAI, {"OPENAI_BASE_URL": "http://a"}, {"data": [{"id": "my-embedder"}]}, ["my-embedder"]),
        (
            GOOGLE,
            {},
            {
                "models": [
                    {"name": "models/gemini", "supportedGenerationMethods": ["generateContent"]},
                    {"name": "models/embed", "supportedGenerationMethods": ["embedContent"]},
                ]
            },
            ["gemini"],
        ),
        # What is no name is no name.
        (
            OLLAMA,
            {},
            {"data": [{"id": "a"}, {"id": "a"}, {"id": "<b>"}, {"id": ""}, {"id": 7}, 3, {"id": "\x1b"}]},
            ["a", "7"],
        ),
        # Nor is what no number holds a date.
        (OLLAMA, {}, {"data": [{"id": "a", "created": 10**400}, {"id": "b", "created": 1}]}, ["b", "a"]),
        (OLLAMA, {}, {"data": [{"id": f"m{n}"} for n in range(9999)]}, [f"m{n}" for n in range(MOST_MODELS)]),
    ],
)
def test_the_names_in_a_list(provider: Any, environment: dict[str, str], answer: Any, names: list[str]) -> None:
    assert names_in(provider, answer, environment) == names


@pytest.mark.parametrize("answer", [None, [], "models", {}, {"data": None}, {"data": {"id": "a"}}])
def test_what_is_no_list_is_told_as_that(answer: Any) -> None:
    with pytest.raises(ListFailed):
        names_in(OLLAMA, answer, {})


def test_a_server_that_speaks_like_openai_is_offered_by_its_older_way() -> None:
    assert full_names(OPENAI, ["m"], {"OPENAI_BASE_URL": "http://a"}) == ["openai-chat:m"]
    assert full_names(OPENAI, ["m"], {"OPENAI_API_KEY": "k"}) == ["openai:m"]


ENVIRONMENT = {
    "OPENAI_API_KEY": "very-secret-word",
    "GITHUB_TOKEN": "another secret",
    "OPENAI_BASE_URL": "http://llm.corp.example:8000/v1",
    "HOME": "/home/ann",
}


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Incorrect API key: very-secret-word.", "Incorrect API key: [hidden]."),
        ("another secret", "[hidden]"),
        ("Incorrect API key provided: sk-pr*********wxyz.", "Incorrect API key provided: [hidden]."),
        ("POST http://llm.corp.example:8000/v1/responses failed", "POST [its address]/responses failed"),
        ("no route to llm.corp.example", "no route to [its address]"),
        ("You have **no** credit in /home/ann", "You have **no** credit in /home/ann"),
    ],
)
def test_what_a_provider_says_is_shown_without_keys_and_addresses(said: str, shown: str) -> None:
    assert redacted(said, ENVIRONMENT) == shown


@pytest.mark.parametrize(
    ("model", "problem", "environment", "words"),
    [
        ("anthropic:x", AskSomeone("no key", "whatever"), {}, "Set ANTHROPIC_API_KEY"),
        ("openai:x", AskSomeone("no credit", "Add credit."), {"OPENAI_API_KEY": "k"}, "Add credit."),
        ("ollama:x", TryLater("refused", None), {}, "OLLAMA_BASE_URL points to it"),
        ("openai:x", TryLater("refused", None), {"OPENAI_API_KEY": "k"}, "status page"),
        ("openai:x", ModelFailed("404"), {"OPENAI_BASE_URL": "http://a"}, "try openai-chat:x"),
        ("openai-chat:x", ModelFailed("404"), {"OPENAI_BASE_URL": "http://a"}, "name"),
        ("ollama:x", ModelFailed("404"), {}, "ollama pull x"),
    ],
)
def test_what_to_do_about_a_model_that_does_not_work(
    model: str, problem: ModelProblem, environment: dict[str, str], words: str
) -> None:
    assert words in remedy_for(model, problem, environment)
