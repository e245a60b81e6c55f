"""SQLite: one file, opened for one visit, that answers nothing but what was read before."""

import sqlite3
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from typing import Any
from urllib.parse import quote

from signoff.kit.settings import Settings
from signoff.tools.connections.database.functions import ALLOWED
from signoff.tools.connections.database.places import SqlitePlace
from signoff.tools.connections.database.rows import MOST_BYTES, Gathering, Rows
from signoff.tools.connections.database.session import (
    MOST_COLUMNS,
    MOST_TABLES,
    refuse_own,
    refuse_too_many,
)
from signoff.tools.registry import ToolFailed

READS = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE})
WRITES = frozenset({sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE})
# How often it is looked whether the time is over, in its own small steps.
STEPS = 10_000
LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 5 * MOST_BYTES,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1_000,
}


class SqliteSession:
    def __init__(self, connection: sqlite3.Connection, *, writes: bool) -> None:
        self._connection = connection
        self._writes = writes

    def rows(self, sql: str, most: int) -> Rows:
        with told(), self._held():
            found = self._connection.execute(sql)
            columns = [each[0] for each in found.description]
            return Gathering(columns, most).take(found)

    def change(self, sql: str) -> int:
        with told():
            with self._held():
                count = self._connection.execute(sql).rowcount
            refuse_too_many(count)
            self._connection.execute("COMMIT")
        return count

    def tables(self) -> list[dict[str, Any]]:
        sql = "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' "
        with told():
            found = self._connection.execute(f"{sql} ESCAPE '\\' ORDER BY name LIMIT ?", (MOST_TABLES,)).fetchall()
        return [{"table": name, "kind": kind} for name, kind in found]

    def columns(self, table: str) -> list[dict[str, Any]]:
        sql = 'SELECT name, type, NOT "notnull" FROM pragma_table_info(?) LIMIT ?'
        with told():
            found = self._connection.execute(sql, (table, MOST_COLUMNS)).fetchall()
        return [
            {"table": table, "column": name, "type": kind.lower(), "nullable": bool(nullable)}
            for name, kind, nullable in found
        ]

    @contextmanager
    def _held(self) -> Generator[None]:
        """SQLite asks for each thing that a statement would do, whatever anybody read in it before."""
        may = READS | WRITES if self._writes else READS

        def allows(action: int, first: str | None, second: str | None, _database: str | None, by: str | None) -> int:
            # What a view or a trigger calls, whoever made the database chose.
            computes = action == sqlite3.SQLITE_FUNCTION and (by is not None or str(second).lower() in ALLOWED)
            is_schema = action in WRITES and str(first).lower().startswith("sqlite_")
            return sqlite3.SQLITE_OK if computes or (action in may and not is_schema) else sqlite3.SQLITE_DENY

        self._connection.set_authorizer(allows)
        try:
            yield
        finally:
            self._connection.set_authorizer(None)


@contextmanager
def visited(place: SqlitePlace, settings: Settings, *, writes: bool, seconds: float) -> Generator[SqliteSession]:
    """Rolled back at the end, whatever happened that was not committed."""
    mode = "rw" if writes else "ro"
    with told():
        address = f"file:{quote(str(place.file(settings)))}?mode={mode}"
        opened = sqlite3.connect(address, uri=True, isolation_level=None, timeout=min(seconds, 5))
    with closing(opened) as connection:
        ends = time.monotonic() + seconds
        connection.set_progress_handler(lambda: time.monotonic() > ends, STEPS)
        for limit, most in LIMITS.items():
            connection.setlimit(limit, most)
        with told():
            # What a file brings along calls nothing that reaches out of it.
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("BEGIN IMMEDIATE" if writes else "BEGIN")
            refuse_own([name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")])
        yield SqliteSession(connection, writes=writes)


@contextmanager
def told() -> Generator[None]:
    """Errors in the database's own words."""
    try:
        yield
    except sqlite3.Error as error:
        if "interrupted" in str(error):
            raise ToolFailed("It took too long and was stopped. Nothing was changed.") from None
        raise ToolFailed(f"The database says: {error}") from None
