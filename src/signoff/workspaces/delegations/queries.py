from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Select, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from signoff.kit import clock
from signoff.kit.actor import Actor, Role, Standing
from signoff.kit.errors import NotFound
from signoff.workspaces import queries as people
from signoff.workspaces.delegations.models import Delegation
from signoff.workspaces.models import Member, User

ABSENT = "for whom the actor decides"


@dataclass(frozen=True)
class Cover:
    """A delegation that holds now, with the addresses of both."""

    absent_id: str
    absent: str
    absent_name: str
    deputy_id: str
    deputy: str


def delegation(session: Session, actor: Actor, delegation_id: str) -> Delegation:
    found = session.get(Delegation, delegation_id, with_for_update=True)
    seen = found is not None and found.workspace_id == actor.workspace_id
    if found is None or not seen or not (actor.role.includes(Role.ADMIN) or is_of(actor, found)):
        raise NotFound("Delegation not found.")
    return found


def is_of(actor: Actor, found: Delegation) -> bool:
    return actor.user_id in (found.absent_id, found.deputy_id)


def delegations(actor: Actor) -> Select[Delegation]:
    """What holds or is to come: everybody's to an admin, to others their own."""
    query = not_over(actor.workspace_id, clock.now())
    if actor.role.includes(Role.ADMIN):
        return query
    return query.where(or_(Delegation.absent_id == actor.user_id, Delegation.deputy_id == actor.user_id))


def not_over(workspace_id: str, at: datetime) -> Select[Delegation]:
    own = (Delegation.workspace_id == workspace_id, Delegation.ended_at.is_(None), Delegation.ends_at > at)
    return select(Delegation).where(*own)


def absent_for(session: Session, actor: Actor) -> list[tuple[str, Actor]]:
    """Those for whom this member decides now, each with the delegation's id: read once in a session.

    Who was made a viewer, or has not accepted, has nothing to hand over.
    """
    known: dict[str | None, list[tuple[str, Actor]]] = session.info.setdefault(ABSENT, {})
    if actor.user_id not in known:
        at = clock.now()
        query = not_over(actor.workspace_id, at).where(
            Delegation.deputy_id == actor.user_id, Delegation.starts_at <= at
        )
        query = query.join(Member, Member.user_id == Delegation.absent_id).join(User, User.id == Member.user_id)
        query = query.where(Member.workspace_id == actor.workspace_id).add_columns(Member, User).order_by(Delegation.id)
        rows = [(row[0].id, people.actor_of(session, row[1], "session")) for row in session.execute(query)]
        known[actor.user_id] = [each for each in rows if may_hand_over(each[1])]
    return known[actor.user_id]


def may_hand_over(who: Actor) -> bool:
    return who.standing is Standing.PERSON and who.role.includes(Role.MEMBER)


def lock_not_ended(session: Session, ids: Iterable[str]) -> set[str]:
    """Those of these that nobody ended, kept so until the commit. One whose date is over counts for what it was used
    for while it held."""
    wanted = set(ids)
    query = select(Delegation.id).where(Delegation.id.in_(wanted), Delegation.ended_at.is_(None))
    return set(session.scalars(query.order_by(Delegation.id).with_for_update(read=True))) if wanted else set()


def not_ended(session: Session, ids: Iterable[str]) -> set[str]:
    """The same for showing: no row is locked."""
    wanted = set(ids)
    query = select(Delegation.id).where(Delegation.id.in_(wanted), Delegation.ended_at.is_(None))
    return set(session.scalars(query)) if wanted else set()


def is_not_ended(id_column: ColumnElement[str | None] | InstrumentedAttribute[str | None]) -> ColumnElement[bool]:
    """The same within a query, of a row that may be by one; what is by none is not ended."""
    valid = select(Delegation.id).where(Delegation.id == id_column, Delegation.ended_at.is_(None))
    return or_(id_column.is_(None), valid.exists())


def covers(session: Session, workspace_id: str) -> list[Cover]:
    """Who decides for whom at this moment."""
    at, absent, deputy = clock.now(), aliased(User), aliased(User)
    query = not_over(workspace_id, at).where(Delegation.starts_at <= at)
    query = query.join(absent, absent.id == Delegation.absent_id).join(deputy, deputy.id == Delegation.deputy_id)
    columns = (absent.id, absent.email, absent.name, deputy.id, deputy.email)
    return [Cover(*row) for row in session.execute(query.with_only_columns(*columns))]
