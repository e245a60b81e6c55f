"""How much is measured; samples and what is said of them; the machine; statements as SQLAlchemy sends them."""

import math
import os
import platform
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import event

from signoff.kit.db.database import Database
from signoff.kit.db.driver import Driver

MILLI = 1_000.0


@dataclass(frozen=True)
class Size:
    """How much of each is measured."""

    rounds: int
    each: int
    long_runs: int
    decisions: int
    by_engine: int
    cloned: int
    listed: int
    sample: int
    answers: int
    starts: int
    seconds: float


FULL = Size(
    rounds=5,
    each=60,
    long_runs=8,
    decisions=60,
    by_engine=1_000,
    cloned=10_000,
    listed=300,
    sample=40,
    answers=150,
    starts=3,
    seconds=3,
)
QUICK = Size(
    rounds=2,
    each=20,
    long_runs=3,
    decisions=20,
    by_engine=50,
    cloned=500,
    listed=30,
    sample=10,
    answers=50,
    starts=1,
    seconds=1,
)


def p50(samples: Sequence[float]) -> float:
    return statistics.median(samples)


def p95(samples: Sequence[float]) -> float:
    return sorted(samples)[math.ceil(len(samples) * 0.95) - 1]


def in_turns(works: Mapping[str, Callable[[], Any]], rounds: int, each: int) -> dict[str, list[float]]:
    """Time several works in alternating blocks, so that a busy machine slows all of them alike. Milliseconds."""
    samples: dict[str, list[float]] = {name: [] for name in works}
    for number in range(rounds + 1):
        for name, work in works.items():
            for _ in range(each):
                begin = time.perf_counter()
                work()
                # The first round only warms up.
                if number:
                    samples[name].append((time.perf_counter() - begin) * MILLI)
    return samples


def per_second(work: Callable[[], int]) -> float:
    """How many a second, when `work` does as many as it returns."""
    begin = time.perf_counter()
    return work() / (time.perf_counter() - begin)


def median_rate(rounds: int, work: Callable[[], Callable[[], int]]) -> float:
    """The median of several rounds; making a round ready is not part of what is timed."""
    return p50([per_second(work()) for _ in range(rounds)])


@dataclass
class Statements:
    """What was sent to the database: statements with their BEGIN, and commits."""

    sent: int = 0
    commits: int = 0
    texts: list[str] = field(default_factory=list)

    @property
    def seen(self) -> tuple[int, int]:
        return self.sent, self.commits


@contextmanager
def statements(db: Database) -> Iterator[Statements]:
    """Count while the block runs; an executemany counts once."""
    counted = Statements()

    def note(text: str) -> None:
        counted.commits += text == "COMMIT"
        if text != "COMMIT":
            counted.sent += 1
            counted.texts.append(text)

    def sent(_connection: Any, _cursor: Any, text: str, *_: Any) -> None:
        note(text)

    send, rows, commit = Driver.run, Driver.rows, Driver.commit

    def counted_run(driver: Driver, sql: str, *given: Any) -> None:
        note(sql)
        send(driver, sql, *given)

    def counted_rows(driver: Driver, sql: str, *given: Any) -> Any:
        note(sql)
        return rows(driver, sql, *given)

    def counted_commit(driver: Driver) -> None:
        note("COMMIT")
        commit(driver)

    # On PostgreSQL the reader is a view of the writer and fires the writer's events.
    engines = [db.writer, db.reader] if db.is_sqlite else [db.writer]
    for engine in engines:
        event.listen(engine, "before_cursor_execute", sent)
    Driver.run, Driver.rows, Driver.commit = counted_run, counted_rows, counted_commit
    try:
        yield counted
    finally:
        Driver.run, Driver.rows, Driver.commit = send, rows, commit
        for engine in engines:
            event.remove(engine, "before_cursor_execute", sent)


def status_of(pid: int | str, name: str) -> int:
    """A figure from /proc/PID/status: `VmRSS` in kB, `Threads`."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1])
    raise LookupError(name)


def machine(postgres_version: str) -> list[str]:
    """What the figures were measured on."""
    processor = next(
        (
            line.split(":", 1)[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if "model name" in line
        ),
        platform.processor(),
    )
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    return [
        f"{os.cpu_count()} cores ({processor}), {platform.system()} {platform.release()}, load {load}",
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, PostgreSQL {postgres_version}",
    ]
