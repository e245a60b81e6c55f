from datetime import datetime

from pydantic import BaseModel, ConfigDict


class NotificationOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: str
    run_id: str | None
    channel: str
    sender: str
    text: str
    recipients: list[str]
    ask_id: str | None
    created_at: datetime
    read_at: datetime | None


class ReadIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    ids: list[str] | None = None
