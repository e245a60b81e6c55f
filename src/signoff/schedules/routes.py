from typing import Annotated

from fastapi import Query
from sqlalchemy.orm import Session

from signoff.catalog.queries import UnknownAgent
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.paging import Page, page
from signoff.kit.routing import Paging, api_router, errors
from signoff.runs import queries as runs
from signoff.runs.granting.actions import ConnectionsMissing
from signoff.runs.schemas import RunOut
from signoff.schedules import actions, queries
from signoff.schedules.actions import NotYourSchedule, TooManySchedules
from signoff.schedules.models import Schedule
from signoff.schedules.queries import UnknownSchedule
from signoff.schedules.schemas import PreviewIn, PreviewOut, ScheduleChange, ScheduleIn, ScheduleOut
from signoff.workflows.queries import NotDeployed, UnknownWorkflow
from signoff.workspaces.access import Caller

router = api_router("schedules", "/api/schedules")
TARGETS = (UnknownAgent, UnknownWorkflow, NotDeployed)
OfAgent = Annotated[str | None, Query(description="Only those of this agent, by slug.")]
OfWorkflow = Annotated[str | None, Query(description="Only those of this workflow, by slug.")]


@router.get("")
def list_schedules(
    caller: Caller,
    window: Paging,
    agent: OfAgent = None,
    workflow: OfWorkflow = None,
    enabled: bool | None = None,
) -> Page[ScheduleOut]:
    """What runs by the clock, newest first."""

    def work(session: Session, actor: Actor) -> Page[ScheduleOut]:
        query = queries.schedules(actor, agent=agent, workflow=workflow, enabled=enabled)
        found: Page[Schedule] = page(session, query, [Schedule.id], window, lambda row: row, descending=True)
        return found.of(queries.show_all(session, actor, found.items))

    return caller.read(work)


@router.post("", status_code=201, responses=errors(*TARGETS, TooManySchedules))
def create_schedule(body: ScheduleIn, caller: Caller) -> ScheduleOut:
    """Run an agent or a workflow by the clock, in your name."""
    return caller.write(lambda s, actor: queries.show(s, actor, actions.create(s, actor, body)))


@router.post("/preview")
def preview_schedule(body: PreviewIn, caller: Caller) -> PreviewOut:
    """When an expression is due, and what it means."""
    return caller.read(lambda _session, _actor: PreviewOut.of(body, clock.now()))


@router.get("/{schedule_id}", responses=errors(UnknownSchedule))
def get_schedule(schedule_id: str, caller: Caller) -> ScheduleOut:
    return caller.read(lambda s, actor: queries.show(s, actor, queries.schedule(s, actor, schedule_id)))


@router.patch("/{schedule_id}", responses=errors(UnknownSchedule, *TARGETS, NotYourSchedule))
def change_schedule(schedule_id: str, body: ScheduleChange, caller: Caller) -> ScheduleOut:
    """Change it, pause it (`enabled: false`) or let it go on. What was missed while it was off stays missed."""

    def work(session: Session, actor: Actor) -> ScheduleOut:
        schedule = queries.schedule(session, actor, schedule_id, to_change=True)
        actions.change(session, actor, schedule, body)
        return queries.show(session, actor, schedule)

    return caller.write(work)


@router.delete("/{schedule_id}", status_code=204, responses=errors(UnknownSchedule, NotYourSchedule))
def delete_schedule(schedule_id: str, caller: Caller) -> None:
    """Delete it. Its runs stay."""
    caller.write(lambda s, actor: actions.delete(s, actor, queries.schedule(s, actor, schedule_id, to_change=True)))


@router.post(
    "/{schedule_id}/run-now",
    status_code=201,
    responses=errors(UnknownSchedule, *TARGETS, NotYourSchedule, ConnectionsMissing),
)
def run_schedule_now(schedule_id: str, caller: Caller) -> RunOut:
    """Start its run now, in your name. Its times stay as they are."""

    def work(session: Session, actor: Actor) -> RunOut:
        schedule = queries.schedule(session, actor, schedule_id, to_change=True)
        return runs.show(session, actions.run_now(session, actor, schedule))

    return caller.write(work)
