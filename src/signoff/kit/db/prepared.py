"""Statements of the hot path: written in SQLAlchemy Core, compiled once, and handed to the driver itself.

To SQLAlchemy a statement costs 60 to 100 µs each time it runs, to SQLite about 5.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, Generic, TypeAlias, TypeVar, cast

from sqlalchemy import ColumnElement, Float, Select, Table, bindparam, case, insert, inspect, null, select
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Session, make_transient_to_detached
from sqlalchemy.orm.attributes import manager_of_class
from sqlalchemy.sql.base import Executable
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.visitors import cloned_traverse

from signoff.kit.db.driver import Check, Parameters, Row, driver_of

Given: TypeAlias = Mapping[str, Any]
Convert: TypeAlias = Callable[[Any], Any]

M = TypeVar("M", bound=DeclarativeBase)

# PostgreSQL's number for the type of our floats.
DOUBLE = 701
LENGTHS = (1, 8, 64)


@dataclass(frozen=True)
class _Compiled:
    """A statement for one kind of database."""

    sql: str
    # Where parameters go by their place: of each its name and how it is written, or what stands there always.
    slots: tuple[tuple[str | None, Convert | None, Any], ...] | None
    # Where they go by name.
    fixed: dict[str, Any]
    binds: dict[str, Convert]
    results: tuple[Convert | None, ...]

    @classmethod
    def of(cls, statement: Any, dialect: Dialect, keys: Sequence[str] | None) -> "_Compiled":
        made: SQLCompiler = statement.compile(dialect=dialect, column_keys=keys)
        given = {name for name, bind in made.binds.items() if bind.required}
        if made.post_compile_params:
            # A list that stands in the statement is written out, which SQLAlchemy does only if nothing is missing.
            whole: Any = cloned_traverse(statement, {}, {"bindparam": lambda bind: setattr(bind, "required", False)})
            made = whole.compile(dialect=dialect, compile_kwargs={"render_postcompile": True})
        private: Any = made
        binds = {name: convert for name, convert in private._bind_processors.items() if callable(convert)}
        # What stands in the statement itself, such as the states that a move may come from.
        constant = {name: value for name, value in made.params.items() if name not in given}
        fixed = {name: value if name not in binds else binds[name](value) for name, value in constant.items()}
        results = tuple(_result_processor(each.type, dialect) for each in private._result_columns)
        slots = None
        if made.positiontup is not None:
            slots = tuple(
                (None, None, fixed[name]) if name in fixed else (name, binds.get(name), None)
                for name in made.positiontup
            )
        return cls(made.string, slots, fixed, binds, results)

    def parameters(self, given: Given) -> Parameters:
        if self.slots is None:
            binds = self.binds
            return self.fixed | {
                name: value if (convert := binds.get(name)) is None else convert(value) for name, value in given.items()
            }
        return tuple(
            [
                fixed if name is None else given[name] if convert is None else convert(given[name])
                for name, convert, fixed in self.slots
            ]
        )

    def converted(self, row: Row) -> Row:
        return tuple([value if how is None else how(value) for value, how in zip(row, self.results, strict=True)])


def _result_processor(type_: Any, dialect: Dialect) -> Convert | None:
    # Of numbers psycopg's dialect wants to know how PostgreSQL keeps them; ours are all of double precision.
    return type_._cached_result_processor(dialect, DOUBLE if isinstance(type_, Float) else None)


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


class PreparedIn:
    """A select of the rows whose `column` is one of a list. It is compiled for a few lengths only: where a list is
    shorter, its last value stands there once more."""

    def __init__(self, statement: Select[*tuple[Any, ...]], column: ColumnElement[Any]) -> None:
        self._statement, self._column = statement, column
        self._by_length: dict[int, Prepared] = {}

    def rows(self, session: Session, values: Sequence[Any], given: Given = MappingProxyType({})) -> list[Row]:
        found = list[Row]()
        for begin in range(0, len(values), LENGTHS[-1]):
            part = values[begin : begin + LENGTHS[-1]]
            length = next(each for each in LENGTHS if each >= len(part))
            places = {f"in_{at}": part[min(at, len(part) - 1)] for at in range(length)}
            found += self._of(length).rows(session, {**given, **places})
        return found

    def _of(self, length: int) -> Prepared:
        if length not in self._by_length:
            places: list[ColumnElement[Any]] = [bindparam(f"in_{at}") for at in range(length)]
            self._by_length[length] = Prepared(self._statement.where(self._column.in_(places)))
        return self._by_length[length]


class Loader(Generic[M]):
    """Rows as objects of their model that belong to no session: for those who write them back by statements.

    `left_out` are columns that are not read where their condition holds: there they are None. Those that are `put_off`
    there are unknown: the session reads one when it is needed."""

    def __init__(
        self,
        model: type[M],
        *where: ColumnElement[bool],
        order_by: Sequence[Any] = (),
        left_out: Mapping[str, ColumnElement[bool]] | None = None,
        put_off: Mapping[str, ColumnElement[bool]] | None = None,
    ) -> None:
        columns, without = cast("Table", model.__table__).c, {**(left_out or {}), **(put_off or {})}
        self._keys = [column.key for column in columns]
        self._put_off = list(put_off or {})
        self._manager: Any = manager_of_class(model)
        read = [case((without[each.key], null()), else_=each) if each.key in without else each for each in columns]
        unread = [case((each, 1), else_=0) for each in (put_off or {}).values()]
        self._select = Prepared(select(*read, *unread).where(*where).order_by(*order_by))

    def all(self, session: Session, given: Given) -> list[M]:
        return [self._made(row) for row in self._select.rows(session, given)]

    def first(self, session: Session, given: Given) -> M | None:
        row = self._select.first(session, given)
        return None if row is None else self._made(row)

    def in_session(self, session: Session, given: Given) -> list[M]:
        """The same as objects of the session, which writes what changes in them. It has none of them yet."""
        found = self.all(session, given)
        for each in found:
            _join(session, each)
        return found

    def _made(self, row: Row) -> M:
        instance: Any = self._manager.new_instance()
        values, here = instance.__dict__, len(self._keys)
        values.update(zip(self._keys, row[:here], strict=True))
        for key, is_unread in zip(self._put_off, row[here:], strict=True):
            if is_unread:
                del values[key]
        return instance


class Getter(Generic[M]):
    """What `session.get` does, at a third of its cost: the row becomes an object of the session."""

    def __init__(self, model: type[M]) -> None:
        self._mapper: Any = inspect(model)
        self._row = Loader(model, cast("Table", model.__table__).c.id == bindparam("id"))

    def __call__(self, session: Session, row_id: str) -> M | None:
        known: M | None = session.identity_map.get(self._mapper.identity_key_from_primary_key((row_id,)))
        if known is not None:
            return known
        found = self._row.first(session, {"id": row_id})
        if found is not None:
            _join(session, found)
        return found


def row_of(instance: DeclarativeBase) -> Given:
    """A new object as the row that an insert wants, with its model's defaults where it says nothing."""
    values = instance.__dict__
    return {key: values[key] if key in values else default() for key, default in _defaults(type(instance)).items()}


def insert_into_session(session: Session, insert_row: Prepared, instance: DeclarativeBase) -> None:
    """Insert a new object by a prepared statement. From then on it belongs to the session, as if that had done it."""
    row = row_of(instance)
    insert_row.run(session, row)
    cast("dict[str, Any]", instance.__dict__).update(row)
    _join(session, instance)


def _join(session: Session, stored: DeclarativeBase) -> None:
    """From here on the session knows an object whose row is stored, and writes what changes in it."""
    make_transient_to_detached(stored)
    session.add(stored)


@cache
def _defaults(model: type[DeclarativeBase]) -> dict[str, Callable[[], Any]]:
    return {column.key: _default(column) for column in cast("Table", model.__table__).c}


def _default(column: Any) -> Callable[[], Any]:
    default = column.default
    if default is None:
        return lambda: None
    return (lambda: default.arg(None)) if default.is_callable else (lambda: default.arg)
