"""One database, two kinds: a unit of work is a plain function on a Session, run in one hop.

On SQLite all writes of a process go through one connection under one lock, so nobody sleeps in the busy
handler; reads use their own connections and never take the lock. On PostgreSQL both come from a pool.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from operator import methodcaller
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session, configure_mappers

from signoff.kit import jsons, private_files
from signoff.kit.db.driver import KEY as DRIVER
from signoff.kit.db.driver import Driver, catch_up
from signoff.kit.db.unavailable import is_full

T = TypeVar("T")
Work = Callable[[Session], T]

BUSY_MILLISECONDS = 30_000
POSTGRES_THREADS = 12
STALLED_SECONDS = 15
CONNECT_SECONDS = 10
FULL_SECONDS = 30
JSON: dict[str, Any] = {"json_serializer": jsons.to_store, "json_deserializer": jsons.stored}
# A text that is no UTF-8 (somebody wrote into the file) is shown with marks instead of ending every list it is in.
READ_TEXT = methodcaller("decode", "utf-8", "replace")


@dataclass
class Commit:
    """What a transaction leaves behind for those who listen; collected in `session.info`."""

    workspaces: set[str] = field(default_factory=set[str])
    # Runs that are ready now.
    woken_runs: set[str] = field(default_factory=set[str])
    # Runs that a person paused or ended: who works on one should look up.
    halted_runs: set[str] = field(default_factory=set[str])
    # Another process wrote, and nothing more is known.
    from_elsewhere: bool = False
    # The clock has something to do at this time.
    due: datetime | None = None
    # Somebody is to be reached outside the app, or a message there to be changed.
    tells: bool = False
    # Ways to reach people were set up, changed or removed.
    channels_changed: bool = False

    @property
    def quiet(self) -> bool:
        return not (self.workspaces or self.woken_runs or self.tells or self.channels_changed)


Listener = Callable[[Commit], None]
# Run just before the commit, in this order: what must be written last, under the workspace's lock.
Finisher = Callable[[Session], None]


def commit_of(session: Session) -> Commit:
    """What the current transaction will announce."""
    return session.info.setdefault("commit", Commit())


class Database:
    """Opens transactions, and tells listeners after each commit."""

    def __init__(self, url: str, finishers: tuple[Finisher, ...] = ()) -> None:
        # Else the first query of the ORM does it, and what prepared statements load before has no attributes.
        configure_mappers()
        self.url = make_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.listeners: list[Listener] = []
        self._finishers = finishers
        self._lock = threading.Lock() if self.is_sqlite else None
        self._durable = False
        self._full_until = 0.0
        if self.is_sqlite:
            if self.url.database:
                private_files.folder(Path(self.url.database).parent)
            self.reader = _sqlite_engine(self.url.render_as_string(hide_password=False), "BEGIN", pool_size=8)
            self.writer = _sqlite_engine(self.url.render_as_string(hide_password=False), "BEGIN IMMEDIATE", pool_size=1)
        else:
            self.writer = create_engine(
                _impatient(self.url),
                pool_size=POSTGRES_THREADS,
                max_overflow=20,
                pool_pre_ping=False,
                **JSON,
            )
            event.listen(self.writer, "connect", _bound_transactions)
            event.listen(self.writer, "before_cursor_execute", catch_up)
            # A read is one statement or more on a snapshot each: no BEGIN and COMMIT round trips.
            self.reader = self.writer.execution_options(isolation_level="AUTOCOMMIT")
        # The asynchronous sides hand over whole transactions; SQLite's writer is one anyway.
        self._write_threads = ThreadPoolExecutor(1 if self.is_sqlite else POSTGRES_THREADS, "signoff-write")
        self._read_threads = ThreadPoolExecutor(4, "signoff-read")

    def read(self, work: Work[T]) -> T:
        """Run a query function."""
        with Session(self.reader, expire_on_commit=False, autoflush=False) as session:
            return work(session)

    def write(self, work: Work[T], *, durable: bool = False) -> T:
        """Run a function in one transaction: all of it is committed, or nothing. Listeners hear of it afterwards.

        `durable` survives a power cut, too (SQLite then syncs the file at this commit).
        """
        try:
            if self._lock is None:
                result, commit = self._transaction(work)
            else:
                with self._lock:
                    self._set_durability(durable)
                    result, commit = self._transaction(work)
        except (DBAPIError, OSError) as error:
            if is_full(error):
                self._full_until = time.monotonic() + FULL_SECONDS
            raise
        self._full_until = 0.0
        if not commit.quiet:
            self.announce(commit)
        return result

    @property
    def is_full(self) -> bool:
        """Whether the last write found no room. Nobody may have tried since, so it is not believed for long."""
        return time.monotonic() < self._full_until

    async def aread(self, work: Work[T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._read_threads, self.read, work)

    async def awrite(self, work: Work[T], *, durable: bool = False) -> T:
        def hop() -> T:
            return self.write(work, durable=durable)

        return await asyncio.get_running_loop().run_in_executor(self._write_threads, hop)

    async def ahop(self, work: Callable[[], T]) -> T:
        """Several transactions in one hop, in the thread that writes."""
        return await asyncio.get_running_loop().run_in_executor(self._write_threads, work)

    def announce(self, commit: Commit) -> None:
        """Tell this process what was committed, here or in another process."""
        for listener in self.listeners:
            listener(commit)

    def data_version(self) -> int:
        """SQLite's counter of commits by others; commits of this process do not change it."""
        assert self._lock is not None
        with self._lock:
            connection = self.writer.raw_connection()
            try:
                return connection.cursor().execute("PRAGMA data_version").fetchone()[0]
            finally:
                connection.close()

    def close(self) -> None:
        self._write_threads.shutdown(wait=True, cancel_futures=True)
        self._read_threads.shutdown(wait=True, cancel_futures=True)
        self.reader.dispose()
        self.writer.dispose()

    def _transaction(self, work: Work[T]) -> tuple[T, Commit]:
        """Begun and ended by the driver itself: SQLAlchemy's own way costs more than what happens in between."""
        with (self.writer if self.is_sqlite else self.reader).connect() as connection:
            driver = Driver(connection)
            try:
                driver.begin()
                info = {DRIVER: driver}
                with Session(connection, expire_on_commit=False, autoflush=False, info=info) as session:
                    result = work(session)
                    session.flush()
                    for finish in self._finishers:
                        finish(session)
                    driver.commit()
                    return result, commit_of(session)
            except BaseException:
                driver.rollback()
                raise
            finally:
                driver.close()

    def _set_durability(self, durable: bool) -> None:
        """NORMAL survives every crash of a process; FULL a power cut as well. Switched only when it changes."""
        if durable == self._durable:
            return
        connection = self.writer.raw_connection()
        try:
            connection.cursor().execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
        finally:
            connection.close()
        self._durable = durable


def _impatient(url: URL) -> URL:
    """A server that does not answer is away, unless the address says how long to wait for it."""
    wanted = {} if "connect_timeout" in url.query else {"connect_timeout": str(CONNECT_SECONDS)}
    return url.update_query_dict(wanted)


def _bound_transactions(connection: Any, _record: Any) -> None:
    """A process that is stopped in the middle of a transaction must not keep a workspace's lock for ever."""
    connection.autocommit = True
    connection.execute(f"SET idle_in_transaction_session_timeout = '{STALLED_SECONDS}s'")
    # What is open is in memory or on an SSD. Priced as a spinning disk, walking over all that is settled looks cheaper
    # than an index of what is open.
    connection.execute("SET random_page_cost = 1.1")
    connection.autocommit = False


def _sqlite_engine(url: str, begin: str, pool_size: int) -> Engine:
    engine = create_engine(
        url,
        pool_size=pool_size,
        max_overflow=0 if begin == "BEGIN IMMEDIATE" else 40,
        connect_args={"check_same_thread": False, "timeout": BUSY_MILLISECONDS / 1000},
        **JSON,
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:  # pyright: ignore[reportUnusedFunction]
        # The driver must not open transactions by itself: we do, with the right kind of BEGIN.
        connection.isolation_level = None
        connection.text_factory = READ_TEXT
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "temp_store=MEMORY"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def start(connection: Any) -> None:  # pyright: ignore[reportUnusedFunction]
        if DRIVER not in connection.info:
            connection.exec_driver_sql(begin)

    return engine
