from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from signoff.kit.secret_fields import Secret
from signoff.workflows.definition import Source

Mapping = Annotated[
    dict[str, Source] | None,
    Field(
        max_length=200,
        description="How a body becomes the workflow's input: `{target: path.in.body}`. Null: the body is the input.",
    ),
]


class HookIn(BaseModel):
    """Without `input`, the mapping stays what it is."""

    model_config = ConfigDict(extra="forbid")

    input: Mapping = None


class HookOut(BaseModel):
    on: bool
    address: str = Field(description="Where to POST to, with the secret.")
    input: Mapping
    created_by: str | None = Field(description="Who turned it on, or renewed the secret.")
    created_at: datetime | None
    problem: str | None = Field(description="Why it starts nothing although it is on.")


class MadeHook(HookOut):
    secret: Secret


class HookStarted(BaseModel):
    run_id: str
    status: str
