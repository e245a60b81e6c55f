"""A model server that lies, stammers or hangs up: what it did not say to the end does not happen."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from signoff.kit.settings import Settings
from tests.house import House
from tests.security.lying import Frames, Liar, lying, stream
from tests.wire import Model

pytestmark = pytest.mark.filterwarnings("ignore:.*invalid escape sequence")

KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_API_KEY", "OLLAMA_API_KEY")
WRITE = ("write_file", {"path": "a.txt", "content": "1"})
DONE = ("complete_task", {"summary": "done"})
Called = tuple[str, dict[str, Any]]


def _chat(called: Called, text: str = "") -> tuple[Frames, Frames]:
    def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}

    name, arguments = called
    whole = json.dumps(arguments)
    parts = [whole[: len(whole) // 2], whole[len(whole) // 2 :]]
    frames = [chunk({"role": "assistant", "content": text or "Now."})]
    frames.append(chunk({"tool_calls": [{"index": 0, "id": "c", "type": "function", "function": {"name": name}}]}))
    frames += [chunk({"tool_calls": [{"index": 0, "function": {"arguments": part}}]}) for part in parts]
    return frames, [chunk({}, "tool_calls")]


def _messages(called: Called, text: str = "") -> tuple[Frames, Frames]:
    name, arguments = called
    whole = json.dumps(arguments)
    parts = [whole[: len(whole) // 2], whole[len(whole) // 2 :]]
    message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": []}
    message |= {"stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
    used = {"type": "tool_use", "id": "c", "name": name, "input": {}}
    frames: Frames = [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text or "Now."}},
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": used},
    ]
    frames += [
        {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": part}}
        for part in parts
    ]
    end: Frames = [
        {"type": "content_block_stop", "index": 1},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 2}},
        {"type": "message_stop"},
    ]
    return frames, end


def _responses(called: Called, text: str = "") -> tuple[Frames, Frames]:
    name, arguments = called
    whole = json.dumps(arguments)
    response = {"id": "r", "object": "response", "created_at": 1, "model": "m", "output": [], "tools": []}
    response |= {"parallel_tool_calls": True, "tool_choice": "auto", "status": "in_progress"}
    item = {"type": "function_call", "id": "f", "call_id": "c", "name": name, "arguments": "", "status": "in_progress"}
    said = {"type": "message", "id": "s", "role": "assistant", "status": "in_progress", "content": []}
    half = len(whole) // 2
    frames: Frames = [
        {"type": "response.created", "response": response},
        {"type": "response.output_item.added", "output_index": 0, "item": said},
        {"type": "response.output_text.delta", "item_id": "s", "output_index": 0, "content_index": 0}
        | {"delta": text or "Now.", "logprobs": []},
        {"type": "response.output_item.added", "output_index": 1, "item": item},
        {"type": "response.function_call_arguments.delta", "item_id": "f", "output_index": 1, "delta": whole[:half]},
        {"type": "response.function_call_arguments.delta", "item_id": "f", "output_index": 1, "delta": whole[half:]},
    ]
    done = item | {"arguments": whole, "status": "completed"}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    usage |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    end: Frames = [
        {"type": "response.function_call_arguments.done", "item_id": "f", "output_index": 1, "arguments": whole},
        {"type": "response.output_item.done", "output_index": 1, "item": done},
        {
            "type": "response.completed",
            "response": response | {"status": "completed", "output": [done], "usage": usage},
        },
    ]
    numbered = [frame | {"sequence_number": number} for number, frame in enumerate([*frames, *end])]
    return numbered[: len(frames)], numbered[len(frames) :]


def _gemini(called: Called, text: str = "") -> tuple[Frames, Frames]:
    name, arguments = called
    said = {"candidates": [{"content": {"role": "model", "parts": [{"text": text or "Now."}]}}]}
    call = {"functionCall": {"name": name, "args": arguments, "id": "c"}}
    frames: Frames = [said, {"candidates": [{"content": {"role": "model", "parts": [call]}}]}]
    end = {"candidates": [{"content": {"role": "model", "parts": [{"text": ""}]}, "finishReason": "STOP"}]}
    return frames, [end]


@dataclass(frozen=True)
class Wire:
    model: str
    # The frames of a reply with a sentence and a call, and those that end it.
    reply: Callable[..., tuple[Frames, Frames]]
    # How many of the frames make half of the call, and how many only text.
    half: int
    text: int
    # How many of the ending frames still only complete the call.
    completing: int = 0
    named: bool = False

    def whole(self, called: Called) -> bytes:
        frames, end = self.reply(called)
        return stream([*frames, *end], named=self.named)

    def cut(self, called: Called, where: str) -> bytes:
        frames, end = self.reply(called)
        kept = {"text": self.text, "half": self.half, "call": len(frames)}[where]
        return stream([*frames[:kept], *(end[: self.completing] if where == "call" else ())], named=self.named)


WIRES = [
    Wire("openai-chat:gpt-5-mini", _chat, half=3, text=1),
    Wire("ollama:qwen3", _chat, half=3, text=1),
    Wire("openai:gpt-5", _responses, half=5, text=3, completing=2, named=True),
    Wire("anthropic:claude-sonnet-5", _messages, half=6, text=3, completing=1, named=True),
    Wire("google:gemini-2.5-flash", _gemini, half=2, text=1),
]


@pytest.fixture(scope="module")
def kind() -> str:
    """The wire does not care which database is behind."""
    return "sqlite"


@pytest.fixture(scope="module")
def liar() -> Iterator[Liar]:
    with lying() as liar, pytest.MonkeyPatch.context() as patch:
        for name in KEYS:
            patch.setenv(name, "a-key")
        for name in ("ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL"):
            patch.setenv(name, liar.url)
        for name in ("OPENAI_BASE_URL", "OLLAMA_BASE_URL"):
            patch.setenv(name, f"{liar.url}/v1")
        yield liar


@pytest.fixture(scope="module")
def house(settings: Settings, liar: Liar) -> Iterator[House]:
    with House(settings, Model()) as house:
        yield house


def _agent(house: House, wire: Wire) -> str:
    slug = wire.model.replace(":", "-").replace(".", "-")
    if house.client.get(f"/api/agents/{slug}").status_code == 404:
        house.agent(slug, wire.model, "write_file", "list_files", autonomy="full")
    return slug


def _completed(house: House, run: str) -> None:
    ended = house.ended(run)
    assert ended["status"] == "completed", ended["error"]


@pytest.mark.parametrize("where", ["text", "half", "call"])
@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.model)
def test_a_reply_that_stops_without_its_end_is_asked_for_again_and_none_of_its_calls_run(
    house: House, liar: Liar, wire: Wire, where: str
) -> None:
    liar.says(wire.cut(WRITE, where), wire.whole(DONE))
    run = house.start(_agent(house, wire))
    _completed(house, run)
    assert liar.requests == 2
    assert [call["tool"] for call in house.calls(run)] == ["complete_task"]
    assert not (house.settings.runs_folder / run / "a.txt").exists()


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.model)
def test_a_whole_reply_runs(house: House, liar: Liar, wire: Wire) -> None:
    liar.says(wire.whole(WRITE), wire.whole(DONE))
    run = house.start(_agent(house, wire))
    _completed(house, run)
    assert (house.settings.runs_folder / run / "a.txt").read_text() == "1"


@pytest.mark.parametrize("wire", WIRES[:2], ids=lambda wire: wire.model)
def test_an_end_marker_without_a_reason_ends_a_reply_too(house: House, liar: Liar, wire: Wire) -> None:
    frames, _ = wire.reply(WRITE)
    liar.says(stream(frames, "data: [DONE]\n\n"), wire.whole(DONE))
    run = house.start(_agent(house, wire))
    _completed(house, run)
    assert (house.settings.runs_folder / run / "a.txt").read_text() == "1"


def test_a_model_that_only_speaks_of_the_end_marker_has_not_ended(house: House, liar: Liar) -> None:
    frames, _ = _chat(WRITE, text="\ndata: [DONE]\n\n")
    liar.says(stream(frames), WIRES[0].whole(DONE))
    run = house.start(_agent(house, WIRES[0]))
    _completed(house, run)
    assert not (house.settings.runs_folder / run / "a.txt").exists()


def _frame(**fields: Any) -> bytes:
    frame = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"} | fields
    return f"data: {json.dumps(frame)}\n\n".encode()


GARBLED: dict[str, bytes | tuple[str, bytes]] = {
    "no JSON": b'data: {"id": "1", "choices": [{"del\n\ndata: [DONE]\n\n',
    "HTML": ("text/html", b"<html><body>Please sign in to the wireless network.</body></html>"),
    "HTML as a stream": b"<html><body>Please sign in.</body></html>\n\n",
    "a list": b"data: [1, 2, 3]\n\ndata: [DONE]\n\n",
    "a number": b"data: 7\n\ndata: [DONE]\n\n",
    "wrong types": _frame(choices=[{"index": 0, "delta": {"tool_calls": 3, "content": {}}, "finish_reason": "stop"}]),
    "wrong choices": _frame(choices="stop"),
    "no choices": _frame(choices=[]) + b"data: [DONE]\n\n",
    "nothing said": _frame(choices=[{"index": 0, "delta": {"content": ""}, "finish_reason": "stop"}]),
    "only blanks": _frame(choices=[{"index": 0, "delta": {"content": " \n "}, "finish_reason": "stop"}]),
    "nothing at all": b"",
    "bad bytes": b"data: \xff\xfe\xfa\n\ndata: [DONE]\n\n",
}


@pytest.mark.parametrize("garbled", GARBLED.values(), ids=GARBLED.keys())
def test_a_garbled_or_empty_reply_is_asked_for_again(
    house: House, liar: Liar, garbled: bytes | tuple[str, bytes]
) -> None:
    liar.says(garbled, WIRES[0].whole(DONE))
    run = house.start(_agent(house, WIRES[0]))
    _completed(house, run)
    assert liar.requests == 2


@pytest.mark.parametrize("garbled", ["wrong types", "nothing said", "only blanks"])
def test_a_model_that_only_ever_stammers_makes_the_run_wait_with_a_reason(
    house: House, liar: Liar, garbled: str
) -> None:
    liar.says(GARBLED[garbled])
    run = house.start(_agent(house, WIRES[0]))
    ask = house.ask(run)
    assert (ask["kind"], house.run(run)["status"]) == ("recovery", "waiting_input")
    assert "did not answer after" in ask["description"]


@pytest.mark.parametrize("arguments", ["", '{"path": "."', "{"])
def test_a_call_that_the_limit_of_tokens_cut_off_does_not_run(house: House, liar: Liar, arguments: str) -> None:
    frames, _ = _chat(("list_files", {}))
    asked = {"index": 0, "delta": {"tool_calls": [{"index": 0, "function": {"arguments": arguments}}]}}
    cut = stream(frames[:2]) + _frame(choices=[asked | {"finish_reason": "length"}])
    liar.says(cut, WIRES[0].whole(DONE))
    run = house.start(_agent(house, WIRES[0]))
    _completed(house, run)
    first = house.calls(run)[0]
    assert (first["tool"], first["status"]) == ("list_files", "failed")
    assert "not a JSON object" in first["error"]
