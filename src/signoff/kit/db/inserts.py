"""Rows that may be there already."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import DeclarativeBase, Session

from signoff.kit.db.columns import table


def insert_new(session: Session, model: type[DeclarativeBase], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert those that break no unique key, with their model's defaults; the others are left as they are."""
    if not rows:
        return
    dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    session.execute(dialect.insert(table(model)).on_conflict_do_nothing(), list(rows))  # pyright: ignore[reportArgumentType]
