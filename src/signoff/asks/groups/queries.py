"""Open asks grouped by what they have in common, over all pages."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, Subquery, func, select
from sqlalchemy.orm import Bundle, Session

from signoff.asks.groups.differences import differences
from signoff.asks.groups.schemas import AskGroup
from signoff.asks.models import NEVER, Ask
from signoff.asks.presentation import seen, show_all
from signoff.asks.queries import Sort
from signoff.asks.schemas import AskOut
from signoff.kit.actor import Actor
from signoff.kit.jsons import JsonObject
from signoff.kit.paging import Page, Window, page
from signoff.policy.targets import targets

# So many of a group are compared; a page of groups must not read the whole inbox.
LOOKED_AT = 50
MOST_GROUPS = 50


@dataclass(frozen=True)
class _Group:
    first: str
    size: int
    waits_until: datetime


def groups(found: Select[Ask]) -> Subquery:
    """A row for each group, by what one index holds."""
    return (
        found.with_only_columns(
            func.min(Ask.id).label("first"),
            func.max(Ask.id).label("last"),
            func.count().label("size"),
            func.min(Ask.risk_order).label("risk_order"),
            func.min(Ask.impact_order).label("impact_order"),
            func.min(Ask.waits_until).label("waits_until"),
        )
        .group_by(func.coalesce(Ask.likeness, Ask.id))
        .subquery()
    )


def groups_page(session: Session, actor: Actor, found: Select[Ask], window: Window, sort: Sort) -> Page[AskGroup]:
    """Groups of the asks that were found; one that is like no other is a group of its own."""
    grouped = groups(found).c
    keys: dict[Sort, list[Any]] = {
        "oldest": [grouped.first],
        "newest": [grouped.last],
        "deadline": [grouped.waits_until, grouped.first],
        "risk": [grouped.risk_order, grouped.impact_order, grouped.first],
    }
    query: Select[Row[Any]] = select(Bundle("group", grouped.first, grouped.size, grouped.waits_until))
    window = Window(min(window.limit, MOST_GROUPS), window.cursor)
    listed = page(session, query, keys[sort], window, lambda row: _Group(*row), descending=sort == "newest")
    return listed.of(_shown(session, actor, found, listed.items))


def _shown(session: Session, actor: Actor, found: Select[Ask], groups: Sequence[_Group]) -> list[AskGroup]:
    firsts = seen(select(Ask).where(Ask.id.in_([group.first for group in groups])))
    by_id = {ask.id: ask for ask in show_all(session, actor, session.scalars(firsts).all())}
    shown = [(group, by_id[group.first]) for group in groups if group.first in by_id]
    members = _members(session, found, {first.likeness for group, first in shown if group.size > 1 and first.likeness})
    return [_group(group, first, members[first.likeness or ""]) for group, first in shown]


def _members(session: Session, found: Select[Ask], likenesses: set[str]) -> defaultdict[str, list[Any]]:
    """What the oldest of each group say and who asks, in one statement for all groups."""
    place = func.row_number().over(partition_by=Ask.likeness, order_by=Ask.id).label("place")
    numbered = found.where(Ask.likeness.in_(likenesses)).with_only_columns(Ask.id, place).subquery()
    query = select(Ask.likeness, Ask.arguments, Ask.agent_name, Ask.agent).join(numbered, numbered.c.id == Ask.id)
    members = defaultdict[str, list[Any]](list)
    for row in session.execute(query.where(numbered.c.place <= LOOKED_AT).order_by(Ask.id)):
        members[row.likeness or ""].append(row)
    return members


def _group(group: _Group, first: AskOut, members: Sequence[Any]) -> AskGroup:
    calls: list[JsonObject] = [row.arguments or {} for row in members] or [first.arguments or {}]
    agents = list(dict.fromkeys(row.agent_name or row.agent for row in members)) or [first.agent_name]
    why_not = first.apart or (None if first.may_decide else first.barred or "You can't decide these")
    return AskGroup(
        likeness=first.likeness,
        count=group.size,
        kind=first.kind,
        agents=agents,
        tool=first.tool,
        target=targets(first.arguments or {}),
        differs=differences(calls),
        looked_at=len(calls),
        oldest=first.created_at,
        risk=first.risk,
        deadline=None if group.waits_until >= NEVER else group.waits_until,
        together=why_not is None,
        why_not=why_not,
        first=first,
    )
