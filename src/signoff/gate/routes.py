from datetime import UTC, datetime
from typing import Literal

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session

from signoff.asks.schemas import ImpactOut, RiskOut
from signoff.gate.evaluate import Question, judge
from signoff.kit.actor import Actor
from signoff.kit.jsons import JsonObject
from signoff.kit.routing import api_router, errors
from signoff.kit.text.fields import Line
from signoff.policy.evaluate import AskFirst
from signoff.policy.impact import ImpactKind
from signoff.policy.risk import Risk
from signoff.rules.actions import InvalidRules
from signoff.rules.schemas import Yaml
from signoff.tools.registry import Registry
from signoff.tools.tool_impacts import NO_RUN
from signoff.workspaces.access import Caller

router = api_router("rules", "/api/rules")


class EvaluateIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    tool: Line = Field(min_length=1)
    arguments: JsonObject = {}
    agent: Line | None = None
    workflow: Line | None = None
    scheduled: bool = Field(default=False, description="Whether a schedule started the run.")
    operation_type: Line | None = None
    risk_level: Risk | None = None
    impact: list[ImpactKind] | None = Field(
        default=None, description="What the call does to the world; what its tool states when absent."
    )
    reversible: bool | None = Field(
        default=None, description="Whether the call can be undone; what its tool states when absent."
    )
    confidence: float | None = Field(default=None, ge=0, le=1)
    cost: float | None = Field(default=None, ge=0)
    ask_kind: Literal["approval", "plan", "milestone", "budget", "question"] = Field(
        default="approval", description="`approval` is a call; other kinds are met by the rules that name them."
    )
    at: datetime | None = Field(default=None, description="Evaluate as of this time; default: now.")
    yaml: Yaml | None = Field(
        default=None, description="A draft to use instead of the current rules; only for those who may save it."
    )


class ConditionsOut(BaseModel):
    """How a person is asked."""

    approvals_required: int
    approvers: list[str]
    stages: list[str]
    four_eyes: bool
    timeout_seconds: float | None
    on_timeout: str | None


class EvaluateOut(BaseModel):
    verdict: Literal["allow", "ask", "deny"]
    reasons: list[str]
    rule: str | None
    risk: RiskOut
    impact: ImpactOut | None = None
    conditions: ConditionsOut | None = None


@router.post("/evaluate", responses=errors(InvalidRules))
def evaluate_call(body: EvaluateIn, caller: Caller, request: Request) -> EvaluateOut:
    """What would happen to a call, and why. Nothing happens."""
    registry: Registry = request.app.state.registry
    no_folder = caller.settings.runs_folder / NO_RUN

    def work(session: Session, actor: Actor) -> EvaluateOut:
        # A time without a zone is UTC, like every time here.
        at = body.at.replace(tzinfo=UTC) if body.at and body.at.tzinfo is None else body.at
        kinds = None if body.impact is None else tuple(body.impact)
        asked = Question(**body.model_dump(exclude={"at", "impact", "yaml"}), at=at, impact=kinds)
        verdict = judge(session, actor, registry, request.app.state.connection_tools, no_folder, asked, body.yaml)
        impact = verdict.risk.impact
        return EvaluateOut(
            verdict=verdict.word,
            reasons=list(verdict.reasons),
            rule=verdict.rule,
            risk=RiskOut(level=verdict.risk.level, reasons=list(verdict.risk.reasons)),
            impact=ImpactOut.model_validate(impact.to_json()) if impact else None,
            conditions=_conditions(verdict) if isinstance(verdict, AskFirst) else None,
        )

    return caller.read(work)


def _conditions(verdict: AskFirst) -> ConditionsOut:
    wanted = verdict.conditions
    return ConditionsOut(
        approvals_required=sum(stage.count for stage in wanted.stages) or wanted.approvals,
        approvers=list(wanted.approvers),
        stages=[f"{stage.name}: {stage.count} of {', '.join(stage.approvers)}" for stage in wanted.stages],
        four_eyes=wanted.four_eyes,
        timeout_seconds=wanted.timeout_seconds,
        on_timeout=(wanted.on_timeout or "fail") if wanted.timeout_seconds else wanted.on_timeout,
    )
