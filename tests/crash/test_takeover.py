"""Two workers: one falls silent, the other takes over when the lease has ended, and the first writes nothing more."""

import signal

import pytest

from signoff.asks.answers.outcome import Answer
from tests.crash.scene import STORY, Scene

LEASE = 1.0
ELSEWHERE = "another-host"


@pytest.mark.parametrize("place", ["model", "looking"])
def test_the_survivor_takes_over_when_the_lease_ends(scene: Scene, place: str) -> None:
    run = scene.story()
    first = scene.life(place, fate="hang", host=ELSEWHERE, lease=LEASE)
    first.said(f"hangs at {place}")
    second = scene.life(lease=LEASE).up()
    first.send(signal.SIGKILL)
    first.died()
    left, before = scene.run(run), scene.events_of(run)
    assert (left.owner or "").startswith(ELSEWHERE)
    scene.right(run)
    assert scene.events_of(run)[len(before)].at >= left.lease_until
    assert second.alive
    assert scene.requests() == [1, 1, 1]
    assert scene.charged == ["c"]


def test_the_survivor_asks_about_a_charge_of_a_dead_host(scene: Scene) -> None:
    run = scene.story()
    first = scene.life("charged", fate="hang", host=ELSEWHERE, lease=LEASE)
    first.said("hangs at charged")
    scene.life(lease=LEASE).up()
    assert scene.asks(run) == []
    first.send(signal.SIGKILL)
    ask = scene.ask(run)
    assert ask.kind == "recovery"
    scene.answer(ask, Answer("respond", value="done"))
    scene.right(run)
    assert scene.charged == ["c"]


@pytest.mark.parametrize("place", ["streaming", "looked", "charged", "results"])
def test_a_stopped_worker_that_wakes_later_writes_nothing_and_works_on(scene: Scene, place: str) -> None:
    run = scene.story()
    sleeper = scene.life(place, fate="stop", lease=LEASE)
    sleeper.stopped()
    survivor = scene.life(lease=LEASE)
    if place == "charged":
        scene.answer(scene.ask(run), Answer("respond", value="done"))
    scene.right(run)
    survivor.leave()
    before = scene.rows(run)
    sleeper.send(signal.SIGCONT)
    sleeper.said(f"run {run} is another worker's now")
    another = scene.start(scene.agent("another", *STORY))
    scene.right(another)
    # How its own call ended is all that it may tell, beside what the survivor wrote.
    late = {"calls", "messages", "events", "audit"} if place == "charged" else set[str]()
    after = scene.rows(run)
    assert {name: after[name] for name in after if name not in late} == {n: before[n] for n in before if n not in late}
    charge = scene.calls(run)[2]
    assert (charge.status, (charge.late or {}).get("status")) == ("succeeded", "succeeded" if late else None)
    assert sleeper.alive
    assert "Traceback" not in sleeper.log()


@pytest.mark.parametrize("place", ["started", "tool"])
def test_a_worker_that_stood_still_right_before_an_effect_does_nothing_when_it_wakes(scene: Scene, place: str) -> None:
    run = scene.story()
    sleeper = scene.life(place, 2 if place == "started" else 3, fate="stop", lease=LEASE)
    sleeper.stopped()
    survivor = scene.life(lease=LEASE)
    ask, [*_, charge] = scene.ask(run), scene.calls(run)
    assert all(known in ask.description for known in ("attempt 1", f"idempotency key {charge.id}", "lease", "process "))
    scene.answer(ask, Answer("respond", value="retry"))
    scene.right(run)
    survivor.leave()
    sleeper.send(signal.SIGCONT)
    sleeper.said(f"run {run} is another worker's now")
    assert scene.charged == ["c"]
    assert "Traceback" not in sleeper.log()


def test_a_worker_that_slept_alone_goes_on_with_what_it_holds(scene: Scene) -> None:
    run = scene.story()
    sleeper = scene.life("charged", fate="nap", lease=LEASE)
    sleeper.stopped()
    scene.lease(run, ended=True)
    sleeper.send(signal.SIGCONT)
    scene.lease(run, ended=False)
    sleeper.go_on()
    scene.right(run)
    assert scene.charged == ["c"]
    assert scene.requests() == [1, 1, 1]


def test_a_worker_that_is_told_to_leave_lets_its_tool_finish(scene: Scene) -> None:
    run = scene.story()
    first = scene.life("charged", fate="hang")
    first.said("hangs at charged")
    first.send(signal.SIGTERM)
    first.said("Waiting for application shutdown")
    first.go_on()
    first.left()
    assert [each.status for each in scene.calls(run)] == ["succeeded"] * 3
    scene.life()
    scene.right(run)
    assert scene.charged == ["c"]
