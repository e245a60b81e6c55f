"""Killed between and inside the steps of a workflow: what is done is not repeated, and the parent always wakes."""

import random

import pytest

from tests.crash.scene import Scene
from tests.crash.workflows import Flow

# Before and behind the transaction that moves a workflow on, inside it, and inside of steps.
FEW = [("workflow", 2), ("committing", 3), ("workflow moved", 2), ("charged", 1), ("committed", 2)]
PLACES = {
    "claiming": 3,
    "claimed": 12,
    "workflow": 10,
    "workflow moved": 10,
    "committing": 20,
    "committed": 20,
    "replied": 8,
    "stored": 16,
    "started": 8,
    "charging": 8,
    "charged": 8,
    "results": 8,
}


@pytest.mark.both_databases
def test_a_workflow_goes_on_wherever_its_workers_die(scene: Scene) -> None:
    flow = Flow(scene)
    run = flow.start()
    assert flow.die_at([run], FEW) == len(FEW)
    flow.right(run)


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_a_workflow_goes_on_after_each_passing_of_a_place(scene: Scene, place: str) -> None:
    flow, died = Flow(scene), 0
    runs = list[str]()
    for passing in range(1, PLACES[place] + 1):
        runs.append(flow.start())
        died += flow.die_at(runs[-1:], [(place, passing)])
        scene.close()
    assert died > PLACES[place] / 2
    flow.right(*runs)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_many_workflows_go_on_wherever_their_workers_die(scene: Scene, seed: int) -> None:
    flow, chance = Flow(scene), random.Random(seed)
    runs = [flow.start() for _ in range(5)]
    places = list(PLACES)
    flow.die_at(runs, [(chance.choice(places), chance.randint(1, 15)) for _ in range(25)])
    flow.right(*runs)
