"""A conversation that outgrows its model goes on, and knows its beginning."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from signoff.kit.settings import Settings
from signoff.tools.registry import tool
from tests.aimock.server import Aimock, aimock
from tests.house import House
from tests.wire import DONE, Model, ModelServer, call, fails, results, says

# One word: the wire sends word by word.
WORDY = "I-go-on-with-the-next-page-as-the-task-wants-it." * 60
TASK = "The code word is PINEAPPLE. Look at every page, then say the code word and what page 1 says."
TURNS = 18


@tool(risk="low", operation_type="read", idempotent=True)
def look_up(page: int) -> str:
    """Look at a page."""
    return f"Page {page} says fact-{page}. " + f"filler-{page} " * 600


@pytest.fixture
def kind() -> str:
    return "sqlite"


def _house(settings: Settings, model: Model) -> House:
    """Knows its tool before it starts: a run that waits there is taken up at once."""
    house = House(settings, model)
    house.parts.context.registry.register(look_up)
    return house


@pytest.fixture
def house(settings: Settings) -> Iterator[House]:
    model = Model()
    server = ModelServer(model)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", model.url)
        with _house(settings.model_copy(update={"context_tokens": 14_000}), model) as house:
            yield house
    server.close()


def _is_summary(request: dict[str, Any]) -> bool:
    return "your conversation got too long" in str(request["messages"][0]).replace("\\n", " ")


def _turn_of(request: dict[str, Any]) -> int:
    """How many turns there were before, as the request itself says."""
    return 500 - int(str(request["messages"][-1]["content"]).split("Left: ")[1].split(" ")[0])


def _reader(turns: int = TURNS, words: str = WORDY) -> Any:
    def answer(request: dict[str, Any]) -> dict[str, Any]:
        if _is_summary(request):
            return says("Page 1 says fact-1 (call 1.1).")
        turn = _turn_of(request)
        return says(words, call("look_up", {"page": turn + 1}, f"call_{turn}")) if turn < turns else DONE

    return answer


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_requests_stay_small_and_every_call_keeps_its_result(house: House) -> None:
    house.agent("reader", house.model.play("reader", _reader()), "look_up")
    run = house.ended(house.start("reader", TASK))
    assert run["status"] == "completed", run["error"]
    asked = house.model.asked("reader")
    assert max(len(json.dumps(request["messages"])) for request in asked) < 3 * 14_000
    for request in asked:
        made = [each["id"] for message in request["messages"] for each in message.get("tool_calls") or []]
        assert made == [message["tool_call_id"] for message in request["messages"] if message["role"] == "tool"]
    whole = [each for each in asked if not _is_summary(each)]
    assert len(whole) == TURNS + 1
    assert len(asked) - len(whole) >= 2
    assert all("PINEAPPLE" in str(each["messages"]) for each in whole)
    assert run["tokens"]["input"] == 100 * len(asked)
    assert run["iterations"] == TURNS + 1


def test_the_transcript_keeps_everything_and_says_where_it_was_shortened(house: House) -> None:
    house.agent("reader", house.model.play("reader", _reader()), "look_up")
    run = house.ended(house.start("reader", TASK))
    messages = house.messages(run["id"])
    marks = [message for message in messages if message["compaction"]]
    assert [mark["role"] for mark in marks] == ["system"] * len(marks)
    assert any(mark["compaction"]["summary"] is None for mark in marks)
    summed_up = [mark for mark in marks if mark["compaction"]["summary"]]
    assert summed_up[0]["compaction"]["summary"] == "Page 1 says fact-1 (call 1.1)."
    assert summed_up[0]["tokens"]["input"] == 100
    told = [message["text"] for message in messages if message["role"] == "tool"]
    assert [text for text in told if "cleared to save room" in text] == []
    assert [f"fact-{page}." in "".join(told) for page in range(1, TURNS + 1)] == [True] * TURNS


def test_a_cleared_result_can_be_read_again_piece_by_piece(house: House) -> None:
    read = {TURNS: {"call": "1.1"}, TURNS + 1: {"call": "1.1", "offset": 3000}, TURNS + 2: {"call": "99.1"}}

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        turn = 0 if _is_summary(request) else _turn_of(request)
        return says("", call("read_result", read[turn], f"call_{turn}")) if turn in read else _reader()(request)

    def reader(request: dict[str, Any]) -> dict[str, Any]:
        done = not _is_summary(request) and _turn_of(request) > max(read)
        return DONE if done else answer(request)

    house.agent("reader", house.model.play("reader", reader), "look_up")
    run = house.ended(house.start("reader", TASK))
    assert run["status"] == "completed", run["error"]
    first, second, unknown = [each for each in house.calls(run["id"]) if each["tool"] == "read_result"]
    assert first["status"] == "succeeded", first
    assert "Page 1 says fact-1." in first["result"]
    assert first["result"].startswith("[Characters 0 to ")
    assert "filler-1" in second["result"]
    assert unknown["error"].startswith("There is no result of a call 99.1")
    assert "fact-1." in results(house.model.asked("reader")[-3])[-1]


def test_a_model_that_is_full_earlier_than_thought_gets_less_until_it_takes_it(house: House) -> None:
    def answer(request: dict[str, Any]) -> dict[str, Any]:
        if len(json.dumps(request["messages"])) > 12_000:
            return fails(400, "maximum context length is exceeded", "context_length_exceeded")
        return _reader(12)(request)

    house.agent("small", house.model.play("small", answer), "look_up")
    run = house.ended(house.start("small", TASK))
    assert run["status"] == "completed", run["error"]
    sizes = [len(json.dumps(request["messages"])) for request in house.model.asked("small")]
    # Once it is known how little it takes, no more is sent than that.
    assert sum(size > 12_000 for size in sizes) <= 3


def test_a_conversation_that_cannot_get_shorter_fails_with_a_word_on_it(house: House) -> None:
    model = house.model.play("full", lambda _: fails(400, "maximum context length", "context_length_exceeded"))
    run = house.ended(house.start(house.agent("full", model), TASK))
    assert run["status"] == "failed"
    assert "maximum context length" in run["error"]["message"]


def test_whoever_goes_on_with_a_run_sends_the_same_request(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    model, reached, free = Model(), threading.Event(), threading.Event()
    wire, small, at = ModelServer(model), settings.model_copy(update={"context_tokens": 14_000}), TURNS - 2
    monkeypatch.setenv("OPENAI_BASE_URL", model.url)

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        if not _is_summary(request) and _turn_of(request) == at and not reached.is_set():
            reached.set()
            free.wait(30)
        return _reader()(request)

    with _house(small, model) as house:
        run = house.start(house.agent("reader", model.play("reader", answer), "look_up"), TASK)
        assert reached.wait(60)
    with _house(small, model) as house:
        assert house.ended(run)["status"] == "completed"
        assert [each for each in house.messages(run) if each["compaction"]]
    free.set()
    wire.close()
    first, again = (each for each in model.asked("reader") if not _is_summary(each) and _turn_of(each) == at)
    assert first == again


def _answers(turns: int) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """By what the request itself says is left, so that a shorter conversation gets the same answers."""
    answers: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"systemMessage": "your conversation got too"}, {"content": "Page 1 says fact-1, by call 1.1."})
    ]
    for turn in range(turns + 1):
        calls = {"name": "look_up", "arguments": json.dumps({"page": turn + 1}), "id": f"call_{turn}"}
        if turn == turns:
            said = {"summary": "The code word is PINEAPPLE, and page 1 says fact-1."}
            calls = {"name": "complete_task", "arguments": json.dumps(said), "id": f"call_{turn}"}
        answers.append(({"userMessage": f"Left: {500 - turn} turns"}, {"content": WORDY, "toolCalls": [calls]}))
    return answers


@pytest.fixture(scope="module")
def server() -> Iterator[Aimock]:
    with aimock() as server:
        yield server


@pytest.mark.parametrize(
    "model",
    [
        "anthropic:claude-sonnet-5",
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("openai-chat:gpt-5-mini", "openai:gpt-5")),
    ],
)
def test_compacted_twice_on_the_wire_it_still_answers_about_its_beginning(
    settings: Settings, server: Aimock, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    for name in ("ANTHROPIC", "OPENAI"):
        monkeypatch.setenv(f"{name}_API_KEY", "a-key")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
    server.answer(*_answers(TURNS))
    with House(settings.model_copy(update={"context_tokens": 14_000}), Model()) as house:
        house.parts.context.registry.register(look_up)
        run = house.ended(house.start(house.agent("reader", model, "look_up"), TASK))
        assert run["status"] == "completed", run["error"]
        assert run["summary"] == "The code word is PINEAPPLE, and page 1 says fact-1."
        summed_up = [each for each in house.messages(run["id"]) if (each["compaction"] or {}).get("summary")]
    assert len(summed_up) >= 2
    bodies = [json.dumps(body) for _, body in server.received()]
    prompts = [body for body in bodies if "your conversation got too" in body]
    # The first is made from what was cleared long before, the others go on from the one before.
    assert "Page 1 says fact-1. filler-1" in prompts[0]
    assert all("Page 1 says fact-1, by call 1.1." in prompt for prompt in prompts[1:])
    assert "PINEAPPLE" in bodies[-1]
    assert "Page 1 says fact-1, by call 1.1." in bodies[-1]
    assert "filler-1 " not in bodies[-1]
