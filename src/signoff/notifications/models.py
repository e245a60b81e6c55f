from datetime import datetime
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, column, false, table, true
from sqlalchemy import text as sql
from sqlalchemy.orm import Mapped, mapped_column

from signoff.kit.clock import now
from signoff.kit.db.columns import Base, JsonText
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject

# The addressee of what is for everybody.
EVERYBODY = ""


class NoticeKind(StrEnum):
    """What a notification is about."""

    # What an agent sent.
    MESSAGE = "message"
    # Somebody is wanted for an ask: by a rule, by an assignment, or because an agent has a question.
    ASK = "ask"
    # An ask is about to expire.
    REMINDER = "reminder"
    ESCALATION = "escalation"
    # A run ended since nobody answered.
    EXPIRY = "expiry"
    COMPLETED = "completed"
    FAILED = "failed"
    REJECTED = "rejected"
    CANCELLED = "cancelled"
    TIMEOUT = "timeout"
    # Somebody named them in a message to a run.
    MENTION = "mention"
    # A rule approved something by itself.
    AUTO_APPROVED = "auto_approved"
    # Who may sign in, and how.
    PEOPLE = "people"
    # A run reports how far it is: only to who wants to hear of it.
    PROGRESS = "progress"


# What wants an answer: once it is there, nothing is left to do about it.
WANTS_ANSWER = frozenset(kind.value for kind in (NoticeKind.ASK, NoticeKind.REMINDER, NoticeKind.ESCALATION))

# What a notice needs to know of its ask, which is above it in the order of imports.
asks = table("asks", column("id"), column("status"))
PENDING = "pending"
# And whether anybody can be reached outside at all. Webhooks follow the events instead.
channels = table("channels", column("workspace_id"), column("kind"), column("enabled"))
FOLLOWS_EVENTS = "webhook"
# And whether what was told outside is still on the record.
deliveries = table("deliveries", column("notification_id"))


class Notification(Base):
    """One line for the people of a workspace, or for some of them."""

    __tablename__ = "notifications"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id"))
    run_id: Mapped[str | None] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(default=NoticeKind.MESSAGE.value, server_default=NoticeKind.MESSAGE.value)
    channel: Mapped[str]
    sender: Mapped[str]
    text: Mapped[str]
    # Whom it is meant for; empty: everybody. Each is an email, a user id, `role:…` or `group:…`.
    recipients: Mapped[list[str]] = mapped_column(default=list)
    ask_id: Mapped[str | None]
    # Whether it stands in people's lists. What the inbox shows anyway is only told outside.
    listed: Mapped[bool] = mapped_column(default=True, server_default=true())
    # The channels that a rule wants it told by, by name or kind; empty: those of the agent, else of the workspace.
    channels: Mapped[list[str]] = mapped_column(default=list, server_default="[]")
    urgent: Mapped[bool] = mapped_column(default=False, server_default=false())
    # What a message says beside the text: the rule that decided, why, and the like.
    facts: Mapped[JsonObject | None] = mapped_column(JsonText)
    # When to look who is to be reached outside, or whose message is to be changed; and when that was done last.
    route_at: Mapped[datetime | None]
    routed_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(default=now)

    __table_args__ = (
        Index("notifications_by_workspace", "workspace_id", "id"),
        Index(
            "notifications_to_route",
            "route_at",
            sqlite_where=sql("route_at IS NOT NULL"),
            postgresql_where=sql("route_at IS NOT NULL"),
        ),
        Index(
            "notifications_by_ask",
            "ask_id",
            sqlite_where=sql("ask_id IS NOT NULL"),
            postgresql_where=sql("ask_id IS NOT NULL"),
        ),
        # Nobody's list has them, so they go when they are old.
        Index(
            "notifications_unlisted", "created_at", sqlite_where=sql("listed = 0"), postgresql_where=sql("NOT listed")
        ),
    )


class NotificationAddressee(Base):
    """A recipient as the database finds it: what is new for somebody is one piece of this table's key."""

    __tablename__ = "notification_addressees"

    workspace_id: Mapped[str] = mapped_column(primary_key=True)
    addressee: Mapped[str] = mapped_column(primary_key=True)
    notification_id: Mapped[str] = mapped_column(ForeignKey("notifications.id", ondelete="CASCADE"), primary_key=True)

    __table_args__ = (Index("notification_addressees_by_notification", "notification_id"),)


class NotificationMark(Base):
    """Up to where one member has read everything."""

    __tablename__ = "notification_marks"

    member_id: Mapped[str] = mapped_column(ForeignKey("members.id", ondelete="CASCADE"), primary_key=True)
    read_up_to: Mapped[str]


class NotificationRead(Base):
    """One that a member has read beyond their mark."""

    __tablename__ = "notification_reads"

    member_id: Mapped[str] = mapped_column(ForeignKey("members.id", ondelete="CASCADE"), primary_key=True)
    notification_id: Mapped[str] = mapped_column(ForeignKey("notifications.id", ondelete="CASCADE"), primary_key=True)

    __table_args__ = (Index("notification_reads_by_notification", "notification_id"),)
