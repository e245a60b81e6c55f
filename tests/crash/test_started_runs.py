"""Killed while one run waits for another: the other is started once, and its output always comes back."""

import pytest
from sqlalchemy import select

from signoff.runs.models import Run
from tests.crash.scene import OUTPUT, STORY, Scene
from tests.wire import call, says

STARTS = says("Let another do it.", call("start_run", {"agent": "story", "task": "Do it"}, "start"))
ENDS = says("That is all.", call("complete_task", {"summary": "done", "output": OUTPUT}, "end"))
# The first passings are the parent's, those behind them the child's and, after its end, the parent's again.
FEW = [("prepare", 1), ("committing", 1), ("results", 1), ("claimed", 3)]
MORE = [
    *(("stored", 1), ("committed", 1), ("committed", 2), ("committing", 2), ("claimed", 2), ("replied", 2)),
    *(("stored", 2), ("prepare", 2), ("stored", 4), ("prepare", 3), ("model", 5), ("stored", 5)),
]
PLACES = [*FEW, *(pytest.param(*each, marks=pytest.mark.slow) for each in MORE)]


@pytest.mark.parametrize(("place", "passing"), PLACES)
def test_a_run_that_was_started_is_started_once_and_its_end_is_not_missed(scene: Scene, place: str, passing: int):
    scene.agent("story", *STORY)
    parent = scene.start(scene.agent("starts", STARTS, ENDS))
    scene.life(place, passing, lease=3600).died()
    scene.life()
    scene.right(parent)
    started = scene.db.read(lambda s: list(s.scalars(select(Run).where(Run.parent_id == parent))))
    assert len(started) == 1
    scene.right(started[0].id)
    made = scene.calls(parent)[0]
    assert (made.status, made.result, made.id) == ("succeeded", OUTPUT, started[0].parent_call_id)
    assert scene.run(parent).awaited_runs == 0
    assert scene.charged == ["c"]
