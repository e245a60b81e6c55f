from datetime import datetime
from typing import Any

from sqlalchemy import Index, Integer, Select, column, select, table, text
from sqlalchemy.orm import Mapped, MappedColumn, mapped_column

from signoff.kit.db.columns import CleanText, JsonText, UtcTime


class Claimable:
    """The columns of a run that others need, too: whether it is ready, who holds it, who had a say in it."""

    # When it may be worked on; empty while it waits for a person, is paused or has ended.
    wake_at: Mapped[datetime | None] = mapped_column(UtcTime())
    # Grows with each wake, so that a worker that goes to rest sees whether something came in meanwhile.
    wakes: Mapped[int] = mapped_column(Integer(), default=0)
    owner: Mapped[str | None] = mapped_column(CleanText())
    # Grows with each claim; every write of a worker carries the value it was given.
    fence: Mapped[int] = mapped_column(Integer(), default=0)
    lease_until: Mapped[datetime | None] = mapped_column(UtcTime())
    # Claims in a row that were never released and stored nothing: whoever worked on it may have died of it.
    falls: Mapped[int] = mapped_column(Integer(), default=0, server_default="0")
    # Whoever had a say in what it does: who started it or a run before it, and who sent it messages.
    parties: Mapped[list[str]] = mapped_column(JsonText, default=list)


def claim_indexes(table_name: str) -> tuple[Index, ...]:
    """Ready runs, and held ones: both few, however many rows there are."""
    ready, held = text("wake_at IS NOT NULL"), text("owner IS NOT NULL")
    return (
        Index(f"{table_name}_ready", "wake_at", sqlite_where=ready, postgresql_where=ready),
        Index(f"{table_name}_held", "owner", sqlite_where=held, postgresql_where=held),
    )


_declared: dict[str, Any] = {name: each for name, each in vars(Claimable).items() if isinstance(each, MappedColumn)}
# The same columns of the `runs` table, for those below `runs` in the order of imports.
claimable = table(
    "runs",
    column("id"),
    column("workspace_id"),
    column("project_id"),
    column("status"),
    column("parent_id"),
    column("workflow_revision_id"),
    *(column(name, each.column.type) for name, each in _declared.items()),
)


def of_project(workspace_id: str, project_id: str) -> Select[tuple[str]]:
    """The ids of the runs that bear this label, for lists of what belongs to runs."""
    run = claimable.c
    return select(run.id).where(run.workspace_id == workspace_id, run.project_id == project_id)


def of_work(run_id: str) -> Select[tuple[str]]:
    """The ids of a run and, if it is a workflow's, of all runs below it: what its steps make is what it makes."""
    run = claimable.c
    is_workflow = run.workflow_revision_id.is_not(None).label("is_workflow")
    work = select(run.id, is_workflow).where(run.id == run_id).cte(recursive=True)
    below = select(run.id, work.c.is_workflow).join(work, run.parent_id == work.c.id).where(work.c.is_workflow)
    return select(work.union_all(below).c.id)


def of_family(run_id: str) -> Select[tuple[str]]:
    """The ids of a run, of those that it started, and of those below them."""
    run = claimable.c
    family = select(run.id).where(run.id == run_id).cte("family", recursive=True)
    family = family.union_all(select(run.id).join(family, run.parent_id == family.c.id))
    return select(family.c.id)
