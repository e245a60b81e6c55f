"""Who is notified, inside the product, and what each has read."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, case, delete, exists, insert, literal, not_, null, select, true, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.db.columns import table
from signoff.kit.db.database import commit_of
from signoff.kit.db.prepared import Prepared, row_of
from signoff.kit.errors import Forbidden
from signoff.kit.jsons import JsonObject
from signoff.notifications import queries
from signoff.notifications.addressees import addressees, deputies, is_somebody
from signoff.notifications.events import emit_created
from signoff.notifications.models import (
    FOLLOWS_EVENTS,
    NoticeKind,
    Notification,
    NotificationAddressee,
    NotificationMark,
    NotificationRead,
)
from signoff.notifications.models import channels as channels_table
from signoff.notifications.models import deliveries as deliveries_table

# No transaction takes longer: behind a mark that is this old nothing appears any more.
SETTLED = timedelta(minutes=5)
FORGOTTEN_AT_ONCE = 500
SAME = (
    *("workspace_id", "run_id", "channel", "sender", "ask_id", "kind"),
    *("listed", "channels", "urgent", "facts"),
)


class NotYours(Forbidden):
    """What a person has read is for them to say."""

    code = "not_your_notices"


def notify(
    session: Session,
    workspace_id: str,
    run_id: str | None,
    channel: str,
    sender: str,
    text: str,
    *,
    recipients: list[str] | None = None,
    ask_id: str | None = None,
    kind: NoticeKind = NoticeKind.MESSAGE,
    listed: bool = True,
    channels: Sequence[str] = (),
    urgent: bool = False,
    facts: JsonObject | None = None,
) -> Notification:
    """Tell the people of a workspace, or some of them: in their lists, and outside where channels are set up.

    Who is reached outside, and how, is found out after the commit, from this row (`channels.routing`).
    """
    about = Notification(workspace_id=workspace_id, run_id=run_id, channel=channel, sender=sender)
    about.ask_id, about.kind, about.listed, about.urgent = ask_id, kind.value, listed, urgent
    about.channels, about.facts = list(channels), facts
    told = _put(session, about, text, recipients or [])
    if ask_id is not None and recipients and listed:
        for deputy, absent in deputies(session, workspace_id, addressees(recipients)):
            _put(session, about, f"{absent} is away. {text}", [deputy])
    return told


def _put(session: Session, about: Notification, text: str, recipients: list[str]) -> Notification:
    same = {name: getattr(about, name) for name in SAME}
    notification = Notification(**same, text=text, recipients=recipients)
    row = row_of(notification)
    notification.id = row["id"]
    _INSERT.run(session, {**row, "at": row["created_at"]})
    commit_of(session).tells = True
    if not notification.listed:
        return notification
    place = {"workspace_id": notification.workspace_id, "notification_id": notification.id}
    _ADDRESS.run(session, [place | {"addressee": each} for each in addressees(recipients)])
    emit_created(session, notification)
    return notification


def look_again(session: Session, ask_ids: Sequence[str]) -> None:
    """These asks changed: what was told of them outside is to be changed, too."""
    at = clock.now()
    _LOOK_AGAIN.run(session, [{"ask": ask_id, "at": at} for ask_id in ask_ids])
    commit_of(session).tells = True


def mark_read(session: Session, actor: Actor, ids: list[str] | None) -> None:
    """Mark some, or all, as read: for this person alone."""
    if not is_somebody(actor):
        raise NotYours(
            "This token was made by someone else, or its owner has not accepted the invitation. "
            "It cannot mark notices as read."
        )
    if ids is None:
        _move_mark(session, actor)
    unread = queries.notifications(actor, unread=True)
    if ids is not None:
        unread = unread.where(Notification.id.in_(ids))
    # Each by itself: by the order of ids alone one that is about to be committed would count as read, too.
    found = unread.with_only_columns(queries.member_id(actor), Notification.id)
    columns = ["member_id", "notification_id"]
    session.execute(_dialect(session).insert(NotificationRead).from_select(columns, found).on_conflict_do_nothing())


def forget_old(session: Session, at: datetime, kept: timedelta) -> bool:
    """Delete what is old, in no list and in no delivery, some at a time. Whether there may be more."""
    told = exists(literal(1)).where(deliveries_table.c.notification_id == Notification.id)
    old = select(Notification.id).where(not_(Notification.listed), Notification.created_at < at - kept, not_(told))
    ids = session.scalars(old.order_by(Notification.created_at).limit(FORGOTTEN_AT_ONCE)).all()
    gone = delete(Notification).where(Notification.id.in_(ids))
    session.execute(gone.execution_options(synchronize_session=False))
    return len(ids) == FORGOTTEN_AT_ONCE


def _move_mark(session: Session, actor: Actor) -> None:
    """All that is old enough is read by one row, however much it is."""
    old = queries.notifications(actor, unread=True).where(Notification.created_at < clock.now() - SETTLED)
    newest = session.scalar(old.with_only_columns(Notification.id).order_by(Notification.id.desc()).limit(1))
    if newest is None:
        return
    member = session.scalars(select(queries.member_id(actor))).one()
    mark = _dialect(session).insert(NotificationMark).values(member_id=member, read_up_to=newest)
    further = NotificationMark.read_up_to < mark.excluded.read_up_to
    session.execute(
        mark.on_conflict_do_update(index_elements=["member_id"], set_={"read_up_to": newest}, where=further)
    )
    behind = (NotificationRead.member_id == member, NotificationRead.notification_id <= newest)
    session.execute(delete(NotificationRead).where(*behind).execution_options(synchronize_session=False))


def _dialect(session: Session):
    return postgresql if session.get_bind().dialect.name == "postgresql" else sqlite


def _insert() -> Prepared:
    """Where nobody can be reached outside, nobody looks for whom to reach."""
    columns = _notifications.c
    values: dict[str, Any] = {each.key: bindparam(each.key, type_=each.type) for each in columns}
    reachable = exists(literal(1)).where(
        channels_table.c.workspace_id == bindparam("workspace_id"),
        channels_table.c.enabled.is_(true()),
        channels_table.c.kind != FOLLOWS_EVENTS,
    )
    values["route_at"] = case((reachable, bindparam("at", type_=columns.route_at.type)), else_=null())
    return Prepared(insert(_notifications).values(values))


_notifications = table(Notification)
_INSERT = _insert()
_LOOK_AGAIN = Prepared(
    update(_notifications)
    .where(_notifications.c.ask_id == bindparam("ask"), _notifications.c.routed_at.is_not(None))
    .values(route_at=bindparam("at", type_=_notifications.c.route_at.type))
)
_ADDRESS = Prepared.insert(table(NotificationAddressee))
