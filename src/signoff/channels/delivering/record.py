"""How an attempt ended: noted by whoever still has the delivery in hand."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import String, bindparam, delete, func, select, update
from sqlalchemy.orm import Session

from signoff.asks.effects.windows import note_reached, unreached
from signoff.asks.models import Ask
from signoff.asks.states import AskStatus
from signoff.channels.delivering.jobs import Job
from signoff.channels.kinds import PUSH, TRANSPORTS
from signoff.channels.messages.account_mail import ACCOUNT_KINDS
from signoff.channels.models import Delivery, DeliveryAttempt
from signoff.channels.port import ChannelError, Receipt
from signoff.channels.push.actions import forget
from signoff.channels.states import DeliveryStatus
from signoff.kit.db.columns import table
from signoff.kit.db.database import commit_of
from signoff.kit.jsons import clean_text
from signoff.secrets import store

# Seconds before each further try. Three tries, then another way is taken where there is one.
BACKOFF = (5, 20, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800)
BEFORE_ANOTHER_WAY = 3
MOST_UPDATES = 5
LONGEST_ERROR = 1_000
# No object of the session is concerned, so none is looked at.
BLIND = {"synchronize_session": False}
SENDING, SENT, FAILED = (each.value for each in (DeliveryStatus.SENDING, DeliveryStatus.SENT, DeliveryStatus.FAILED))


def record_sent(session: Session, owner: str, ended: Sequence[tuple[Job, Receipt]], at: datetime) -> None:
    """All that got through since the last note: a few statements, however many they are."""
    _end_attempts(session, [job.attempt_id for job, _ in ended], "sent", None, at)
    gone = [each for job, receipt in ended if job.channel.kind == PUSH for each in receipt.remote.get("gone", ())]
    forget(session, gone)
    for job, _ in ended:
        if job.purpose == "update":
            _release_update(session, owner, job, update_at=None)
    sent = [(job, receipt) for job, receipt in ended if job.purpose == "send"]
    released = _release(session, owner, [job for job, _ in sent], at)
    _keep_receipts(session, [(job, receipt) for job, receipt in sent if job.delivery_id in released])
    _after_success(session, [job for job, _ in sent], released, at)


def record_failed(session: Session, owner: str, job: Job, error: ChannelError, at: datetime) -> None:
    """Try again later, or give up and take the next way."""
    detail = clean_text(error.detail)[:LONGEST_ERROR]
    _end_attempts(session, [job.attempt_id], "failed", detail, at)
    forget(session, error.gone)
    wait = timedelta(seconds=error.retry_after or BACKOFF[min(job.number, len(BACKOFF)) - 1])
    if job.purpose == "update":
        more = not error.permanent and job.number < MOST_UPDATES
        _release_update(session, owner, job, update_at=at + wait if more else None)
        return
    for delivery_id in (job.delivery_id, *job.with_ids):
        row = session.get(Delivery, delivery_id)
        if row is None or not _is_mine(row, owner, job):
            continue
        row.digest_id = None
        tries = BEFORE_ANOTHER_WAY if _has_another_way(session, row) else len(BACKOFF) + 1
        if error.permanent or row.tries >= tries:
            give_up(session, row, detail, at)
        else:
            row.status, row.due_at, row.error = DeliveryStatus.QUEUED.value, at + wait, detail
            row.owner = row.lease_until = None
    session.flush()


def put_back(session: Session, owner: str, job: Job, at: datetime) -> None:
    """It was not tried: whoever has room next takes it."""
    session.execute(delete(DeliveryAttempt).where(DeliveryAttempt.id == job.attempt_id), execution_options=BLIND)
    if job.purpose == "update":
        _release_update(session, owner, job, update_at=at)
        return
    mine = (Delivery.id.in_(_ids(job)), Delivery.owner == owner, Delivery.status == SENDING)
    freed = {"status": DeliveryStatus.QUEUED.value, "due_at": at, "owner": None, "lease_until": None}
    change = update(Delivery).where(*mine, Delivery.tries == job.number)
    session.execute(change.values(**freed, tries=job.number - 1, digest_id=None), execution_options=BLIND)
    commit_of(session).tells = True


def give_up(session: Session, row: Delivery, error: str, at: datetime) -> None:
    """It failed for good: what was held back for this goes out."""
    row.status, row.error = FAILED, error
    row.owner = row.lease_until = None
    store.drop(session, [row.id])
    next_way = (Delivery.instead_of == row.id, Delivery.status == DeliveryStatus.QUEUED.value)
    session.execute(update(Delivery).where(*next_way).values(due_at=at))
    commit_of(session).tells = True


def _has_another_way(session: Session, row: Delivery) -> bool:
    waiting = session.query(Delivery.id).filter(
        Delivery.instead_of == row.id, Delivery.status == DeliveryStatus.QUEUED.value
    )
    return waiting.first() is not None


def _after_success(session: Session, sent: Sequence[Job], released: set[str], at: datetime) -> None:
    """What was held back in case these fail is not needed; and an ask that was settled meanwhile is said so."""
    # A program follows the events: there is no other way, and nothing to change.
    told = [job for job in sent if job.message.event is None]
    ids = [each for job in told for each in _ids(job) if each in released]
    if not ids:
        return
    held = (Delivery.instead_of.in_(ids), Delivery.status == DeliveryStatus.QUEUED.value)
    spared = update(Delivery).where(*held, Delivery.due_at.is_(None))
    session.execute(spared.values(status=DeliveryStatus.CANCELLED.value), execution_options=BLIND)
    # Who is outside the workspace is only told: they could not object.
    outside = {job.delivery_id for job in told if job.to is not None and job.to.member_id is None}
    _start_windows(session, [each for each in ids if each not in outside])
    opened = [job.delivery_id for job in told if job.message.kind in ACCOUNT_KINDS]
    if opened:
        store.drop(session, opened)
    changeable = [
        job.delivery_id for job in told if job.message.ask is not None and TRANSPORTS[job.channel.kind].updates
    ]
    if changeable:
        settled = select(Ask.id).where(Ask.id == Delivery.ask_id, Ask.status != AskStatus.PENDING.value)
        late = update(Delivery).where(Delivery.id.in_(changeable), Delivery.id.in_(released), settled.exists())
        session.execute(late.values(update_at=at), execution_options=BLIND)


def _start_windows(session: Session, ids: Sequence[str]) -> None:
    """Who was told of what runs by itself can object from now on."""
    about = select(Delivery.ask_id, Delivery.member_id).where(Delivery.id.in_(ids), Delivery.ask_id.is_not(None))
    told = [(ask_id, member_id) for ask_id, member_id in session.execute(about) if ask_id]
    waiting = set(unreached(session, [ask_id for ask_id, _ in told])) if told else set[str]()
    for ask_id, member_id in sorted(told, key=str):
        if ask_id in waiting:
            note_reached(session, ask_id, member_id)


def _ids(job: Job) -> tuple[str, ...]:
    return (job.delivery_id, *job.with_ids)


def _release(session: Session, owner: str, sent: Sequence[Job], at: datetime) -> set[str]:
    """Those that were still in this hand, by this try: of the others somebody else says how they end."""
    by_try = dict[int, list[str]]()
    for job in sent:
        by_try.setdefault(job.number, []).extend(_ids(job))
    released = set[str]()
    for number, ids in by_try.items():
        mine = (Delivery.id.in_(ids), Delivery.owner == owner, Delivery.status == SENDING, Delivery.tries == number)
        values = {"status": SENT, "sent_at": at, "error": None, "remote": None, "owner": None, "lease_until": None}
        change = update(Delivery).where(*mine).values(**values).returning(Delivery.id)
        released.update(session.scalars(change, execution_options=BLIND))
    return released


def _keep_receipts(session: Session, sent: Sequence[tuple[Job, Receipt]]) -> None:
    """Where each message is, and where it went, for those of which the channel says so."""
    rows = [
        {"row": job.delivery_id, "remote": receipt.remote, "target": receipt.target or None}
        for job, receipt in sent
        if receipt.remote or receipt.target
    ]
    if rows:
        of = table(Delivery)
        kept = update(of).where(of.c.id == bindparam("row"))
        kept = kept.values(
            remote=bindparam("remote"), target=func.coalesce(bindparam("target", type_=String), of.c.target)
        )
        session.execute(kept, rows)


def _release_update(session: Session, owner: str, job: Job, update_at: datetime | None) -> None:
    """Only if nobody wants it changed once more since."""
    mine = (Delivery.id == job.delivery_id, Delivery.owner == owner)
    session.execute(update(Delivery).where(*mine).values(owner=None, lease_until=None))
    same = (Delivery.id == job.delivery_id, Delivery.update_tries == job.number)
    session.execute(update(Delivery).where(*same).values(update_at=update_at))


def _is_mine(row: Delivery, owner: str, job: Job) -> bool:
    return row.owner == owner and row.status == SENDING and row.tries == job.number


def _end_attempts(session: Session, ids: Sequence[str], outcome: str, error: str | None, at: datetime) -> None:
    ended = update(DeliveryAttempt).where(DeliveryAttempt.id.in_(ids))
    session.execute(ended.values(ended_at=at, outcome=outcome, error=error), execution_options=BLIND)
