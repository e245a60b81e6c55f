"""Killed at every boundary of a step, a run goes on where it was: nothing stored is done again."""

from dataclasses import dataclass

import pytest

from tests.crash.scene import Scene


@dataclass(frozen=True)
class Death:
    """Where the first worker dies, and what may happen twice because its end was not stored."""

    place: str
    passing: int = 1
    requests: tuple[int, ...] = (1, 1, 1)
    looked_up: str = "ab"
    # Where the model may, or may not yet, have been requested while a safe result was being stored.
    or_requests: tuple[int, ...] | None = None

    def __str__(self) -> str:
        return f"{self.place}-{self.passing}"


DEATHS = [
    Death("claiming"),
    Death("claimed"),
    Death("model"),
    Death("streaming", requests=(2, 1, 1)),
    Death("replied", requests=(2, 1, 1)),
    Death("stored"),
    Death("started"),
    Death("looking", passing=2, looked_up="aab"),
    Death("looked", passing=2, looked_up="aabb"),
    Death("ran", looked_up="aabb"),
    Death("results", or_requests=(1, 2, 1)),
    Death("replied", passing=2, requests=(1, 2, 1)),
    Death("stored", passing=2),
    Death("prepare"),
    Death("results", passing=2),
    Death("replied", passing=3, requests=(1, 1, 2)),
    Death("stored", passing=3),
]


@pytest.mark.parametrize("death", DEATHS, ids=str)
def test_a_killed_worker_loses_nothing_and_nothing_stored_is_repeated(scene: Scene, death: Death) -> None:
    run = scene.story()
    # With a lease of an hour: a process that died on this host is known to be dead.
    scene.life(death.place, death.passing, lease=3600).died()
    scene.life()
    scene.right(run)
    assert tuple(scene.requests()) in (death.requests, death.or_requests)
    assert "".join(scene.looked_up) == death.looked_up
    assert scene.charged == ["c"]
