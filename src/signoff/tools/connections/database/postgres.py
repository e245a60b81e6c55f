"""PostgreSQL: a connection for one visit, to an address that was looked at."""

import json
import os
import socket
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from decimal import Decimal
from typing import Any

import psycopg

from signoff.kit.settings import Settings
from signoff.tools.connections.addresses import looked_up
from signoff.tools.connections.database.places import PostgresPlace
from signoff.tools.connections.database.rows import LONGEST_ROW, Gathering, Rows
from signoff.tools.connections.database.session import (
    MOST_COLUMNS,
    MOST_TABLES,
    OUR_TABLES,
    refuse_own,
    refuse_too_many,
)
from signoff.tools.registry import ToolFailed

CONNECT_SECONDS = 5
# Without any, the server's own would be looked for in its environment.
NO_PASSWORD = "-"  # noqa: S105
THEIR_OWN = ("pg_catalog", "information_schema", "pg_toast")


class PostgresSession:
    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def rows(self, sql: str, most: int) -> Rows:
        with told():
            columns = self._columns_of(sql)
            found = self._run(
                # Rows are made into texts there: how long one is, is known before it travels.
                f"SELECT CASE WHEN octet_length(line) <= {LONGEST_ROW} THEN line END FROM "  # noqa: S608
                f"(SELECT row_to_json(found)::text AS line FROM ({sql}\n) AS found LIMIT {most + 1}) AS lines"
            )
            return Gathering(columns, most).take(_unpacked(found, columns))

    def change(self, sql: str) -> int:
        with told():
            count = self._run(sql).rowcount
        refuse_too_many(count)
        # Whether it was committed when this fails, nobody knows: that is no ToolFailed.
        self._connection.commit()
        return count

    def tables(self) -> list[dict[str, Any]]:
        sql = (
            "SELECT table_schema, table_name, table_type FROM information_schema.tables "
            "WHERE NOT table_schema = ANY(%s) ORDER BY 1, 2 LIMIT %s"
        )
        with told():
            found = self._connection.execute(sql, (list(THEIR_OWN), MOST_TABLES)).fetchall()
        return [{"table": _named(schema, name), "kind": kind.lower()} for schema, name, kind in found]

    def columns(self, table: str) -> list[dict[str, Any]]:
        schema, _, name = table.rpartition(".")
        sql = (
            "SELECT table_schema, column_name, data_type, is_nullable = 'YES' FROM information_schema.columns "
            "WHERE table_name = %s AND (%s = '' OR table_schema = %s) AND NOT table_schema = ANY(%s) "
            "ORDER BY table_schema, ordinal_position LIMIT %s"
        )
        with told():
            given = (name, schema, schema, list(THEIR_OWN), MOST_COLUMNS)
            found = self._connection.execute(sql, given).fetchall()
        return [
            {"table": _named(schema, name), "column": column, "type": kind, "nullable": nullable}
            for schema, column, kind, nullable in found
        ]

    def _columns_of(self, sql: str) -> list[str]:
        described = self._run(f"SELECT * FROM ({sql}\n) AS found LIMIT 0").description or []  # noqa: S608
        names = [each.name for each in described]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ToolFailed(f"Two columns are named {twice}: give each a name of its own with AS.")
        return names

    def _run(self, sql: str) -> psycopg.Cursor[Any]:
        """Prepared there, which takes one statement and no more."""
        return self._connection.execute(sql.encode(), prepare=True)


@contextmanager
def visited(
    place: PostgresPlace, password: str, settings: Settings, *, writes: bool, seconds: float
) -> Generator[PostgresSession]:
    """Rolled back at the end, whatever happened that was not committed."""
    address = looked_up(settings, place.host, place.port)
    connection = _connected(place, password, address)
    try:
        with _cut_after(connection, seconds + CONNECT_SECONDS):
            with told():
                connection.read_only = not writes
                if not writes:
                    connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
                _set_bounds(connection, seconds)
                _refuse_own(connection)
            yield PostgresSession(connection)
    finally:
        connection.close()


def _connected(place: PostgresPlace, password: str, address: str) -> psycopg.Connection[Any]:
    try:
        return psycopg.connect(
            host=place.host,
            hostaddr=address,
            port=place.port,
            user=place.user,
            password=password or NO_PASSWORD,
            dbname=place.database,
            sslmode=place.ssl_mode,
            # Nothing that lies about on the server is shown to whoever answers there.
            passfile=os.devnull,
            gssencmode="disable",
            connect_timeout=CONNECT_SECONDS,
            application_name="signoff",
        )
    except psycopg.Error as error:
        raise ToolFailed(f"Could not connect to {place.host}:{place.port}: {_first_line(error)}") from None


def _set_bounds(connection: psycopg.Connection[Any], seconds: float) -> None:
    """For this transaction only: a pool on the way may give the connection to others."""
    milliseconds = str(round(seconds * 1000))
    names = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
    # Texts end for the database where they ended for whoever read the statement before.
    for name, value in [*((name, milliseconds) for name in names), ("standard_conforming_strings", "on")]:
        connection.execute("SELECT set_config(%s, %s, true)", (name, value))


def _refuse_own(connection: psycopg.Connection[Any]) -> None:
    sql = (
        "SELECT array_agg(relname::text) FROM pg_catalog.pg_class WHERE relkind IN ('r', 'p') AND relname = ANY(%s) "
        "GROUP BY relnamespace"
    )
    for (names,) in connection.execute(sql, (sorted(OUR_TABLES),)).fetchall():
        refuse_own(names)


@contextmanager
def _cut_after(connection: psycopg.Connection[Any], seconds: float) -> Generator[None]:
    """Who answers a byte at a time must not keep a thread for ever: whatever is read or written then fails."""

    def cut() -> None:
        with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(connection.fileno())) as wire:
            wire.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def told() -> Generator[None]:
    """Errors in the database's own words."""
    try:
        yield
    except psycopg.errors.QueryCanceled:
        raise ToolFailed("It took too long and was stopped. Nothing was changed.") from None
    except psycopg.Error as error:
        raise ToolFailed(f"The database says: {_first_line(error)}") from None


def _unpacked(found: psycopg.Cursor[Any], columns: list[str]) -> Iterator[list[Any] | None]:
    for (line,) in found:
        row = None if line is None else json.loads(line, parse_float=Decimal)
        yield None if row is None else [row.get(each) for each in columns]


def _named(schema: str, name: str) -> str:
    return name if schema == "public" else f"{schema}.{name}"


def _first_line(error: psycopg.Error) -> str:
    primary = error.diag.message_primary
    return primary or (str(error).strip().splitlines() or [type(error).__name__])[0]
