from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, exists, func, literal, select
from sqlalchemy.orm import Session

from signoff.kit.actor import Actor
from signoff.notifications.addressees import addressees_of
from signoff.notifications.models import (
    PENDING,
    WANTS_ANSWER,
    NoticeKind,
    Notification,
    NotificationAddressee,
    NotificationMark,
    NotificationRead,
    asks,
)
from signoff.workspaces.models import Member

# The bell says "99+".
MOST_COUNTED = 100


def notifications(actor: Actor, *, unread: bool = False, run_id: str | None = None) -> Select[Notification]:
    """What is addressed to this caller, or to everybody."""
    query = select(Notification).where(Notification.workspace_id == actor.workspace_id)
    query = query.where(Notification.id.in_(_addressed_to(actor)))
    if run_id is not None:
        query = query.where(Notification.run_id == run_id)
    return query.where(is_unread(actor, Notification.id)) if unread else query


def unread_among(session: Session, actor: Actor, ids: Sequence[str]) -> set[str]:
    """Which of these this member has not read."""
    query = select(Notification.id).where(Notification.id.in_(ids), is_unread(actor, Notification.id))
    return set(session.scalars(query)) if ids else set()


def ask_statuses(session: Session, found: Sequence[Notification]) -> dict[str, str]:
    """How the asks of these notices stand, by ask."""
    ids = {row.ask_id for row in found if row.ask_id}
    rows = session.execute(select(asks.c.id, asks.c.status).where(asks.c.id.in_(ids))) if ids else ()
    return {row[0]: row[1] for row in rows}


def is_told(session: Session, workspace_id: str, run_id: str, channel: str, text: str) -> bool:
    """Whether people were told this of a run before. Ids grow with time, so only what is newer than the run is read."""
    newer = (Notification.workspace_id == workspace_id, Notification.id > run_id)
    same = (Notification.run_id == run_id, Notification.channel == channel, Notification.text == text)
    return session.scalar(select(Notification.id).where(*newer, *same).limit(1)) is not None


def first_notice(session: Session, ask_id: str) -> Notification | None:
    """Of an ask, how people were told of it when it was opened."""
    query = select(Notification).where(Notification.ask_id == ask_id, Notification.kind == NoticeKind.ASK.value)
    return session.scalar(query.order_by(Notification.id).limit(1))


def count_unread(session: Session, actor: Actor) -> int:
    """How many are new to this member, up to a hundred: one statement, that reads no further back than their mark."""
    place = NotificationAddressee.notification_id
    new = _addressed_to(actor).where(is_unread(actor, place)).distinct().limit(MOST_COUNTED)
    return session.scalar(select(func.count()).select_from(new.subquery())) or 0


def member_id(actor: Actor) -> Any:
    return (
        select(Member.id)
        .where(Member.workspace_id == actor.workspace_id, Member.user_id == actor.user_id)
        .scalar_subquery()
    )


def is_unread(actor: Actor, place: Any) -> ColumnElement[bool]:
    """Beyond the member's mark, not read by itself, and not about an ask that somebody has settled. What was there
    before they came is old: ids grow with time."""
    mark = (
        select(func.coalesce(NotificationMark.read_up_to, Member.id))
        .select_from(Member)
        .outerjoin(NotificationMark, NotificationMark.member_id == Member.id)
        .where(Member.workspace_id == actor.workspace_id, Member.user_id == actor.user_id)
        .scalar_subquery()
    )
    read = exists(literal(1)).where(
        NotificationRead.member_id == member_id(actor), NotificationRead.notification_id == place
    )
    about = Notification.__table__.alias("about")
    settled = exists(literal(1)).where(
        about.c.id == place, about.c.kind.in_(WANTS_ANSWER), asks.c.id == about.c.ask_id, asks.c.status != PENDING
    )
    return and_(place > mark, ~read, ~settled)


def _addressed_to(actor: Actor) -> Select[str]:
    return select(NotificationAddressee.notification_id).where(
        NotificationAddressee.workspace_id == actor.workspace_id,
        NotificationAddressee.addressee.in_(addressees_of(actor)),
    )
