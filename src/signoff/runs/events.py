"""What a run lets those know who follow it: one shape for each type of event."""

from typing import Annotated, Literal, NotRequired, TypedDict

from signoff.kit.db.events import EventType
from signoff.runs.models import Run
from signoff.runs.states import CallStatus, Reason, RunStatus


class Marked(TypedDict):
    # Only where it is a test.
    test: NotRequired[bool]


class CreatedRun(Marked):
    title: str
    agent: str | None
    status: Annotated[str, RunStatus]


class RunState(Marked):
    """Where a run stands; the reason is that of its end."""

    status: Annotated[str, RunStatus]
    completion_reason: Annotated[str, Reason] | None


class ReportedProgress(TypedDict):
    current_step: str
    completed_steps: NotRequired[list[str]]
    remaining_steps: NotRequired[list[str]]
    percentage: NotRequired[float]
    message: NotRequired[str]


class StepState(TypedDict):
    """Where a step of a workflow stands, and how many of all steps are done."""

    step: str
    # As people know it.
    name: str
    status: str
    # The run that does it; none where there are several, or none yet.
    run_id: str | None
    number: int
    of: int


class RunProgress(TypedDict):
    progress: ReportedProgress


class SaidMessage(TypedDict):
    """A message without its calls; a long text is cut."""

    id: str
    role: Literal["user", "assistant", "tool", "system"]
    # The person who said it.
    author: str | None
    # The iteration whose model call made or saw it; empty while it waits to be seen.
    turn: int | None
    text: str
    created_at: str
    # A note of Signoff's to the model alone.
    for_agent: NotRequired[bool]


class RunMessage(TypedDict):
    message: SaidMessage


class RunDelta(TypedDict):
    """Text as it is written. A request that is tried again streams again, under the next attempt."""

    text: str
    offset: int
    turn: int
    attempt: int


class CallBrief(TypedDict):
    id: str
    tool: str
    status: Annotated[str, CallStatus]
    attempt: int
    error: str | None


class CallState(TypedDict):
    call: CallBrief


class CallProgress(TypedDict):
    """How far a call has come, as its tool says; told as it happens, and not stored."""

    call_id: str
    progress: float
    total: NotRequired[float]
    message: NotRequired[str]


class LimitWarning(TypedDict):
    limit: str
    used: float
    max: float


RUN_CREATED = EventType("run.created", CreatedRun)
RUN_STATUS = EventType("run.status", RunState)
RUN_PROGRESS = EventType("run.progress", RunProgress)
RUN_STEP = EventType("run.step", StepState)
RUN_MESSAGE = EventType("run.message", RunMessage)
RUN_DELTA = EventType("run.delta", RunDelta)
RUN_ENDED = EventType("run.ended", RunState)
CALL_STARTED = EventType("call.started", CallState)
CALL_FINISHED = EventType("call.finished", CallState)
CALL_PROGRESS = EventType("call.progress", CallProgress)
LIMIT_WARNING = EventType("limit.warning", LimitWarning)


def mark_of_test(run: Run) -> Marked:
    return {"test": True} if run.test else {}
