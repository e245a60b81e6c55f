"""Many runs: what waiting costs, how fast they are claimed and answered, how the inbox is read."""

import asyncio
import gc
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlalchemy import Table, func, insert, select, update
from sqlalchemy.orm import Session

from bench.measure import status_of
from bench.ours import answer
from bench.stage import Stage
from signoff.asks import queries
from signoff.asks.inbox import views
from signoff.asks.models import Ask
from signoff.asks.presentation import shown_page
from signoff.asks.schemas import AskOut
from signoff.audit.models import AuditEntry
from signoff.kit.clock import now
from signoff.kit.db.events import Event, Head
from signoff.kit.ids import new_id
from signoff.kit.paging import Page, Window
from signoff.runs.models import Call, Message, Run

TOGETHER = 500
RUNS, MESSAGES, CALLS = Run.__table__, Message.__table__, Call.__table__
ASKS, EVENTS, ENTRIES = Ask.__table__, Event.__table__, AuditEntry.__table__
Rows: TypeAlias = dict[Table, list[dict[str, Any]]]


@dataclass(frozen=True)
class Holding:
    """What a process holds."""

    rss_kb: int
    tasks: int
    threads: int
    connections: int


def _holding(stage: Stage) -> Holding:
    stage.timeline.marks.clear()
    stage.model_calls.clear()
    gc.collect()
    db = stage.parts.db
    # SQLite's two engines have a pool each, PostgreSQL's share one.
    pools = {id(engine.pool): engine.pool for engine in (db.writer, db.reader)}
    out = sum(pool.checkedout() for pool in pools.values())
    return Holding(status_of(os.getpid(), "VmRSS"), len(asyncio.all_tasks()), threading.active_count(), out)


async def park_by_engine(
    stage: Stage, number: int, steps_each: int, warm_up: int = 20
) -> tuple[Holding, Holding, float]:
    """Park runs through the real engine: what is held before and after, and how long it took."""
    async with stage.at_work():
        await _parked(stage, warm_up, 0)
        before, begin = _holding(stage), time.perf_counter()
        await _parked(stage, number, steps_each)
        taken = time.perf_counter() - begin
        return before, _holding(stage), taken


async def _parked(stage: Stage, number: int, steps_each: int) -> None:
    """Start so many runs and wait until each has its ask."""
    wanted = await stage.parts.db.aread(open_asks) + number
    await asyncio.to_thread(lambda: [stage.start(steps_each) for _ in range(number)])
    while await stage.parts.db.aread(open_asks) < wanted:  # noqa: ASYNC110 - looked up as a client would
        await asyncio.sleep(0.05)
    await stage.idle()


def open_asks(session: Session) -> int:
    return session.scalar(select(func.count()).select_from(Ask).where(Ask.status == "pending")) or 0


def clone_parked(stage: Stage, number: int) -> None:
    """So many copies of the first parked run, rows as the engine wrote them, under new ids: quick to make.

    Only the hashes of their audit entries are not chained.
    """
    db = stage.parts.db
    template = db.read(lambda session: _rows(session, session.scalars(select(Ask.run_id).limit(1)).one()))
    for size in [TOGETHER] * (number // TOGETHER):
        db.write(lambda session, size=size: _copy(session, template, size))


def _rows(session: Session, run_id: str | None) -> Rows:
    found: Rows = {}
    for table, column in ((RUNS, "id"), (MESSAGES, "run_id"), (CALLS, "run_id"), (ASKS, "run_id")):
        found[table] = [dict(row) for row in session.execute(select(table).where(table.c[column] == run_id)).mappings()]
    for table in (EVENTS, ENTRIES):
        found[table] = [dict(row) for row in session.execute(select(table).where(table.c.run_id == run_id)).mappings()]
    return found


def _copy(session: Session, template: Rows, number: int) -> None:
    """Ids are replaced wherever a row names them; positions and numbers go on from the head."""
    head = session.scalars(select(Head).with_for_update()).one()
    ids = {row["id"] for table in (RUNS, MESSAGES, CALLS, ASKS) for row in template[table]}
    copies: Rows = {table: [] for table in template}
    for _ in range(number):
        new = {old: new_id() for old in ids}
        for table, rows in template.items():
            for row in rows:
                copy = {name: new.get(value, value) if isinstance(value, str) else value for name, value in row.items()}
                if table is EVENTS:
                    head.position += 1
                    copy["position"] = head.position
                elif table is ENTRIES:
                    head.entries += 1
                    copy |= {"number": head.entries, "id": new_id()}
                copies[table].append(copy)
    for table, rows in copies.items():
        session.execute(insert(table), rows)


def make_ready(stage: Stage, number: int) -> None:
    """Wake so many waiting runs, without an answer."""
    some = select(Run.id).where(Run.wake_at.is_(None), Run.owner.is_(None)).limit(number)
    change = update(Run).where(Run.id.in_(some)).values(wake_at=now()).execution_options(synchronize_session=False)
    stage.parts.db.write(lambda session: session.execute(change))


def rest(stage: Stage) -> None:
    """Let all of them wait again."""
    values = {"wake_at": None, "owner": None, "lease_until": None}
    change = update(Run).values(values).execution_options(synchronize_session=False)
    stage.parts.db.write(lambda session: session.execute(change))


def claims(stage: Stage, number: int, at_once: int) -> Callable[[], int]:
    """Claim so many ready runs."""

    def work() -> int:
        claimed = 0
        while claimed < number:
            claimed += len(stage.claim(at_once))
        return claimed

    return work


def answers(stage: Stage, number: int, threads: int) -> Callable[[], int]:
    """Approve the oldest open asks."""
    oldest = select(Ask.id).where(Ask.status == "pending").order_by(Ask.id).limit(number)
    db = stage.parts.db
    ids = db.read(lambda session: list(session.scalars(oldest)))

    def approve(ask_id: str) -> None:
        db.write(lambda session: answer(session, stage, ask_id))

    def work() -> int:
        if threads == 1:
            for ask_id in ids:
                approve(ask_id)
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(approve, ids))
        return len(ids)

    return work


async def resumed(stage: Stage, number: int, rounds: int) -> list[float]:
    """Answered runs worked to their end by the engine, a second: answer, tool, model, completion."""
    found, ended = list[float](), 0
    async with stage.at_work():
        for _ in range(rounds):
            await _parked(stage, number, 0)
            work = answers(stage, number, 1)
            ended += number
            begin = time.perf_counter()
            await asyncio.to_thread(work)
            while await stage.parts.db.aread(_completed) < ended:  # noqa: ASYNC110 - looked up as a client would
                await asyncio.sleep(0.01)
            found.append(number / (time.perf_counter() - begin))
    return found


def _completed(session: Session) -> int:
    return session.scalar(select(func.count()).select_from(Run).where(Run.status == "completed")) or 0


def inbox(stage: Stage) -> dict[str, Callable[[], object]]:
    """The first page of the oldest: rows alone, the page as the API shows it with its count, and the badge."""
    db, actor = stage.parts.db, stage.actor
    found = queries.asks(actor, status="pending")
    keys, _ = queries.sort_keys("oldest")

    def rows(session: Session) -> list[Ask]:
        return list(session.scalars(found.order_by(*keys).limit(51)))

    def first_page(session: Session) -> Page[AskOut]:
        return shown_page(session, actor, found, Window(50))

    return {
        "rows": lambda: db.read(rows),
        "page": lambda: db.read(first_page),
        "count": lambda: db.read(lambda session: views.counts(session, actor)),
    }
