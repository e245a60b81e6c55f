from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field

from signoff.kit.jsons import JsonObject


class StepSummary(BaseModel):
    """Where a step of a workflow stands, without its data."""

    id: str
    name: str
    agent: str | None = None
    workflow: str | None = None
    tool: str | None = None
    needs: list[str] = []
    status: str
    attempt: int = 0
    run_id: str | None = Field(default=None, description="The run that does it, where there is one.")
    ask_id: str | None = Field(default=None, description="The checkpoint at which it waits, or waited last.")
    waits_for: str | None = Field(
        default=None, description="The oldest ask below it that holds it up, of its run or of one that this started."
    )
    started_at: datetime | None = None
    ended_at: datetime | None = None
    duration_seconds: float | None = Field(default=None, description="By the clock, with all waits.")
    working_seconds: float | None = Field(
        default=None,
        description="How long its runs worked, in all tries: without waits and the time that people took.",
    )
    error: JsonObject | None = None


class ItemOut(BaseModel):
    index: int
    run_id: str | None


class StepOut(StepSummary):
    """A step with all that went in and came out."""

    input: Any = None
    output: Any = None
    warning: str | None = Field(default=None, description="What is not well with its output, though it goes on.")
    runs: list[ItemOut] | None = Field(default=None, description="Of an `each`: one run per item.")
    left_out: dict[str, int] = Field(default={}, description="Longer than was wanted: `input`, `output`, and how long.")
