"""Edited arguments are judged again: an edit must not slip past a rule that the proposal did not touch."""

from dataclasses import replace
from typing import Any

from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.proposed_call import read_proposed_call
from signoff.asks.signatures.conditions import tighten
from signoff.kit import clock
from signoff.kit.errors import FieldError, Invalid
from signoff.kit.jsons import JsonObject, same
from signoff.policy.evaluate import AskFirst, Autonomy, Conditions, Deny, ProposedCall, Stance, Verdict, evaluate
from signoff.policy.risk import Assessment, Risk
from signoff.rules import queries as rules


class NotJudgeable(Invalid):
    """What was judged is not on the ask, so an edit of it cannot be judged either."""


def judge_again(session: Session, ask: Ask, changed: JsonObject) -> None:
    """Refuse an edit that a rule denies; where a rule wants other people for it, the ask now needs them."""
    if ask.call_ids:
        _judge_batch(session, ask, changed)
        return
    verdict = _verdict(session, ask, changed)
    _refuse_denied(verdict, "arguments")
    if isinstance(verdict, AskFirst) and verdict.rule not in (None, ask.rule):
        tighten(ask, verdict.conditions)
        ask.rule = verdict.rule
        ask.risk_reasons = list(dict.fromkeys([*verdict.reasons, *verdict.risk.reasons]))


def _judge_batch(session: Session, ask: Ask, changed: JsonObject) -> None:
    """In a batch one call cannot get signers of its own: what would need them is refused."""
    before: list[Any] = (ask.arguments or {})["calls"]
    for index, (old, new) in enumerate(zip(before, changed["calls"], strict=True)):
        if new is None or same(new, old):
            continue
        place = f"arguments.calls.{index}"
        verdict = _verdict(session, ask, new)
        _refuse_denied(verdict, place)
        if not isinstance(verdict, AskFirst) or verdict.rule in (None, ask.rule):
            continue
        if verdict.conditions != Conditions():
            why = f"the rule {verdict.rule!r} wants a decision of its own for this; leave it out with null"
            raise Invalid(f"This change cannot be approved in a batch: {why}.", errors=[FieldError(place, why)])


def judge_steps(session: Session, ask: Ask, steps: list[JsonObject]) -> None:
    """Refuse a plan whose changed steps a rule denies."""
    for step in steps:
        if step.get("edited"):
            call = replace(
                _frozen(ask, step["arguments"]),
                tool=step["tool"],
                is_control=False,
                assessment=Assessment(Risk(step["risk"]), ()),
                operation_type=step.get("operation_type", ""),
                cost=step.get("estimated_cost_credits"),
                schema=step.get("schema"),
            )
            denial = rules.in_force(session, ask.workspace_id).denial(call, clock.now())
            if denial is not None:
                _refuse_denied(denial, f"steps.{step['id']}")


def _refuse_denied(verdict: Verdict, place: str) -> None:
    if isinstance(verdict, Deny):
        why = "; ".join(verdict.reasons)
        raise Invalid(f"A rule forbids this change: {why}", errors=[FieldError(place, why)])


def _verdict(session: Session, ask: Ask, arguments: JsonObject) -> Verdict:
    """What the rules say about the call with these arguments; autonomy asked already."""
    call = _frozen(ask, arguments)
    return evaluate(call, Stance(Autonomy.APPROVE_ALL), rules.in_force(session, ask.workspace_id), clock.now())


def _frozen(ask: Ask, arguments: JsonObject) -> ProposedCall:
    call = read_proposed_call(ask, arguments)
    if call is None:
        raise NotJudgeable(
            "This cannot be changed: what the rules looked at was not kept. Approve or refuse it as it is."
        )
    return call
