from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.db.columns import Base

THE_ROW = 1


class Attendance(Base):
    """When a server was last there to take an objection: one row, written only while the time of an ask counts."""

    __tablename__ = "attendance"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False, default=THE_ROW)
    seen_at: Mapped[datetime]
