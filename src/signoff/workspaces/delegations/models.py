from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.clock import now
from signoff.kit.db.columns import Base
from signoff.kit.ids import new_id


class Delegation(Base):
    """Somebody is away, and a colleague decides for them. It ends by its date, or before."""

    __tablename__ = "delegations"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    absent_id: Mapped[str] = mapped_column(ForeignKey("users.id"))
    deputy_id: Mapped[str] = mapped_column(ForeignKey("users.id"))
    starts_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    created_at: Mapped[datetime] = mapped_column(default=now)
    # When somebody ended it before its date, and who.
    ended_at: Mapped[datetime | None]
    ended_by: Mapped[str | None]

    __table_args__ = (
        Index("delegations_by_deputy", "workspace_id", "deputy_id", "ends_at"),
        Index("delegations_by_absent", "workspace_id", "absent_id", "ends_at"),
        # Who is away now, whoever it is: every notice looks at that.
        Index("delegations_by_end", "workspace_id", "ends_at"),
    )
