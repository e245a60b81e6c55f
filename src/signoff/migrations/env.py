"""Alembic's entry: runs on the connection it is given, in the caller's transaction."""

from typing import Any, Literal

from alembic import context

from signoff.kit.db.columns import Base, UtcTime
from signoff.migrations import tables as tables


def _render(kind: str, item: Any, _context: Any) -> str | Literal[False]:
    if kind == "type" and isinstance(item, UtcTime):
        return "sa.DateTime(timezone=True)"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_item=_render,
    render_as_batch=True,
    transactional_ddl=True,
)
context.run_migrations()
