"""Take what is due into one's hand: one commit notes every attempt before it begins, and makes its answer link."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, func, or_, select, update
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.states import AskStatus
from signoff.channels import queries
from signoff.channels.delivering.digest import Gathering, gather
from signoff.channels.delivering.jobs import Job, Purpose
from signoff.channels.delivering.prepare import Preparation, read_together
from signoff.channels.delivering.record import give_up
from signoff.channels.models import Channel, Delivery, DeliveryAttempt
from signoff.channels.port import OpenChannel
from signoff.channels.states import DeliveryStatus
from signoff.kit.errors import SignoffError
from signoff.kit.ids import new_id
from signoff.notifications.models import WANTS_ANSWER

log = logging.getLogger(__name__)

UNREADABLE = "What it tells of cannot be read any more."
LEASE = timedelta(seconds=180)
LONGEST_HAND_OVER = timedelta(seconds=60)
# Of one channel, those that wait for its threads among them: many messages cost few commits.
MOST_PER_CHANNEL = 100
# More than is taken, so that one channel with much to do does not hide the others.
LOOKED_AT = 200
KEPT = timedelta(days=90)
FORGOTTEN_AT_ONCE = 500
# Whoever died twice with it in hand may have sent it twice: a third time nobody wants it.
MOST_UNKNOWN = 2
QUEUED, SENDING, SENT = (each.value for each in (DeliveryStatus.QUEUED, DeliveryStatus.SENDING, DeliveryStatus.SENT))


def due(at: datetime) -> ColumnElement[bool]:
    """To be sent now, or in the hand of somebody who has not been heard of."""
    return or_(
        and_(Delivery.status == QUEUED, Delivery.due_at <= at),
        and_(Delivery.status == SENDING, Delivery.lease_until <= at),
    )


def update_due(at: datetime) -> ColumnElement[bool]:
    free = or_(Delivery.lease_until.is_(None), Delivery.lease_until <= at)
    return and_(Delivery.status == SENT, Delivery.update_at <= at, free)


def next_time(session: Session) -> datetime | None:
    """When there is something to do next."""
    own = (
        select(func.min(Delivery.due_at)).where(Delivery.status == QUEUED, Delivery.due_at.is_not(None)),
        select(func.min(Delivery.lease_until)).where(Delivery.lease_until.is_not(None)),
        select(func.min(Delivery.update_at)).where(Delivery.update_at.is_not(None)),
    )
    return min((at for query in own if (at := session.scalar(query)) is not None), default=None)


@dataclass(frozen=True)
class Hand:
    """A process, and the deliveries that its threads work on at this moment."""

    owner: str
    holds: frozenset[str] = frozenset()


@dataclass
class Room:
    """How many may be taken in all, and of each channel that has something in hand already."""

    left: int
    by_channel: dict[str, int]

    def take(self, channel_id: str) -> bool:
        own = self.by_channel.get(channel_id, MOST_PER_CHANNEL)
        if own <= 0 or self.left <= 0:
            return False
        self.by_channel[channel_id], self.left = own - 1, self.left - 1
        return True

    @property
    def full(self) -> list[str]:
        return [channel for channel, left in self.by_channel.items() if left <= 0]


def claim_due(session: Session, prepare: Preparation, hand: Hand, at: datetime, room: Room) -> list[Job]:
    """What this process sends and changes now."""
    jobs = list[Job]()
    sends: tuple[Purpose, Purpose] = ("send", "update")
    for purpose, condition in zip(sends, (due(at), update_due(at)), strict=True):
        if room.left > 0:
            rows = _locked(session, condition, room, hand)
            jobs += _take(session, prepare, hand.owner, at, rows, purpose)
    return jobs


def free_dead(session: Session, owner: str, at: datetime) -> int:
    """A process on this host died: what it had in hand is looked at now, not when its lease ends."""
    freed = update(Delivery).where(Delivery.owner == owner, Delivery.lease_until.is_not(None)).values(lease_until=at)
    return len(session.scalars(freed.returning(Delivery.id)).all())


def owners(session: Session) -> list[str]:
    query = select(Delivery.owner).where(Delivery.lease_until.is_not(None), Delivery.owner.is_not(None)).distinct()
    return [each for each in session.scalars(query) if each]


def _locked(session: Session, condition: ColumnElement[bool], room: Room, hand: Hand) -> list[Delivery]:
    """No more of one channel than it may have in hand: one that hangs must not keep all others waiting."""
    query = select(Delivery).where(condition, Delivery.channel_id.not_in(room.full), Delivery.id.not_in(hand.holds))
    # What is urgent goes before what has waited longer.
    query = query.order_by(Delivery.urgent.desc(), Delivery.due_at, Delivery.id)
    found = session.scalars(query.limit(LOOKED_AT).with_for_update(skip_locked=True)).all()
    return [row for row in found if room.take(row.channel_id)]


def _take(
    session: Session, prepare: Preparation, owner: str, at: datetime, rows: Sequence[Delivery], purpose: Purpose
) -> list[Job]:
    channels = queries.by_id(session, {row.channel_id for row in rows})
    # Held until the end: the session forgets what nobody holds, and would read each of them again and again.
    held = read_together(session, rows)
    opened = dict[str, OpenChannel]()
    rows = [row for row in rows if _is_wanted(session, row, channels[row.channel_id], purpose, at)]
    together = [Gathering(row) for row in rows] if purpose == "update" else gather(session, rows, at)
    jobs = list[Job]()
    for each in together:
        repeated = each.row.status == SENDING
        number = _mark(each.row, owner, at, purpose)
        attempt = DeliveryAttempt(id=new_id(), delivery_id=each.row.id, purpose=purpose, number=number, started_at=at)
        attempt.repeated = repeated
        session.add(attempt)
        for other in each.others:
            _mark(other, owner, at, purpose)
            other.digest_id = each.row.id
        try:
            channel = channels[each.row.channel_id]
            if channel.id not in opened:
                opened[channel.id] = queries.opened(session, prepare.keyring, channel)
            job = prepare.job(session, channel, opened[channel.id], each, purpose, attempt.id, number)
        except (SignoffError, SQLAlchemyError, LookupError, ValueError, TypeError, AttributeError) as error:
            if isinstance(error, DBAPIError):
                raise
            # One that cannot be made ready must not keep all others waiting.
            log.warning("delivery %s cannot be prepared: %s", each.row.id, type(error).__name__)
            why = error.detail if isinstance(error, SignoffError) else UNREADABLE
            attempt.ended_at, attempt.outcome, attempt.error = at, "failed", why
            for row in (each.row, *each.others):
                _let_go(session, row, why, purpose, at)
            continue
        message = replace(job.message, repeated=repeated)
        jobs.append(replace(job, message=message, begins_before=at + LEASE - LONGEST_HAND_OVER))
    session.flush()
    held.clear()
    return jobs


def _let_go(session: Session, row: Delivery, why: str, purpose: Purpose, at: datetime) -> None:
    """It cannot be sent; or, if it was sent, it stays as it is."""
    if purpose == "send":
        give_up(session, row, why, at)
    else:
        row.update_at = row.owner = row.lease_until = None


def _is_wanted(session: Session, row: Delivery, channel: Channel, purpose: Purpose, at: datetime) -> bool:
    """Whether it still makes sense to send it."""
    if purpose == "update":
        return True
    ask = session.get(Ask, row.ask_id) if row.ask_id and row.kind in WANTS_ANSWER else None
    if row.kind in WANTS_ANSWER and (ask is None or ask.status != AskStatus.PENDING.value):
        row.status, row.lease_until = DeliveryStatus.CANCELLED.value, None
        return False
    if not channel.enabled:
        give_up(session, row, "The channel is switched off.", at)
        return False
    if row.status == SENDING and row.tries >= MOST_UNKNOWN and _ends_unknown(session, row) >= MOST_UNKNOWN:
        give_up(session, row, "Nobody knows whether it came through: the process died while sending, twice.", at)
        return False
    return True


def _ends_unknown(session: Session, row: Delivery) -> int:
    own = (DeliveryAttempt.delivery_id == row.id, DeliveryAttempt.purpose == "send", DeliveryAttempt.outcome.is_(None))
    return session.scalar(select(func.count()).select_from(DeliveryAttempt).where(*own)) or 0


def _mark(row: Delivery, owner: str, at: datetime, purpose: Purpose) -> int:
    values: dict[str, Any] = {"owner": owner, "lease_until": at + LEASE}
    if purpose == "send":
        values |= {"status": SENDING, "tries": row.tries + 1}
    else:
        values |= {"update_tries": row.update_tries + 1}
    for name, value in values.items():
        setattr(row, name, value)
    return row.tries if purpose == "send" else row.update_tries


def forget_old(session: Session, at: datetime) -> bool:
    """What is over is kept for a while, for those who look why they were not reached. True: there is more."""
    over = (DeliveryStatus.SENT.value, DeliveryStatus.CANCELLED.value, DeliveryStatus.FAILED.value)
    old = select(Delivery.id).where(Delivery.created_at < at - KEPT, Delivery.status.in_(over))
    ids = session.scalars(old.order_by(Delivery.id).limit(FORGOTTEN_AT_ONCE)).all()
    session.execute(delete(Delivery).where(Delivery.id.in_(ids)))
    return len(ids) == FORGOTTEN_AT_ONCE
