from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.clock import now
from signoff.kit.db.columns import Base


class Secret(Base):
    """One secret of a row elsewhere, sealed. Only whoever uses it opens it."""

    __tablename__ = "secrets"

    # Whose it is: a channel, a connection, a message that is about to go out.
    owner_id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str]
    sealed: Mapped[str]
    changed_at: Mapped[datetime] = mapped_column(default=now)
