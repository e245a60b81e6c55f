from datetime import datetime
from typing import Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field

from signoff.asks.answers import Answer, needed_role
from signoff.asks.diff import Change
from signoff.asks.models import Ask
from signoff.asks.states import AskKind, AskStatus
from signoff.kit.clock import now
from signoff.kit.jsons import JsonObject
from signoff.kit.texts import LongText
from signoff.policy.risk import Risk

ResponseType = Literal["text", "choice", "boolean", "number", "form"]


class RiskOut(BaseModel):
    level: Risk
    reasons: list[str]


class Signature(BaseModel):
    by: str
    decision: str
    note: str | None = None
    at: datetime


class AnswerOut(BaseModel):
    decision: str
    value: Any = None
    arguments: JsonObject | None = None
    note: str | None = None
    end_run: bool = False


class AskOut(BaseModel):
    """Everything needed to decide on one screen."""

    id: str
    kind: AskKind
    status: AskStatus
    run_id: str | None
    run_title: str
    agent: str
    title: str
    description: str
    tool: str | None
    action_type: str | None
    arguments: JsonObject | None
    arguments_schema: JsonObject | None
    risk: RiskOut | None
    rule: str | None
    confidence: float | None
    reasoning: str | None
    context: str | None
    alternatives: str | None
    supporting_data: Any = None
    estimated_cost_credits: float | None
    response_type: ResponseType | None
    options: list[Any] | None
    schema_: JsonObject | None = Field(default=None, serialization_alias="schema")
    blocking: bool
    default: Any
    deadline: datetime | None
    on_timeout: str | None
    approvals_required: int
    approvals: list[Signature]
    approvers: list[str]
    assignee: str | None = None
    similar: int = 0
    lessons: list[Any] = []
    created_at: datetime
    waiting_seconds: float
    answer: AnswerOut | None
    settled_by: str | None
    settled_at: datetime | None
    follows: str | None = None

    @classmethod
    def of(cls, ask: Ask, similar: int = 0) -> "AskOut":
        given = AnswerOut.model_validate(ask.answer) if ask.answer else None
        return cls(
            id=ask.id,
            kind=AskKind(ask.kind),
            status=AskStatus(ask.status),
            run_id=ask.run_id,
            run_title=ask.run_title,
            agent=ask.agent,
            title=ask.title,
            description=ask.description,
            tool=ask.tool,
            action_type=ask.action_type,
            arguments=ask.arguments,
            arguments_schema=ask.arguments_schema,
            risk=RiskOut(level=Risk(ask.risk_level), reasons=ask.risk_reasons) if ask.risk_level else None,
            rule=ask.rule,
            confidence=ask.confidence,
            reasoning=ask.reasoning,
            context=ask.context,
            alternatives=ask.alternatives,
            estimated_cost_credits=ask.estimated_cost_credits,
            response_type=cast("ResponseType | None", ask.response_type),
            options=ask.options,
            schema_=ask.schema,
            blocking=ask.blocking,
            default=ask.default,
            deadline=ask.deadline,
            on_timeout=ask.on_timeout,
            approvals_required=1,
            approvals=_signatures(ask, given),
            approvers=[needed_role(AskKind(ask.kind)).value],
            similar=similar,
            created_at=ask.created_at,
            waiting_seconds=((ask.settled_at or now()) - ask.created_at).total_seconds(),
            answer=given,
            settled_by=ask.settled_by,
            settled_at=ask.settled_at,
        )


def _signatures(ask: Ask, given: AnswerOut | None) -> list[Signature]:
    if given is None or ask.settled_by is None or ask.settled_at is None:
        return []
    return [Signature(by=ask.settled_by, decision=given.decision, note=given.note, at=ask.settled_at)]


class AnswerIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    decision: Literal["approve", "deny", "respond"]
    arguments: JsonObject | None = Field(default=None, description="Complete; they replace what the agent proposed.")
    value: Any = Field(default=None, description="The response to a question or a recovery.")
    note: LongText | None = None
    end_run: bool = False

    def to_answer(self) -> Answer:
        return Answer(self.decision, self.arguments, self.value, self.note, self.end_run)


class PreviewIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    arguments: JsonObject


class Problem(BaseModel):
    path: str
    message: str


class PreviewOut(BaseModel):
    diff: list[Change]
    errors: list[Problem]


class BatchIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    ids: list[str] = Field(min_length=1, max_length=200)
    decision: Literal["approve", "deny"]
    note: LongText | None = None


class BatchResult(BaseModel):
    id: str
    status: str | None
    error: str | None = None


class BatchOut(BaseModel):
    results: list[BatchResult]


class CountOut(BaseModel):
    pending: int
    by_kind: dict[str, int]
    high_risk: int
