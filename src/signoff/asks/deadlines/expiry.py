"""What time does to asks: reminders, escalations, expiry. Driven by the clock, as the system."""

from contextlib import suppress
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.asks import actions
from signoff.asks.deadlines.timing import at_expiry, next_due, set_deadline, split_due
from signoff.asks.effects.attendance import end_attended
from signoff.asks.effects.veto import has_window
from signoff.asks.events import ASK_SETTLED, ASK_UPDATED, emit_changed
from signoff.asks.likeness import likeness
from signoff.asks.models import Ask
from signoff.asks.queries import PENDING
from signoff.asks.signatures.conditions import stage_of
from signoff.asks.signatures.who_may_answer import speaks_for_somebody
from signoff.asks.states import AskStatus
from signoff.kit import clock
from signoff.kit.actor import Actor, Role
from signoff.kit.jsons import JsonObject
from signoff.notifications.actions import notify
from signoff.notifications.models import NoticeKind
from signoff.notifications.queries import first_notice

AT_ONCE = 1_000


def due(session: Session, at: datetime, limit: int) -> list[str]:
    """The asks that the clock has to look at, the longest overdue first."""
    query = select(Ask.id).where(PENDING, Ask.due_at <= at).order_by(Ask.due_at, Ask.id)
    return list(session.scalars(query.limit(limit)))


def next_time(session: Session) -> datetime | None:
    """When the clock is needed next."""
    return session.scalar(select(Ask.due_at).where(PENDING, Ask.due_at.is_not(None)).order_by(Ask.due_at).limit(1))


def run_due(session: Session, ask_id: str, at: datetime) -> None:
    """Do what is due for one ask, in the order of time: a server that was off for a day catches up rightly."""
    ask = session.get(Ask, ask_id)
    if ask is None or ask.status != AskStatus.PENDING.value:
        return
    try:
        actions.lock(session, ask)
    except actions.AlreadySettled:
        return  # between the look and the lock
    actor = Actor.system(ask.workspace_id)
    now_due, ask.schedule = split_due(ask, at)
    expired = ask.deadline is not None and ask.deadline <= at
    for entry in now_due:
        # Nobody needs a reminder of what is over.
        if entry["act"] == "escalate":
            _escalate(session, actor, ask, entry["tell"])
        elif not expired:
            _remind(session, ask)
    if expired and has_window(ask):
        end_attended(session, ask)
        return
    if expired and ask.on_timeout == "escalate":
        _escalate_rest(session, actor, ask)
    elif expired:
        expire(session, actor, ask)
        return
    ask.due_at = next_due(ask)
    session.flush()


def expire(session: Session, actor: Actor, ask: Ask) -> None:
    """Nobody answered in time. What becomes of the run follows from the ask."""
    given = _given_at_expiry(ask)
    actions.wake_run(session, ask)
    actions.settle(session, actor, ask, AskStatus.EXPIRED, given)
    actions.put_on_record(session, actor, "expired", ask, then=at_expiry(ask), digest=ask.digest)
    emit_changed(session, ask, ASK_SETTLED)


def expire_old(session: Session, actor: Actor, older_than: datetime) -> list[str]:
    """An admin clears away what waits since before then; the oldest first, so many at a time."""
    speaks_for_somebody(actor)
    actor.require(Role.ADMIN)
    old = (Ask.workspace_id == actor.workspace_id, PENDING, Ask.created_at < older_than)
    ids = list(session.scalars(select(Ask.id).where(*old).order_by(Ask.id).limit(AT_ONCE)))
    # In the order of their runs, as batches go: two of them never wait for each other.
    asks = session.scalars(select(Ask).where(Ask.id.in_(ids)).order_by(Ask.run_id, Ask.id))
    expired = list[str]()
    for ask in asks:
        # Somebody may answer at this very moment: that counts, and the others expire all the same.
        with suppress(actions.AlreadySettled):
            actions.lock(session, ask)
            expire(session, actor, ask)
            expired.append(ask.id)
    return expired


def _given_at_expiry(ask: Ask) -> JsonObject | None:
    return {"decision": "default", "value": ask.default} if at_expiry(ask) == "default" else None


def _remind(session: Session, ask: Ask) -> None:
    minutes = max(round(((ask.deadline or clock.now()) - clock.now()).total_seconds() / 60), 1)
    text = f"Still waiting: {ask.title}. It expires in about {minutes} min."
    to = [ask.assignee] if ask.assignee else list(ask.approvers)
    _notify(session, ask, NoticeKind.REMINDER, text, to)
    emit_changed(session, ask, ASK_UPDATED)


def _escalate(session: Session, actor: Actor, ask: Ask, tell: list[str]) -> None:
    """Tell the next in the chain; those who are members may now decide, too."""
    stage = stage_of(ask)
    if stage is not None:
        ask.stages = [_widened(each, tell) if each is stage else each for each in ask.stages or []]
    else:
        ask.approvers = [*(ask.approvers or ["role:approver"]), *(each for each in tell if each not in ask.approvers)]
    # Others may decide it now, so it is no longer like those that it stood among.
    ask.likeness = likeness(ask)
    session.flush()
    text = f"Escalated to you: {ask.title}. Waiting since {ask.created_at:%H:%M} UTC."
    _notify(session, ask, NoticeKind.ESCALATION, text, tell)
    actions.put_on_record(session, actor, "escalated", ask, to=tell)
    emit_changed(session, ask, ASK_UPDATED)


def _widened(stage: JsonObject, tell: list[str]) -> JsonObject:
    return stage | {"approvers": [*stage["approvers"], *tell]}


def _escalate_rest(session: Session, actor: Actor, ask: Ask) -> None:
    """The time is over and the policy is to go up the chain: all who are left hear of it, and the ask waits on."""
    left: list[Any] = [entry for entry in ask.schedule if entry["act"] == "escalate"]
    ask.schedule = []
    set_deadline(ask, None)
    for entry in left:
        _escalate(session, actor, ask, entry["tell"])
    emit_changed(session, ask, ASK_UPDATED)


def _notify(session: Session, ask: Ask, kind: NoticeKind, text: str, recipients: list[str]) -> None:
    where = (ask.workspace_id, ask.run_id, "asks", "signoff")
    urgent = kind is NoticeKind.ESCALATION
    # As its rule wanted people told in the first place.
    first = first_notice(session, ask.id)
    named = list(first.recipients) if first and kind is NoticeKind.REMINDER and not ask.assignee else []
    notify(
        session,
        *where,
        text,
        recipients=named or recipients,
        ask_id=ask.id,
        kind=kind,
        urgent=urgent,
        channels=first.channels if first else (),
    )
