"""Channels and deliveries as the API gives them: never with a secret, and to whom it concerns."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.orm import Session

from signoff.channels import queries
from signoff.channels.accounts.linking import how_to_link
from signoff.channels.kinds import TRANSPORTS, is_shared
from signoff.channels.messages.account_mail import ACCOUNT_KINDS, is_made_at_sending
from signoff.channels.models import Channel, Delivery
from signoff.channels.schemas import ChannelOut, DeliveryOut
from signoff.channels.states import REPEATABLE, DeliveryStatus
from signoff.kit.actor import Actor, Role
from signoff.notifications.models import WANTS_ANSWER
from signoff.secrets import store

REPEATED = frozenset(each.value for each in REPEATABLE)


def shown(session: Session, actor: Actor, rows: Sequence[Channel]) -> list[ChannelOut]:
    """However many they are, three statements."""
    is_admin, ids = actor.role.includes(Role.ADMIN), [row.id for row in rows]
    secrets, health = store.names(session, ids), queries.health(session, ids)
    return [
        ChannelOut.of(
            row,
            settings=row.settings if is_admin else {},
            secrets=secrets[row.id] if is_admin else [],
            personal=TRANSPORTS[row.kind].personal,
            shared=is_shared(row.kind, row.settings),
            takes_link_codes=row.enabled and how_to_link(row, "") is not None,
            last_sent_at=health[row.id][0],
            last_error=_last_error(row, health[row.id][1]) if is_admin else None,
            test_error=_test_error(row, health[row.id][0]) if is_admin else None,
        )
        for row in rows
    ]


def _last_error(row: Channel, of_delivery: str | None) -> str | None:
    of_mailbox = row.mailbox_error and f"Replies cannot be read. {row.mailbox_error}"
    return "\n".join(each for each in (of_delivery, of_mailbox) if each) or None


def _test_error(row: Channel, last_sent_at: datetime | None) -> str | None:
    return None if row.tested_at and last_sent_at and row.tested_at < last_sent_at else row.test_error


def shown_deliveries(session: Session, actor: Actor, rows: Sequence[Delivery]) -> list[DeliveryOut]:
    """However many they are, four statements."""
    is_admin = actor.role.includes(Role.ADMIN)
    channels = queries.by_id(session, (row.channel_id for row in rows))
    open_asks = queries.open_among(session, (row.ask_id for row in rows))
    titles = queries.titles(session, rows)
    attempts = queries.attempts(session, [row.id for row in rows]) if is_admin else {}
    return [
        DeliveryOut.of(
            row,
            channels[row.channel_id],
            titles.get(row.notification_id or "", row.kind),
            attempts.get(row.id, []),
            error=row.error if is_admin else None,
            may_retry=is_admin and _may_retry(row, open_asks),
        )
        for row in rows
    ]


def _may_retry(row: Delivery, open_asks: set[str]) -> bool:
    """What sending it again would be refused for is not offered."""
    if row.kind in ACCOUNT_KINDS and not is_made_at_sending(row):
        return False
    if row.kind in WANTS_ANSWER and row.ask_id not in open_asks:
        return False
    return row.status in REPEATED or (row.status == DeliveryStatus.QUEUED.value and row.tries > 0)
