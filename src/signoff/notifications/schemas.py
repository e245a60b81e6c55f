from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from signoff.kit.jsons import JsonObject
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
    ask_status: str | None = Field(description="How that ask stands: `pending` while it waits for an answer.")
    rule: str | None = Field(description="Of what a rule approved: which one.")
    reasons: list[str] = Field(description="And why.")
    created_at: datetime
    read: bool = Field(description="Whether you have read it, or what it asks for is settled.")

    @classmethod
    def of(cls, row: Notification, *, read: bool, ask_status: str | None = None) -> "NotificationOut":
        facts: JsonObject = row.facts or {}
        return cls(
            id=row.id,
            kind=NoticeKind(row.kind),
            run_id=row.run_id,
            channel=row.channel,
            sender=row.sender,
            text=row.text,
            recipients=row.recipients,
            ask_id=row.ask_id,
            ask_status=ask_status,
            rule=facts.get("rule"),
            reasons=facts.get("reasons", []),
            created_at=row.created_at,
            read=read,
        )


class UnreadOut(BaseModel):
    unread: int = Field(description="How many you have not read; counted up to 100.")


class ReadIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    ids: list[str] | None = Field(default=None, max_length=1_000, description="Without: all.")
