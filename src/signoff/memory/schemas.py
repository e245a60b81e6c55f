from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from signoff.kit.jsons import clean_text

MOST_TEXT, MOST_KEY = 4_000, 100
_clean = AfterValidator(clean_text)
NoteText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MOST_TEXT), _clean]
NoteKey = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MOST_KEY), _clean]


class NoteOut(BaseModel):
    """One thing that an agent keeps; untrusted text."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    agent: str
    key: str | None
    text: str
    created_by: str
    updated_by: str
    run_id: str | None = Field(description="The run that wrote it last; null if a person did.")
    created_at: datetime
    updated_at: datetime


class NoteIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: NoteText
    key: NoteKey | None = Field(default=None, description="A name; the agent's note of this name is replaced.")


class NoteChange(BaseModel):
    """What is given replaces what was there."""

    model_config = ConfigDict(extra="forbid")

    text: NoteText | None = None
    key: NoteKey | None = Field(default=None, description="Null takes the name away.")
