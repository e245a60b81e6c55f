from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Select, Text, cast, func, literal_column, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from signoff.asks.models import Ask
from signoff.asks.states import AskStatus
from signoff.claims.models import of_family, of_project
from signoff.kit import jsons
from signoff.kit.actor import Actor
from signoff.kit.db.prepared import Getter
from signoff.kit.errors import NotFound

Sort = Literal["oldest", "newest", "deadline", "risk"]
PENDING = Ask.status == literal_column(f"'{AskStatus.PENDING.value}'")
ANSWERED = Ask.status == literal_column(f"'{AskStatus.ANSWERED.value}'")
THREAD = 500
_GET = Getter(Ask)


class UnknownAsk(NotFound):
    code = "unknown_ask"


def asks(
    actor: Actor,
    *,
    status: str | None = None,
    kind: str | None = None,
    agent: str | None = None,
    risk: str | None = None,
    run_id: str | None = None,
    above: str | None = None,
    assignee: str | None = None,
    likeness: str | None = None,
    q: str | None = None,
    project_id: str | None = None,
) -> Select[Ask]:
    """The asks of the actor's workspace, narrowed down; `above` is a run with all that it started."""
    query = select(Ask).where(Ask.workspace_id == actor.workspace_id)
    given: dict[InstrumentedAttribute[Any], str | None] = {
        Ask.kind: kind,
        Ask.agent: agent,
        Ask.risk_level: risk,
        Ask.run_id: run_id,
        Ask.assignee: assignee,
        Ask.likeness: likeness,
    }
    for column, value in given.items():
        if value is not None:
            query = query.where(column == value)
    if above is not None:
        query = query.where(Ask.run_id.in_(of_family(above)))
    if project_id is not None:
        query = query.where(Ask.run_id.in_(of_project(actor.workspace_id, project_id)))
    if q:
        query = query.where(_has_words(q))
    if status is None:
        return query
    # The indexes of open asks serve only a query that names the status itself, not a parameter.
    return query.where(PENDING if status == AskStatus.PENDING.value else Ask.status == status)


def _has_words(q: str) -> ColumnElement[bool]:
    """Whether an ask speaks of this anywhere that people read: in its words, its arguments or its plan."""
    # As it stands in JSON, where quotes and line breaks are written otherwise.
    inside = jsons.dumps(q)[1:-1]
    words = [column.icontains(q, autoescape=True) for column in (Ask.title, Ask.run_title, Ask.description)]
    values = [cast(column, Text).icontains(inside, autoescape=True) for column in (Ask.arguments, Ask.plan)]
    return or_(*words, *values)


def sort_keys(sort: Sort) -> tuple[list[Any], bool]:
    """The order of a list and whether it runs backwards. The highest risk and the gravest impact come first."""
    match sort:
        case "oldest":
            return [Ask.id], False
        case "newest":
            return [Ask.id], True
        case "deadline":
            return [Ask.waits_until, Ask.id], False
        case "risk":
            return [Ask.risk_order, Ask.impact_order, Ask.id], False


def ask(session: Session, actor: Actor, ask_id: str) -> Ask:
    found = _GET(session, ask_id)
    if found is None or found.workspace_id != actor.workspace_id:
        raise UnknownAsk("Ask not found.")
    return found


def by_run(session: Session, ask_ids: list[str]) -> list[str]:
    """The same ids in the order of their runs; what does not exist comes last."""
    found = {row[0]: row[1] or "" for row in session.execute(select(Ask.id, Ask.run_id).where(Ask.id.in_(ask_ids)))}
    return sorted(ask_ids, key=lambda ask_id: (ask_id not in found, found.get(ask_id, ""), ask_id))


def open_by_run(session: Session, run_ids: list[str]) -> dict[str, int]:
    """How many asks each run has open."""
    query = select(Ask.run_id, func.count()).where(Ask.run_id.in_(run_ids), PENDING)
    return {run_id: count for run_id, count in session.execute(query.group_by(Ask.run_id)) if run_id}


def own_open(session: Session, run_id: str) -> int:
    """How many asks of its own a run has open."""
    return session.scalar(select(func.count()).where(Ask.run_id == run_id, Ask.asked_by.is_(None), PENDING)) or 0


def outside_open(session: Session, run_id: str) -> int:
    """How many questions about a run are open that others ask."""
    return session.scalar(select(func.count()).where(Ask.run_id == run_id, Ask.asked_by.is_not(None), PENDING)) or 0


def outside_since(session: Session, run_id: str, at: datetime) -> int:
    """How many questions others have asked about a run since then."""
    since = (Ask.run_id == run_id, Ask.asked_by.is_not(None), Ask.created_at > at)
    return session.scalar(select(func.count()).where(*since)) or 0


def thread(session: Session, found: Ask) -> list[Ask]:
    """A question with those it follows and those that follow it, oldest first."""
    query = select(Ask).where(Ask.run_id == found.run_id, or_(Ask.follows.is_not(None), Ask.kind == "question"))
    asked = {ask.id: ask for ask in session.scalars(query.order_by(Ask.id).limit(THREAD))} | {found.id: found}
    first = found
    while first.follows in asked:
        first = asked[first.follows]
    members = {first.id}
    for ask in sorted(asked.values(), key=lambda each: each.id):
        if ask.follows in members:
            members.add(ask.id)
    return [asked[ask_id] for ask_id in sorted(members)]
