"""Paused workers, slow tools and kills, with a ledger outside: no payment twice unless a person said so, none lost."""

import random
import signal
import time
from collections import Counter
from contextlib import suppress

import pytest
from sqlalchemy import select

from signoff.asks.actions import AlreadySettled
from signoff.asks.answers.outcome import Answer
from signoff.asks.models import Ask
from signoff.runs.models import Run
from tests.crash.ledger import Ledger
from tests.crash.scene import PATIENCE, STORY, Life, Scene
from tests.house import ENDED, until
from tests.wire import call, says

pytestmark = pytest.mark.slow
LEASE = 1.0
PAY = says("Now pay.", call("pay", {"item": "c"}, "pay_c"))
# Where a worker is paused: before the last look at its claim, and when the tool is at work.
BEFORE = ["prepare", "started", "tool"]
DURING = ["paying", "paid"]


def paying(scene: Scene, ledger: Ledger, name: str = "payer", **fields: object) -> str:
    return scene.start(scene.agent(name, PAY, STORY[-1], **fields))


def recovery(scene: Scene, run: str) -> Ask:
    ask = scene.ask(run)
    assert (ask.kind, ask.tool) == ("recovery", "pay")
    return ask


def key(scene: Scene, run: str) -> str:
    return next(each.id for each in scene.calls(run) if each.tool == "pay")


def woken(sleeper: Life, run: str) -> None:
    """Let it go on, until it has seen that the run is not its own any more."""
    sleeper.send(signal.SIGCONT)
    sleeper.said(f"run {run} is another worker's now")


@pytest.mark.parametrize("place", BEFORE)
def test_a_worker_that_slept_beyond_its_lease_starts_no_effect(scene: Scene, ledger: Ledger, place: str) -> None:
    run = paying(scene, ledger)
    sleeper = scene.life(place, fate="stop", lease=LEASE, ledger=ledger.url)
    sleeper.stopped()
    scene.life(lease=LEASE, ledger=ledger.url)
    if place != "prepare":
        scene.answer(recovery(scene, run), Answer("respond", value="retry"))
    scene.right(run)
    woken(sleeper, run)
    assert ledger.payments == {key(scene, run): 1}
    assert sleeper.alive


@pytest.mark.parametrize("place", DURING)
def test_a_worker_that_slept_in_the_middle_of_a_payment_pays_once(scene: Scene, ledger: Ledger, place: str) -> None:
    run = paying(scene, ledger)
    sleeper = scene.life(place, fate="stop", lease=LEASE, ledger=ledger.url)
    sleeper.stopped()
    scene.life(lease=LEASE, ledger=ledger.url)
    scene.answer(recovery(scene, run), Answer("respond", value="done"))
    scene.right(run)
    sleeper.send(signal.SIGCONT)
    until(lambda: ledger.payments, PATIENCE)
    woken(sleeper, run)
    assert ledger.payments == {key(scene, run): 1}


def test_a_service_that_honours_the_key_pays_once_even_when_a_person_says_retry(scene: Scene, ledger: Ledger) -> None:
    ledger.honours_keys = True
    run = paying(scene, ledger)
    sleeper = scene.life("paying", fate="stop", lease=LEASE, ledger=ledger.url)
    sleeper.stopped()
    scene.life(lease=LEASE, ledger=ledger.url)
    scene.answer(recovery(scene, run), Answer("respond", value="retry"))
    scene.right(run)
    woken(sleeper, run)
    until(lambda: len(ledger.asked) == 2, PATIENCE)
    (first, fence), (second, earlier) = ledger.asked
    assert first == second
    assert earlier < fence
    assert ledger.payments == {first: 1}


@pytest.mark.parametrize("choice", ["done", "skip"])
def test_a_payment_that_outlasts_its_timeout_is_asked_about_and_paid_once(
    scene: Scene, ledger: Ledger, choice: str
) -> None:
    ledger.gate.clear()
    run = paying(scene, ledger, risk_overrides={"pay": "approval_required"})
    scene.life(ledger=ledger.url, patience=1)
    scene.answer(scene.ask(run), Answer("approve"))
    until(lambda: [ask for ask in scene.asks(run) if ask.kind == "recovery"], PATIENCE)
    assert scene.calls(run)[0].status == "unknown"
    assert not scene.model.asked("payer")[1:]
    scene.answer(recovery(scene, run), Answer("respond", value=choice))
    scene.right(run)
    ledger.gate.set()
    until(lambda: ledger.at_rest, PATIENCE)
    assert ledger.payments == {key(scene, run): 1}


def test_a_late_result_is_on_the_call_when_it_comes(scene: Scene, ledger: Ledger) -> None:
    ledger.gate.clear()
    run = paying(scene, ledger)
    scene.life(ledger=ledger.url, patience=1)
    ask = recovery(scene, run)
    ledger.gate.set()
    until(lambda: ledger.payments, PATIENCE)
    until(lambda: "paid c" in " ".join(scene.rows(run)["calls"]), PATIENCE)
    with suppress(AlreadySettled):
        scene.answer(ask, Answer("respond", value="done"))
    scene.right(run)
    assert ledger.payments == {key(scene, run): 1}


def test_a_kill_right_after_a_timeout_pays_nothing_again(scene: Scene, ledger: Ledger) -> None:
    ledger.gate.clear()
    run = paying(scene, ledger)
    first = scene.life(ledger=ledger.url, patience=1)
    recovery(scene, run)
    first.kill()
    scene.life(ledger=ledger.url)
    scene.answer(recovery(scene, run), Answer("respond", value="done"))
    scene.right(run)
    ledger.gate.set()
    until(lambda: ledger.at_rest, PATIENCE)
    assert ledger.payments == {key(scene, run): 1}


class Storm:
    """Workers that are killed and paused by chance, and somebody who answers by what the ledger shows."""

    def __init__(self, scene: Scene, ledger: Ledger) -> None:
        self.scene, self.ledger = scene, ledger
        self.retries = Counter[str]()
        self.random = random.Random(scene.db.url.get_backend_name())
        self.runs = list[str]()
        self.lives = [self.live() for _ in range(3)]
        scene.agent("payer", PAY, STORY[-1], risk_overrides={"pay": "approval_required"})

    def live(self) -> Life:
        place = self.random.choice(["", *BEFORE, *DURING, "ran", "results"])
        fate = self.random.choice(["die", "stop"])
        passing = self.random.randint(1, 3)
        return self.scene.life(place, passing, fate=fate, lease=LEASE, patience=2, ledger=self.ledger.url)

    def rage(self, seconds: float, runs: int) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and (len(self.runs) < runs or self.open()):
            if len(self.runs) < runs and len(self.open()) < 4:
                self.runs.append(self.scene.start("payer", f"task {len(self.runs)}"))
            self.ledger.slow = self.random.choice([0, 0, 0.2, 3])
            self.answer()
            for number, life in enumerate(self.lives):
                if not life.alive:
                    self.lives[number] = self.live()
                elif self.random.random() < 0.02:
                    life.send(signal.SIGCONT)
            time.sleep(0.1)

    def calm(self) -> None:
        """All wake, and what is left comes to its end."""
        self.ledger.slow = 0
        for life in self.lives:
            if life.alive:
                life.send(signal.SIGCONT)
        self.scene.life(lease=LEASE, ledger=self.ledger.url)
        end = time.monotonic() + 60
        while self.open() and time.monotonic() < end:
            for life in self.lives:
                if life.alive:
                    life.send(signal.SIGCONT)
            self.answer()
            time.sleep(0.1)
        assert self.open() == []
        until(lambda: self.ledger.at_rest, PATIENCE)

    def answer(self) -> None:
        for ask in self.scene.asks():
            # It may be settled by now: a late result closes the question about it.
            with suppress(AlreadySettled):
                if ask.kind == "approval":
                    self.scene.answer(ask, Answer("approve"))
                elif ask.call_id is not None and self.ledger.knows(ask.call_id):
                    self.scene.answer(ask, Answer("respond", value="done"))
                else:
                    self.scene.answer(ask, Answer("respond", value="retry"))
                    self.retries[ask.call_id or ""] += 1

    def open(self) -> list[str]:
        return self.scene.db.read(lambda s: list(s.scalars(select(Run.id).where(Run.status.not_in(ENDED)))))


@pytest.mark.timeout(180)
def test_a_storm_of_kills_and_pauses_pays_nothing_twice_unless_a_person_said_retry(
    scene: Scene, ledger: Ledger
) -> None:
    storm = Storm(scene, ledger)
    storm.rage(seconds=60, runs=50)
    storm.calm()
    keys = [key(scene, run) for run in storm.runs]
    assert len(set(keys)) == len(storm.runs)
    payments = ledger.payments
    assert {each: payments[each] for each in payments if payments[each] > 1 + storm.retries[each]} == {}
    assert [each for each in keys if payments[each] == 0] == []
    assert set(payments) == set(keys)
    scene.whole()
