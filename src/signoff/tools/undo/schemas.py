from pydantic import BaseModel, ConfigDict, Field

from signoff.asks.schemas import EffectPreview
from signoff.kit.jsons import JsonObject
from signoff.runs.schemas import CallOut


class UndoIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    digest: str | None = Field(default=None, description="Of what was shown; if the undo would do something else, 409.")


class UndoSinceIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    since: str = Field(description="A call's id: it and all that ended after it are undone, the last one first.")
    digest: str | None = Field(default=None, description="Of what was shown; if the undo would do something else, 409.")


class UndoPreview(BaseModel):
    """What would take a call back, made now."""

    tool: str
    arguments: JsonObject
    preview: EffectPreview | None
    digest: str = Field(description="Send it back to undo exactly this.")


class UndoStep(BaseModel):
    """What would take one of several calls back."""

    call_id: str = Field(description="The call that is undone.")
    title: str
    tool: str
    arguments: JsonObject
    preview: EffectPreview | None = Field(description="None: it shows once those after it are undone.")


class LeftAlone(BaseModel):
    call_id: str
    tool: str
    why: str


class UndoSincePreview(BaseModel):
    """What would take a call back and all that came after it, made now."""

    steps: list[UndoStep] = Field(description="In their order: the last call is undone first.")
    left: list[LeftAlone] = Field(description="What changed something and cannot be undone.")
    digest: str = Field(description="Send it back to undo exactly this.")


class UndoneSince(BaseModel):
    calls: list[CallOut] = Field(description="The calls that take others back, in their order.")
    left: list[LeftAlone] = Field(description="What changed something and cannot be undone.")
