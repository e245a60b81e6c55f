"""A workflow with all that can be under way at once, on a scene where workers die; and what has to come of it."""

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from sqlalchemy import select

from signoff.asks.answers.outcome import Answer
from signoff.kit.ids import new_id
from signoff.runs.models import Run, RunWait
from signoff.runs.schemas import RunIn
from signoff.runs.workflow.models import RunStep
from signoff.runs.workflow.start import start_workflow
from signoff.runs.workflow.values import inputs_of_steps
from signoff.workflows import actions as workflows
from signoff.workflows.reading import read_workflow
from tests.crash.scene import PATIENCE, Scene
from tests.crash.victim import CHARGES
from tests.house import ENDED, until
from tests.wire import Answering, call, fails, says

ITEMS = ["i1", "i2", "i3", "i4"]
CHARGED = Counter(["first", "left", "right", "flaky", "last", *ITEMS])
OUTPUT = {
    "items": ITEMS,
    "first": 1,
    "left": 1,
    "right": 1,
    "many": [{each: 1} for each in ITEMS],
    "flaky": 1,
    "last": 1,
}
BEFORE_LAST = {name: value for name, value in OUTPUT.items() if name != "last"}
TRIES = {"first": 1, "left": 1, "right": 1, "many": 1, "flaky": 2, "last": 1}
STATES = {name: ("succeeded", tries) for name, tries in TRIES.items()}
RUNS = Counter({**TRIES, "many": len(ITEMS)})


class Flow:
    """Steps in order, beside each other, once per item, tried again, and one that waits for a person. Each charges at
    a ledger outside, where a second time would be seen."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        for name in ("first", "left", "right", "last"):
            self._agent(name)
        self._agent("many", self._item)
        self._agent("flaky", self._flaky)
        steps: list[dict[str, Any]] = [
            {"id": "first", "agent": "first"},
            {"id": "left", "agent": "left", "needs": ["first"]},
            {"id": "right", "agent": "right", "needs": ["first"]},
            {"id": "many", "agent": "many", "needs": ["first"], "each": {"path": "items", "max_parallel": 2}},
            {"id": "flaky", "agent": "flaky", "needs": ["left", "right"], "retries": 2, "retry_backoff_seconds": 0.05},
            {"id": "last", "agent": "last", "needs": ["many", "flaky"], "checkpoint": "before"},
        ]
        read = read_workflow({"slug": "flow", "name": "Flow", "steps": steps})
        scene.db.write(lambda s: workflows.create(s, scene.actor, read, draft=False))

    def start(self) -> str:
        title = f"Flow {new_id()}"
        given = RunIn(workflow="flow", title=title, input={"items": ITEMS})
        return self.scene.db.write(lambda s: start_workflow(s, self.scene.actor, given).id)

    def die_at(self, runs: list[str], deaths: Iterable[tuple[str, int]]) -> int:
        """Let a worker die at each of these places, then let one live on to the end. Returns how many have died."""
        died = 0
        for place, passing in deaths:
            life = self.scene.life(place, passing, lease=3600)
            until(lambda life=life: self._goes_on(runs) is False or not life.alive, 3 * PATIENCE)
            died += not life.alive
            life.kill()
        self.scene.life(lease=3600)
        until(lambda: self._goes_on(runs) is False, 3 * PATIENCE)
        return died

    def _goes_on(self, runs: list[str]) -> bool:
        self.answer_asks()
        return any(self.scene.run(each).status not in ENDED for each in runs)

    def answer_asks(self) -> None:
        """A person goes on with the checkpoint, and looks at the ledger where nobody knows what happened."""
        for ask in self.scene.asks():
            if ask.kind == "recovery":
                done = any(call_id == ask.call_id for call_id, _, _ in self.scene.ledger(CHARGES))
                self.scene.answer(ask, Answer("respond", value="done" if done else "retry"))
            else:
                arguments = {**(ask.arguments or {}), "noted": "looked at"}
                self.scene.answer(ask, Answer("approve", arguments=arguments))

    def steps(self, run_id: str) -> dict[str, RunStep]:
        rows = self.scene.db.read(lambda s: list(s.scalars(select(RunStep).where(RunStep.run_id == run_id))))
        return {row.step: row for row in rows}

    def children(self, run_id: str) -> list[Run]:
        return self.scene.db.read(lambda s: list(s.scalars(select(Run).where(Run.parent_id == run_id))))

    def right(self, *run_ids: str) -> None:
        """They ended well; what was done is done once; nobody waits for anybody any more."""
        for run_id in run_ids:
            self._right(run_id)
        assert self.scene.db.read(lambda s: s.scalars(select(RunWait)).all()) == []
        assert Counter(self.scene.charged) == Counter({name: len(run_ids) * count for name, count in CHARGED.items()})
        self.scene.whole()

    def _right(self, run_id: str) -> None:
        run, rows, children = self.scene.run(run_id), self.steps(run_id), self.children(run_id)
        assert (run.status, run.completion_reason, run.output) == ("completed", "success", OUTPUT), run.error
        assert {name: (row.status, row.attempt) for name, row in rows.items()} == STATES
        given = self.scene.db.read(lambda s: inputs_of_steps(s, [rows["last"]]))
        assert json.loads(given["last"]) == {**BEFORE_LAST, "noted": "looked at"}
        assert Counter(child.step for child in children) == RUNS
        at_work = [each for each in (run, *children) if each.owner or each.wake_at or each.awaited_runs]
        assert at_work == []
        emitted = Counter(event.type for event in self.scene.events_of(run_id))
        assert emitted["run.ended"] == emitted["run.created"] == 1

    def _agent(self, name: str, play: Answering | None = None) -> None:
        self.scene.agent(name, *(self._charging(name) if play is None else ()))
        if play is not None:
            self.scene.model.play(name, play)

    def _charging(self, name: str) -> tuple[dict[str, Any], ...]:
        end = call("complete_task", {"summary": "done", "output": {name: 1}}, f"end_{name}")
        return says("", call("charge", {"item": name}, f"charge_{name}")), says("", end)

    def _item(self, request: dict[str, Any]) -> dict[str, Any]:
        return self._charging(_input(request)["item"])[_turn(request)]

    def _flaky(self, request: dict[str, Any]) -> dict[str, Any]:
        """The first run of this step fails before it does anything, the second does its work."""
        title = _words(request).partition("the workflow '")[2].partition("'")[0]
        of_flow = select(RunStep.attempt).join(Run, Run.id == RunStep.run_id)
        attempt = self.scene.db.read(lambda s: s.scalar(of_flow.where(Run.title == title, RunStep.step == "flaky")))
        return fails(400, "not today") if attempt == 1 else self._charging("flaky")[_turn(request)]


def _turn(request: dict[str, Any]) -> int:
    return sum(message["role"] == "assistant" for message in request["messages"])


def _words(request: dict[str, Any]) -> str:
    return next(str(message["content"]) for message in request["messages"] if message["role"] == "user")


def _input(request: dict[str, Any]) -> dict[str, Any]:
    return json.loads(_words(request).partition("Input:\n")[2].partition("\n\n")[0])
