"""Timers know sources and nothing else; one that fails holds up no other."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from sqlalchemy.orm import Session

from signoff.engine.worker.timers import AFTER_AN_ERROR, AT_ONCE, LONGEST_SLEEP, Every, Source, Timers
from signoff.kit import clock
from signoff.kit.db.database import Database, commit_of


@pytest.fixture
def kind() -> str:
    return "sqlite"


class Bells:
    """A source of the test's own: bells that ring at their time."""

    name = "bells"

    def __init__(self, times: dict[str, datetime], broken: str = "") -> None:
        self.times, self.broken, self.rung = times, broken, list[str]()

    def due(self, session: Session, at: datetime, limit: int) -> Sequence[str]:
        over = [bell for bell, time in self.times.items() if time <= at and bell not in self.rung]
        return sorted(over, key=lambda bell: self.times[bell])[:limit]

    def run_due(self, session: Session, due_id: str, at: datetime) -> None:
        if due_id == self.broken:
            raise RuntimeError("the bell is broken")
        self.rung.append(due_id)

    def next_time(self, session: Session) -> datetime | None:
        return min((time for bell, time in self.times.items() if bell not in self.rung), default=None)


class Broken(Bells):
    def due(self, session: Session, at: datetime, limit: int) -> Sequence[str]:
        raise RuntimeError("nothing can be read")


def run_due(db: Database, *sources: Source) -> float:
    return asyncio.run(Timers(db, sources).run_due())


def test_what_is_due_is_done_in_order_and_the_next_time_is_slept_until(db: Database) -> None:
    at, minute = clock.now(), timedelta(minutes=1)
    bells = Bells({"second": at - minute, "first": at - 2 * minute, "soon": at + timedelta(seconds=8)})
    assert 0 < run_due(db, bells, Bells({})) <= 8
    assert bells.rung == ["first", "second"]
    assert run_due(db, Bells({"much later": at + 60 * minute})) == LONGEST_SLEEP


def test_a_source_that_fails_holds_up_neither_the_others_nor_what_else_it_has(db: Database) -> None:
    past = clock.now() - timedelta(minutes=1)
    halting, sound = Bells({"broken": past, "whole": past}, broken="broken"), Bells({"bell": past})
    assert run_due(db, Broken({}), halting, sound) <= AFTER_AN_ERROR
    assert (halting.rung, sound.rung) == (["whole"], ["bell"])


def test_more_than_fits_at_once_goes_on_without_a_pause(db: Database) -> None:
    past = clock.now() - timedelta(minutes=1)
    assert run_due(db, Bells({str(number): past for number in range(AT_ONCE + 1)})) == 0


def test_what_is_done_regularly_is_done_at_the_start_and_then_at_its_time_even_if_it_failed(db: Database) -> None:
    done = list[datetime]()

    def work(_session: Session, at: datetime) -> None:
        done.append(at)
        raise RuntimeError("no luck")

    source = Every("tidying", timedelta(hours=1), work)
    run_due(db, source)
    run_due(db, source)
    assert len(done) == 1
    assert db.read(lambda session: source.due(session, done[0] + timedelta(hours=1), 1))


def test_what_is_done_in_steps_goes_on_at_once_until_nothing_is_left(db: Database) -> None:
    left = [1, 2, 3]

    def work(_session: Session, _at: datetime) -> bool:
        left.pop()
        return bool(left)

    source = Every("tidying", timedelta(hours=1), work)
    for _ in range(5):
        run_due(db, source)
    assert left == []


def test_a_commit_that_makes_something_due_sooner_ends_the_sleep(db: Database) -> None:
    bells = Bells({})

    async def sleep_and_be_woken() -> None:
        timers = Timers(db, [bells])
        await timers.start()
        await asyncio.sleep(0.05)
        bells.times["now"] = clock.now()

        def announce(session: Session) -> None:
            commit = commit_of(session)
            commit.due = clock.now()
            commit.workspaces.add("w")

        await db.awrite(announce)
        async with asyncio.timeout(10):
            while not bells.rung:  # noqa: ASYNC110 - rung in another thread
                await asyncio.sleep(0.01)
        await timers.stop()

    asyncio.run(sleep_and_be_woken())
    assert bells.rung == ["now"]
