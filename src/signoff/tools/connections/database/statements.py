"""Statements as an agent gives them, read before they are run: one, of the kind it says, calling only what computes.

What is run is written anew from what was read, so nothing can hide in the way it is spelt.
"""

import logging
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from signoff.tools.connections.database.functions import ALLOWED
from signoff.tools.registry import ToolFailed

if TYPE_CHECKING:
    from sqlglot.expressions.core import Expr

LONGEST_SQL = 20_000
Dialect = Literal["postgres", "sqlite"]
Verb = Literal["select", "insert", "update", "delete"]
# The operation type of each that writes.
OPERATIONS = {"insert": "create", "update": "modify", "delete": "delete"}


@dataclass(frozen=True)
class Statement:
    """What was read, and how it is run."""

    verb: Verb
    sql: str
    tree: "Expr"
    dialect: Dialect

    @property
    def table(self) -> str:
        """What it writes to, as it names it."""
        target: Any = self.tree.this
        # An INSERT that names its columns has them around its table.
        table = target.this if isinstance(target, _parts().Schema) else target
        return ".".join(part.sql(dialect=self.dialect) for part in getattr(table, "parts", ()))


def reading(sql: str, dialect: Dialect) -> Statement:
    """Exactly one SELECT. Raises ToolFailed for anything else."""
    found = _read(sql, dialect)
    if found.verb != "select":
        raise ToolFailed("This tool runs exactly one SELECT. Use execute to change something.")
    return found


def writing(sql: str, dialect: Dialect) -> Statement:
    """Exactly one INSERT, UPDATE or DELETE. Raises ToolFailed for anything else."""
    found = _read(sql, dialect)
    if found.verb == "select":
        raise ToolFailed("This tool runs exactly one INSERT, UPDATE or DELETE. Use query to read.")
    return found


def operation_of(sql: str, dialect: Dialect) -> str:
    """What a statement does, in the words of rules; the gravest for one that cannot be read."""
    try:
        return OPERATIONS[writing(sql, dialect).verb]
    except ToolFailed:
        return "delete"


def calls_functions(part: "Expr | None") -> bool:
    """Whether anything is called, beyond what compares, joins and converts."""
    exp = _parts()
    plain = (exp.Connector, exp.Case, exp.If, exp.Cast, exp.Coalesce, exp.Exists)
    return part is not None and any(not isinstance(each, plain) for each in part.find_all(exp.Func))


def _read(sql: str, dialect: Dialect) -> Statement:
    if len(sql) > LONGEST_SQL:
        raise ToolFailed(f"A statement has at most {LONGEST_SQL:,} characters.")
    try:
        # Twice: what is looked at is what comes out, not what went in.
        text = _parsed(sql, dialect).sql(dialect=dialect, comments=False)
        tree = _parsed(text, dialect)
    except RecursionError:
        raise ToolFailed("The statement is nested too deep.") from None
    verb = _verb(tree)
    _refuse_more(tree)
    _refuse_functions(tree)
    return Statement(verb, text, tree, dialect)


def _parsed(sql: str, dialect: Dialect) -> "Expr":
    import sqlglot
    from sqlglot.errors import SqlglotError

    try:
        found = [each for each in sqlglot.parse(sql, read=dialect) if each is not None]
    except SqlglotError as error:
        listed: list[dict[str, Any]] = getattr(error, "errors", None) or []
        first = listed[0] if listed else {}
        place = f" at line {first['line']}, column {first['col']}" if first.get("line") else ""
        raise ToolFailed(
            f"This SQL cannot be read{place}: {first.get('description') or 'it is not complete'}."
        ) from None
    if len(found) != 1:
        raise ToolFailed("Give exactly one statement.")
    return found[0]


def _verb(tree: "Expr") -> Verb:
    exp = _parts()
    match tree:
        case exp.Select() | exp.SetOperation() | exp.Subquery():
            return "select"
        case exp.Insert():
            return "insert"
        case exp.Update():
            return "update"
        case exp.Delete():
            return "delete"
        case _:
            raise ToolFailed("Only SELECT, INSERT, UPDATE and DELETE can be run here.")


def _refuse_more(tree: "Expr") -> None:
    """What writes, locks or waits for values anywhere inside of it."""
    exp = _parts()
    inside = (exp.DDL, exp.DML, exp.Command, exp.Set, exp.Pragma, exp.Attach, exp.Copy, exp.Merge, exp.Drop)
    for each in tree.walk():
        if isinstance(each, inside) and each is not tree and not isinstance(each, exp.Query):
            raise ToolFailed("A statement inside of the statement cannot be run here.")
        if isinstance(each, exp.Into | exp.Lock):
            raise ToolFailed("SELECT INTO and FOR UPDATE cannot be run here: this only reads.")
        if isinstance(each, exp.Placeholder | exp.Parameter | exp.SessionParameter):
            raise ToolFailed("Write the values into the statement: there are no parameters here.")
        if isinstance(each, exp.Returning):
            raise ToolFailed("RETURNING cannot be used here: the number of rows comes back.")


def _refuse_functions(tree: "Expr") -> None:
    exp = _parts()
    for each in tree.find_all(exp.Func):
        if isinstance(each.parent, exp.Dot):
            raise ToolFailed(f"Call {each.name or each.sql_name()} without a schema before its name.")
        is_unknown = isinstance(each, exp.Anonymous | exp.AnonymousAggFunc)
        names = [each.name] if is_unknown else each.sql_names()
        if not any(name.lower() in ALLOWED for name in names):
            raise ToolFailed(f"The function {names[0].lower()} cannot be called here.")


@cache
def _parts() -> Any:
    """What a statement is made of; read when the first one comes, since that takes a while."""
    from sqlglot import expressions

    # It tells the log what it cannot read, with all that stands in it. Who gave it is told.
    logging.getLogger("sqlglot").setLevel(logging.ERROR)
    return expressions
