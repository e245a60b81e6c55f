"""What an UPDATE or a DELETE would touch: counted and sampled by a SELECT with the same table and condition."""

from typing import Any

from signoff.kit.jsons import JsonObject
from signoff.tools.connections.database.rows import Rows
from signoff.tools.connections.database.session import MOST_CHANGED, Session
from signoff.tools.connections.database.statements import Statement, calls_functions
from signoff.tools.effects import NoPreview, Preview

SAMPLE = 5
MOST_COLUMNS, LONGEST_CELL = 40, 300
# Behind the columns of the table stand those that an UPDATE would put there.
NEW = "signoff_new_"
WRITES = {"update": "Changes", "delete": "Deletes"}
# What of a statement can be counted; with anything more it touches other rows than its condition says.
COUNTABLE = frozenset({"this", "expressions", "where"})


def rows_touched(session: Session, statement: Statement) -> Preview:
    """Raises NoPreview for what cannot be counted, ToolFailed for what the database refuses."""
    _refuse_uncountable(statement)
    new = _new_values(statement)
    source = _source(statement)
    counted = session.rows(f"SELECT COUNT(*) AS n FROM (SELECT 1 {source} LIMIT {MOST_CHANGED + 1}) AS touched", 1)  # noqa: S608
    count = int(counted.rows[0][0])
    more = "".join(f", {value} AS {NEW}{place}" for place, (_, value) in enumerate(new))
    sample = session.rows(f"SELECT *{more} {source} ORDER BY 1 LIMIT {SAMPLE}", SAMPLE)
    is_more = count > MOST_CHANGED
    rows = f"more than {MOST_CHANGED:,} rows" if is_more else f"{count:,} {'row' if count == 1 else 'rows'}"
    return Preview(
        "rows",
        f"{WRITES[statement.verb]} {rows} of {statement.table}",
        {
            "statement": statement.sql,
            "table": statement.table,
            "count": min(count, MOST_CHANGED),
            "more": is_more,
            **_shown(sample, [name for name, _ in new]),
        },
    )


def _refuse_uncountable(statement: Statement) -> None:
    tree = statement.tree
    if statement.verb not in WRITES:
        raise NoPreview("Only a plain UPDATE or DELETE can be counted before it happens.")
    if {name for name, value in tree.args.items() if value} - COUNTABLE or tree.this.args.get("joins"):
        raise NoPreview("It joins other tables or says more than a condition, so it cannot be counted before.")
    if calls_functions(tree.args.get("where")):
        raise NoPreview("Its condition calls functions, which may find something else when it happens.")


def _new_values(statement: Statement) -> list[tuple[str, str]]:
    """The columns that an UPDATE sets and what to, where that can be told before."""
    if statement.verb != "update":
        return []
    found = list[tuple[str, str]]()
    for each in statement.tree.expressions:
        column, value = each.this, each.expression
        if type(each).__name__ != "EQ" or type(column).__name__ != "Column" or calls_functions(value):
            raise NoPreview("What it sets cannot be told before it happens.")
        found.append((column.name, value.sql(dialect=statement.dialect)))
    return found


def _source(statement: Statement) -> str:
    where: Any = statement.tree.args.get("where")
    condition = f" {where.sql(dialect=statement.dialect)}" if where is not None else ""
    return f"FROM {statement.tree.this.sql(dialect=statement.dialect)}{condition}"


def _shown(sample: Rows, new: list[str]) -> JsonObject:
    """The rows as they are, and beside each what its columns become."""
    width = len(sample.columns) - len(new)
    shown = min(width, MOST_COLUMNS)
    return {
        "columns": sample.columns[:shown],
        "rows": [[_short(value) for value in row[:shown]] for row in sample.rows],
        "changed": new,
        "after": [[_short(value) for value in row[width:]] for row in sample.rows] if new else [],
    }


def _short(value: Any) -> Any:
    return f"{value[: LONGEST_CELL - 1]}…" if isinstance(value, str) and len(value) > LONGEST_CELL else value
