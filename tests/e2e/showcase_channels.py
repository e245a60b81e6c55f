"""Channels for the pictures, and what was sent by them: written into the database, so that nothing leaves the house."""

from datetime import timedelta
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.states import AskStatus
from signoff.channels.models import Channel, Delivery, DeliveryAttempt
from signoff.kit.clock import now
from signoff.kit.ids import new_id
from signoff.notifications.models import NoticeKind, Notification
from tests.e2e.seeds import database
from tests.e2e.showcase import House

MAIL = {"host": "smtp.example.org", "username": "signoff", "from": "signoff@example.org"}
SLACK_SECRETS = {"bot_token": "xoxb-for-the-pictures", "signing_secret": "for-the-pictures"}
TEAMS = {"webhook_url": "https://hooks.example.org/workflows/for-the-pictures"}
CHANNELS: list[dict[str, Any]] = [
    {"kind": "email", "name": "Email", "settings": MAIL, "secrets": {"password": "for-the-pictures"}},
    {"kind": "slack", "name": "Approvals", "settings": {"channel": "#approvals"}, "secrets": SLACK_SECRETS},
    {"kind": "teams", "name": "Finance in Teams", "settings": TEAMS},
    {"kind": "webhook", "name": "Ledger", "settings": {"url": "https://ledger.example.org/signoff"}},
]
# What happens in the house meanwhile would be sent there.
OFF = "Ledger"
REFUSED = "The other side answered 404 Not Found: The workflow was deleted."
BUSY = "The mail server answered 451: 4.7.1 Try again later"
# Minutes ago, where to, by what, and how it went: the oldest first.
SENT: list[tuple[int, str, str, dict[str, Any]]] = [
    (41, "#approvals", "Approvals", {"why": "posted to Approvals"}),
    (41, "ben@example.com", "Email", {}),
    (38, "Finance in Teams", "Finance in Teams", {"why": "posted to Finance in Teams", "status": "failed"}),
    (38, "chloe@example.com", "Email", {"why": "Finance in Teams could not be reached"}),
    (22, "#approvals", "Approvals", {"why": "posted to Approvals", "urgent": True}),
    (9, "ben@example.com", "Email", {"status": "queued", "error": BUSY, "tries": 2, "due": 3}),
    (4, "chloe@example.com", "Email", {"status": "queued", "why": "after their quiet hours", "due": 190}),
]


def furnish_channels(ada: House) -> None:
    for channel in CHANNELS:
        ada.post("/api/channels", channel | {"enabled": False})
    with database(ada.server.folder) as session:
        session.execute(update(Channel).where(Channel.name != OFF).values(enabled=True))
        channels = {channel.name: channel for channel in session.scalars(select(Channel))}
        waiting = select(Ask.id).where(Ask.status == AskStatus.PENDING.value)
        notices = select(Notification).where(
            Notification.kind == NoticeKind.ASK.value, Notification.ask_id.in_(waiting)
        )
        told = session.scalars(notices.order_by(Notification.id)).all()
        for (minutes, target, by, how), notice in zip(SENT, told, strict=False):
            _send(session, channels[by], notice, target, minutes, **how)


def _send(
    session: Session,
    channel: Channel,
    notice: Notification,
    target: str,
    minutes: int,
    *,
    status: str = "sent",
    due: int | None = None,
    **more: Any,
) -> None:
    at = now() - timedelta(minutes=minutes)
    error = REFUSED if status == "failed" else more.get("error")
    row = Delivery(id=new_id(), workspace_id=channel.workspace_id, channel_id=channel.id, notification_id=notice.id)
    row.kind, row.ask_id, row.run_id, row.key = notice.kind, notice.ask_id, notice.run_id, new_id()
    row.target, row.why, row.urgent = target, more.get("why", ""), more.get("urgent", False)
    row.status, row.error, row.tries, row.created_at = status, error, more.get("tries", 1), at
    row.sent_at = at + timedelta(seconds=1) if status == "sent" else None
    row.due_at = now() + timedelta(minutes=due) if due else at
    if due and not error:
        row.tries = 0
    session.add(row)
    session.flush()
    for number in range(1, row.tries + 1):
        attempt = DeliveryAttempt(id=new_id(), delivery_id=row.id, purpose="send", number=number, error=error)
        attempt.started_at = attempt.ended_at = at + timedelta(minutes=number - 1)
        attempt.outcome = "failed" if error else "sent"
        session.add(attempt)
