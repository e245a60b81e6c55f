"""Killed again and again, at random places and moments: no run is lost, nothing that finished is done twice."""

import random
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select

from signoff.asks.answers.outcome import Answer
from signoff.runs.models import Call, Message, Run
from tests.crash.scene import OUTPUT, Life, Scene
from tests.crash.victim import CHARGES, LOOKUPS
from tests.house import ENDED
from tests.wire import call, says

PLACES = (
    "claiming claimed model streaming answered stored prepare started tool charging charged looking looked ran results"
)
LOOK = (call("lookup", {"item": "a"}, "look_a"), call("lookup", {"item": "b"}, "look_b"))
TURNS = [
    says("Look.", *LOOK),
    says("Charge.", call("charge", {"item": "c"}, "charge_c")),
    says("Both.", call("lookup", {"item": "d"}, "look_d"), call("charge", {"item": "e"}, "charge_e")),
    says("Twice.", call("charge", {"item": "f"}, "charge_f"), call("charge", {"item": "g"}, "charge_g")),
    says("Done.", call("complete_task", {"summary": "done", "output": OUTPUT}, "end")),
]
AT_ONCE = 6


class Doomed:
    """A worker that dies at a place of its own, or else a while after it came up."""

    def __init__(self, life: Life, seconds: float) -> None:
        self._life, self._seconds, self._end = life, seconds, 0.0

    def dead(self) -> bool:
        """Whether it has died; kills it when its time has come."""
        if not self._end and self._life.is_up:
            self._end = time.monotonic() + self._seconds
        if self._life.alive and (not self._end or time.monotonic() < self._end):
            return False
        self._life.kill()
        return True


class Chaos:
    """Starts runs, kills workers and answers what they ask, as an honest person would: by looking at the ledger."""

    def __init__(self, scene: Scene, workers: int) -> None:
        self.scene = scene
        self.kills = 0
        self.runs = list[str]()
        self.requests = list[tuple[str, int, float]]()
        self._random = random.Random(scene.db.url.get_backend_name())
        scene.agent("careful", *TURNS, risk_overrides={"charge": "approval_required"})
        scene.model.play("careful", self._answer)
        scene.agent("free", *TURNS)
        scene.model.play("free", self._answer)
        self._lives = [self._doomed() for _ in range(workers)]

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        task = next(message["content"] for message in request["messages"] if message["role"] == "user")
        turn = sum(message["role"] == "assistant" for message in request["messages"])
        self.requests.append((task, turn + 1, time.time()))
        return TURNS[turn]

    def rage(self, kills: int, seconds: float) -> None:
        """Kill so often, or for so long."""
        end = time.monotonic() + seconds
        while self.kills < kills and time.monotonic() < end:
            while len(self._open()) < AT_ONCE:
                agent = self._random.choice(["careful", "free"])
                self.runs.append(self.scene.start(agent, f"task {len(self.runs)}"))
            for life in [life for life in self._lives if life.dead()]:
                self.kills += 1
                self._lives[self._lives.index(life)] = self._doomed()
            self._answer_asks()
            time.sleep(0.01)

    def calm(self) -> None:
        """Let everything come to its end."""
        self.scene.close()
        self.scene.life()
        self.scene.life()
        end = time.monotonic() + 120
        while self._open() and time.monotonic() < end:
            self._answer_asks()
            time.sleep(0.02)

    def _doomed(self) -> Doomed:
        if self._random.random() < 0.5:
            return Doomed(self.scene.life(), self._random.uniform(0, 1))
        return Doomed(self.scene.life(self._random.choice(PLACES.split()), self._random.randint(1, 4)), 5)

    def _answer_asks(self) -> None:
        for ask in self.scene.asks():
            if ask.kind == "approval":
                self.scene.answer(ask, Answer("approve"))
            else:
                happened = any(call_id == ask.call_id for call_id, _, _ in self.scene.ledger(CHARGES))
                self.scene.answer(ask, Answer("respond", value="done" if happened else "retry"))

    def _open(self) -> list[str]:
        return self.scene.db.read(lambda s: list(s.scalars(select(Run.id).where(Run.status.not_in(ENDED)))))


def assert_that_nothing_was_lost_or_repeated(chaos: Chaos) -> None:
    scene = chaos.scene
    print(f"{chaos.kills} kills, {len(chaos.runs)} runs")
    for run in chaos.runs:
        scene.ended_well(run)
    scene.whole()
    calls = {each.id: each for run in chaos.runs for each in scene.calls(run)}
    charges = [each.id for each in calls.values() if each.tool == "charge"]
    assert Counter(call_id for call_id, _, _ in scene.ledger(CHARGES)) == Counter(charges)
    assert [line for line in scene.ledger(LOOKUPS) if float(line[1]) > ended(calls[line[0]])] == []
    stored = {(task, turn): at for task, turn, at in answers(scene)}
    assert [each for each in chaos.requests if each[2] > stored[each[:2]]] == []


def ended(finished: Call) -> float:
    assert finished.ended_at
    return finished.ended_at.timestamp()


def answers(scene: Scene) -> Iterator[tuple[str, int, float]]:
    query = select(Run.task, Message.turn, Message.created_at).join(Message, Message.run_id == Run.id)
    for task, turn, at in scene.db.read(lambda s: s.execute(query.where(Message.role == "assistant")).all()):
        yield task, turn or 0, at.timestamp()


def test_a_few_kills_lose_nothing(scene: Scene) -> None:
    chaos = Chaos(scene, workers=2)
    chaos.rage(kills=10, seconds=40)
    chaos.calm()
    assert_that_nothing_was_lost_or_repeated(chaos)


@pytest.mark.slow
def test_many_kills_lose_nothing(scene: Scene) -> None:
    chaos = Chaos(scene, workers=3)
    chaos.rage(kills=150, seconds=210)
    chaos.calm()
    assert_that_nothing_was_lost_or_repeated(chaos)
