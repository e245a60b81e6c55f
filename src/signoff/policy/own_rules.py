"""Rules that a workflow brings along. They make stricter what the workspace's rules say, and never looser."""

from dataclasses import replace
from datetime import datetime

from signoff.policy.call import ProposedCall
from signoff.policy.compiled import OwnRules, Policy
from signoff.policy.verdict import AskFirst, Conditions, Deny, Stage, Verdict


def narrowed(verdict: Verdict, policy: Policy, call: ProposedCall, at: datetime | None) -> Verdict:
    """The verdict of the workspace's rules, with what the workflows above a call want beside."""
    for own in policy.own:
        verdict = _narrowed_by(own, verdict, call, at)
    return verdict


def _narrowed_by(own: OwnRules, verdict: Verdict, call: ProposedCall, at: datetime | None) -> Verdict:
    ruled = None if isinstance(verdict, Deny) else own.policy.ruling(call, at)
    if not isinstance(ruled, Deny | AskFirst):
        return verdict
    said = (*ruled.reasons, f'It is a rule of the workflow "{own.workflow}"')
    ruled = replace(ruled, reasons=said, starts=(*verdict.starts, *ruled.starts))
    if isinstance(ruled, Deny) or not isinstance(verdict, AskFirst):
        return ruled
    names = [each for each in (verdict.rule, ruled.rule) if each]
    reasons = tuple(dict.fromkeys((*ruled.reasons, *verdict.reasons)))
    return AskFirst(
        reasons, verdict.risk, " and ".join(names), both(verdict.conditions, ruled.conditions), ruled.starts
    )


def both(one: Conditions, other: Conditions) -> Conditions:
    """What satisfies both. Silence approves only where both say so."""
    fewer = one if other == Conditions() else other if one == Conditions() else None
    signed = _signed_for_both(one, other) if fewer is None else fewer
    timing = _timing(one, other)
    return replace(
        signed,
        four_eyes=one.four_eyes or other.four_eyes,
        sign_in=one.sign_in or other.sign_in,
        timeout_seconds=timing.timeout_seconds,
        on_timeout=timing.on_timeout,
        allow_irreversible=timing.allow_irreversible,
        escalation=timing.escalation,
        remind_before_seconds=timing.remind_before_seconds,
        channels=tuple(dict.fromkeys((*one.channels, *other.channels))),
        recipients=tuple(dict.fromkeys((*one.recipients, *other.recipients))),
        batch_alike=fewer.batch_alike if fewer is not None else one.batch_alike and other.batch_alike,
    )


def _signed_for_both(one: Conditions, other: Conditions) -> Conditions:
    """Where they want different people, each gets a stage of its own."""
    if not one.stages and not other.stages:
        if set(one.approvers) == set(other.approvers):
            return replace(one, approvals=max(one.approvals, other.approvals))
        for named, anybody in ((one, other), (other, one)):
            if not anybody.approvers and anybody.approvals <= named.approvals:
                return named
    stages = (*_stages(one, "Workspace"), *_stages(other, "Workflow"))
    return Conditions(approvals=sum(stage.count for stage in stages), stages=stages)


def _stages(conditions: Conditions, name: str) -> tuple[Stage, ...]:
    return conditions.stages or (Stage(name, conditions.approvers, conditions.approvals),)


def _timing(one: Conditions, other: Conditions) -> Conditions:
    if one.on_timeout == other.on_timeout == "approve":
        return max(one, other, key=lambda each: each.timeout_seconds or 0)
    timed = (each for each in (one, other) if each.timeout_seconds is not None or each.escalation)
    return next((each for each in timed if each.on_timeout != "approve"), Conditions())
