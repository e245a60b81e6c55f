"""Everything is paused, and workers die meanwhile: nothing starts before the pause is lifted, on whichever worker."""

import signal
import threading
from collections import Counter
from typing import Any

import pytest
from sqlalchemy import func, select

from signoff.asks.answers.outcome import Answer
from signoff.runs.models import Call, Run
from signoff.runs.pause_all import actions as pause_all
from signoff.workspaces import actions as workspaces
from signoff.workspaces import queries as people
from tests.crash.ledger import Ledger
from tests.crash.scene import OUTPUT, PATIENCE, Life, Scene
from tests.crash.test_takeover import LEASE
from tests.house import ENDED, until
from tests.wire import call, says

PAYING, THINKING = 30, 20
AT_WORK = PAYING + THINKING
TURNS = (
    says("One.", call("pay", {"item": "one"}, "pay_one")),
    says("Two.", call("lookup", {"item": "two"}, "look_two"), call("pay", {"item": "two"}, "pay_two")),
    says("Done.", call("complete_task", {"summary": "done", "output": OUTPUT}, "end")),
)


def pause(scene: Scene) -> None:
    scene.db.write(lambda s: pause_all.pause(s, scene.actor, "the bank calls"))


def lift(life: Life) -> None:
    assert life.client.post("/api/pause-all", json={"enabled": False}).status_code == 200


def elsewhere(scene: Scene) -> None:
    """A run of another workspace that came later has ended: what could be claimed before it was."""
    home, admin = scene.actor, scene.db.write(lambda s: workspaces.found(s, "Other", "other@localhost", "Other"))
    scene.actor = scene.db.read(lambda s: people.actor_of(s, admin, "system"))
    scene.ended(scene.start(scene.agent("other")))
    scene.actor = home


@pytest.mark.parametrize("place", ["looked", "charging"])
def test_what_a_dead_worker_left_is_not_taken_up_while_everything_is_paused(scene: Scene, place: str) -> None:
    run = scene.story()
    first = scene.life(place, fate="hang")
    first.said(f"hangs at {place}")
    pause(scene)
    first.send(signal.SIGKILL)
    first.died()
    before, asked = scene.calls(run), scene.requests()
    second = scene.life().up()
    # A run that is claimed while the pause is on would have been claimed before this one is refused.
    scene.start(scene.agent("another"))
    assert second.client.get("/api/pause-all").json()["held_runs"] == 2
    assert scene.run(run).owner is None
    assert [(each.status, each.attempt) for each in scene.calls(run)] == [
        (each.status, each.attempt) for each in before
    ]
    assert (scene.charged, scene.requests(), scene.model.asked("another")) == ([], asked, [])
    lift(second)
    if place == "charging":
        assert scene.ask(run).kind == "recovery"
        assert scene.charged == []
    else:
        scene.right(run)
        assert scene.charged == ["c"]


def test_a_worker_that_stood_still_right_before_an_effect_does_nothing_once_everything_is_paused(scene: Scene) -> None:
    run = scene.story()
    sleeper = scene.life("tool", 3, fate="stop", lease=LEASE)
    sleeper.stopped()
    pause(scene)
    scene.lease(run, ended=True)
    sleeper.send(signal.SIGCONT)
    sleeper.said(f"run {run} is another worker's now")
    assert scene.charged == []
    lift(sleeper)
    assert scene.ask(run).kind == "recovery"
    assert scene.charged == []


class Fifty:
    """Runs that all stand in the middle of something: thirty in a payment, twenty in the model's second reply."""

    def __init__(self, scene: Scene, ledger: Ledger) -> None:
        self.scene, self.ledger = scene, ledger
        self.think, self.thinking = threading.Event(), 0
        self.agent = scene.agent("payer")
        scene.model.play("payer", self._reply)
        self.runs = list[str]()

    def _reply(self, request: dict[str, Any]) -> dict[str, Any]:
        turn = sum(message["role"] == "assistant" for message in request["messages"])
        if turn == 1:
            self.thinking += 1
            self.think.wait(PATIENCE)
        return TURNS[turn]

    def begin(self) -> None:
        self.runs += [self.scene.start(self.agent) for _ in range(THINKING)]
        until(lambda: self.thinking == THINKING, PATIENCE)
        self.ledger.gate.clear()
        self.runs += [self.scene.start(self.agent) for _ in range(PAYING)]
        until(lambda: len(self.ledger.asked) == AT_WORK, PATIENCE)

    def let_go(self) -> None:
        """The service pays what it was asked for, and the model replies."""
        self.ledger.gate.set()
        self.think.set()
        until(lambda: self.ledger.at_rest, PATIENCE)

    def owners(self) -> Counter[str]:
        owned = select(Run.owner, func.count()).where(Run.owner.is_not(None)).group_by(Run.owner)
        return Counter(dict(self.scene.db.read(lambda s: s.execute(owned).all())))

    def starts(self) -> list[tuple[str, int]]:
        """Every start of a call, and which attempt it was."""
        started = select(Call.id, Call.attempt).where(Call.run_id.in_(self.runs), Call.started_at.is_not(None))
        return self.scene.db.read(lambda s: sorted((row.id, row.attempt) for row in s.execute(started)))

    def all_ended(self) -> bool:
        """Answers what is asked, by what the ledger shows."""
        for ask in self.scene.asks():
            known = ask.call_id is not None and self.ledger.knows(ask.call_id)
            self.scene.answer(ask, Answer("respond", value="done" if known else "retry"))
        ended = select(func.count()).where(Run.id.in_(self.runs), Run.status.in_(ENDED))
        return self.scene.db.read(lambda s: s.scalar(ended)) == AT_WORK


@pytest.mark.slow
def test_fifty_runs_at_work_start_nothing_while_everything_is_paused_and_all_go_on_although_a_worker_was_killed(
    scene: Scene, ledger: Ledger
) -> None:
    fifty = Fifty(scene, ledger)
    doomed, survivor = (scene.life(room=AT_WORK // 2, ledger=ledger.url).up() for _ in range(2))
    fifty.begin()
    assert sorted(fifty.owners().values()) == [AT_WORK // 2, AT_WORK // 2]
    paused = survivor.client.post("/api/pause-all", json={"enabled": True}).json()
    assert (paused["enabled"], paused["held_runs"]) == (True, AT_WORK)
    doomed.send(signal.SIGKILL)
    doomed.died()
    fifty.let_go()
    successor = scene.life(ledger=ledger.url).up()
    until(lambda: not fifty.owners(), PATIENCE)
    asked, requests, starts = list(ledger.asked), fifty.thinking, fifty.starts()
    elsewhere(scene)
    assert (ledger.asked, fifty.thinking, fifty.starts()) == (asked, requests, starts)
    assert ledger.payments == dict.fromkeys((key for key, _ in asked), 1)
    assert (len(asked), len(starts)) == (AT_WORK, AT_WORK)
    lift(successor)
    until(fifty.all_ended, PATIENCE)
    until(lambda: ledger.at_rest, PATIENCE)
    for run in fifty.runs:
        scene.ended_well(run)
    payments = [each.id for run in fifty.runs for each in scene.calls(run) if each.tool == "pay"]
    assert ledger.payments == dict.fromkeys(payments, 1)
    assert len(payments) == 2 * AT_WORK
    scene.whole()
