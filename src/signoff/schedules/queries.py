from collections.abc import Sequence

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.errors import NotFound
from signoff.kit.paging import readable, the_one
from signoff.runs.models import Run
from signoff.schedules.models import Schedule
from signoff.schedules.schemas import ScheduleOut


class UnknownSchedule(NotFound):
    code = "unknown_schedule"


def schedules(
    actor: Actor, *, agent: str | None = None, workflow: str | None = None, enabled: bool | None = None
) -> Select[Schedule]:
    """The schedules of the actor's workspace, narrowed down."""
    query = select(Schedule).where(Schedule.workspace_id == actor.workspace_id)
    for column, value in ((Schedule.agent, agent), (Schedule.workflow, workflow)):
        if value is not None:
            query = query.where(column == value)
    return query if enabled is None else query.where(Schedule.enabled.is_(enabled))


def schedule(session: Session, actor: Actor, schedule_id: str, *, to_change: bool = False) -> Schedule:
    query = schedules(actor).where(Schedule.id == schedule_id)
    found = session.scalar(query.with_for_update() if to_change else query)
    if found is None:
        raise UnknownSchedule("Schedule not found.")
    return found


def show(session: Session, actor: Actor, found: Schedule) -> ScheduleOut:
    return the_one(show_all(session, actor, [found]))


def show_all(session: Session, actor: Actor, found: Sequence[Schedule]) -> list[ScheduleOut]:
    """Schedules as the API gives them; how their last runs are, in one query."""
    ids = {each.last_run_id for each in found if each.last_run_id}
    rows = session.execute(select(Run.id, Run.status).where(Run.id.in_(ids))) if ids else ()
    statuses, at = {row[0]: row[1] for row in rows}, clock.now()

    def one(each: Schedule) -> ScheduleOut:
        return ScheduleOut.of(each, statuses.get(each.last_run_id or ""), at, mine=each.owner_id == actor.user_id)

    return readable(found, one)
