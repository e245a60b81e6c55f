"""Everything is paused, and workers die meanwhile: nothing starts before the pause is lifted, on whichever worker."""

import signal

import pytest

from signoff.runs.pause_all import actions as pause_all
from signoff.workspaces import actions as workspaces
from signoff.workspaces import queries as people
from tests.crash.scene import Life, Scene
from tests.crash.test_takeover import LEASE


def pause(scene: Scene) -> None:
    scene.db.write(lambda s: pause_all.pause(s, scene.actor, "the bank calls"))


def lift(life: Life) -> None:
    assert life.client.post("/api/pause-all", json={"enabled": False}).status_code == 200


def elsewhere(scene: Scene) -> None:
    """A run of another workspace that came later has ended: whatever could be claimed before it was."""
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
