from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field

from signoff.asks.answers.outcome import needed_role
from signoff.asks.effects.veto import has_window, is_suspended, runs_at
from signoff.asks.likeness import apart
from signoff.asks.models import Ask
from signoff.asks.signatures.parties import editors, outside_asker
from signoff.asks.states import AskKind, AskStatus
from signoff.kit.clock import now
from signoff.kit.jsons import JsonObject
from signoff.kit.text.fields import Line
from signoff.lessons.schemas import LessonBrief
from signoff.policy.impact import ImpactKind
from signoff.policy.risk import Risk

ResponseType = Literal["text", "choice", "boolean", "number", "form"]


class RiskOut(BaseModel):
    level: Risk
    reasons: list[str]


class ImpactOut(BaseModel):
    """What the call does to the world, as its tool states it for these arguments."""

    kinds: list[ImpactKind]
    text: str
    stated: bool = Field(default=True, description="False: by its class alone; there may be more to it.")
    first_time: bool | None = Field(default=None, description="Whether this agent has not done this before.")
    reversible: bool = Field(default=False, description="Whether Signoff can undo it afterwards.")


class DryRun(BaseModel):
    """A server's own words on what a call would do. Nobody has checked them, and no approval is bound to them."""

    text: str | None = Field(default=None, description="At most 4,000 characters.")
    why: str | None = Field(default=None, description="Why the server gave none.")


class EffectPreview(BaseModel):
    """What a call would change, found out by reading only. `none` says why nothing can be shown."""

    kind: Literal["diff", "rows", "mail", "request", "fields", "text", "batch", "none"]
    summary: str = Field(default="", description="In one line.")
    detail: JsonObject = Field(
        default={},
        description="By kind. diff: {path, before, after, diff, no_diff?}; fields: {fields: [{label, value}]};"
        " batch: {calls: [a preview each]}.",
    )
    why: str | None = Field(default=None, description="Why there is none.")
    dry_run: DryRun | None = Field(
        default=None, description="For a tool whose reviewer said that it has one; made once, when the ask was opened."
    )
    made_at: datetime


class VetoOut(BaseModel):
    """Silence approves it."""

    seconds: float = Field(description="How long people have to object.")
    left: float = Field(description="How much of it was left when it last stood still.")
    suspended: bool = Field(
        description="The time stands still: its run or everything is paused, or auto-approvals are stopped."
    )
    reached_at: datetime | None = Field(description="When somebody who may object was reached; null: nobody yet.")


class Signature(BaseModel):
    by: str
    decision: str
    note: str | None = None
    at: datetime
    stage: str | None = None
    on_behalf_of: str | None = Field(default=None, description="Who was away, when someone else signed for them.")
    void: str | None = Field(default=None, description="Why it no longer counts; `decision` is then `void`.")


class StageOut(BaseModel):
    name: str
    approvers: list[str]
    count: int


class Suggestion(BaseModel):
    """What people answered most often before."""

    value: Any
    times: int
    of: int


class PlanStep(BaseModel):
    id: str
    tool: str
    arguments: JsonObject
    purpose: str = ""
    risk: Risk | None = None
    impact: ImpactOut | None = None
    schema_: JsonObject | None = Field(default=None, validation_alias="schema", serialization_alias="schema")


class Plan(BaseModel):
    summary: str = ""
    steps: list[PlanStep]


class AnswerOut(BaseModel):
    decision: str
    value: Any = None
    arguments: JsonObject | None = None
    steps: list[Any] | None = None
    note: str | None = None
    end_run: bool = False
    remember: str | None = None
    on_behalf_of: str | None = Field(default=None, description="Who was away, when someone else answered for them.")
    rule: str | None = Field(default=None, description="Which rule let it through while it waited.")
    applied_by: str | None = Field(default=None, description="Who applied the current rules to it.")
    unopposed: bool = Field(default=False, description="Nobody objected in time, so its rule let it through.")


@dataclass(frozen=True)
class Footing:
    """How an ask stands at this moment: which signatures count, and what the reader may do about it."""

    signatures: Sequence[JsonObject]
    may_decide: bool = False
    may_refuse: bool = False
    barred: str | None = None
    decides_for: str | None = None


class AskOut(BaseModel):
    """Everything needed to decide on one screen."""

    id: str
    kind: AskKind
    status: AskStatus
    run_id: str | None
    run_title: str
    test: bool = Field(description="Whether its run is a test: what is approved is not really done.")
    agent: str
    agent_name: str
    title: str
    description: str
    tool: str | None
    action_type: str | None
    arguments: JsonObject | None
    arguments_schema: JsonObject | None
    original_arguments: JsonObject | None = Field(description="As proposed, if a signer has changed them since.")
    edited_by: list[str] = Field(description="Who changed it, the last one last.")
    digest: str | None = Field(description="Of what is shown; send it back to sign exactly this.")
    risk: RiskOut | None
    impact: ImpactOut | None
    reversible: bool = Field(description="Whether Signoff can undo it after it ran.")
    preview: EffectPreview | None = Field(description="What it would change, made before anybody was asked.")
    rule: str | None
    policy_version: int | None
    confidence: float | None
    reasoning: str | None
    context: str | None
    alternatives: str | None
    supporting_data: Any = None
    estimated_cost_credits: float | None
    response_type: ResponseType | None
    options: list[Any] | None
    schema_: JsonObject | None = Field(default=None, serialization_alias="schema")
    plan: Plan | None
    suggestion: Suggestion | None
    blocking: bool
    default: Any
    deadline: datetime | None
    on_timeout: str | None
    veto: VetoOut | None = Field(description="It runs by itself unless somebody objects.")
    runs_at: datetime | None = Field(description="When it runs by itself; null: never, or the time does not count yet.")
    approvals_required: int
    approvals: list[Signature]
    approvers: list[str]
    stages: list[StageOut] | None
    four_eyes: bool
    started_by: str | None = Field(description="Who started the run; with four eyes they may not approve.")
    asked_by: str | None = Field(description="Who asks from outside the run and reads the answer; null: the run asks.")
    may_decide: bool = Field(description="Whether you may approve or answer it now.")
    may_refuse: bool = Field(description="Whether you may deny it now.")
    barred: str | None = Field(description="Why you may not approve it, although your role could.")
    decides_for: str | None = Field(description="Who is away, where you may decide in their place.")
    assignee: str | None
    likeness: str | None = Field(description="The same for asks that are alike.")
    similar: int = Field(description="Other open asks that are alike.")
    apart: str | None = Field(description="Why it can only be decided separately.")
    lessons: list[LessonBrief]
    created_at: datetime
    waiting_seconds: float
    answer: AnswerOut | None
    settled_by: str | None
    settled_at: datetime | None
    follows: str | None

    @classmethod
    def of(
        cls,
        ask: Ask,
        similar: int = 0,
        lessons: Sequence[LessonBrief] = (),
        footing: "Footing | None" = None,
    ) -> "AskOut":
        footing = footing or Footing(ask.signatures)
        given = AnswerOut.model_validate(ask.answer) if ask.answer else None
        return cls(
            id=ask.id,
            kind=AskKind(ask.kind),
            status=AskStatus(ask.status),
            run_id=ask.run_id,
            run_title=ask.run_title,
            test=ask.test,
            agent=ask.agent,
            agent_name=ask.agent_name or ask.agent,
            title=ask.title,
            description=ask.description,
            tool=ask.tool,
            action_type=ask.action_type,
            arguments=ask.arguments,
            arguments_schema=ask.arguments_schema,
            original_arguments=ask.original_arguments,
            edited_by=editors(ask),
            digest=ask.digest,
            risk=RiskOut(level=Risk(ask.risk_level), reasons=ask.risk_reasons) if ask.risk_level else None,
            impact=ImpactOut.model_validate(ask.impact) if ask.impact else None,
            reversible=bool((ask.impact or {}).get("reversible")),
            preview=EffectPreview.model_validate(ask.preview) if ask.preview else None,
            rule=ask.rule,
            policy_version=ask.policy_version,
            confidence=ask.confidence,
            reasoning=ask.reasoning,
            context=ask.context,
            alternatives=ask.alternatives,
            supporting_data=ask.supporting_data,
            estimated_cost_credits=ask.estimated_cost_credits,
            response_type=cast("ResponseType | None", ask.response_type),
            options=ask.options,
            schema_=ask.schema,
            plan=Plan.model_validate(ask.plan) if ask.plan else None,
            suggestion=Suggestion.model_validate(ask.suggestion) if ask.suggestion else None,
            blocking=ask.blocking,
            default=ask.default,
            deadline=ask.deadline,
            on_timeout=ask.on_timeout,
            veto=VetoOut.model_validate({**(ask.veto or {}), "suspended": is_suspended(ask)})
            if has_window(ask)
            else None,
            runs_at=runs_at(ask),
            approvals_required=ask.approvals_required,
            approvals=_signatures(ask, footing.signatures, given),
            approvers=ask.approvers or [needed_role(AskKind(ask.kind)).value],
            stages=[StageOut.model_validate(stage) for stage in ask.stages] if ask.stages else None,
            four_eyes=ask.four_eyes,
            started_by=ask.started_by,
            asked_by=outside_asker(ask),
            may_decide=footing.may_decide,
            may_refuse=footing.may_refuse,
            barred=footing.barred,
            decides_for=footing.decides_for,
            assignee=ask.assignee,
            likeness=ask.likeness,
            similar=similar,
            apart=apart(ask),
            lessons=list(lessons),
            follows=ask.follows,
            created_at=ask.created_at,
            waiting_seconds=((ask.settled_at or now()) - ask.created_at).total_seconds(),
            answer=given,
            settled_by=ask.settled_by,
            settled_at=ask.settled_at,
        )


def _signatures(ask: Ask, signed: Sequence[JsonObject], given: AnswerOut | None) -> list[Signature]:
    if signed:
        return [Signature.model_validate(each) for each in signed]
    if given is None or ask.settled_by is None or ask.settled_at is None:
        return []
    alone = Signature(by=ask.settled_by, decision=given.decision, note=given.note, at=ask.settled_at)
    alone.on_behalf_of = given.on_behalf_of
    return [alone]


class CountOut(BaseModel):
    pending: int = Field(description="Open asks in which you have not done your part.")
    by_kind: dict[str, int]
    high_risk: int
    waiting: int = Field(description="Open asks that you signed or assigned to others, and that wait for them.")


class AssignIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    user: Line | None = Field(description="A member's user id or email; null: nobody in particular.")


class ExpireIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    older_than_seconds: float = Field(ge=0, le=10 * 365 * 24 * 3600)


class ExpireOut(BaseModel):
    expired: int
    ids: list[str]
