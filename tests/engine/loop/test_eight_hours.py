"""A run of eight hours and hundreds of turns: what it sends and what it holds in memory stay what they were."""

import gc
import json
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from signoff.engine import claimed_run
from signoff.engine.claimed_run import ClaimedRun
from signoff.kit import clock
from signoff.kit.settings import Settings
from signoff.tools.registry import tool
from tests.house import House
from tests.wire import DONE, Model, ModelServer, call, says

HOURS = 8
PAGE = 200_000


@tool(risk="low", operation_type="read", idempotent=True)
def look_up(page: int) -> str:
    """Look at a long page."""
    return f"Page {page}. ".ljust(PAGE, "x")


class MovedClock:
    """Goes on by itself, and is moved on in one go: all clocks of the product are this one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds = 0.0
        moved = self

        class Moved(datetime):
            @classmethod
            def now(cls, tz: Any = None) -> datetime:
                return datetime.now(tz) + timedelta(seconds=moved.seconds)

        monkeypatch.setattr(clock, "datetime", Moved)
        shown = SimpleNamespace(
            monotonic=lambda: time.monotonic() + self.seconds, time=lambda: time.time() + self.seconds
        )
        monkeypatch.setattr(claimed_run, "time", shown)


@pytest.fixture
def kind() -> str:
    return "sqlite"


@pytest.fixture
def house(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    model = Model()
    server = ModelServer(model)
    monkeypatch.setenv("OPENAI_BASE_URL", model.url)
    # Whoever moves the clock by minutes would end every lease with it.
    with House(settings.model_copy(update={"context_tokens": 14_000, "lease_seconds": 100_000}), model) as house:
        house.parts.context.registry.register(look_up)
        yield house
    server.close()


def _held(run: str) -> int:
    """How many characters of results and replies of this run are in memory."""
    # Other tests of this process may have left runs of theirs.
    [claimed] = [each for each in gc.get_objects() if isinstance(each, ClaimedRun) and each.run.id == run]
    results = sum(len(call.result or "") for call in claimed.calls)
    return results + sum(len(json.dumps(message.response)) for message in claimed.messages if message.response)


@pytest.mark.parametrize("turns", [60, pytest.param(500, marks=[pytest.mark.slow, pytest.mark.timeout(900)])])
def test_eight_hours_of_work_stay_as_light_as_the_first(
    house: House, monkeypatch: pytest.MonkeyPatch, turns: int
) -> None:
    moved, sizes, held = MovedClock(monkeypatch), list[int](), list[int]()
    looks, run = {turns // 4, turns // 2, turns - 1}, list[str]()

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        house.model.requests.clear()
        if "your conversation got too" in str(request["messages"][0]):
            return says("I looked at pages.")
        turn = len(sizes)
        sizes.append(len(json.dumps(request["messages"])))
        held.extend([_held(run[0])] if turn in looks else [])
        moved.seconds += HOURS * 3600 / turns
        return says("On it goes.", call("look_up", {"page": turn}, f"call_{turn}")) if turn < turns else DONE

    limits = {"max_iterations": turns + 10, "max_duration_hours": HOURS + 1, "max_cost_credits": 0}
    house.agent("reader", house.model.play("reader", answer), "look_up", limits=limits)
    run.append(house.start("reader", "Look at every page."))
    done = house.until(lambda: found if (found := house.run(run[0]))["ended_at"] else None, 800)
    assert done["status"] == "completed", done["error"]
    assert done["iterations"] == turns + 1
    assert HOURS * 3600 <= done["working_seconds"] < HOURS * 3600 + 800
    quarter = turns // 4
    assert max(sizes[-quarter:]) <= max(sizes[quarter : 2 * quarter]) * 1.1
    # Only what the model still reads is kept: a few pages, however many there were.
    assert max(held) < 12 * PAGE
    assert len(held) == len(looks)
