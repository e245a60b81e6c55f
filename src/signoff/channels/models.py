from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, UniqueConstraint, false, text, true
from sqlalchemy.orm import Mapped, mapped_column, validates

from signoff.channels.states import DELIVERY, DeliveryStatus
from signoff.kit.clock import now
from signoff.kit.db.columns import Base, JsonText
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject


def _partial(name: str, *columns: str, where: str) -> Index:
    return Index(name, *columns, sqlite_where=text(where), postgresql_where=text(where))


class Channel(Base):
    """A way to reach people that an admin has set up. Its secrets are in the store of secrets."""

    __tablename__ = "channels"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    kind: Mapped[str]
    name: Mapped[str]
    settings: Mapped[JsonObject] = mapped_column(default=dict)
    # What a place that many read is told of, unless a rule or an agent names channels: asks, failures, completions.
    about: Mapped[list[str]] = mapped_column(default=list)
    enabled: Mapped[bool] = mapped_column(default=True, server_default=true())
    # Everybody who set it up or changed it (user ids): what comes back through it may be their hand.
    keepers: Mapped[list[str]] = mapped_column(default=list)
    # Whoever runs the server set it up, so it may reach addresses inside their network.
    reaches_private: Mapped[bool] = mapped_column(default=False, server_default=false())
    # Of a webhook: the last event that it was told of.
    position: Mapped[int | None] = mapped_column(BigInteger)
    # And until when the secret before today's signs beside it.
    previous_until: Mapped[datetime | None]
    # Of mail: why the mailbox for replies could not be read, as it is set up since `updated_at`.
    mailbox_error: Mapped[str | None]
    # When somebody last tried it out as it is set up, and why nothing came through.
    tested_at: Mapped[datetime | None]
    test_error: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(default=now)
    updated_at: Mapped[datetime] = mapped_column(default=now)

    __table_args__ = (UniqueConstraint("workspace_id", "name"),)


class Delivery(Base):
    """One message to one place: by one channel, to one member or to whoever reads there."""

    __tablename__ = "deliveries"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    channel_id: Mapped[str] = mapped_column(ForeignKey("channels.id", ondelete="CASCADE"))
    # What it tells: a notification, or of a webhook an event by its position, or neither (a test, an invitation).
    notification_id: Mapped[str | None] = mapped_column(ForeignKey("notifications.id", ondelete="CASCADE"))
    event_position: Mapped[int | None] = mapped_column(BigInteger)
    kind: Mapped[str]
    ask_id: Mapped[str | None]
    run_id: Mapped[str | None]
    # Whom it goes to, where that is one member; else a place that many read, or somebody outside.
    member_id: Mapped[str | None] = mapped_column(ForeignKey("members.id", ondelete="CASCADE"))
    target: Mapped[str]
    # Why this person, this channel, this time: shown.
    why: Mapped[str] = mapped_column(default="")
    urgent: Mapped[bool] = mapped_column(default=False, server_default=false())
    status: Mapped[str] = mapped_column(default="queued")
    # Two that would tell the same to the same place have the same key: the second is not written.
    key: Mapped[str]
    due_at: Mapped[datetime | None]
    # Held back until this one fails for good: then it is the next way.
    instead_of: Mapped[str | None]
    # Sent together with this one.
    digest_id: Mapped[str | None]
    tries: Mapped[int] = mapped_column(default=0)
    # Who has it in hand, and until when that is believed.
    owner: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    error: Mapped[str | None]
    # Where the message is, for changing it later.
    remote: Mapped[Any] = mapped_column(JsonText, nullable=True)
    # How often a change of the sent message was tried, and when it is due.
    update_at: Mapped[datetime | None]
    update_tries: Mapped[int] = mapped_column(default=0, server_default="0")
    created_at: Mapped[datetime] = mapped_column(default=now)
    sent_at: Mapped[datetime | None]

    __table_args__ = (
        UniqueConstraint("channel_id", "key"),
        Index("deliveries_by_workspace", "workspace_id", "id"),
        Index("deliveries_by_notification", "notification_id"),
        Index("deliveries_by_ask", "ask_id"),
        Index("deliveries_by_member", "member_id", "channel_id", "sent_at"),
        _partial("deliveries_due", "due_at", where="status = 'queued' AND due_at IS NOT NULL"),
        _partial("deliveries_in_hand", "lease_until", where="lease_until IS NOT NULL"),
        _partial("deliveries_to_update", "update_at", where="update_at IS NOT NULL"),
        _partial("deliveries_instead", "instead_of", where="instead_of IS NOT NULL"),
        # When each channel last sent something, and what it had trouble with.
        _partial("deliveries_sent", "channel_id", "sent_at", where="sent_at IS NOT NULL"),
        _partial("deliveries_troubled", "channel_id", "id", where="error IS NOT NULL"),
        # Most are sent in the end, and those are found on the way through all.
        _partial("deliveries_not_sent", "workspace_id", "status", "id", where="status <> 'sent'"),
        _partial("deliveries_by_run", "run_id", "id", where="run_id IS NOT NULL"),
    )

    @validates("status")
    def _moves_by_the_table(self, _: str, to: str) -> str:
        """Statements over many rows say in their WHERE what they move; a single row is looked at here."""
        before: Any = self.status
        # A new row has none.
        if before is not None and not DELIVERY.allows(DeliveryStatus(before), DeliveryStatus(to)):
            raise ValueError(f"A delivery that is {before} does not become {to}.")
        return to


class DeliveryAttempt(Base):
    """One try to send or to change a message, noted before it begins: what has no end may have happened."""

    __tablename__ = "delivery_attempts"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    delivery_id: Mapped[str] = mapped_column(ForeignKey("deliveries.id", ondelete="CASCADE"))
    # send or update.
    purpose: Mapped[str]
    number: Mapped[int]
    # The one before may have come through.
    repeated: Mapped[bool] = mapped_column(default=False)
    started_at: Mapped[datetime] = mapped_column(default=now)
    ended_at: Mapped[datetime | None]
    # sent or failed; none: nobody knows.
    outcome: Mapped[str | None]
    error: Mapped[str | None]

    __table_args__ = (Index("delivery_attempts_by_delivery", "delivery_id"),)


class ChannelAccount(Base):
    """Who somebody is with a channel that does not know people by their address: proved by a code from the app."""

    __tablename__ = "channel_accounts"

    channel_id: Mapped[str] = mapped_column(ForeignKey("channels.id", ondelete="CASCADE"), primary_key=True)
    account: Mapped[str] = mapped_column(primary_key=True)
    member_id: Mapped[str] = mapped_column(ForeignKey("members.id", ondelete="CASCADE"))
    created_at: Mapped[datetime] = mapped_column(default=now)

    __table_args__ = (Index("channel_accounts_by_member", "member_id"),)
