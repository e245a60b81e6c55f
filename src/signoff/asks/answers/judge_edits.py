"""Edited arguments are judged again: an edit must not slip past a rule that the proposal did not touch."""

from typing import Any

from sqlalchemy import column, select, table
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.signatures.conditions import tighten
from signoff.kit import clock
from signoff.kit.db.columns import JsonText
from signoff.kit.errors import FieldError, Invalid
from signoff.kit.jsons import JsonObject, digest, same
from signoff.policy.evaluate import AskFirst, Autonomy, Conditions, Deny, ProposedCall, Stance, Verdict, evaluate
from signoff.policy.risk import Assessment, Risk
from signoff.rules import queries as rules

# What rules may look at beside the arguments; `runs` lies above in the order of imports.
_RUNS = table("runs", column("id"), column("input", JsonText), column("created_by"), column("title"), column("mode"))


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
            told = f"the rule {verdict.rule!r} wants a decision of its own for this; leave it out with null"
            raise Invalid(f"This change cannot be approved in a batch: {told}.", errors=[FieldError(place, told)])


def judge_steps(session: Session, ask: Ask, steps: list[JsonObject]) -> None:
    """Refuse a plan whose changed steps a rule denies."""
    for step in steps:
        if step.get("edited"):
            call = ProposedCall(
                tool=step["tool"],
                assessment=Assessment(Risk(step["risk"]), ()),
                operation_type=step.get("operation_type", ""),
                arguments=step["arguments"],
                agent=ask.agent,
                fields=_fields(session, ask),
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
    level = Risk(ask.risk_level) if ask.risk_level else Risk.HIGH
    call = ProposedCall(
        tool=ask.tool or "",
        assessment=Assessment(level, ()),
        operation_type=ask.operation_type or "",
        arguments=arguments,
        confidence=ask.confidence,
        cost=ask.estimated_cost_credits,
        agent=ask.agent,
        key=f"{ask.run_id}:{ask.tool}:{digest(arguments)}",
        fields=_fields(session, ask),
        schema=_schema(ask),
    )
    return evaluate(call, Stance(Autonomy.APPROVE_ALL), rules.in_force(session, ask.workspace_id), clock.now())


def _fields(session: Session, ask: Ask) -> JsonObject:
    row: Any = session.execute(select(_RUNS).where(_RUNS.c.id == ask.run_id)).first()
    return {} if row is None else {name: row._mapping[name] for name in ("input", "created_by", "title", "mode")}


def _schema(ask: Ask) -> JsonObject | None:
    """What the tool takes; a batch has it once for all its calls."""
    whole = ask.arguments_schema
    if whole is None or not ask.call_ids:
        return whole
    each: JsonObject = whole["properties"]["calls"]["items"]["anyOf"][0]
    return {**each, "$defs": whole.get("$defs", {})}
