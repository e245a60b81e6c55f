from sqlalchemy import update
from sqlalchemy.orm import Session

from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.db import events
from signoff.notifications.events import NOTIFICATION_CREATED, NotificationBrief
from signoff.notifications.models import Notification


def notify(
    session: Session,
    workspace_id: str,
    run_id: str | None,
    channel: str,
    sender: str,
    text: str,
    *,
    recipients: list[str] | None = None,
    ask_id: str | None = None,
) -> Notification:
    """Tell the people of a workspace, or some of them, inside the product."""
    notification = Notification(workspace_id=workspace_id, run_id=run_id, channel=channel, sender=sender, text=text)
    notification.recipients, notification.ask_id = recipients or [], ask_id
    session.add(notification)
    session.flush()
    brief: NotificationBrief = {
        "id": notification.id,
        "channel": channel,
        "sender": sender,
        "text": text,
        "ask_id": ask_id,
    }
    events.emit(session, workspace_id, NOTIFICATION_CREATED, run_id, {"notification": brief})
    return notification


def mark_read(session: Session, actor: Actor, ids: list[str] | None) -> None:
    """Mark some, or all, as read."""
    unread = [Notification.workspace_id == actor.workspace_id, Notification.read_at.is_(None)]
    if ids is not None:
        unread.append(Notification.id.in_(ids))
    session.execute(update(Notification).where(*unread).values(read_at=clock.now()))
