"""One workspace, several processes: how much more gets done, and what their common order costs."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from bench.measure import Size, p50
from bench.stage import SHARED, Place, Stage, add_agents, stage
from bench.table import Row
from signoff.kit.actor import Actor
from signoff.runs import actions as runs
from signoff.runs.models import Run
from signoff.runs.schemas import RunIn
from signoff.workspaces import actions as workspaces

WORKERS = 4
FAST, SLOW = f"bench-{SHARED}", "bench-slow"


def workers(place: Place, size: Size) -> Iterator[Row]:
    """SQLite has one writer, so that PostgreSQL alone is asked."""
    if not place.server:
        return
    db, cores = place.db, f"{os.cpu_count()} cores for workers and PostgreSQL"
    one, four, apart = (
        _steps_per_second(place, size, FAST, number, spaces)
        for number, spaces in ((1, 1), (WORKERS, 1), (WORKERS, WORKERS))
    )
    yield Row("steps per second, 1 worker", db, "/s", one, note="a model that answers at once; 4 runs at a time")
    yield Row("steps per second, 4 workers", db, "/s", four, note=cores)
    note = f"{apart:.0f} /s in four workspaces, which share no order: the rest is the machine"
    yield Row("  4 workers against 1", db, "x", four / one, "> 2.5 x", note=note)
    one, four = (_steps_per_second(place, size, SLOW, number, 1, at_once=1) for number in (1, WORKERS))
    note = f"a model of 20 ms, one run at a time each: {one:.0f} → {four:.0f} /s, so that cores do not decide"
    yield Row("  the same with time to think", db, "x", four / one, "> 2.5 x", note=note)


def _steps_per_second(place: Place, size: Size, agent: str, number: int, spaces: int, at_once: int = 4) -> float:
    """Steps that so many workers store in a second, counted while all of them are at work; the median of rounds."""
    folder, url = place.fresh()
    with stage(folder, url) as ready:
        actors = [ready.actor, *(_another_workspace(ready, index) for index in range(1, spaces))]
        # Enough that nobody runs out of them.
        ready.parts.db.write(lambda session: _start(session, actors, agent, int(number * at_once + size.seconds * 100)))
        with _at_work(folder, url, number, at_once):
            return p50([_rate(ready, size.seconds) for _ in range(size.rounds)])


def _rate(ready: Stage, seconds: float) -> float:
    begin, before = time.perf_counter(), ready.parts.db.read(_steps)
    time.sleep(seconds)
    return (ready.parts.db.read(_steps) - before) / (time.perf_counter() - begin)


def _steps(session: Session) -> int:
    return session.scalar(select(func.sum(Run.iterations))) or 0


def _start(session: Session, actors: list[Actor], agent: str, number: int) -> None:
    given = RunIn(agent=agent, task="Look around, then act.")
    for index in range(number):
        runs.start(session, actors[index % len(actors)], given)


def _another_workspace(ready: Stage, index: int) -> Actor:
    def make(session: Session) -> Actor:
        actor = Actor.system(workspaces.found(session, f"Bench {index}", f"{index}@localhost", "Admin").workspace_id)
        add_agents(session, actor)
        return actor

    return ready.parts.db.write(make)


@contextmanager
def _at_work(folder: Path, url: str, number: int, at_once: int) -> Iterator[None]:
    """So many worker processes, each with a step behind it."""
    command = [sys.executable, "-m", "bench.worker", str(folder), url, str(at_once)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    processes = [subprocess.Popen(command, **pipes) for _ in range(number)]
    try:
        for process in processes:
            assert process.stdout is not None
            if not process.stdout.readline():
                raise RuntimeError("a worker did not start")
        yield
    finally:
        for process in processes:
            process.communicate()
