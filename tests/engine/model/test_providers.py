"""A whole run over each provider's own wire: streamed, parked, edited, denied, retried, asked about."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from signoff.kit.settings import Settings
from tests.aimock.server import Aimock, aimock
from tests.house import House
from tests.wire import Model

pytestmark = [
    # Google's library is compiled when it is first imported.
    pytest.mark.filterwarnings("ignore:.*invalid escape sequence"),
    # aimock ends a call of Gemini with a word that Gemini itself does not use.
    pytest.mark.filterwarnings("ignore:FUNCTION_CALL is not a valid FinishReason"),
]

KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY", "OLLAMA_API_KEY")
TEXT = "I am writing the report that you asked for."
DRAFT = {"path": "report.md", "content": "draft"}
ToolResults = list[tuple[str, bool]]


def _answer(text: str, tool: str, **arguments: Any) -> dict[str, Any]:
    calls = [{"name": tool, "arguments": json.dumps(arguments), "id": f"call_{tool}"}]
    return {"content": text, "toolCalls": calls}


WRITE = _answer(TEXT, "write_file", **DRAFT)
DONE = _answer("All is done.", "complete_task", summary="done")


def _wrapped(text: str) -> tuple[str, bool]:
    """These wires know no failed result, so it says so itself."""
    return text, text.startswith('{"error":')


def _messages_results(body: dict[str, Any]) -> ToolResults:
    blocks = [block for message in body["messages"] for block in message["content"] if isinstance(block, dict)]
    return [(str(b["content"]), b["is_error"]) for b in blocks if b["type"] == "tool_result"]


def _responses_results(body: dict[str, Any]) -> ToolResults:
    return [_wrapped(item["output"]) for item in body["input"] if item.get("type") == "function_call_output"]


def _chat_results(body: dict[str, Any]) -> ToolResults:
    return [_wrapped(message["content"]) for message in body["messages"] if message["role"] == "tool"]


def _gemini_results(body: dict[str, Any]) -> ToolResults:
    parts = [part for content in body["contents"] for part in content["parts"]]
    responses = [part["functionResponse"]["response"] for part in parts if "functionResponse" in part]
    return [(str(response), "error" in response) for response in responses]


@dataclass(frozen=True)
class Provider:
    model: str
    path: str
    # The results of tools in a request of this wire: the text, and whether it says that the call failed.
    tool_results: Callable[[dict[str, Any]], ToolResults]
    busy: tuple[int, str]
    locked: tuple[int, str]

    def fails(self, error: tuple[int, str], message: str) -> dict[str, Any]:
        status, kind = error
        return {"error": {"message": message, "type": kind, "code": kind}, "status": status, "retryAfter": 0}


PROVIDERS = [
    Provider(
        "anthropic:claude-sonnet-5",
        "/v1/messages",
        _messages_results,
        (529, "overloaded_error"),
        (401, "authentication_error"),
    ),
    Provider(
        "openai:gpt-5", "/v1/responses", _responses_results, (429, "rate_limit_exceeded"), (401, "invalid_api_key")
    ),
    Provider(
        "openai-chat:gpt-5-mini",
        "/v1/chat/completions",
        _chat_results,
        (429, "rate_limit_exceeded"),
        (401, "invalid_api_key"),
    ),
    Provider(
        "google:gemini-2.5-flash",
        "/v1beta/models/gemini-2.5-flash:streamGenerateContent",
        _gemini_results,
        (429, "RESOURCE_EXHAUSTED"),
        (401, "UNAUTHENTICATED"),
    ),
    Provider("ollama:qwen3", "/v1/chat/completions", _chat_results, (503, "overloaded"), (401, "unauthorized")),
]


@pytest.fixture
def kind() -> str:
    """The wire does not care which database is behind."""
    return "sqlite"


@pytest.fixture(scope="module")
def server() -> Iterator[Aimock]:
    with aimock() as server:
        yield server


@pytest.fixture
def mock(server: Aimock, monkeypatch: pytest.MonkeyPatch) -> Aimock:
    for name in KEYS:
        monkeypatch.setenv(name, "a-key")
    # Google's library says a word when both of its names are set.
    monkeypatch.delenv("GEMINI_API_KEY")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
    # Google's library has moved to `v1`; aimock has not.
    monkeypatch.setenv("GOOGLE_GENAI_API_VERSION", "v1beta")
    for name in ("OPENAI_BASE_URL", "OLLAMA_BASE_URL"):
        monkeypatch.setenv(name, f"{server.url}/v1")
    return server


@pytest.fixture
def house(settings: Settings, mock: Aimock) -> Iterator[House]:
    with House(settings, Model()) as house:
        yield house


@pytest.fixture(params=PROVIDERS, ids=lambda provider: provider.model)
def provider(request: pytest.FixtureRequest) -> Provider:
    return request.param


def _streamed(house: House, agent: str) -> tuple[str, list[str]]:
    """Start a run; its id, and the pieces of text that one who looks on got before the first ask."""
    with house.client.stream("GET", "/api/events") as events:
        run, pieces = house.start(agent), list[str]()
        for line in events.iter_lines():
            if line.startswith("data:"):
                event = json.loads(line.removeprefix("data:"))
                if event["type"] == "run.delta":
                    pieces.append(event["data"]["text"])
                if event["type"] in ("ask.created", "run.ended"):
                    break
    return run, pieces


def _completed(house: House, run: str) -> dict[str, Any]:
    ended = house.ended(run)
    assert ended["status"] == "completed", ended["error"]
    return ended


def test_an_edited_call_goes_there_and_back(house: House, mock: Aimock, provider: Provider) -> None:
    mock.script(WRITE, DONE)
    run, pieces = _streamed(house, house.agent("writer", provider.model, "write_file"))
    ask = house.ask(run)
    assert "".join(pieces) == TEXT
    assert len(pieces) > 1
    assert (ask["kind"], ask["tool"], ask["arguments"]) == ("approval", "write_file", DRAFT)
    house.answer(ask, arguments={**DRAFT, "content": "final"})
    assert _completed(house, run)["output"]["summary"] == "done"
    assert (house.settings.runs_folder / run / "report.md").read_text() == "final"
    (first, opening), (second, answered) = mock.received()
    assert first == second == provider.path
    assert provider.tool_results(opening) == []
    [(result, is_error)] = provider.tool_results(answered)
    assert "changed the arguments" in result
    assert "final" in result
    assert not is_error
    assert TEXT in json.dumps(answered)


def test_a_denied_call_arrives_as_an_error(house: House, mock: Aimock, provider: Provider) -> None:
    mock.script(WRITE, DONE)
    run = house.start(house.agent("writer", provider.model, "write_file"))
    house.answer(house.ask(run), "deny", note="not before Monday")
    _completed(house, run)
    [(result, is_error)] = provider.tool_results(mock.received()[-1][1])
    assert "not before Monday" in result
    assert is_error


def test_a_busy_provider_is_tried_again(house: House, mock: Aimock, provider: Provider) -> None:
    mock.script(provider.fails(provider.busy, "come back later"), DONE)
    run = house.start(house.agent("patient", provider.model))
    _completed(house, run)
    assert [path for path, _ in mock.received()] == [provider.path] * 2


def test_a_refused_key_asks_a_person(house: House, mock: Aimock, provider: Provider) -> None:
    mock.script(provider.fails(provider.locked, "this key is not known here"), DONE)
    run = house.start(house.agent("locked", provider.model))
    ask = house.ask(run)
    assert ask["kind"] == "recovery"
    assert "this key is not known here" in ask["description"]
    house.answer(ask, "respond", value="retry")
    _completed(house, run)


@pytest.mark.parametrize("empty", [False, True], ids=["unset", "empty"])
@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("anthropic:claude-sonnet-5", "ANTHROPIC_API_KEY"),
        ("google:gemini-2.5-flash", "GOOGLE_API_KEY"),
        ("openai:gpt-5", "OPENAI_API_KEY"),
    ],
)
def test_a_missing_key_asks_a_person_and_names_the_variable(
    house: House, mock: Aimock, monkeypatch: pytest.MonkeyPatch, model: str, variable: str, empty: bool
) -> None:
    mock.script(DONE)
    for name in KEYS:
        monkeypatch.setenv(name, "") if empty else monkeypatch.delenv(name, raising=False)
    # A server of one's own wants no key, so OpenAI's is missed only at OpenAI.
    monkeypatch.delenv("OPENAI_BASE_URL")
    run = house.start(house.agent("keyless", model))
    ask = house.ask(run)
    assert ask["kind"] == "recovery"
    assert ask["title"].endswith("can't reach its model")
    assert f"the environment variable {variable} is not set" in ask["description"]
    assert f"Set {variable}, restart the server, then retry." in ask["description"]
    assert mock.received() == []
    monkeypatch.setenv(variable, "a-key")
    monkeypatch.setenv("OPENAI_BASE_URL", f"{mock.url}/v1")
    house.answer(ask, "respond", value="retry")
    _completed(house, run)
