"""Statements of the hot path: written in SQLAlchemy Core, compiled once, and handed to the driver itself.

To SQLAlchemy a statement costs 60 to 100 µs each time it runs, to SQLite about 5. On PostgreSQL a round trip is what
costs: statements that give nothing back wait and travel together with the next one that does, or with the commit.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar, cast

from sqlalchemy import ColumnElement, Connection, Table, exc, insert, select
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Session
from sqlalchemy.orm.attributes import manager_of_class
from sqlalchemy.sql.base import Executable
from sqlalchemy.sql.compiler import SQLCompiler

Row: TypeAlias = tuple[Any, ...]
Given: TypeAlias = Mapping[str, Any]
Convert: TypeAlias = Callable[[Any], Any]
Parameters: TypeAlias = Any
Check: TypeAlias = Callable[[int], None]

M = TypeVar("M", bound=DeclarativeBase)

KEY = "driver"


@dataclass(frozen=True)
class _Waiting:
    sql: str
    parameters: Parameters
    check: Check | None = None

    @property
    def many(self) -> bool:
        return type(self.parameters) is list


def _look_at(sent: list[tuple[Any, Check]]) -> None:
    for cursor, check in sent:
        check(cursor.rowcount)


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
        if not self.connection.invalidated:
            self.raw.rollback()

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

    def _send_waiting(self) -> list[tuple[Any, Check]]:
        """Those that have to be looked at, once all have run."""
        waiting, self._waiting = self._waiting, []
        cursor, sent = self.raw.cursor(), list[tuple[Any, Check]]()
        for each in waiting:
            if each.check is not None:
                cursor = self.raw.cursor()
                sent.append((cursor, each.check))
            if each.many:
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


@dataclass(frozen=True)
class _Compiled:
    """A statement for one kind of database."""

    sql: str
    positions: tuple[str, ...] | None
    fixed: dict[str, Any]
    binds: dict[str, Convert]
    results: tuple[Convert | None, ...]

    @classmethod
    def of(cls, statement: Any, dialect: Dialect, keys: Sequence[str] | None) -> "_Compiled":
        made: SQLCompiler = statement.compile(
            dialect=dialect, column_keys=keys, compile_kwargs={"render_postcompile": True}
        )
        private: Any = made
        binds = {name: convert for name, convert in private._bind_processors.items() if callable(convert)}
        # What stands in the statement itself, such as the states that a move may come from.
        constant = {name: value for name, value in made.params.items() if not _is_given(made, name)}
        fixed = {name: value if name not in binds else binds[name](value) for name, value in constant.items()}
        results = tuple(each.type._cached_result_processor(dialect, None) for each in private._result_columns)
        positions = None if made.positiontup is None else tuple(made.positiontup)
        return cls(made.string, positions, fixed, binds, results)

    def parameters(self, given: Given) -> Parameters:
        binds = self.binds
        values = self.fixed | {
            name: value if (convert := binds.get(name)) is None else convert(value) for name, value in given.items()
        }
        return values if self.positions is None else tuple([values[name] for name in self.positions])

    def converted(self, row: Row) -> Row:
        return tuple([value if how is None else how(value) for value, how in zip(row, self.results, strict=True)])


def _is_given(made: SQLCompiler, name: str) -> bool:
    bind = made.binds.get(name)
    return bind is not None and bind.required


class Prepared:
    """A Core statement that is compiled when it first runs. Columns only: it makes no objects of the ORM."""

    def __init__(self, statement: Executable, keys: Sequence[str] | None = None) -> None:
        self._statement = statement
        self._keys = keys
        self._compiled: dict[str, _Compiled] = {}

    @classmethod
    def insert(cls, into: Table) -> "Prepared":
        """Rows that name every column: defaults of the model do not apply."""
        return cls(insert(into), [column.key for column in into.c])

    def run(self, session: Session, given: Given | Sequence[Given], check: Check | None = None) -> None:
        """Once, or once for each of a list; nothing comes back. `check` gets the number of rows before the commit."""
        driver = driver_of(session)
        made = self._for(driver.dialect)
        if isinstance(given, Mapping):
            driver.run(made.sql, made.parameters(given), check)
        elif len(given) == 1:
            driver.run(made.sql, made.parameters(given[0]), check)
        elif given:
            driver.run(made.sql, [made.parameters(each) for each in given], check)

    def rows(self, session: Session, given: Given) -> list[Row]:
        driver = driver_of(session)
        made = self._for(driver.dialect)
        found = driver.rows(made.sql, made.parameters(given))
        return [made.converted(row) for row in found]

    def first(self, session: Session, given: Given) -> Row | None:
        found = self.rows(session, given)
        return found[0] if found else None

    def scalar(self, session: Session, given: Given) -> Any:
        found = self.first(session, given)
        return None if found is None else found[0]

    def _for(self, dialect: Dialect) -> _Compiled:
        found = self._compiled.get(dialect.name)
        if found is None:
            found = self._compiled[dialect.name] = _Compiled.of(self._statement, dialect, self._keys)
        return found


class Loader(Generic[M]):
    """Rows as objects of their model that belong to no session: for those who write them back by statements."""

    def __init__(
        self, model: type[M], *where: ColumnElement[bool], order_by: Sequence[ColumnElement[Any]] = ()
    ) -> None:
        columns = cast("Table", model.__table__).c
        self._keys = [column.key for column in columns]
        self._manager: Any = manager_of_class(model)
        self._select = Prepared(select(*columns).where(*where).order_by(*order_by))

    def all(self, session: Session, given: Given) -> list[M]:
        return [self._made(row) for row in self._select.rows(session, given)]

    def first(self, session: Session, given: Given) -> M | None:
        row = self._select.first(session, given)
        return None if row is None else self._made(row)

    def _made(self, row: Row) -> M:
        instance: Any = self._manager.new_instance()
        instance.__dict__.update(zip(self._keys, row, strict=True))
        return instance
