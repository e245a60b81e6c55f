"""What people decided before about calls of the same agent and tool, and what a pattern would have made of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import ColumnElement, literal_column, select
from sqlalchemy.orm import Session

from signoff.asks.models import DECIDED_STATUSES, Ask
from signoff.asks.proposed_call import read_proposed_call
from signoff.asks.risk import impact_on
from signoff.asks.states import AskKind, AskStatus
from signoff.kit import clock
from signoff.kit.jsons import JsonObject, same
from signoff.policy.call import ProposedCall
from signoff.policy.patterns.derive import Choice, choices, reads
from signoff.policy.patterns.pattern import Pattern
from signoff.policy.risk import Assessment, Risk, raised

# The newest so many are looked at.
LOOKED_AT = 500
# A decision is dated a moment before others can read it.
OVERLAP = timedelta(minutes=1)
MOST_LINKS = 20
Fate = Literal["approved", "edited", "refused"]
IS_DECIDED: ColumnElement[bool] = literal_column(f"asks.status IN ({DECIDED_STATUSES})")
COLUMNS = (
    *(Ask.id, Ask.title, Ask.agent, Ask.tool, Ask.status, Ask.risk_level, Ask.rule, Ask.settled_by, Ask.settled_at),
    *(Ask.arguments, Ask.original_arguments, Ask.answer),
    *(Ask.proposed_call, Ask.arguments_schema, Ask.call_ids),
)


@dataclass(frozen=True)
class Decided:
    """One call that people decided about, as it was proposed; and as it was approved, when they changed it."""

    ask_id: str
    title: str
    by: str | None
    fate: Fate
    call: ProposedCall
    approved: JsonObject | None = None


@dataclass(frozen=True)
class Past:
    """What a pattern would have let through."""

    approved: int
    # Those that somebody changed first, or refused.
    edited: int
    refused: int
    objections: Sequence[Decided]

    @property
    def is_clean(self) -> bool:
        return not self.objections


def approved_calls(ask: Ask) -> list[ProposedCall]:
    """The calls that an ask lets through, with the arguments as they were approved; one that was left out is none."""
    changed = (ask.answer or {}).get("arguments")
    arguments: JsonObject = (ask.arguments if changed is None else changed) or {}
    parts: list[Any] = arguments["calls"] if ask.call_ids else [arguments]
    found = [(place, read_proposed_call(ask, part)) for place, part in enumerate(parts) if part is not None]
    return [replace(call, assessment=_risk(ask, place, call)) for place, call in found if call is not None]


def _risk(ask: Ask, place: int, call: ProposedCall) -> Assessment:
    """What a person saw of one call: of several that were decided at once, each by itself."""
    kept: list[JsonObject] = (ask.proposed_call or {}).get("each") or []
    if ask.call_ids:
        return Assessment.from_json(kept[place]) if kept else raised(call.assessment)
    return Assessment(Risk(ask.risk_level or Risk.LOW), call.assessment.reasons, impact_on(ask))


@dataclass(frozen=True)
class KnownPast:
    """Past decisions as they stood at a moment, read before anything is written."""

    decided: Sequence[Decided]
    at: datetime


def read_past(session: Session, ask: Ask) -> KnownPast:
    at = clock.now()
    return KnownPast(past_decisions(session, ask), at)


def past_decisions(session: Session, ask: Ask, known: KnownPast | None = None) -> list[Decided]:
    """The newest decisions about this agent's calls of this tool, this ask left out; only new ones are read anew."""
    about = (Ask.workspace_id == ask.workspace_id, Ask.agent == ask.agent, Ask.tool == ask.tool)
    newest = select(Ask.id).where(*about, IS_DECIDED, Ask.kind == AskKind.APPROVAL.value, Ask.id != ask.id)
    newest = newest.where(Ask.test.is_(False))
    query = select(*COLUMNS).where(Ask.id.in_(newest.order_by(Ask.id.desc()).limit(LOOKED_AT)))
    if known is not None:
        query = query.where(Ask.settled_at >= known.at - OVERLAP)
    found = [each for row in session.execute(query.order_by(Ask.id.desc())) for each in decisions_of(row)]
    new = {each.ask_id for each in found}
    return [*found, *(each for each in (known.decided if known else ()) if each.ask_id not in new)]


def decisions_of(row: Any) -> list[Decided]:
    """What one ask says about each of its calls; nothing where what was judged was not kept."""
    proposed: JsonObject = row.arguments if row.original_arguments is None else row.original_arguments
    answer: JsonObject = row.answer or {}
    approved: JsonObject = answer.get("arguments") or row.arguments
    if not row.call_ids:
        return _decision(row, proposed, approved)
    pairs = zip(proposed["calls"], approved["calls"], strict=True)
    return [each for before, after in pairs for each in _decision(row, before, after)]


def _decision(row: Any, proposed: JsonObject | None, approved: JsonObject | None) -> list[Decided]:
    call = None if proposed is None else read_proposed_call(row, proposed)
    if call is None:
        return []
    if row.status != AskStatus.APPROVED.value or approved is None:
        return [Decided(row.id, row.title, row.settled_by, "refused", call)]
    changed = not same(proposed, approved)
    fate: Fate = "edited" if changed else "approved"
    return [Decided(row.id, row.title, row.settled_by, fate, call, approved if changed else None)]


def past_of(patterns: Sequence[Pattern], risk: Risk, past: Sequence[Decided]) -> Past:
    """How much of it these patterns would have let through, up to a risk."""
    lower = [each for each in past if each.call.assessment.level.rank <= risk.rank]
    found = [each for each in lower if any(pattern.holds(each.call) for pattern in patterns)]
    counts = {fate: sum(each.fate == fate for each in found) for fate in ("approved", "edited", "refused")}
    return Past(**counts, objections=[each for each in found if each.fate != "approved"][:MOST_LINKS])


def ways(call: ProposedCall, past: Sequence[Decided]) -> list[tuple[Choice, Past]]:
    """The ways to remember a call, the narrowest first, each with what it would have let through."""
    made = choices(call.arguments, reads=reads(call))
    return [(each, past_of([each.pattern], call.assessment.level, past)) for each in made]


def suggested(call: ProposedCall, past: Sequence[Decided]) -> Pattern:
    """What is remembered when nobody says more."""
    return suggested_of(ways(call, past)).pattern


def suggested_of(found: Sequence[tuple[Choice, Past]]) -> Choice:
    """The same place, up to this amount; but exactly this one, where that would have let a refused call through."""
    alike = next((choice for choice, past in found if choice.name == "alike" and past.is_clean), None)
    return alike or found[0][0]
