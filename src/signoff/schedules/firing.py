"""What the clock does to schedules: each due one starts a run, once, whoever looks at it and however late."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select, true, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.kit.actor import Actor
from signoff.kit.errors import SignoffError
from signoff.notifications.actions import notify
from signoff.notifications.models import NoticeKind
from signoff.schedules import cron
from signoff.schedules.models import Schedule
from signoff.schedules.starting import owner, start

MOST_FAILURES = 5
# Of what does not fit, so much is told.
MOST_PLACES = 3
ADMINS = "role:admin"
_DUE = Schedule.next_at.is_not(None)


def due(session: Session, at: datetime, limit: int) -> Sequence[str]:
    """The schedules whose time has come, the longest overdue first."""
    query = select(Schedule.id).where(Schedule.next_at <= at).order_by(Schedule.next_at, Schedule.id)
    return session.scalars(query.limit(limit)).all()


def next_time(session: Session) -> datetime | None:
    """When the clock is needed next."""
    return session.scalar(select(Schedule.next_at).where(_DUE).order_by(Schedule.next_at).limit(1))


def run_due(session: Session, schedule_id: str, at: datetime) -> None:
    """Start the run of one schedule. However many times were missed, it starts once; the next time is ahead."""
    schedule = _taken(session, schedule_id, at)
    if schedule is None:
        return
    actor = owner(session, schedule)
    if isinstance(actor, str):
        _switch_off(session, schedule, actor)
        return
    run = start(session, actor, schedule)
    schedule.last_run_id, schedule.last_error, schedule.failures = run.id, None, 0
    session.flush()


def failed(session: Session, schedule_id: str, at: datetime, error: Exception) -> None:
    """Nothing could be started: keep why, tell whose schedule it is, and go on with the next time."""
    if isinstance(error, DBAPIError):
        # Nothing is wrong with the schedule: as soon as the database is well again, it starts.
        return
    schedule = _taken(session, schedule_id, at)
    if schedule is None:
        return
    why = _why(error)
    schedule.last_error, schedule.failures = why, schedule.failures + 1
    session.flush()
    actor = Actor.system(schedule.workspace_id)
    data = {"title": schedule.title, "error": why, "failures": schedule.failures}
    record(session, actor, "schedule.failed", schedule.id, data)
    if schedule.failures >= MOST_FAILURES:
        _switch_off(session, schedule, f"It failed {schedule.failures} times in a row: {why}")
    else:
        _tell(session, schedule, f"The schedule {schedule.title} started nothing: {why}", [schedule.created_by])


def _why(error: Exception) -> str:
    if not isinstance(error, SignoffError):
        return "Something went wrong. The server log has the details."
    places = [f"{each.path}: {each.message}" for each in error.errors[:MOST_PLACES]]
    return " ".join([error.detail, "; ".join(places)]).strip()


def _taken(session: Session, schedule_id: str, at: datetime) -> Schedule | None:
    """The schedule, moved on to its next time. Of all who look at the same moment one gets it."""
    schedule = session.get(Schedule, schedule_id)
    if schedule is None or schedule.next_at is None or schedule.next_at > at:
        return None
    same = (Schedule.id == schedule_id, Schedule.next_at == schedule.next_at, Schedule.enabled == true())
    following = cron.next_time(schedule.cron, schedule.timezone, at)
    change = update(Schedule).where(*same).values(next_at=following, last_at=at)
    moved = session.scalar(change.returning(Schedule.id).execution_options(synchronize_session=False))
    if moved is None:
        return None
    session.refresh(schedule)
    return schedule


def _switch_off(session: Session, schedule: Schedule, reason: str) -> None:
    schedule.enabled, schedule.next_at, schedule.disabled_reason = False, None, reason
    session.flush()
    actor = Actor.system(schedule.workspace_id)
    record(session, actor, "schedule.switched_off", schedule.id, {"title": schedule.title, "reason": reason})
    text = f"The schedule {schedule.title} is switched off. {reason}"
    _tell(session, schedule, text, [schedule.created_by, ADMINS])


def _tell(session: Session, schedule: Schedule, text: str, recipients: list[str]) -> None:
    where = (schedule.workspace_id, None, "schedules", "signoff")
    notify(session, *where, text, recipients=recipients, kind=NoticeKind.FAILED)
