from datetime import datetime

from pydantic import BaseModel, ConfigDict

from signoff.kit.jsons import JsonObject


class AuditEntryOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: str
    number: int
    at: datetime
    actor: str
    action: str
    subject: str
    run_id: str | None
    data: JsonObject
    hash: str
    previous: str


class ProofOut(BaseModel):
    ok: bool
    entries: int
    first_broken: str | None = None
