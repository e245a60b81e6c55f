"""A chain of ten steps that cost nothing, and what does them: from the end of one to the beginning of the next."""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.messages import ModelMessage
from pydantic_ai.models import Model
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from bench.measure import MILLI
from bench.stage import Place, Stage, stage
from signoff.catalog import actions as catalog
from signoff.catalog.schemas import AgentDefinition
from signoff.engine.model import providers
from signoff.kit.db.database import Commit
from signoff.runs.models import Run
from signoff.runs.schemas import RunIn
from signoff.runs.workflow.start import start
from signoff.tools.registry import tool
from signoff.workflows import actions as workflows
from signoff.workflows.reading import read_workflow

STEPS = 10
# What a large value is made of: of text alone it would be too easy.
RECORD = {"id": 1234567, "name": "Ada Lovelace", "amount": 1234.5, "tags": ["new", "vip"], "note": None, "open": True}
LARGE_BYTES = 9_900_000
LARGE = json.dumps([RECORD] * (LARGE_BYTES // (len(json.dumps(RECORD)) + 2)))
# A reply of that size passes only where messages may be larger.
ROOM = 4 * LARGE_BYTES
AGENT, MAKES, TAKES = "agents", "makes-much", "takes-much"
# The number of the step that is told nothing of its place, since it gets the large value.
LAST = 2
PLACE = re.compile(r'"chain":"?([^",}]+)"?,"number":(\d+)')


@dataclass
class Begun:
    """When the work of each step of each chain began, on the machine's monotonic clock."""

    at: dict[tuple[str, int], float] = field(default_factory=dict[tuple[str, int], float])

    def note(self, chain: str, number: int) -> None:
        self.at.setdefault((chain, number), time.perf_counter())

    def chain(self, chain: str) -> list[float]:
        return [at for (name, _), at in sorted(self.at.items()) if name == chain]


BEGUN = Begun()


@tool(risk="low", operation_type="read", idempotent=True)
async def pass_on(chain: str, number: int) -> dict[str, str]:
    """Do nothing, and say for whom."""
    BEGUN.note(chain, number)
    return {"chain": chain}


def instant_model(name: str, _opened: object) -> Model:
    """Notes that the step's work began, and completes at once: with as much as `name` says, or with its chain."""

    async def play(messages: list[ModelMessage], _info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        found = PLACE.search(str(messages))
        chain, number = (found[1], int(found[2])) if found else ("c0", LAST)
        BEGUN.note(chain, number)
        output = f'{{"much":{LARGE}}}' if name.endswith(MAKES) else json.dumps({"chain": chain})
        yield {0: DeltaToolCall("complete_task", f'{{"summary":"done","output":{output}}}', tool_call_id="call_1")}

    return FunctionModel(stream_function=play, model_name=name)


def _step(number: int, **does: Any) -> dict[str, Any]:
    return {"id": f"step_{number}", "input": {"chain": "chain", "number": {"const": number}}, **does}


WORKFLOWS: Mapping[str, list[dict[str, Any]]] = {
    "tools": [_step(number, tool="pass_on") for number in range(STEPS)],
    AGENT: [_step(number, agent=AGENT) for number in range(STEPS)],
    "large": [_step(0, agent=MAKES), {"id": "step_2", "agent": TAKES, "input": {"much": "much"}}],
    "later": [
        _step(0, agent=MAKES),
        _step(1, tool="pass_on"),
        {"id": "step_2", "agent": TAKES, "input": {"much": "much"}},
    ],
}


@contextmanager
def workflow_stage(place: Place) -> Iterator[Stage]:
    """A stage with these workflows, and what does their steps."""
    with stage(*place.fresh(), max_message_bytes=ROOM) as ready:
        providers.model_for = instant_model
        ready.parts.context.registry.register(pass_on)
        ready.parts.db.write(lambda session: _add(session, ready))
        yield ready


def _add(session: Session, ready: Stage) -> None:
    for slug in (AGENT, MAKES, TAKES):
        catalog.create(session, ready.actor, slug, AgentDefinition(name=slug, model=f"bench:{slug}", tools=[]))
    for slug, steps in WORKFLOWS.items():
        workflows.create(session, ready.actor, read_workflow({"slug": slug, "name": slug, "steps": steps}), draft=False)


@dataclass
class Chains:
    """Milliseconds from a step's output committed to the next one's work begun, and how long all took together."""

    transitions: list[float]
    took: float


async def chains(ready: Stage, slug: str, number: int, every: float = 0.02) -> Chains:
    """So many runs of a workflow, started together, to their ends; looked at `every` so many seconds. The engine is at
    work."""
    db, commits, found = ready.parts.db, dict[str, list[float]](), dict[str, str]()

    def heard(commit: Commit) -> None:
        # From its start on a workflow's run is woken by each end of a step, and by nothing else.
        at = time.perf_counter()
        for run_id in commit.woken_runs & commits.keys():
            commits[run_id].append(at)

    def begin(session: Session) -> None:
        for index in range(number):
            given = RunIn(workflow=slug, input={"chain": f"c{index}"})
            found[f"c{index}"] = run_id = start(session, ready.actor, given).id
            commits[run_id] = []

    BEGUN.at.clear()
    before = time.perf_counter()
    await db.awrite(begin)
    db.listeners.insert(0, heard)
    while await db.aread(_at_work):  # noqa: ASYNC110 - looked up as a client would
        await asyncio.sleep(every)
    took = (time.perf_counter() - before) * MILLI
    db.listeners.remove(heard)
    return Chains(_transitions(found, commits), took)


def _transitions(chains: Mapping[str, str], commits: Mapping[str, Sequence[float]]) -> list[float]:
    return [
        (begun - ended) * MILLI
        for chain, run_id in chains.items()
        for ended, begun in zip(commits[run_id], BEGUN.chain(chain)[1:], strict=False)
    ]


def _at_work(session: Session) -> int:
    return session.scalar(select(func.count()).select_from(Run).where(Run.ended_at.is_(None))) or 0
