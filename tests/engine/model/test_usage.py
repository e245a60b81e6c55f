"""What a run counts is what its provider counts, the cached part and the tools' own cost with it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest
from genai_prices import Usage, calc_price

from signoff.kit.settings import Settings
from signoff.tools.registry import ToolContext, ToolFailed, tool
from tests.aimock.server import Aimock, aimock
from tests.house import House
from tests.wire import Model


@dataclass(frozen=True)
class Wire:
    model: str
    # What the provider says of a reply, in its own words, and the same in ours: input, cached, written, output.
    usages: tuple[dict[str, Any], ...]
    counted: tuple[tuple[int, int, int, int], ...]

    @property
    def price(self) -> float:
        """In US dollars, by the public list."""
        provider, _, name = self.model.partition(":")
        listed = {"openai-chat": "openai"}.get(provider, provider)
        given = [
            Usage(input_tokens=sent, cache_read_tokens=read, cache_write_tokens=written, output_tokens=answered)
            for sent, read, written, answered in self.counted
        ]
        return float(sum(calc_price(each, name, provider_id=listed).total_price for each in given))


COUNTED = ((1200, 0, 1000, 40), (1500, 1000, 300, 55), (1700, 1300, 250, 9))
WIRES = [
    Wire(
        "anthropic:claude-sonnet-5",
        tuple(
            {
                "input_tokens": sent - read - written,
                "cache_read_input_tokens": read,
                "cache_creation_input_tokens": written,
                "output_tokens": answered,
            }
            for sent, read, written, answered in COUNTED
        ),
        COUNTED,
    ),
    Wire(
        "openai-chat:gpt-5-mini",
        tuple(
            {
                "prompt_tokens": sent,
                "completion_tokens": answered,
                "total_tokens": sent + answered,
                "prompt_tokens_details": {"cached_tokens": read},
                "completion_tokens_details": {"reasoning_tokens": 8},
            }
            for sent, read, _, answered in COUNTED
        ),
        tuple((sent, read, 0, answered) for sent, read, _, answered in COUNTED),
    ),
    Wire(
        "openai:gpt-5",
        tuple(
            {
                "input_tokens": sent,
                "output_tokens": answered,
                "total_tokens": sent + answered,
                "input_tokens_details": {"cached_tokens": read},
                "output_tokens_details": {"reasoning_tokens": 8},
            }
            for sent, read, _, answered in COUNTED
        ),
        tuple((sent, read, 0, answered) for sent, read, _, answered in COUNTED),
    ),
]


@tool(risk="low", operation_type="read", idempotent=True, estimated_cost_credits=3)
def estimated(topic: str) -> str:
    """Cost what was said before."""
    return f"All about {topic}."


@tool(risk="low", operation_type="read", idempotent=True, estimated_cost_credits=3)
def metered(context: ToolContext, fails: bool = False) -> str:
    """Cost what it says itself."""
    context.add_cost(0.25)
    context.add_cost(0.5)
    if fails:
        raise ToolFailed("It cost something all the same.")
    return "done"


def _answer(*calls: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    made = [{"name": name, "arguments": json.dumps(given), "id": f"call_{name}"} for name, given in calls]
    return {"content": "Going on.", "toolCalls": made}


@pytest.fixture
def kind() -> str:
    return "sqlite"


@pytest.fixture(scope="module")
def server() -> Iterator[Aimock]:
    with aimock() as server:
        yield server


@pytest.fixture
def house(settings: Settings, server: Aimock, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    for name in ("ANTHROPIC", "OPENAI"):
        monkeypatch.setenv(f"{name}_API_KEY", "a-key")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
    with House(settings, Model()) as house:
        for each in (estimated, metered):
            house.parts.context.registry.register(each)
        yield house


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.model)
def test_tokens_and_cost_add_up_to_the_providers_figures_and_the_tools(
    house: House, server: Aimock, wire: Wire
) -> None:
    first = _answer(("estimated", {"topic": "desks"}), ("metered", {}))
    answers = (first, _answer(("metered", {"fails": True})), _answer(("complete_task", {"summary": "done"})))
    # By what the request says is left: not every wire has one message for one reply.
    server.answer(*(({"userMessage": f"Left: {500 - turn} turns"}, each) for turn, each in enumerate(answers)))
    server.count(*wire.usages)
    run = house.ended(house.start(house.agent("counter", wire.model, "estimated", "metered")))
    assert run["status"] == "completed", run["error"]
    sent, read, _, answered = (sum(each) for each in zip(*wire.counted, strict=True))
    assert run["tokens"] == {
        "input": sent,
        "output": answered,
        "cached": read,
        "cached_share": round(read / sent, 4),
    }
    assert [call["cost_credits"] for call in house.calls(run["id"])[:3]] == [3, 0.75, 0.75]
    assert run["cost_credits"] == round(wire.price * 100 + 3 + 0.75 + 0.75, 6)
    assert not run["cost_incomplete"]


def _unmarked(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _unmarked(each) for name, each in value.items() if name != "cache_control"}
    return [_unmarked(each) for each in value] if isinstance(value, list) else value


def test_what_is_sent_again_is_sent_alike_and_marked_where_the_next_request_still_has_it(
    house: House, server: Aimock
) -> None:
    look = _answer(("estimated", {"topic": "desks"}))
    server.script(look, look, look, _answer(("complete_task", {"summary": "done"})))
    house.ended(house.start(house.agent("stable", "anthropic:claude-sonnet-5", "estimated")))
    bodies = [body for _, body in server.received()]
    assert len(bodies) == 4
    assert len({json.dumps(body["tools"]) for body in bodies}) == 1
    assert len({json.dumps(body["system"]) for body in bodies}) == 1
    assert "cache_control" in bodies[0]["tools"][-1]
    assert "cache_control" in bodies[0]["system"][-1]
    for body, following in pairwise(bodies):
        *marked, status = body["messages"][-1]["content"]
        assert "As of now. Left:" in status["text"]
        assert "cache_control" not in status
        assert "cache_control" in marked[-1]
        again = following["messages"][len(body["messages"]) - 1]["content"]
        assert _unmarked(again) == _unmarked(marked)
        assert _unmarked(following["messages"][: len(body["messages"]) - 1]) == _unmarked(body["messages"][:-1])


def test_a_request_ends_with_the_files_and_what_the_limits_leave(house: House, server: Aimock) -> None:
    write = _answer(("write_file", {"path": 'odd "name"\n.md', "content": "abc"}))
    server.script(write, _answer(("complete_task", {"summary": "done"})))
    limits = {"max_iterations": 7, "max_cost_credits": 50, "max_duration_hours": 2}
    agent = house.agent("writer", "openai-chat:gpt-5-mini", "write_file", autonomy="full", limits=limits)
    run = house.start(agent)
    house.ended(run)
    first, last = (body["messages"][-1]["content"] for _, body in server.received())
    assert first == "[Note from Signoff] As of now. Left: 7 turns, 50 credits, 2 hours."
    assert last.splitlines()[0].startswith("[Note from Signoff] As of now. Left: 6 turns, 50 credits, 2 hours.")
    assert last.splitlines()[1] == 'Files in your folder: "odd \\"name\\"\\n.md" (3 bytes).'
