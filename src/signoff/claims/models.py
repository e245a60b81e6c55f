from datetime import datetime

from sqlalchemy import Index, Integer, column, table, text
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.db.columns import UtcTime


class Claimable:
    """The columns of a run that say whether it is ready and who holds it."""

    # When it may be worked on; empty while it waits for a person, is paused or has ended.
    wake_at: Mapped[datetime | None]
    # Grows with each wake, so that a worker that goes to rest sees whether something came in meanwhile.
    wakes: Mapped[int] = mapped_column(default=0)
    owner: Mapped[str | None]
    # Grows with each claim; every write of a worker carries the value it was given.
    fence: Mapped[int] = mapped_column(default=0)
    lease_until: Mapped[datetime | None]
    # Claims in a row that were never let go and stored nothing: whoever worked on it may have died of it.
    falls: Mapped[int] = mapped_column(default=0, server_default="0")


def claim_indexes(table_name: str) -> tuple[Index, ...]:
    """Ready runs, and held ones: both few, however many rows there are."""
    ready, held = text("wake_at IS NOT NULL"), text("owner IS NOT NULL")
    return (
        Index(f"{table_name}_ready", "wake_at", sqlite_where=ready, postgresql_where=ready),
        Index(f"{table_name}_held", "owner", sqlite_where=held, postgresql_where=held),
    )


# The same columns of the `runs` table, for those below `runs` in the order of imports.
claimable = table(
    "runs",
    column("id"),
    column("wake_at", UtcTime()),
    column("wakes"),
    column("owner"),
    column("fence"),
    column("lease_until", UtcTime()),
    column("falls", Integer()),
)
