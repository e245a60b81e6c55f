"""A database as a connection: questions in SQL, its tables, and single statements that write."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from pydantic import Field

from signoff.kit.errors import FieldError
from signoff.kit.jsons import JsonObject
from signoff.kit.settings import Settings
from signoff.kit.text.secret_values import without_secrets
from signoff.policy.impact import Impact, ImpactKind
from signoff.tools.connections.database import sqlite
from signoff.tools.connections.database.places import DatabaseSettings, PostgresPlace
from signoff.tools.connections.database.preview import rows_touched
from signoff.tools.connections.database.rows import DEFAULT_ROWS, MOST_ROWS
from signoff.tools.connections.database.session import (
    PREVIEW_SECONDS,
    READ_SECONDS,
    WRITE_SECONDS,
    Session,
)
from signoff.tools.connections.database.statements import Dialect, operation_of, reading, writing
from signoff.tools.connections.own_tools import own_tool
from signoff.tools.connections.port import Connected
from signoff.tools.connections.settings_check import problems_of
from signoff.tools.effects import NoPreview, Preview
from signoff.tools.egress import host_of
from signoff.tools.registry import Tool, ToolContext, ToolFailed

PASSWORD = "password"  # noqa: S105
Sql = Annotated[str, Field(min_length=1, max_length=20_000)]
Limit = Annotated[int, Field(ge=1, le=MOST_ROWS)]
IMPACTS = {
    "insert": ((ImpactKind.CANNOT_BE_UNDONE,), "Adds rows to"),
    "update": ((ImpactKind.OVERWRITES, ImpactKind.CANNOT_BE_UNDONE), "Changes rows of"),
    "delete": ((ImpactKind.CANNOT_BE_UNDONE,), "Deletes rows of"),
}


class DatabaseKind:
    kind = "database"
    secret_names: frozenset[str] | None = frozenset({PASSWORD})

    def check(self, settings: JsonObject) -> list[FieldError]:
        return problems_of(DatabaseSettings, settings)

    def test(self, connection: Connected, settings: Settings) -> str | None:
        """Open it, and see what tables there are."""
        try:
            with DatabaseTools(connection).visited(settings) as session:
                session.tables()
        except ToolFailed as error:
            return str(error)
        return None

    def host(self, settings: JsonObject) -> str | None:
        place = DatabaseSettings.model_validate(settings).place
        return host_of(f"//{place.host}") or place.host if isinstance(place, PostgresPlace) else None

    def tools(self, connection: Connected) -> list[Tool]:
        return DatabaseTools(connection).all()


class DatabaseTools:
    """What can be done with one database."""

    def __init__(self, connection: Connected) -> None:
        self._connection = connection
        self._place = DatabaseSettings.model_validate(connection.settings).place
        self._dialect: Dialect = "postgres" if isinstance(self._place, PostgresPlace) else "sqlite"

    def all(self) -> list[Tool]:
        name = self._connection.name
        return [
            own_tool(
                self._connection,
                "query",
                operation_type="query",
                risk="low",
                idempotent=True,
                title=f"Query {name}: {{sql}}",
            )(self.query),
            own_tool(
                self._connection,
                "describe",
                operation_type="read",
                risk="low",
                idempotent=True,
                title=f"Look at the tables of {name}",
            )(self.describe),
            own_tool(
                self._connection,
                "execute",
                operation_type="modify",
                operation_of=self.operation,
                risk="high",
                title=f"Change {name}: {{sql}}",
                impact=self.impact,
                preview=self.preview,
            )(self.execute),
        ]

    def query(self, context: ToolContext, sql: Sql, limit: Limit = DEFAULT_ROWS) -> JsonObject:
        """Ask the database: exactly one SELECT, without functions that do more than compute. Use describe first."""
        statement = reading(sql, self._dialect)
        with self.visited(context.settings) as session:
            return session.rows(statement.sql, limit).to_json()

    def describe(self, context: ToolContext, table: Annotated[str, Field(max_length=200)] = "") -> JsonObject:
        """The tables of the database; with a table its columns."""
        with self.visited(context.settings) as session:
            found = session.columns(table) if table else session.tables()
        if table and not found:
            raise ToolFailed(f"There is no table {table}.")
        return {"dialect": self._dialect, "columns" if table else "tables": found}

    def execute(self, context: ToolContext, sql: Sql) -> JsonObject:
        """Change the database: exactly one INSERT, UPDATE or DELETE, in one transaction."""
        statement = writing(sql, self._dialect)
        with self.visited(context.settings, writes=True, seconds=WRITE_SECONDS) as session:
            return {"affected": session.change(statement.sql)}

    def operation(self, arguments: JsonObject) -> str:
        return operation_of(str(arguments.get("sql", "")), self._dialect)

    def impact(self, arguments: JsonObject, _folder: Path) -> Impact:
        statement = writing(str(arguments["sql"]), self._dialect)
        kinds, does = IMPACTS[statement.verb]
        every = statement.verb != "insert" and statement.tree.args.get("where") is None
        words = f"{does.replace('rows', 'every row', 1) if every else does} {statement.table}"
        return Impact(kinds, f"{words} in {self._connection.name}, cannot be undone")

    def preview(self, context: ToolContext, arguments: JsonObject) -> Preview:
        try:
            statement = writing(str(arguments["sql"]), self._dialect)
            with self.visited(context.settings, seconds=PREVIEW_SECONDS) as session:
                return rows_touched(session, statement)
        except ToolFailed as error:
            raise NoPreview(str(error)) from None

    @contextmanager
    def visited(self, settings: Settings, *, writes: bool = False, seconds: float = READ_SECONDS) -> Generator[Session]:
        """Raises ToolFailed in words that hold no secret."""
        secrets = self._connection.secrets()
        try:
            if isinstance(self._place, PostgresPlace):
                # Its driver is loaded only where somebody has such a database.
                from signoff.tools.connections.database import postgres

                password = secrets.get(PASSWORD, "")
                with postgres.visited(self._place, password, settings, writes=writes, seconds=seconds) as session:
                    yield session
            else:
                with sqlite.visited(self._place, settings, writes=writes, seconds=seconds) as session:
                    yield session
        except ToolFailed as error:
            raise ToolFailed(without_secrets(secrets.values(), str(error))) from None
