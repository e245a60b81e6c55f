"""Edited arguments are judged again: an edit must not slip past a rule that the proposal did not touch."""

from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.signing import needs_several, set_conditions
from signoff.kit import clock
from signoff.kit.errors import FieldError, Invalid
from signoff.kit.jsons import JsonObject, digest
from signoff.policy.evaluate import AskFirst, Autonomy, Deny, ProposedCall, Stance, evaluate
from signoff.policy.risk import Assessment, Risk
from signoff.rules import queries as rules


def judge_again(session: Session, ask: Ask, changed: JsonObject | None) -> None:
    """Refuse an edit that a rule denies; where a rule wants more people for it, the ask now needs them."""
    if changed is None or ask.tool is None or ask.call_ids:
        return
    verdict = evaluate(
        proposed(ask, changed), Stance(Autonomy.APPROVE_ALL), rules.in_force(session, ask.workspace_id), clock.now()
    )
    if isinstance(verdict, Deny):
        why = "; ".join(verdict.reasons)
        raise Invalid(f"A rule forbids these arguments: {why}", errors=[FieldError("arguments", why)])
    if not isinstance(verdict, AskFirst) or verdict.rule in (None, ask.rule):
        return
    conditions = verdict.conditions
    if conditions.approvals > ask.approvals_required or (conditions.stages and not ask.stages):
        set_conditions(ask, conditions)
        ask.rule, ask.risk_reasons = verdict.rule, list(dict.fromkeys([*verdict.reasons, *verdict.risk.reasons]))
    elif conditions.approvers and not needs_several(ask):
        # Somebody else must sign for this: the edit is theirs to approve.
        listed = ", ".join(conditions.approvers)
        raise Invalid(
            f"With these arguments the rule {verdict.rule!r} needs one of: {listed}.",
            errors=[FieldError("arguments", f"the rule {verdict.rule!r} names other approvers")],
        )


def judge_steps(session: Session, ask: Ask, steps: list[JsonObject]) -> None:
    """Refuse a plan whose changed steps a rule denies."""
    policy = rules.in_force(session, ask.workspace_id)
    for step in steps:
        if not step.get("edited"):
            continue
        call = ProposedCall(
            tool=step["tool"],
            assessment=Assessment(Risk(step["risk"]), ()),
            operation_type=step.get("operation_type", ""),
            arguments=step["arguments"],
            agent=ask.agent,
        )
        denial = policy.denial(call, clock.now())
        if denial is not None:
            why = "; ".join(denial.reasons)
            raise Invalid(f"A rule forbids step {step['id']}: {why}", errors=[FieldError(f"steps.{step['id']}", why)])


def proposed(ask: Ask, arguments: JsonObject) -> ProposedCall:
    """The call of an ask, as policy sees it."""
    level = Risk(ask.risk_level) if ask.risk_level else Risk.HIGH
    return ProposedCall(
        tool=ask.tool or "",
        assessment=Assessment(level, ()),
        operation_type=ask.operation_type or "",
        arguments=arguments,
        confidence=ask.confidence,
        cost=ask.estimated_cost_credits,
        agent=ask.agent,
        key=f"{ask.run_id}:{ask.tool}:{digest(arguments)}",
    )
