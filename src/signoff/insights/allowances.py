"""What people allowed, in words, with its end and how often it was used."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import BaseModel, Field
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from signoff.asks.answers.remember_schemas import Where
from signoff.asks.answers.similar_decisions import approved_calls
from signoff.asks.models import Ask
from signoff.claims.rules_in_force import in_force
from signoff.kit import clock, jsons
from signoff.policy.evaluate import Allow, Autonomy, Stance, evaluate
from signoff.policy.patterns.pattern import kept_pattern
from signoff.rules.models import Allowance
from signoff.runs.models import Call


class AllowanceOut(BaseModel):
    """What a person allowed from then on."""

    id: str
    agent: str
    run_id: str | None
    tool: str
    risk_level: str
    ask_id: str
    is_wide: bool = Field(description="From before there were patterns: whatever the arguments, without an end.")
    sentence: str
    conditions: list[str]
    where: list[Where]
    expires_at: datetime | None
    overruled_by: str | None = Field(
        description="The rule in force that decides before it, by the call it was given for."
    )
    used: int = Field(description="How many calls it let through.")
    last_used_at: datetime | None
    created_by: str
    created_at: datetime


def show_allowances(session: Session, found: Sequence[Allowance]) -> list[AllowanceOut]:
    """Each with its use and its agent's name, in one indexed query each for all."""
    ids = [each.id for each in found]
    query = select(Call.allowance_id, func.count(), func.max(Call.created_at)).where(Call.allowance_id.in_(ids))
    used = {id_: (count, last) for id_, count, last in session.execute(query.group_by(Call.allowance_id))}
    asked = select(Ask).where(Ask.id.in_([each.ask_id for each in found]))
    asks = {ask.id: ask for ask in session.scalars(asked)}
    return [_shown(session, each, asks.get(each.ask_id), *used.get(each.id, (0, None))) for each in found]


def _overruling(session: Session, ask: Ask | None) -> str | None:
    """The rule that would now ask for, or deny, what somebody allowed: rules come before allowances."""
    if ask is None:
        return None
    policy, at = in_force(session, ask.workspace_id, ask.run_id), clock.now()
    verdicts = [evaluate(call, Stance(Autonomy.APPROVE_ALL), policy, at) for call in approved_calls(ask)]
    return next((each.rule for each in verdicts if each.rule and not isinstance(each, Allow)), None)


def _shown(session: Session, allowance: Allowance, ask: Ask | None, used: int, last: datetime | None) -> AllowanceOut:
    who = (ask.agent_name if ask else None) or allowance.agent
    kept = allowance.pattern
    pattern = kept_pattern(jsons.dumps(kept)) if kept is not None else None
    wide = f"{who} may use {allowance.tool}, whatever its arguments."
    return AllowanceOut(
        id=allowance.id,
        agent=allowance.agent,
        run_id=allowance.run_id,
        tool=allowance.tool,
        risk_level=allowance.risk_level,
        ask_id=allowance.ask_id,
        is_wide=pattern is None,
        sentence=pattern.sentence(who, allowance.tool) if pattern else wide,
        conditions=pattern.conditions() if pattern else [],
        where=[Where.model_validate(each) for each in kept["where"]] if kept else [],
        expires_at=allowance.expires_at,
        overruled_by=_overruling(session, ask),
        used=used,
        last_used_at=last,
        created_by=allowance.created_by,
        created_at=allowance.created_at,
    )
