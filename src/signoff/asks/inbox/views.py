"""The inbox of one person. Each view is served by an index, however many asks there are."""

from typing import Any, Literal

from sqlalchemy import Select, case, func, select, text, union_all
from sqlalchemy.orm import Session

from signoff.asks import queries
from signoff.asks.inbox.models import AskPart, Part
from signoff.asks.models import LISTED_AS_DECIDED, Ask
from signoff.asks.queries import PENDING, Sort
from signoff.kit.actor import Actor
from signoff.workspaces.delegations.queries import is_not_ended

View = Literal["open", "waiting", "decided"]
WAITS = (Part.SIGNED.value, Part.HANDED_ON.value)
IS_LISTED = text(LISTED_AS_DECIDED)


def seen_by(actor: Actor, found: Select[Ask], view: View) -> Select[Ask]:
    """Of these asks, those that stand in this view."""
    match view:
        case "open":
            return found.where(PENDING, Ask.id.not_in(_parts(actor, *WAITS)))
        case "waiting":
            return found.where(PENDING, Ask.id.in_(_parts(actor, *WAITS)))
        case "decided":
            return found.where(IS_LISTED)


def decided_by(actor: Actor, found: Select[Ask]) -> tuple[Select[Ask], list[Any]]:
    """Of these asks, those in which this person had a say: the last word, or one of several signatures. With the
    keys of their order, which come from where they were found."""
    keys = (Ask.settled_at.label("settled_at"), Ask.id.label("id"))
    own = (Ask.workspace_id == actor.workspace_id, IS_LISTED)
    last_word = select(*keys).where(*own, Ask.settled_by == actor.label)
    signed = select(*keys).where(*own, Ask.settled_by != actor.label, Ask.id.in_(_parts(actor, Part.DECIDED.value)))
    mine = union_all(last_word, signed).subquery("mine")
    return found.join(mine, mine.c.id == Ask.id), [mine.c.settled_at, mine.c.id]


def order(view: View | None, sort: Sort) -> tuple[list[Any], bool]:
    """What was decided last comes first; what is open, as the reader wants it."""
    return ([Ask.settled_at, Ask.id], True) if view == "decided" else queries.sort_keys(sort)


def counts(session: Session, actor: Actor, project_id: str | None = None) -> dict[str, Any]:
    """How much waits for this person, in all and by kind, and how much of theirs waits for others: open asks only."""
    everything = _by_kind(session, queries.asks(actor, status="pending", project_id=project_id))
    waiting = _by_kind(session, seen_by(actor, queries.asks(actor, project_id=project_id), "waiting"))
    own = {kind: (many - waiting.get(kind, (0, 0))[0]) for kind, (many, _) in everything.items()}
    risky = sum(high for _, high in everything.values()) - sum(high for _, high in waiting.values())
    by_kind = {kind: many for kind, many in own.items() if many}
    others = sum(many for many, _ in waiting.values())
    return {"pending": sum(by_kind.values()), "by_kind": by_kind, "high_risk": risky, "waiting": others}


def _by_kind(session: Session, found: Select[Ask]) -> dict[str, tuple[int, int]]:
    query = found.with_only_columns(Ask.kind, func.count(), func.sum(case((Ask.risk_order <= 1, 1), else_=0)))
    return {kind: (many, high or 0) for kind, many, high in session.execute(query.group_by(Ask.kind))}


def _parts(actor: Actor, *parts: str) -> Select[str]:
    own = (AskPart.workspace_id == actor.workspace_id, AskPart.person == actor.label)
    return select(AskPart.ask_id).where(*own, AskPart.part.in_(parts), is_not_ended(AskPart.delegation_id))
