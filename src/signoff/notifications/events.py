"""What a notification lets those know who follow its workspace."""

from typing import TypedDict

from signoff.kit.db.events import EventType


class NotificationBrief(TypedDict):
    id: str
    channel: str
    sender: str
    text: str
    ask_id: str | None


class NotificationCreated(TypedDict):
    notification: NotificationBrief


NOTIFICATION_CREATED = EventType("notification.created", NotificationCreated)
