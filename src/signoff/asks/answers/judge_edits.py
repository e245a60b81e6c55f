"""Edited arguments are judged again: an edit must not slip past a rule that the proposal did not touch."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

from sqlalchemy.orm import Session

from signoff.asks.answers.outcome import Answer, check_arguments
from signoff.asks.models import Ask
from signoff.asks.proposed_call import read_proposed_call
from signoff.asks.risk import impact_on, set_risk
from signoff.asks.signatures.conditions import tighten
from signoff.claims.rules_in_force import in_force
from signoff.kit import clock
from signoff.kit.errors import FieldError, Invalid
from signoff.kit.jsons import JsonObject, same
from signoff.policy.evaluate import (
    AskFirst,
    Autonomy,
    Conditions,
    Deny,
    Policy,
    ProposedCall,
    Stance,
    Verdict,
    evaluate,
)
from signoff.policy.impact import NOT_KNOWN, ImpactOf, together
from signoff.policy.risk import Assessment, Risk, raised


class NotJudgeable(Invalid):
    """What was judged is not on the ask, so an edit of it cannot be judged either."""


def state_edit(ask: Ask, given: Answer) -> None:
    """Let the tool state what changed arguments do before anything is locked: what it says then counts."""
    if given.arguments is None or ask.tool is None:
        return
    with suppress(Invalid):
        check_arguments(ask, given.arguments)
        for each in given.arguments["calls"] if ask.call_ids else [given.arguments]:
            if each is not None:
                given.impact_of(ask.run_id, ask.tool, each)


def judge_again(session: Session, ask: Ask, changed: JsonObject, impact_of: ImpactOf) -> None:
    """Refuse an edit that a rule denies; where a rule wants other people for it, the ask now needs them.

    What the call does to the world is stated anew, and its risk with it."""
    if ask.call_ids:
        _judge_batch(session, ask, changed, impact_of)
        return
    verdict = _verdict(session, ask, changed, impact_of)
    _refuse_denied(verdict, "arguments")
    if isinstance(verdict, AskFirst) and verdict.rule not in (None, ask.rule):
        tighten(ask, verdict.conditions)
        ask.rule = verdict.rule
        ask.risk_reasons = list(dict.fromkeys([*verdict.reasons, *verdict.risk.reasons]))
    set_risk(ask, verdict.risk)


def _judge_batch(session: Session, ask: Ask, changed: JsonObject, impact_of: ImpactOf) -> None:
    """In a batch one call cannot get signers of its own: what would need them is refused."""
    before: list[Any] = (ask.arguments or {})["calls"]
    for index, (old, new) in enumerate(zip(before, changed["calls"], strict=True)):
        if new is None or same(new, old):
            continue
        place = f"arguments.calls.{index}"
        verdict = _verdict(session, ask, new, impact_of)
        _refuse_denied(verdict, place)
        _add_risk(ask, verdict.risk)
        if not isinstance(verdict, AskFirst) or verdict.rule in (None, ask.rule):
            continue
        if verdict.conditions != Conditions():
            why = f"the rule {verdict.rule!r} needs a separate decision for this; leave it out with null"
            raise Invalid(f"This change cannot be approved in a batch: {why}.", errors=[FieldError(place, why)])


def judge_steps(session: Session, ask: Ask, steps: list[JsonObject], impact_of: ImpactOf) -> None:
    """Refuse a plan whose changed steps a rule denies."""
    for step in steps:
        if step.get("edited"):
            stated = impact_of(ask.run_id, step["tool"], step["arguments"])
            call = replace(
                _frozen(ask, step["arguments"]),
                tool=step["tool"],
                is_control=False,
                assessment=raised(Assessment(Risk(step["risk"]), (), stated)),
                operation_type=step.get("operation_type", ""),
                cost=step.get("estimated_cost_credits"),
                schema=step.get("schema"),
            )
            denial = _rules(session, ask, call).denial(call, clock.now())
            if denial is not None:
                _refuse_denied(denial, f"steps.{step['id']}")
            _add_risk(ask, call.assessment)


def _add_risk(ask: Ask, found: Assessment) -> None:
    """Of several calls that are one decision, the gravest counts."""
    level = max(Risk(ask.risk_level or Risk.LOW), found.level, key=lambda risk: risk.rank)
    impacts = [impact for impact in (impact_on(ask), found.impact or NOT_KNOWN) if impact]
    set_risk(ask, Assessment(level, found.reasons, together(impacts)))


def _refuse_denied(verdict: Verdict, place: str) -> None:
    if isinstance(verdict, Deny):
        why = "; ".join(verdict.reasons)
        raise Invalid(f"A rule forbids this change: {why}", errors=[FieldError(place, why)])


def _verdict(session: Session, ask: Ask, arguments: JsonObject, impact_of: ImpactOf) -> Verdict:
    """What the rules say about the call with these arguments; autonomy asked already."""
    call = _frozen(ask, arguments)
    stated = replace(call.assessment, impact=impact_of(ask.run_id, call.tool, arguments))
    call, policy = replace(call, assessment=stated), _rules(session, ask, call)
    return evaluate(call, Stance(Autonomy.APPROVE_ALL), policy, clock.now())


def _rules(session: Session, ask: Ask, call: ProposedCall) -> Policy:
    return in_force(session, ask.workspace_id, ask.run_id if call.workflow is not None else None)


def _frozen(ask: Ask, arguments: JsonObject) -> ProposedCall:
    call = read_proposed_call(ask, arguments)
    if call is None:
        raise NotJudgeable(
            "This cannot be edited: it is too old to be checked against the rules. Approve or deny it as it is."
        )
    return call
