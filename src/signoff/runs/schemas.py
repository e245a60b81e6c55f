from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)

from signoff.asks.schemas import ImpactOut
from signoff.catalog.schemas import Limits, LimitsIn
from signoff.connections.schemas import GrantIn
from signoff.kit.clock import now
from signoff.kit.jsons import JsonObject
from signoff.kit.text.fields import Line, LongText
from signoff.policy.evaluate import Autonomy
from signoff.runs.models import Call, Run
from signoff.runs.states import CallStatus, Reason, RunStatus
from signoff.runs.undoing.undo_calls import why_not_undone
from signoff.runs.workflow.schemas import StepSummary

Project = Annotated[Line, StringConstraints(min_length=1, max_length=200)]


class RunIn(BaseModel):
    """What to start."""

    model_config = ConfigDict(extra="forbid")

    agent: str | None = Field(default=None, description="The agent's slug, or else a workflow's.")
    workflow: str | None = Field(default=None, description="The workflow's slug, or else an agent's.")
    task: LongText = Field(
        default="", validate_default=True, description="What an agent is to do. A workflow needs none."
    )
    test: bool = Field(
        default=False, description="Only try it out: calls with effects outside are not made, and say so."
    )
    title: Line | None = None
    context: LongText | None = None
    input: Any = None
    mode: Literal["auto", "plan"] | None = None
    autonomy: Autonomy | None = Field(
        default=None, description="Stricter or looser than the agent's own, for this run only."
    )
    limits: LimitsIn | None = None
    skip_clarification: bool = False
    files: list[str] = Field(
        default=[], max_length=50, description="Ids of uploads (`POST /api/files`), for its folder."
    )
    connections: list[Line | GrantIn] | None = Field(
        default=None,
        max_length=50,
        description="Connections it may use, by slug or id, all of their tools or some. Absent: what its agent names.",
    )
    without_missing_connections: bool = Field(
        default=False, description="Start although connections that the agent needs are missing."
    )
    project_id: Project | None = Field(
        default=None,
        validation_alias=AliasChoices("project_id", "projectId"),
        description="Your own label, to filter runs by project.",
    )

    @model_validator(mode="after")
    def is_of_one(self) -> "RunIn":
        if (self.agent is None) == (self.workflow is None):
            raise ValueError("say which agent, or which workflow")
        return self

    @field_validator("task")
    @classmethod
    def is_there_for_an_agent(cls, task: str, known: ValidationInfo) -> str:
        if not task and known.data.get("workflow") is None:
            raise ValueError("say what the agent is to do")
        return task


class MessageIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: LongText = Field(min_length=1)


class LateAnswer(BaseModel):
    """What somebody answers after nobody did in time."""

    model_config = ConfigDict(extra="forbid")

    ask_id: str
    value: Any


class ContinueIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    instructions: LongText = ""
    answers: list[LateAnswer] = Field(
        default=[],
        max_length=20,
        description="Late answers to the questions that ended the run; the new run starts with them.",
    )

    @model_validator(mode="after")
    def says_something(self) -> "ContinueIn":
        if not self.instructions and not self.answers:
            raise ValueError("give instructions, or an answer")
        return self


class RetryIn(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    from_: Literal["start", "last_good"] = Field(default="start", alias="from")


class Tokens(BaseModel):
    """As the provider counts them: what it read from its cache is part of the input."""

    input: int
    output: int
    cached: int = Field(default=0, description="How many input tokens the provider had in its cache.")
    cached_share: float = Field(default=0.0, description="The part of the input that was cached, from 0 to 1.")

    @classmethod
    def of(cls, input: int, output: int, cached: int) -> "Tokens":
        return cls(input=input, output=output, cached=cached, cached_share=round(cached / input, 4) if input else 0.0)


class Progress(BaseModel):
    current_step: str
    completed_steps: list[str] = []
    remaining_steps: list[str] = []
    percentage: float | None = None
    message: str | None = None


class Clarification(BaseModel):
    """Rounds of questions before the work: how many there were, and how many there may be."""

    exchanges: int
    max_exchanges: int


class RunOut(BaseModel):
    id: str
    kind: str
    agent: str | None
    agent_name: str | None
    agent_revision: int | None
    workflow: str | None
    workflow_revision: int | None
    step: str | None = Field(default=None, description="The step of its workflow that it does.")
    steps: list[StepSummary] | None = Field(default=None, description="Of a workflow's run.")
    test: bool = False
    project_id: str | None
    title: str
    task: str
    context: str | None
    input: Any = Field(description="In lists nothing where it is large.")
    summary: str | None
    output: Any = Field(description="In lists nothing where it is large.")
    mode: str
    autonomy: Autonomy
    status: RunStatus
    completion_reason: Reason | None
    error: JsonObject | None
    progress: Progress | None
    iterations: int
    clarification: Clarification
    limits: Limits
    cost_credits: float
    cost_incomplete: bool
    tokens: Tokens
    open_asks: int
    parent_id: str | None = Field(description="The run that started it.")
    parent_call_id: str | None = Field(description="The call of that run whose result it is.")
    rule_call_id: str | None = Field(description="The call about which a rule decided that started this run.")
    continues_id: str | None = Field(description="The ended run that this one continues.")
    retries_id: str | None = Field(description="The ended run that this one retries.")
    continuation_count: int
    schedule_id: str | None = Field(description="The schedule that started it.")
    created_by: str
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    duration_seconds: float
    working_seconds: float
    deadline: datetime | None
    eta_seconds: float | None = None
    engine_url: str | None = None

    @classmethod
    def of(cls, run: Run, open_asks: int, deadline: datetime | None, max_exchanges: int) -> "RunOut":
        return cls(
            id=run.id,
            kind=run.kind,
            agent=run.agent,
            agent_name=run.agent_name or run.agent,
            agent_revision=run.agent_revision,
            workflow=run.workflow,
            workflow_revision=run.workflow_revision,
            step=run.step,
            test=run.test,
            project_id=run.project_id,
            title=run.title,
            task=run.task,
            context=run.context,
            input=run.input,
            summary=run.summary,
            output=run.output,
            mode=run.mode,
            autonomy=Autonomy(run.autonomy),
            status=RunStatus(run.status),
            completion_reason=Reason(run.completion_reason) if run.completion_reason else None,
            error=run.error,
            progress=Progress.model_validate(run.progress) if run.progress else None,
            iterations=run.iterations,
            clarification=Clarification(exchanges=run.exchanges, max_exchanges=max_exchanges),
            limits=Limits.model_validate(run.limits),
            cost_credits=round(run.cost_credits, 6),
            cost_incomplete=run.cost_incomplete,
            tokens=Tokens.of(run.tokens_input, run.tokens_output, run.tokens_cached),
            open_asks=open_asks,
            parent_id=run.parent_id,
            parent_call_id=run.parent_call_id,
            rule_call_id=run.rule_call_id,
            continues_id=run.continues_id,
            retries_id=run.retries_id,
            continuation_count=run.continuation_count,
            schedule_id=run.schedule_id,
            created_by=run.created_by,
            created_at=run.created_at,
            started_at=run.started_at,
            ended_at=run.ended_at,
            duration_seconds=_duration(run),
            working_seconds=round(run.working_seconds, 3),
            deadline=deadline,
        )


def _duration(run: Run) -> float:
    """From its begin to the end, or to now."""
    if run.started_at is None:
        return 0.0
    return ((run.ended_at or now()) - run.started_at).total_seconds()


class VerdictOut(BaseModel):
    verdict: Literal["allow", "ask", "deny"]
    reasons: list[str]
    rule: str | None
    risk: str
    impact: ImpactOut | None = None
    policy_version: int | None = None


class UndoOut(BaseModel):
    """Whether a call can be taken back. How the world stands is looked at when somebody wants it."""

    possible: bool
    why: str | None = Field(default=None, description="Why not.")
    undone_by: str | None = Field(default=None, description="Who undid it, or is about to.")
    call_id: str | None = Field(default=None, description="The call that takes it back.")


class CallOut(BaseModel):
    id: str
    run_id: str
    tool: str
    arguments: JsonObject
    proposed_arguments: JsonObject
    verdict: VerdictOut
    status: CallStatus
    ask_id: str | None
    attempt: int
    result: Any
    error: str | None
    late_result: JsonObject | None = Field(
        description="What became of it later: {attempt, status, result or error, at}."
    )
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    cost_credits: float
    undo: UndoOut
    undoes: str | None = Field(description="The call that this one takes back.")
    requested_by: str | None = Field(description="Who wanted that.")
    started_run_id: str | None = Field(description="The run that it started, and whose output is its result.")

    @classmethod
    def of(cls, call: Call, by: Call | None = None, started_run_id: str | None = None) -> "CallOut":
        """With the call that takes it back, and the run that it started, if there is one."""
        why = why_not_undone(call, by)
        return cls(
            id=call.id,
            run_id=call.run_id,
            tool=call.tool,
            arguments=call.arguments,
            proposed_arguments=call.proposed_arguments,
            verdict=VerdictOut.model_validate(call.verdict),
            status=CallStatus(call.status),
            ask_id=call.ask_id,
            attempt=call.attempt,
            result=call.result,
            error=call.error,
            late_result=call.late,
            created_at=call.created_at,
            started_at=call.started_at,
            ended_at=call.ended_at,
            cost_credits=call.cost_credits,
            undo=UndoOut(
                possible=why is None,
                why=why,
                undone_by=by.requested_by if by else None,
                call_id=by.id if by else None,
            ),
            undoes=call.undoes,
            started_run_id=started_run_id,
            requested_by=call.requested_by,
        )


class CompactionOut(BaseModel):
    """From here on the model reads less of what was before; the transcript keeps all of it."""

    cleared_before: int = Field(description="Long results of turns before this one are references.")
    summarized_before: int = Field(description="Turns before this one are a summary; 0 where there is none.")
    summary: str | None


class MessageOut(BaseModel):
    id: str
    role: Literal["user", "assistant", "tool", "system"]
    author: str | None = None
    text: str
    for_agent: bool = Field(
        default=False, description="A note from Signoff to the model, such as a reminder; not meant for readers."
    )
    calls: list[CallOut] = []
    created_at: datetime
    tokens: Tokens | None = None
    compaction: CompactionOut | None = None


class ActivityOut(BaseModel):
    """One event of a run, as the stream carries it."""

    id: int
    type: str
    run_id: str | None
    at: datetime
    data: JsonObject


class RunCount(BaseModel):
    total: int
    needs_attention: int
    by_status: dict[str, int]


class Dashboard(BaseModel):
    needs_attention: list[RunOut]
    running: list[RunOut]
    recent_completed: list[RunOut]
