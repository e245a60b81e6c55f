"""A run that waits for other runs rests, and goes on when the last of them has ended."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy.orm import Session

from signoff.kit.db.database import Database
from signoff.runs.models import Run
from signoff.runs.waiting import wait_for, wake_waiters
from tests.contract.scenes import WRITE
from tests.house import House, until
from tests.runs.rows import add_run
from tests.wire import DONE, says


def ends(run_id: str) -> Callable[[Session], None]:
    return lambda session: wake_waiters(session, session.get_one(Run, run_id))


@pytest.mark.both_databases
def test_the_end_of_the_last_awaited_run_wakes(db: Database) -> None:
    def fill(session: Session) -> None:
        for name in ("one", "two"):
            add_run(session, name)
        wait_for(session, add_run(session, "waits"), ["one", "two"])

    def waits(session: Session) -> tuple[int, int]:
        run = session.get_one(Run, "waits")
        return run.awaited_runs, run.wakes

    db.write(fill)
    assert db.read(waits) == (2, 0)
    db.write(ends("one"))
    assert db.read(waits) == (1, 0)
    # Twice the same end is one.
    db.write(ends("one"))
    assert db.read(waits) == (1, 0)
    db.write(ends("two"))
    assert db.read(waits) == (0, 1)


@pytest.mark.both_databases
def test_two_ends_at_the_same_moment_wake_once(db: Database) -> None:
    pairs = range(8)

    def fill(session: Session) -> None:
        for number in pairs:
            others = [add_run(session, f"{number}{each}").id for each in "ab"]
            wait_for(session, add_run(session, f"waits {number}"), others)

    db.write(fill)
    together = Barrier(2)

    def end(side: str) -> None:
        for number in pairs:
            together.wait(30)
            db.write(ends(f"{number}{side}"))

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(end, "ab"))
    waiters = db.read(lambda session: [session.get_one(Run, f"waits {number}") for number in pairs])
    assert [(run.awaited_runs, run.wakes) for run in waiters] == [(0, 1)] * len(pairs)


def test_a_claimed_run_rests_while_it_waits_for_another(house: House) -> None:
    names = ("awaited", "waits")
    agents = [house.agent(name, house.model.script(name, says("", WRITE), DONE), "write_file") for name in names]
    awaited, waits = (house.start(agent) for agent in agents)
    last, first = house.ask(awaited), house.ask(waits)
    house.parts.db.write(lambda session: wait_for(session, session.get_one(Run, waits), [awaited]))
    house.answer(first)

    def rests(session: Session) -> bool:
        run = session.get_one(Run, waits)
        return run.owner is None and run.wake_at is None and run.status == "running"

    until(lambda: house.parts.db.read(rests))
    # What people approved is done; the model is not asked before the other run has ended.
    assert [call["status"] for call in house.calls(waits)] == ["succeeded"]
    assert len(house.model.asked("waits")) == 1
    house.answer(last)
    assert house.ended(awaited)["status"] == house.ended(waits)["status"] == "completed"
