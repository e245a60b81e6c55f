"""Many messages to one person at once become one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.channels.models import Delivery
from signoff.channels.routing.people import preferences_of
from signoff.channels.states import DeliveryStatus
from signoff.notifications.models import WANTS_ANSWER
from signoff.workspaces.models import Member

WINDOW = timedelta(minutes=10)
# So many come one by one within that time.
ONE_BY_ONE = 5
# How long what comes after them is gathered.
GATHERED_FOR = timedelta(minutes=2)
MOST_IN_ONE = 100
QUEUED = DeliveryStatus.QUEUED.value


@dataclass(frozen=True)
class Gathering:
    """One delivery, and those that go out with it."""

    row: Delivery
    others: tuple[Delivery, ...] = ()


def gather(session: Session, rows: Sequence[Delivery], at: datetime) -> list[Gathering]:
    """What goes out now, and together with what. The rest is put off, and gathered when its time comes."""
    alone = [row for row in rows if not _may_be_gathered(row)]
    found = [Gathering(row) for row in alone]
    for (member_id, channel_id), own in _by_person(row for row in rows if _may_be_gathered(row)).items():
        found += _of_one(session, member_id, channel_id, own, at)
    return found


def _may_be_gathered(row: Delivery) -> bool:
    """Only what is for one person, and neither urgent nor tried before."""
    return row.member_id is not None and not row.urgent and row.status == QUEUED and row.tries == 0


def _by_person(rows: Iterable[Delivery]) -> dict[tuple[str, str], list[Delivery]]:
    found = dict[tuple[str, str], list[Delivery]]()
    for row in rows:
        found.setdefault((row.member_id or "", row.channel_id), []).append(row)
    return found


def _of_one(session: Session, member_id: str, channel_id: str, rows: list[Delivery], at: datetime) -> list[Gathering]:
    room = max(ONE_BY_ONE - _told_lately(session, member_id, channel_id, at), 0)
    member = session.get(Member, member_id)
    everything = _waiting(session, member_id, channel_id, rows, at)
    if len(everything) <= room or (member is not None and not preferences_of(member).digest):
        return [Gathering(row) for row in rows]
    is_ripe = any(at - row.created_at >= GATHERED_FOR for row in everything)
    if is_ripe or len(everything) > ONE_BY_ONE or any(_cannot_wait(session, row) for row in rows):
        return [Gathering(everything[0], tuple(everything[1:MOST_IN_ONE]))]
    for row in rows[room:]:
        row.due_at = row.created_at + GATHERED_FOR
        row.why = f"{row.why}; gathered, since many came at once".removeprefix("; ")
    return [Gathering(row) for row in rows[:room]]


def _waiting(session: Session, member_id: str, channel_id: str, rows: list[Delivery], at: datetime) -> list[Delivery]:
    """These, and all else that this person is to be told here by now, or that was put off to be gathered."""
    own = (Delivery.member_id == member_id, Delivery.channel_id == channel_id, Delivery.status == QUEUED)
    query = select(Delivery).where(*own, Delivery.due_at.is_not(None), Delivery.urgent.is_(False), Delivery.tries == 0)
    found = session.scalars(query.order_by(Delivery.id).limit(MOST_IN_ONE).with_for_update(skip_locked=True)).all()
    # What this claim has found to be over is over, although its row says so only at the commit.
    others = [row for row in found if row not in rows and row.status == QUEUED and _is_due(row, at)]
    return [*rows, *others]


def _is_due(row: Delivery, at: datetime) -> bool:
    return row.due_at is not None and (row.due_at <= at or row.due_at == row.created_at + GATHERED_FOR)


def _cannot_wait(session: Session, row: Delivery) -> bool:
    """Gathering would take more than half of the time that there is to answer."""
    ask = session.get(Ask, row.ask_id) if row.ask_id and row.kind in WANTS_ANSWER else None
    return ask is not None and ask.deadline is not None and ask.deadline < row.created_at + 2 * GATHERED_FOR


def _told_lately(session: Session, member_id: str, channel_id: str, at: datetime) -> int:
    """How many messages reached them, or are on their way; what was gathered counts as one."""
    lately = or_(Delivery.sent_at > at - WINDOW, Delivery.status == DeliveryStatus.SENDING.value)
    own = (Delivery.member_id == member_id, Delivery.channel_id == channel_id, lately)
    query = select(func.count()).select_from(Delivery).where(*own, Delivery.digest_id.is_(None))
    return session.scalar(query) or 0
