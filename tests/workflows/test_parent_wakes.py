"""However the statements of those who end and of the one who goes to rest mix, the one who rests is woken."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import permutations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from signoff import main
from signoff.catalog import actions as catalog
from signoff.catalog.schemas import AgentDefinition
from signoff.claims.actions import Claim, claim_run, wake
from signoff.engine.workflow.advance_workflow import Overtaken, _advance
from signoff.kit.clock import now
from signoff.kit.settings import Settings
from signoff.runs import actions as runs
from signoff.runs.ending import COMPLETED, Ending, end
from signoff.runs.models import Run, RunWait
from signoff.runs.schemas import RunIn
from signoff.runs.states import ENDED, Reason, RunStatus
from signoff.runs.workflow.start import start_workflow
from signoff.workflows import actions as workflows
from signoff.workflows.reading import read_workflow
from signoff.workspaces import actions as workspaces
from signoff.workspaces import queries as people
from tests.interleaved import interleaved

LEASE = timedelta(hours=1)
ENDS = [each.value for each in ENDED]
FAILED = Ending(RunStatus.FAILED, Reason.ERROR, {"message": "no"})
FLOWS: dict[str, list[dict[str, Any]]] = {
    "beside": [
        {"id": "a", "agent": "w", "needs": []},
        {"id": "b", "agent": "w", "needs": []},
        {"id": "c", "agent": "w", "needs": ["a", "b"]},
    ],
    "items": [{"id": "a", "agent": "w", "each": {"path": "items", "max_parallel": 2}}, {"id": "b", "agent": "w"}],
    "again": [
        {"id": "a", "agent": "w", "needs": [], "retries": 1, "retry_backoff_seconds": 0.01},
        {"id": "b", "agent": "w", "needs": []},
        {"id": "c", "agent": "w", "needs": ["a", "b"]},
    ],
}


@dataclass
class Workers:
    """The engine's own transactions, without an engine that would run them by itself."""

    parts: main.Parts
    actor: Any

    def start(self, steps: list[dict[str, Any]]) -> str:
        slug = f"flow-{time.monotonic_ns()}"
        read = read_workflow({"slug": slug, "name": "Flow", "steps": steps})
        self.parts.db.write(lambda s: workflows.create(s, self.actor, read, draft=False))
        given = RunIn(workflow=slug, input={"items": [1, 2, 3]})
        return self.parts.db.write(lambda s: start_workflow(s, self.actor, given).id)

    def run(self, run_id: str) -> Run:
        return self.parts.db.read(lambda s: s.get_one(Run, run_id))

    def open(self, parent: str) -> list[str]:
        query = select(Run.id).where(Run.parent_id == parent, Run.status.not_in(ENDS)).order_by(Run.id)
        return self.parts.db.read(lambda s: list(s.scalars(query)))

    def claim(self, run_id: str) -> Claim:
        claim = self.parts.db.write(lambda s: claim_run(s, "tester", run_id, now(), LEASE))
        assert claim is not None, "it sleeps, and nobody would ever wake it"
        return claim

    def advance(self, claim: Claim) -> None:
        try:
            self.parts.db.write(lambda s: _advance(s, self.parts.context, claim))
        except Overtaken:
            self.parts.db.write(lambda s: _advance(s, self.parts.context, claim))

    def end(self, claim: Claim, ending: Ending = COMPLETED) -> None:
        run = self.run(claim.run_id)
        output = {"output": {run.step: 1}} if ending is COMPLETED else {}
        self.parts.db.write(lambda s: end(s, claim, run, ending, calls=(), **output))

    def finish(self, parent: str) -> None:
        """Whoever is ready goes on, until nobody is: then the workflow has to be done."""
        while self.run(parent).status not in ENDS:
            wake_at = self.run(parent).wake_at
            if wake_at is not None:
                time.sleep(max((wake_at - now()).total_seconds(), 0))
                self.advance(self.claim(parent))
                continue
            children = self.open(parent)
            assert children, "it sleeps, and nobody would ever wake it"
            self.end(self.claim(children[0]))
        run = self.run(parent)
        assert (run.status, run.awaited_runs) == ("completed", 0), run.error
        of_run = select(RunWait).where(RunWait.run_id == parent)
        assert self.parts.db.read(lambda s: s.scalars(of_run).all()) == []


@pytest.fixture
def workers(settings: Settings) -> Iterator[Workers]:
    parts = main.assemble(settings)
    admin = parts.db.write(lambda s: workspaces.found(s, "Home", "admin@localhost", "Admin"))
    actor = parts.db.read(lambda s: people.actor_of(s, admin, "system"))
    agent = AgentDefinition(name="w", model="test:w", tools=[])
    parts.db.write(lambda s: catalog.create(s, actor, "w", agent))
    yield Workers(parts, actor)
    parts.db.close()


def under_way(workers: Workers, flow: str) -> tuple[str, Any]:
    """A workflow with two runs at work, looked at by its worker in the moment in which both of them end."""
    parent = workers.start(FLOWS[flow])
    workers.advance(workers.claim(parent))
    one, other = (workers.claim(each) for each in workers.open(parent))
    workers.parts.db.write(lambda s: wake(s, parent, now()))
    claim = workers.claim(parent)
    ending = FAILED if flow == "again" else COMPLETED
    return parent, (lambda: workers.advance(claim), lambda: workers.end(one, ending), lambda: workers.end(other))


@pytest.mark.both_databases
@pytest.mark.parametrize("flow", FLOWS)
def test_in_whatever_order_runs_end_and_their_parent_goes_to_rest_it_is_woken(workers: Workers, flow: str):
    for order in permutations(range(3)):
        parent, acts = under_way(workers, flow)
        for each in order:
            acts[each]()
        workers.finish(parent)


ORDERS = st.lists(st.integers(0, 2), min_size=10, max_size=120)
MIXED = settings(deadline=None, suppress_health_check=[*HealthCheck], max_examples=15)


@pytest.mark.both_databases
@pytest.mark.parametrize("kind", ["postgresql"], scope="function")
@given(order=ORDERS, flow=st.sampled_from(sorted(FLOWS)))
@MIXED
def test_however_their_statements_mix_the_parent_is_woken(workers: Workers, order: list[int], flow: str):
    parent, acts = under_way(workers, flow)
    with interleaved(workers.parts.db) as threads:
        assert threads.run(acts, iter(order)) == []
    workers.finish(parent)


@pytest.mark.both_databases
@pytest.mark.parametrize("kind", ["postgresql"], scope="function")
@given(order=ORDERS, pauses=st.booleans())
@MIXED
def test_what_begins_while_a_person_stops_the_workflow_does_not_begin(workers: Workers, order: list[int], pauses: bool):
    parent = workers.start(FLOWS["beside"])
    workers.advance(workers.claim(parent))
    for each in workers.open(parent):
        workers.end(workers.claim(each))
    claim, act = workers.claim(parent), runs.pause if pauses else runs.cancel

    def stop() -> None:
        workers.parts.db.write(lambda s: act(s, workers.actor, s.get_one(Run, parent)))

    with interleaved(workers.parts.db) as threads:
        assert threads.run((lambda: workers.advance(claim), stop), iter(order)) == []
    left = {workers.run(each).status for each in workers.open(parent)}
    assert left <= ({"paused"} if pauses else set())
    if pauses:
        workers.parts.db.write(lambda s: runs.resume(s, workers.actor, s.get_one(Run, parent)))
        workers.finish(parent)


@pytest.mark.both_databases
@pytest.mark.parametrize("kind", ["postgresql"], scope="function")
@given(order=ORDERS)
@MIXED
def test_however_the_ends_of_a_workflow_and_of_its_runs_mix_none_waits_for_another_for_ever(
    workers: Workers, order: list[int]
):
    parent, (_, end_one, end_other) = under_way(workers, "beside")

    def stop() -> None:
        workers.parts.db.write(lambda s: runs.cancel(s, workers.actor, s.get_one(Run, parent)))

    with interleaved(workers.parts.db) as threads:
        assert threads.run((end_one, end_other, stop), iter(order)) == []
    assert workers.run(parent).status == "cancelled"
    assert workers.open(parent) == []
