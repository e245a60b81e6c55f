"""A transaction on the driver's own connection, with what SQLAlchemy runs in between in its right place.

On PostgreSQL a round trip is what costs: statements that give nothing back wait, and travel together with the next one
that does, or with the commit.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from sqlalchemy import Connection, exc
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import Session

Row: TypeAlias = tuple[Any, ...]
Parameters: TypeAlias = Any
Check: TypeAlias = Callable[[int], None]

KEY = "driver"


@dataclass(frozen=True)
class _Waiting:
    sql: str
    parameters: Parameters
    check: Check | None = None

    @property
    def many(self) -> bool:
        return type(self.parameters) is list


def _look_at(sent: list[tuple[list[Any], Check]]) -> None:
    for cursors, check in sent:
        check(sum(cursor.rowcount for cursor in cursors))


class Driver:
    """One transaction on the driver's own connection. What SQLAlchemy runs in between keeps its place in the order."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.dialect: Dialect = connection.dialect
        self.is_sqlite = self.dialect.name == "sqlite"
        self.raw: Any = connection.connection.dbapi_connection
        self._waiting: list[_Waiting] = []
        connection.info[KEY] = self

    def begin(self) -> None:
        self.run("BEGIN IMMEDIATE" if self.is_sqlite else "BEGIN", None)

    def commit(self) -> None:
        if any(each.check for each in self._waiting):
            # What must hold is looked at before it counts.
            self.catch_up()
        self._waiting.append(_Waiting("COMMIT", None))
        self.catch_up()

    def rollback(self) -> None:
        """Also after an error, where nothing is known of how far it came."""
        self._waiting.clear()
        if self.connection.invalidated:
            return
        try:
            self.raw.rollback()
        except self.dialect.loaded_dbapi.Error as error:
            # What went wrong before is what counts; the server undoes what a lost connection began.
            self.connection.invalidate(error)

    def close(self) -> None:
        self._waiting.clear()
        if not self.connection.invalidated:
            self.connection.info.pop(KEY, None)

    def run(self, sql: str, parameters: Parameters, check: Check | None = None) -> None:
        """Nothing comes back, so on PostgreSQL nobody needs to wait for it. `check` gets the number of rows, and is
        called before the commit."""
        self._waiting.append(_Waiting(sql, parameters, check))
        if self.is_sqlite:
            self.catch_up()

    def rows(self, sql: str, parameters: Parameters) -> list[Row]:
        try:
            if self.is_sqlite:
                return self.raw.execute(sql, parameters).fetchall()
            cursor = self.raw.cursor()
            if not self._waiting:
                cursor.execute(sql, parameters)
                return cursor.fetchall()
            with self.raw.pipeline():
                sent = self._send_waiting()
                cursor.execute(sql, parameters)
            found = cursor.fetchall()
        except self.dialect.loaded_dbapi.Error as error:
            raise self._wrapped(error, sql) from error
        _look_at(sent)
        return found

    def catch_up(self) -> None:
        """Run what waits."""
        if not self._waiting:
            return
        first = self._waiting[0].sql
        try:
            if self.is_sqlite or len(self._waiting) == 1:
                sent = self._send_waiting()
            else:
                with self.raw.pipeline():
                    sent = self._send_waiting()
        except self.dialect.loaded_dbapi.Error as error:
            raise self._wrapped(error, first) from error
        _look_at(sent)

    def _send_waiting(self) -> list[tuple[list[Any], Check]]:
        """Those that have to be looked at, once all have run."""
        waiting, self._waiting = self._waiting, []
        cursor, sent = self.raw.cursor(), list[tuple[list[Any], Check]]()
        for each in waiting:
            if each.check is not None:
                # In a pipeline psycopg counts what one execution changed, not what many did.
                single = [each.parameters] if not each.many else each.parameters
                sent.append(([self.raw.cursor().execute(each.sql, given) for given in single], each.check))
            elif each.many:
                cursor.executemany(each.sql, each.parameters)
            elif each.parameters is None:
                cursor.execute(each.sql)
            else:
                cursor.execute(each.sql, each.parameters)
        return sent

    def _wrapped(self, error: Exception, sql: str) -> exc.DBAPIError:
        """The error as SQLAlchemy would raise it; a broken connection does not go back to the pool."""
        broken = self.dialect.is_disconnect(cast("Any", error), self.raw, None)
        if broken:
            self.connection.invalidate(error)
        wrapped = exc.DBAPIError.instance(
            sql,
            None,
            error,
            cast("Any", self.dialect.loaded_dbapi.Error),
            hide_parameters=True,
            connection_invalidated=broken,
            dialect=self.dialect,
        )
        return cast("exc.DBAPIError", wrapped)


def catch_up(connection: Connection, *_: Any) -> None:
    """For SQLAlchemy's `before_cursor_execute`: what waits comes first."""
    driver: Driver | None = connection.info.get(KEY)
    if driver is not None:
        driver.catch_up()


def driver_of(session: Session) -> Driver:
    found: Driver | None = session.info.get(KEY)
    if found is None:
        # A read, or a session of a test's own: SQLAlchemy began the transaction, and ends it.
        connection = session.connection()
        found = session.info[KEY] = Driver(connection)
        connection.info.pop(KEY)
    return found
