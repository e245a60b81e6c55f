"""Alembic's entry: runs on the connection it is given, in the caller's transaction."""

from typing import Any, Literal

from alembic import context

from signoff.kit.db.columns import Base, UtcTime
from signoff.migrations import tables as tables


def _render(kind: str, item: Any, _context: Any) -> str | Literal[False]:
    if kind == "type" and isinstance(item, UtcTime):
        return "sa.DateTime(timezone=True)"
    return False


def _is_of_a_model(_object: Any, name: str | None, _kind: str, _reflected: bool, _compared: Any) -> bool:
    """An index of words is made by hand, for each database its own, and is no part of any model."""
    return "_fts" not in (name or "")


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_item=_render,
    include_object=_is_of_a_model,
    render_as_batch=True,
    transactional_ddl=True,
)
context.run_migrations()
