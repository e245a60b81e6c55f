from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

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
    seal: str | None = Field(description="The key's word for this entry and those since the seal before.")
    key_id: str | None


class KeyOut(BaseModel):
    """The public half: it checks seals and makes none."""

    id: str
    public: str


class ProofOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    ok: bool
    entries: int
    first_broken: str | None = None
    reason: str | None = Field(default=None, description="What is wrong, in words.")
    sealed_from: int | None = Field(default=None, description="The first entry with a seal: it covers all before it.")
    anchored: int | None = Field(default=None, description="The last entry that was compared with an anchor.")
    key: str | None = Field(default=None, description="The id of the key that seals the record now.")
