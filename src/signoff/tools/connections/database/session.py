"""One short visit to a database: what is read or changed in one transaction, within bounds."""

from collections.abc import Collection
from typing import Any, Protocol

from signoff.tools.connections.database.rows import Rows
from signoff.tools.registry import ToolFailed

READ_SECONDS, WRITE_SECONDS, PREVIEW_SECONDS = 15.0, 30.0, 1.5
MOST_CHANGED = 10_000
MOST_TABLES, MOST_COLUMNS = 300, 500
# Where all of these stand together, it is a Signoff's own database.
OUR_TABLES = frozenset({"agent_revisions", "asks", "ask_parts", "audit", "credentials", "run_waits", "rule_versions"})


class Session(Protocol):
    """What can be done during a visit. Every method raises ToolFailed, and then nothing has happened."""

    def rows(self, sql: str, most: int) -> Rows:
        """What a SELECT finds."""
        ...

    def change(self, sql: str) -> int:
        """How many rows a statement touched, committed. More than a person can oversee are left as they were."""
        ...

    def tables(self) -> list[dict[str, Any]]: ...

    def columns(self, table: str) -> list[dict[str, Any]]: ...


def refuse_own(names: Collection[str]) -> None:
    """An agent that could write there could approve its own calls."""
    if {*names} >= OUR_TABLES:
        raise ToolFailed("This is a database of Signoff itself, which no connection may open.")


def refuse_too_many(count: int) -> None:
    if count > MOST_CHANGED:
        raise ToolFailed(
            f"It would touch {count:,} rows, and one statement may touch {MOST_CHANGED:,}. Nothing was changed."
        )
