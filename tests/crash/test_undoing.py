"""Death while a call is being undone: what does no harm twice is done again, of the rest nobody says it happened."""

from dataclasses import dataclass
from typing import Any

import pytest

from signoff.runs.models import Call
from signoff.runs.undoing.undo_calls import CannotBeUndone
from signoff.tools.builtin import builtin_registry
from signoff.tools.undo.actions import request_undo
from signoff.tools.undo.compensating import compensation
from tests.crash.scene import PATIENCE, STORY, Scene
from tests.house import until
from tests.wire import call, says

REGISTRY = builtin_registry()


@dataclass(frozen=True)
class Death:
    """Where the worker dies, how the undo ends on the next one, and what the file is then."""

    # Before its start is marked, after that, after the effect.
    place: str
    # What the call to undo wrote over: a new file is deleted, which must not happen twice; an old one is restored.
    over: str | None
    status: str
    attempt: int
    left: str | None

    def __str__(self) -> str:
        return f"{self.place}-{'delete' if self.over is None else 'restore'}"


DELETED = [Death("undone", None, "unknown", 1, None), Death("undo", None, "unknown", 1, "new")]
RESTORED = [Death("undo", "old", "succeeded", 2, "old"), Death("undone", "old", "succeeded", 2, "old")]
UNBEGUN = Death("claimed", None, "succeeded", 1, None)


def write(content: str) -> dict[str, Any]:
    return call("write_file", {"path": "a.txt", "content": content}, f"write_{content}")


def undo(scene: Scene, run: str) -> Call:
    """Ask for the last write to be undone, straight on the database."""
    target = [each for each in scene.calls(run) if each.tool == "write_file"][-1]
    found = compensation(REGISTRY, scene.settings, scene.db, scene.run(run), target)
    return scene.db.write(lambda s: request_undo(s, scene.actor, scene.settings, scene.run(run), [found]))[0]


def ended(scene: Scene, undoing: Call) -> Call:
    def look() -> Call | None:
        found = scene.db.read(lambda s: s.get_one(Call, undoing.id))
        return found if found.status in ("succeeded", "failed", "unknown") else None

    return until(look, PATIENCE)


def content(scene: Scene, run: str) -> str | None:
    place = scene.settings.runs_folder / run / "a.txt"
    return place.read_text() if place.exists() else None


@pytest.mark.parametrize(
    "death",
    [DELETED[0], *(pytest.param(each, marks=pytest.mark.slow) for each in (DELETED[1], *RESTORED, UNBEGUN))],
    ids=str,
)
def test_an_undo_whose_worker_died_happens_once_and_says_what_is_known(scene: Scene, death: Death) -> None:
    writes = [write(each) for each in (death.over, "new") if each]
    run = scene.start(scene.agent("writer", *(says("", each) for each in writes), STORY[-1], autonomy="full"))
    doomed = scene.life(death.place, 2 if death is UNBEGUN else 1, lease=3600)
    scene.ended(run)
    undoing = undo(scene, run)
    doomed.died()
    scene.life()
    over = ended(scene, undoing)
    assert (over.status, over.attempt) == (death.status, death.attempt)
    assert content(scene, run) == death.left
    if over.status == "unknown" and death.left is None:
        with pytest.raises(CannotBeUndone, match="no longer there"):
            undo(scene, run)
    elif over.status == "unknown":
        assert ended(scene, undo(scene, run)).status == "succeeded"
        assert content(scene, run) is None
    assert scene.run(run).status == "completed"
    scene.whole()
