from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from signoff.kit.text.fields import Line


class PauseAllIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    enabled: bool
    reason: Line | None = Field(default=None, description="Why; everyone in the workspace sees it.")


class PauseAllOut(BaseModel):
    enabled: bool = Field(description="Everything is paused: no run of the workspace takes a step.")
    by: str | None
    by_name: str | None = Field(description="What that person is called.")
    at: datetime | None
    reason: str | None
    held_runs: int = Field(description="Runs that are held: not ended and not paused one by one.")
