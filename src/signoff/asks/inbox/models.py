from enum import StrEnum

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.db.columns import Base


class Part(StrEnum):
    # Of an open ask: it waits for others now.
    SIGNED = "signed"
    HANDED_ON = "handed_on"
    # Of a settled one: theirs was one of several signatures.
    DECIDED = "decided"


class AskPart(Base):
    """Somebody did their part in an ask that takes more than one person."""

    __tablename__ = "ask_parts"

    workspace_id: Mapped[str] = mapped_column(primary_key=True)
    # As records name them.
    person: Mapped[str] = mapped_column(primary_key=True)
    part: Mapped[str] = mapped_column(primary_key=True)
    ask_id: Mapped[str] = mapped_column(ForeignKey("asks.id", ondelete="CASCADE"), primary_key=True)
    # By which one of the two signed for the other: it is neither's part any more once somebody ended that.
    delegation_id: Mapped[str | None]

    __table_args__ = (Index("ask_parts_by_ask", "ask_id"),)
