from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from signoff.notifications.models import NoticeKind, Notification


class NotificationOut(BaseModel):
    id: str
    kind: NoticeKind
    run_id: str | None
    channel: str
    sender: str
    text: str
    recipients: list[str]
    ask_id: str | None
    created_at: datetime
    read: bool = Field(description="Whether you have read it.")

    @classmethod
    def of(cls, row: Notification, *, read: bool) -> "NotificationOut":
        return cls(
            id=row.id,
            kind=NoticeKind(row.kind),
            run_id=row.run_id,
            channel=row.channel,
            sender=row.sender,
            text=row.text,
            recipients=row.recipients,
            ask_id=row.ask_id,
            created_at=row.created_at,
            read=read,
        )


class UnreadOut(BaseModel):
    unread: int = Field(description="How many you have not read; counted up to 100.")


class ReadIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    ids: list[str] | None = Field(default=None, max_length=1_000, description="Without: all.")
