from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from signoff.kit.text.fields import Line, LongText, Name
from signoff.policy.hours import zone
from signoff.runs.states import RunStatus
from signoff.schedules.cron import MOST_SIGNS, in_words, next_times, read_cron
from signoff.schedules.models import Schedule

NEXT_RUNS = 5


def _known_zone(name: str) -> str:
    zone(name)
    return name


Cron = Annotated[
    str,
    Field(
        max_length=MOST_SIGNS,
        description="Minute, hour, day of month, month, day of week; or @hourly, @daily, @weekly, @monthly.",
        examples=["0 9 * * 1-5"],
    ),
    AfterValidator(read_cron),
]
Zone = Annotated[
    str,
    Field(max_length=100, description="By its name, such as Europe/Berlin.", examples=["Europe/Berlin"]),
    AfterValidator(_known_zone),
]


class ScheduleIn(BaseModel):
    """What is to run, and when."""

    model_config = ConfigDict(extra="forbid")

    agent: Line | None = Field(default=None, description="The agent's slug; or a workflow.")
    workflow: Line | None = Field(default=None, description="The workflow's slug; or an agent.")
    name: Name | None = Field(default=None, description="For people; its runs have it as their title.")
    cron: Cron
    timezone: Zone = "UTC"
    task: LongText | None = Field(default=None, description="What an agent is to do.")
    input: Any = None
    enabled: bool = True

    @model_validator(mode="after")
    def says_what_to_run(self) -> "ScheduleIn":
        if bool(self.agent) == bool(self.workflow):
            raise ValueError("give an agent or a workflow, one of them")
        if self.agent and not (self.task or "").strip():
            raise ValueError("give the task that the agent is to do")
        return self


class ScheduleChange(BaseModel):
    """What is given replaces what was there. An agent takes the place of a workflow, and the other way round."""

    model_config = ConfigDict(extra="forbid")

    agent: Line | None = None
    workflow: Line | None = None
    name: Name | None = None
    cron: Cron | None = None
    timezone: Zone | None = None
    task: LongText | None = None
    input: Any = None
    enabled: bool | None = None


class ScheduleOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: str
    name: str | None
    agent: str | None
    workflow: str | None
    task: str | None
    input: Any
    cron: str
    timezone: str
    in_words: str = Field(description="What `cron` means, in words.")
    enabled: bool
    disabled_reason: str | None = Field(description="Why Signoff switched it off; null if a person did.")
    next_at: datetime | None
    next_runs: list[datetime] = Field(description="The next five times; none while it is off.")
    last_at: datetime | None
    last_run_id: str | None
    last_run_status: RunStatus | None
    last_error: str | None = Field(description="Why the last time started nothing.")
    failures: int = Field(description="How many times in a row nothing could be started; after 5 it is switched off.")
    created_by: str
    mine: bool = Field(description="Whether you made it. Others' are changed by admins.")
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, row: Schedule, status: str | None, at: datetime, *, mine: bool) -> "ScheduleOut":
        soon = next_times(row.cron, row.timezone, at, NEXT_RUNS) if row.enabled else []
        own = {name: getattr(row, name) for name in cls.model_fields if hasattr(row, name)}
        return cls(**own, in_words=in_words(row.cron), next_runs=soon, last_run_status=_status(status), mine=mine)


class PreviewIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    cron: Cron
    timezone: Zone = "UTC"


class PreviewOut(BaseModel):
    cron: str = Field(description="The five fields, with @daily and its like written out.")
    next_runs: list[datetime]
    in_words: str

    @classmethod
    def of(cls, given: PreviewIn, at: datetime) -> "PreviewOut":
        soon = next_times(given.cron, given.timezone, at, NEXT_RUNS)
        return cls(cron=given.cron, next_runs=soon, in_words=in_words(given.cron))


def _status(status: str | None) -> RunStatus | None:
    return None if status is None else RunStatus(status)
