"""Who is notified, inside the product, and what each has read."""

from datetime import timedelta

from sqlalchemy import delete, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.db.columns import table
from signoff.kit.db.prepared import Prepared, row_of
from signoff.kit.errors import Forbidden
from signoff.notifications import queries
from signoff.notifications.addressees import addressees, deputies, is_somebody
from signoff.notifications.events import emit_created
from signoff.notifications.models import (
    NoticeKind,
    Notification,
    NotificationAddressee,
    NotificationMark,
    NotificationRead,
)

# No transaction takes longer: behind a mark that is this old nothing appears any more.
SETTLED = timedelta(minutes=5)


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
) -> Notification:
    """Tell the people of a workspace, or some of them, inside the product."""
    about = Notification(workspace_id=workspace_id, run_id=run_id, channel=channel, sender=sender)
    about.ask_id, about.kind = ask_id, kind.value
    told = _put(session, about, text, recipients or [])
    if ask_id is not None and recipients:
        for deputy, absent in deputies(session, workspace_id, addressees(recipients)):
            _put(session, about, f"{absent} is away. {text}", [deputy])
    return told


def _put(session: Session, about: Notification, text: str, recipients: list[str]) -> Notification:
    same = {name: getattr(about, name) for name in ("workspace_id", "run_id", "channel", "sender", "ask_id", "kind")}
    notification = Notification(**same, text=text, recipients=recipients)
    row = row_of(notification)
    notification.id = row["id"]
    _INSERT.run(session, row)
    place = {"workspace_id": notification.workspace_id, "notification_id": notification.id}
    _ADDRESS.run(session, [place | {"addressee": each} for each in addressees(recipients)])
    emit_created(session, notification)
    return notification


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


_INSERT = Prepared.insert(table(Notification))
_ADDRESS = Prepared.insert(table(NotificationAddressee))
