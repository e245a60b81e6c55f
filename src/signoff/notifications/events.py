"""What a notification lets those know who follow its workspace."""

from collections.abc import Sequence
from typing import NotRequired, TypedDict, cast

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.kit.db import events
from signoff.kit.db.events import EventType
from signoff.kit.jsons import JsonObject
from signoff.notifications.models import Notification


class NotificationBrief(TypedDict):
    """Of one that is addressed to somebody only that there is one: whoever it is for reads it in their list."""

    id: str
    kind: NotRequired[str]
    channel: NotRequired[str]
    sender: NotRequired[str]
    text: NotRequired[str]
    ask_id: NotRequired[str | None]


class NotificationCreated(TypedDict):
    notification: NotificationBrief


NOTIFICATION_CREATED = EventType("notification.created", NotificationCreated)


def emit_created(session: Session, notification: Notification) -> None:
    data: NotificationCreated = {"notification": {"id": notification.id}}
    events.emit(session, notification.workspace_id, NOTIFICATION_CREATED, notification.run_id, data)


def _for_everybody(session: Session, stored: Sequence[JsonObject]) -> list[JsonObject]:
    """Put in what everybody may read. Nothing else is taken over: older events were stored with their text."""
    ids = [each["notification"]["id"] for each in stored]
    rows = session.scalars(select(Notification).where(Notification.id.in_(ids)))
    briefs = {row.id: _brief(row) for row in rows if not row.recipients}
    return [{"notification": cast("JsonObject", briefs.get(each, {"id": each}))} for each in ids]


def _brief(row: Notification) -> NotificationBrief:
    return {
        "id": row.id,
        "kind": row.kind,
        "channel": row.channel,
        "sender": row.sender,
        "text": row.text,
        "ask_id": row.ask_id,
    }


events.completed_by(NOTIFICATION_CREATED, _for_everybody)
