"""The ways to remember an approval that are put before a person, each with what it would have let through."""

from typing import Any

from sqlalchemy.orm import Session

from signoff.asks.answers.outcome import Scope
from signoff.asks.answers.remember import DEFAULT_HOURS, MOST_HOURS, why_not
from signoff.asks.answers.remember_schemas import PastCall, RememberChoice, RememberOut, Where
from signoff.asks.answers.similar_decisions import (
    Decided,
    Past,
    approved_calls,
    past_decisions,
    past_of,
    suggested,
    suggested_of,
    ways,
)
from signoff.asks.models import Ask
from signoff.kit.actor import Actor, Role
from signoff.policy.patterns.derive import Choice
from signoff.policy.patterns.pattern import BadPattern, Pattern
from signoff.policy.risk import Risk

MOST_SENTENCES = 5
HOURS = [24, DEFAULT_HOURS, MOST_HOURS]
LABELS = {"exact": "Exactly this", "alike": "The same kind", "below": "Anything in the same place"}


def offers(session: Session, actor: Actor, ask: Ask) -> RememberOut:
    """Narrowest first. The one that is suggested would have let no refused call through."""
    reason, found, past = why_not(ask), list[tuple[Choice, Past]](), list[Decided]()
    if reason is None:
        try:
            past = past_decisions(session, ask)
            calls = approved_calls(ask)
            if len(calls) != 1:
                return _together(actor, ask, [suggested(call, past) for call in calls], past)
            found = ways(calls[0], past)
        except BadPattern as error:
            reason = str(error)
    name = suggested_of(found).name if found else ""
    return RememberOut(
        why_not=reason,
        scopes=_scopes(actor, ask, bool(found)),
        hours=HOURS,
        default_hours=DEFAULT_HOURS,
        choices=[_shown(ask, each, past, each.name == name) for each, past in found],
        looked_at=len(past),
    )


def _together(actor: Actor, ask: Ask, patterns: list[Pattern], past: list[Decided]) -> RememberOut:
    """Several calls that are decided at once: each is remembered for its own kind."""
    distinct = {each.to_text(): each for each in patterns}
    sentences = [each.sentence(ask.agent_name or ask.agent, ask.tool or "it") for each in distinct.values()]
    found = past_of(patterns, Risk(ask.risk_level or Risk.LOW), past)
    each_kind = RememberChoice(
        name="each",
        label="Each for its own kind",
        sentence=" ".join(sentences[:MOST_SENTENCES]),
        where=[],
        is_default=True,
        **_figures(found),
    )
    return RememberOut(
        why_not=None,
        scopes=_scopes(actor, ask, may_allow=True),
        hours=HOURS,
        default_hours=DEFAULT_HOURS,
        choices=[each_kind],
        looked_at=len(past),
    )


def _scopes(actor: Actor, ask: Ask, may_allow: bool) -> list[Scope]:
    if ask.test:
        return []
    run: list[Scope] = ["run"] if may_allow and ask.run_id else []
    agent: list[Scope] = ["agent"] if may_allow and actor.role.includes(Role.ADMIN) else []
    return [*run, *agent, "rule"]


def _shown(ask: Ask, choice: Choice, past: Past, is_default: bool) -> RememberChoice:
    kept = choice.pattern.to_json()
    return RememberChoice(
        name=choice.name,
        label=LABELS[choice.name],
        sentence=choice.pattern.sentence(ask.agent_name or ask.agent, ask.tool or "it"),
        where=[Where.model_validate(each) for each in kept["where"]],
        is_default=is_default,
        **_figures(past),
    )


def _figures(past: Past) -> dict[str, Any]:
    objections = [
        PastCall(ask_id=each.ask_id, title=each.title, by=each.by, fate=each.fate) for each in past.objections
    ]
    return {"approved": past.approved, "edited": past.edited, "refused": past.refused, "let_through": objections}
