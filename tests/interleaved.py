"""Transactions in threads of their own, one statement at a time, in an order that the test decides."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from signoff.kit.db.database import Database
from signoff.kit.db.driver import Driver

# A statement that takes longer waits for another transaction's lock.
LOCKED_SECONDS = 0.1


class Interleaved:
    """Lets threads pass from statement to statement. Who waits for a lock is passed over until it has it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._at_gate, self._may_pass, self._done = set[int](), set[int](), set[int]()
        self._numbers = threading.local()

    def run(self, work: Sequence[Callable[[], Any]], order: Iterator[int]) -> list[BaseException]:
        """Run all of them to their ends; `order` says who is next. Returns what went wrong."""

        def one(number: int) -> None:
            self._numbers.own = number
            try:
                work[number]()
            finally:
                with self._changed:
                    self._done.add(number)
                    self._changed.notify_all()

        with ThreadPoolExecutor(len(work)) as pool:
            ends = [pool.submit(one, each) for each in range(len(work))]
            self._let_pass(len(work), order)
        return [error for end in ends if (error := end.exception()) is not None]

    def _let_pass(self, number: int, order: Iterator[int]) -> None:
        with self._changed:
            self._changed.wait_for(lambda: len(self._at_gate | self._done) == number, 30)
            while len(self._done) < number:
                moved = self._changed.wait_for(lambda: self._at_gate or len(self._done) == number, 30)
                assert moved, "all wait for each other"
                if not self._at_gate:
                    break
                ready = sorted(self._at_gate)
                chosen = ready[next(order, 0) % len(ready)]
                self._at_gate.discard(chosen)
                self._may_pass.add(chosen)
                self._changed.notify_all()
                self._changed.wait_for(lambda chosen=chosen: chosen in self._at_gate | self._done, LOCKED_SECONDS)

    def gate(self) -> None:
        """Before each statement."""
        number = getattr(self._numbers, "own", None)
        if number is None:
            return
        with self._changed:
            self._at_gate.add(number)
            self._changed.notify_all()
            assert self._changed.wait_for(lambda: number in self._may_pass, 30)
            self._may_pass.discard(number)


@contextmanager
def interleaved(db: Database) -> Iterator[Interleaved]:
    """While this lasts, every statement of the database is a round trip of its own and stops at a gate."""
    threads = Interleaved()
    run, rows = Driver.run, Driver.rows

    def one_at_a_time(driver: Driver, *given: Any, **named: Any) -> None:
        threads.gate()
        run(driver, *given, **named)
        driver.catch_up()

    def read(driver: Driver, *given: Any) -> Any:
        threads.gate()
        return rows(driver, *given)

    def before(*_: Any) -> None:
        threads.gate()

    event.listen(db.writer, "before_cursor_execute", before)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Driver, "run", one_at_a_time)
        patch.setattr(Driver, "rows", read)
        yield threads
    event.remove(db.writer, "before_cursor_execute", before)
