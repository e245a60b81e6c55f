from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, exists, func, literal_column, or_, select
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.states import AskStatus
from signoff.channels.kinds import PUSH
from signoff.channels.messages.account_mail import ACCOUNT_KINDS
from signoff.channels.models import Channel, Delivery, DeliveryAttempt
from signoff.channels.port import NotVerified, OpenChannel
from signoff.channels.push import vapid
from signoff.channels.states import REPEATABLE, DeliveryStatus
from signoff.channels.webhook.secrets import PREVIOUS
from signoff.kit import clock
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import NotFound
from signoff.notifications.models import NoticeKind, Notification
from signoff.secrets import store
from signoff.secrets.keyring import Keyring
from signoff.workspaces.models import Member

ABOUT_ACCOUNTS = frozenset({NoticeKind.PEOPLE.value, *ACCOUNT_KINDS})


def channels(actor: Actor) -> Select[Channel]:
    return select(Channel).where(Channel.workspace_id == actor.workspace_id)


def channel(session: Session, actor: Actor, channel_id: str) -> Channel:
    found = session.get(Channel, channel_id)
    if found is None or found.workspace_id != actor.workspace_id:
        raise NotFound("Channel not found.")
    return found


def opened(session: Session, keyring: Keyring, row: Channel) -> OpenChannel:
    """The channel with its secrets, for whoever is about to use it."""
    secrets = store.take(session, keyring, row.workspace_id, row.id)
    if row.kind == PUSH:
        # Of push it is the installation's, not the channel's.
        secrets[vapid.SECRET] = vapid.vapid_private_key(session, keyring)
    if row.previous_until is None or row.previous_until <= clock.now():
        secrets.pop(PREVIOUS, None)
    # An address that is a secret stands in the settings only by its beginning.
    settings = row.settings | {name: secrets[name] for name in row.settings if name in secrets}
    return OpenChannel(row.id, row.workspace_id, row.kind, row.name, settings, secrets, row.reaches_private)


def heard(session: Session, keyring: Keyring, kind: str, channel_id: str) -> OpenChannel:
    """The channel that something came in for. Raises NotVerified where there is none, as for a wrong signature, so that
    nobody learns which there are."""
    row = session.get(Channel, channel_id)
    if row is None or row.kind != kind or not row.enabled:
        raise NotVerified("There is no such channel.")
    return opened(session, keyring, row)


def enabled(session: Session, workspace_id: str) -> list[Channel]:
    query = select(Channel).where(Channel.workspace_id == workspace_id, Channel.enabled)
    return list(session.scalars(query.order_by(Channel.id)))


def deliveries(
    actor: Actor,
    *,
    ask_id: str | None = None,
    run_id: str | None = None,
    channel_id: str | None = None,
    status: str | None = None,
) -> Select[Delivery]:
    """What this actor may see of them."""
    wanted = {
        Delivery.ask_id: ask_id,
        Delivery.run_id: run_id,
        Delivery.channel_id: channel_id,
        Delivery.status: status,
    }
    narrowed = [column == value for column, value in wanted.items() if value is not None]
    if status is not None and status != DeliveryStatus.SENT.value:
        # As the index of those says it, which knows no other words for it.
        narrowed.append(Delivery.status != literal_column("'sent'"))
    if not actor.role.includes(Role.ADMIN):
        # Who was invited, signs in or left is for admins and for whom it is about.
        own = select(Member.id).where(Member.workspace_id == actor.workspace_id, Member.user_id == actor.user_id)
        narrowed.append(or_(Delivery.kind.not_in(ABOUT_ACCOUNTS), Delivery.member_id.in_(own)))
    return select(Delivery).where(Delivery.workspace_id == actor.workspace_id, *narrowed)


def repeatable() -> ColumnElement[bool]:
    """What a person may send again: what failed, what was sent, and what waits for its next try."""
    tried = and_(Delivery.status == DeliveryStatus.QUEUED.value, Delivery.tries > 0)
    return or_(Delivery.status.in_([each.value for each in REPEATABLE]), tried)


def asks_still() -> ColumnElement[bool]:
    """Whether what it tells of still waits for an answer."""
    return exists().where(Ask.id == Delivery.ask_id, Ask.status == AskStatus.PENDING.value)


def is_open(session: Session, ask_id: str) -> bool:
    return bool(open_among(session, [ask_id]))


def open_among(session: Session, ask_ids: Iterable[str | None]) -> set[str]:
    """Which of these asks still wait for an answer."""
    wanted = {each for each in ask_ids if each}
    query = select(Ask.id).where(Ask.id.in_(wanted), Ask.status == AskStatus.PENDING.value)
    return set(session.scalars(query)) if wanted else set()


def delivery(session: Session, actor: Actor, delivery_id: str) -> Delivery:
    found = session.get(Delivery, delivery_id)
    if found is None or found.workspace_id != actor.workspace_id:
        raise NotFound("Delivery not found.")
    return found


def attempts(session: Session, delivery_ids: Iterable[str]) -> dict[str, list[DeliveryAttempt]]:
    """Every try of these, the first one first: one statement, however many."""
    found: dict[str, list[DeliveryAttempt]] = {each: [] for each in delivery_ids}
    query = select(DeliveryAttempt).where(DeliveryAttempt.delivery_id.in_(found)).order_by(DeliveryAttempt.id)
    for attempt in session.scalars(query):
        found[attempt.delivery_id].append(attempt)
    return found


def titles(session: Session, rows: Sequence[Delivery]) -> dict[str, str]:
    """What each of these notifications says, in its first line."""
    ids = {row.notification_id for row in rows if row.notification_id}
    found = session.execute(select(Notification.id, Notification.text).where(Notification.id.in_(ids))) if ids else ()
    return {row[0]: row[1].partition("\n")[0] for row in found}


def by_id(session: Session, channel_ids: Iterable[str]) -> dict[str, Channel]:
    query = select(Channel).where(Channel.id.in_(set(channel_ids)))
    return {row.id: row for row in session.scalars(query)}


def health(session: Session, channel_ids: Sequence[str]) -> dict[str, tuple[Any, str | None]]:
    """When something last went out by each, and why the last one failed if nothing did since: two statements."""
    own = Delivery.channel_id == Channel.id
    # One look into an index for each, however much was ever sent.
    sent = select(func.max(Delivery.sent_at)).where(own, Delivery.sent_at.is_not(None))
    failed = select(func.max(Delivery.id)).where(own, Delivery.error.is_not(None))
    failed = failed.where(Delivery.status != DeliveryStatus.SENT.value)
    both = select(Channel.id, sent.scalar_subquery(), failed.scalar_subquery()).where(Channel.id.in_(channel_ids))
    rows = session.execute(both).all()
    last_sent, last_failed = {row[0]: row[1] for row in rows}, [row[2] for row in rows if row[2]]
    errors = {row.channel_id: row for row in session.scalars(select(Delivery).where(Delivery.id.in_(last_failed)))}
    found = dict[str, tuple[Any, str | None]]()
    for each in channel_ids:
        at, row = last_sent.get(each), errors.get(each)
        is_news = row is not None and (at is None or row.created_at > at)
        found[each] = (at, row.error if row is not None and is_news else None)
    return found
