from typing import Any

from pydantic import ValidationError
from sqlalchemy import func
from sqlalchemy.orm import Session

from signoff.asks.signatures.parties import names
from signoff.audit.actions import record
from signoff.kit import clock
from signoff.kit.actor import Actor, Role
from signoff.kit.db.database import commit_of
from signoff.kit.errors import FieldError, Forbidden, Invalid
from signoff.kit.jsons import JsonObject
from signoff.kit.text.field_words import field_words
from signoff.runs.models import Run
from signoff.schedules.cron import next_time
from signoff.schedules.models import Schedule
from signoff.schedules.queries import schedules
from signoff.schedules.schemas import ScheduleChange, ScheduleIn
from signoff.schedules.starting import require_target, start
from signoff.workspaces.credentials import bond_of

MOST_SCHEDULES = 500
WRITTEN = ("agent", "workflow", "name", "cron", "timezone", "task", "input", "enabled")


class TooManySchedules(Invalid):
    code = "too_many_schedules"


class NotYourSchedule(Forbidden):
    """Who made a schedule changes it, or an admin does."""

    code = "not_your_schedule"


def create(session: Session, actor: Actor, given: ScheduleIn) -> Schedule:
    """Make a schedule. Its runs are the actor's, with no more rights than the actor has now."""
    actor.require(Role.MEMBER)
    if actor.user_id is None:
        raise Forbidden("A schedule needs a person in whose name it runs.")
    count = session.scalar(schedules(actor).with_only_columns(func.count())) or 0
    if count >= MOST_SCHEDULES:
        raise TooManySchedules(f"There are {MOST_SCHEDULES} schedules, the most there can be. Delete some first.")
    schedule = Schedule(
        workspace_id=actor.workspace_id,
        **given.model_dump(),
        created_by=actor.label,
        owner_id=actor.user_id,
        scope=actor.scope.value if actor.scope else None,
        makers=list(actor.made_by),
        bond_id=bond_of(session, actor).bond_id,
        parties=names(actor),
    )
    require_target(session, actor, schedule)
    session.add(schedule)
    set_next(session, schedule)
    session.flush()
    record(session, actor, "schedule.created", schedule.id, _written(schedule))
    return schedule


def change(session: Session, actor: Actor, schedule: Schedule, given: ScheduleChange) -> None:
    """Change what is given. Who changes it has a hand in what its runs do."""
    _require_own(actor, schedule)
    before, wanted = _written(schedule), _changed(schedule, given)
    for name, value in wanted.model_dump().items():
        setattr(schedule, name, value)
    after = _written(schedule)
    if after == before:
        return
    if any(after[name] != before[name] for name in ("agent", "workflow", "input")):
        require_target(session, actor, schedule)
    if any(after[name] != before[name] for name in ("cron", "timezone", "enabled")):
        schedule.failures, schedule.disabled_reason = 0, None
        schedule.last_error = None if schedule.enabled else schedule.last_error
        set_next(session, schedule)
    schedule.scope, schedule.bond_id = _narrower(schedule.scope, actor), _bond(session, schedule, actor)
    schedule.parties = list(dict.fromkeys([*schedule.parties, *names(actor)]))
    schedule.updated_at = clock.now()
    session.flush()
    differs = [name for name in WRITTEN if after[name] != before[name]]
    data = {name: {"before": before[name], "after": after[name]} for name in differs}
    record(session, actor, "schedule.changed", schedule.id, {"title": schedule.title, "changes": data})


def delete(session: Session, actor: Actor, schedule: Schedule) -> None:
    """Delete a schedule. Its runs stay."""
    _require_own(actor, schedule)
    record(session, actor, "schedule.deleted", schedule.id, _written(schedule) | {"made_by": schedule.created_by})
    session.delete(schedule)


def run_now(session: Session, actor: Actor, schedule: Schedule) -> Run:
    """Start its run once more, as whoever wants it now. Its times stay as they are."""
    _require_own(actor, schedule)
    run = start(session, actor, schedule)
    schedule.last_run_id, schedule.last_at = run.id, clock.now()
    session.flush()
    return run


def set_next(session: Session, schedule: Schedule) -> None:
    """From now on: whatever was missed while it was off stays missed."""
    schedule.next_at = at = next_time(schedule.cron, schedule.timezone, clock.now()) if schedule.enabled else None
    if at is not None:
        commit = commit_of(session)
        commit.due = min(commit.due or at, at)


def _require_own(actor: Actor, schedule: Schedule) -> None:
    actor.require(Role.MEMBER)
    if schedule.owner_id != actor.user_id and not actor.role.includes(Role.ADMIN):
        raise NotYourSchedule(f"{schedule.created_by} made this schedule. Only they and admins change or run it.")


def _changed(schedule: Schedule, given: ScheduleChange) -> ScheduleIn:
    """The whole as it would be, checked like a new one."""
    values: dict[str, Any] = _written(schedule)
    wanted = {name: getattr(given, name) for name in given.model_fields_set}
    for name, other in (("agent", "workflow"), ("workflow", "agent")):
        if wanted.get(name):
            values[other] = None
    values |= {name: value for name, value in wanted.items() if value is not None or name in ("name", "task", "input")}
    try:
        return ScheduleIn.model_validate(values)
    except ValidationError as error:
        problems = [FieldError(".".join(map(str, each["loc"])), field_words(each)) for each in error.errors()]
        raise Invalid("This is no schedule: " + "; ".join(each.message for each in problems), errors=problems) from None


def _narrower(scope: str | None, actor: Actor) -> str | None:
    """Who changes it with less than their own rights does not borrow the rest."""
    scopes = [Role(scope)] if scope else []
    scopes += [actor.scope] if actor.scope else []
    return min(scopes, key=list(Role).index).value if scopes else None


def _bond(session: Session, schedule: Schedule, actor: Actor) -> str | None:
    """The token of whoever changed it with one last; none once its owner did so without."""
    kept = None if actor.user_id == schedule.owner_id else schedule.bond_id
    return bond_of(session, actor).bond_id or kept


def _written(schedule: Schedule) -> JsonObject:
    return {name: getattr(schedule, name) for name in WRITTEN}
