"""One run at a time: a checkpoint, an agent step, start to parked, approve to tool."""

import asyncio
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import pairwise

from sqlalchemy import select
from sqlalchemy.orm import Session

from bench.measure import MILLI, Statements, statements
from bench.stage import LISTENING, SAYING, Stage
from signoff.asks import actions as asks
from signoff.asks import queries
from signoff.asks.answers.outcome import Answer
from signoff.asks.models import Ask
from signoff.engine.loop.advance import advance
from signoff.kit.db.database import Commit
from signoff.runs.models import Run
from signoff.runs.transcript.messages import add_messages, emit_message, new_message
from signoff.runs.worker.fenced_writes import write_run

APPROVE = Answer("approve")
RESPONSE = {
    "kind": "response",
    "model_name": "bench",
    "usage": {"input_tokens": 100, "output_tokens": 20},
    "parts": [
        {"part_kind": "text", "content": SAYING},
        {"part_kind": "tool-call", "tool_name": "list_files", "args": {"path": "."}, "tool_call_id": "call_1"},
    ],
}


def checkpoint(stage: Stage, *, durable: bool = False) -> Callable[[], None]:
    """A model's answer with its event and counters, fenced: one transaction."""
    run_id = stage.start(0)
    claim = next(each for each in stage.claim(100) if each.run_id == run_id)
    db = stage.parts.db
    run = db.read(lambda session: session.get_one(Run, run_id))
    run.iterations = 0

    def store(session: Session) -> None:
        run.iterations += 1
        said = new_message(run, "assistant", run.iterations, response=RESPONSE)
        add_messages(session, [said])
        emit_message(session, run, said)
        write_run(session, claim, run, None, iterations=run.iterations, working_seconds=1.5)

    return lambda: db.write(store, durable=durable)


@dataclass
class Steps:
    """Agent steps in milliseconds: whole, the part inside the model call, and what this process computed meanwhile."""

    whole: list[float] = field(default_factory=list)
    model: list[float] = field(default_factory=list)
    computed: list[float] = field(default_factory=list)

    def __getitem__(self, part: slice) -> "Steps":
        return Steps(self.whole[part], self.model[part], self.computed[part])

    def __iadd__(self, more: "Steps") -> "Steps":
        return Steps(self.whole + more.whole, self.model + more.model, self.computed + more.computed)

    @property
    def own(self) -> list[float]:
        return [whole - model for whole, model in zip(self.whole, self.model, strict=True)]


async def agent_steps(stage: Stage, number: int | str) -> Steps:
    """One run of so many safe calls, through `advance`: from one model call to the next."""
    stage.start(number)
    claim = stage.claim(100)[-1]
    stage.timeline.marks.clear()
    stage.model_calls.clear()
    processor = list[float]()
    watch = stage.timeline.watch
    stage.timeline.watch = watch or (lambda place: processor.append(time.process_time()) if place == "model" else None)
    await advance(stage.parts.context, claim, asyncio.Event())
    stage.timeline.watch = watch
    begins = stage.timeline.at("model")
    whole, computed = ([(after - before) * MILLI for before, after in pairwise(times)] for times in (begins, processor))
    return Steps(whole, [each * MILLI for each in stage.model_calls[: len(whole)]], computed)


async def statements_per_step(stage: Stage, number: int) -> tuple[float, float]:
    """Statements and commits from one model call to the next, in a run of its own: counting takes time."""
    seen = list[tuple[int, int]]()
    with statements(stage.parts.db) as counted:
        stage.timeline.watch = lambda place: seen.append(counted.seen) if place == "model" else None
        await agent_steps(stage, number)
    stage.timeline.watch = None
    spans = len(seen) - 1
    return (seen[-1][0] - seen[0][0]) / spans, (seen[-1][1] - seen[0][1]) / spans


@dataclass
class Decisions:
    """Milliseconds on the way of one approval, and what it cost in statements."""

    parked: list[float] = field(default_factory=list)
    from_answer: list[float] = field(default_factory=list)
    from_commit: list[float] = field(default_factory=list)
    answer_statements: tuple[int, int] = (0, 0)
    to_tool_statements: tuple[int, int] = (0, 0)
    park_statements: tuple[int, int] = (0, 0)


async def decisions(stage: Stage, number: int, warm_up: int = 5) -> Decisions:
    """Start → parked → approved → the tool begins, one run after the other, with the engine at work."""
    found, db = Decisions(), stage.parts.db
    async with stage.at_work():
        for index in range(number + warm_up):
            # Counting takes time, so only the first, untimed run is counted.
            with statements(db) if index == 0 else nullcontext(Statements()) as counted:
                begin = time.perf_counter()
                stage.timeline.parked.clear()
                run_id = await asyncio.to_thread(stage.start, 0)
                await stage.timeline.parked.wait()
                parked = stage.timeline.at("stored")[-1] - begin
                await stage.idle()
                found.park_statements = max(found.park_statements, counted.seen)
            ask_id = db.read(lambda session, r=run_id: session.scalars(select(Ask.id).where(Ask.run_id == r)).one())
            from_answer, from_commit = await _approve(stage, ask_id, found, counted=index == 0)
            await stage.idle()
            if index >= warm_up:
                found.parked.append(parked * MILLI)
                found.from_answer.append(from_answer * MILLI)
                found.from_commit.append(from_commit * MILLI)
    found.answer_statements = await _statements_of_answer(stage)
    return found


async def _approve(stage: Stage, ask_id: str, found: Decisions, *, counted: bool) -> tuple[float, float]:
    """Seconds from the answer's begin, and from its commit, to the tool's first line."""
    db, commits, began = stage.parts.db, list[float](), asyncio.get_running_loop().create_future()

    def heard(_commit: Commit) -> None:
        commits.append(time.perf_counter())

    db.listeners.insert(0, heard)
    LISTENING.append(began.set_result)
    with statements(db) if counted else nullcontext(Statements()) as seen:
        stage.timeline.watch = lambda place: _note(found, seen) if place == "tool" else None
        begin = time.perf_counter()
        await db.awrite(lambda session: answer(session, stage, ask_id))
        at = await began
    stage.timeline.watch = None
    LISTENING.clear()
    db.listeners.remove(heard)
    return at - begin, at - commits[0]


def _note(found: Decisions, counted: Statements) -> None:
    found.to_tool_statements = max(found.to_tool_statements, counted.seen)


def answer(session: Session, stage: Stage, ask_id: str) -> None:
    asks.answer(session, stage.actor, queries.ask(session, stage.actor, ask_id), APPROVE)


async def _statements_of_answer(stage: Stage) -> tuple[int, int]:
    """One answer alone: without the engine, which would act on it."""
    db = stage.parts.db
    stage.start(0)
    claim = stage.claim(100)[-1]
    await advance(stage.parts.context, claim, asyncio.Event())
    ask_id = db.read(lambda session: session.scalars(select(Ask.id).where(Ask.run_id == claim.run_id)).one())
    with statements(db) as counted:
        db.write(lambda session: answer(session, stage, ask_id))
    return counted.seen
