from datetime import datetime

from pydantic import BaseModel, ConfigDict

from signoff.deliverables.states import DeliverableStatus


class DeliverableOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: str
    run_id: str
    run_title: str | None
    agent: str
    agent_name: str | None
    name: str
    type: str
    mime_type: str
    description: str
    status: str
    version: int
    size_bytes: int
    storage: str
    external_url: str | None
    created_at: datetime
    updated_at: datetime


class DeliverableChange(BaseModel):
    model_config = ConfigDict(extra="forbid")

    status: DeliverableStatus
