"""What a schedule starts: a run of an agent, or of a workflow."""

from dataclasses import replace

from sqlalchemy.orm import Session

from signoff.asks.signatures.parties import names
from signoff.audit.actions import record
from signoff.catalog import queries as catalog
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Invalid
from signoff.runs import actions as runs
from signoff.runs.models import Run
from signoff.runs.schemas import RunIn
from signoff.schedules.models import Schedule
from signoff.workspaces import queries as people


class WorkflowsNotYet(Invalid):
    code = "workflows_not_yet"


def require_target(session: Session, actor: Actor, schedule: Schedule) -> None:
    """What it names must be there."""
    if schedule.agent is not None:
        catalog.current(session, actor, schedule.agent)
    else:
        _require_workflow(session, actor, schedule)


def start(session: Session, actor: Actor, schedule: Schedule) -> Run:
    """Start its run as this actor. Who made or changed the schedule had a hand in it."""
    if schedule.agent is not None:
        given = RunIn(agent=schedule.agent, task=schedule.task or "", title=schedule.name, input=schedule.input)
        run = runs.start(session, actor, given)
    else:
        run = _start_workflow(session, actor, schedule)
    run.schedule_id = schedule.id
    run.parties = list(dict.fromkeys([*names(actor), *schedule.parties]))
    data = {"title": schedule.title, "run": run.id}
    record(session, actor, "schedule.fired", schedule.id, data, run_id=run.id)
    return run


def owner(session: Session, schedule: Schedule) -> Actor | str:
    """Who acts when the time comes: whoever made it, with no more rights than then. A text says why they cannot."""
    member = people.membership(session, schedule.workspace_id, schedule.owner_id)
    if member is None:
        return f"{schedule.created_by} made it and is no longer a member."
    if not people.are_admins(session, schedule.workspace_id, schedule.makers):
        return "It was made with a token whose maker is no longer an admin."
    actor = people.actor_of(session, member, "schedule")
    actor = actor.limited_to([schedule.scope] if schedule.scope else [])
    if not actor.role.includes(Role.MEMBER):
        return f"{actor.label} made it and is {actor.role.value} now, so they cannot start runs."
    return replace(actor, made_by=tuple(schedule.makers))


def _require_workflow(session: Session, actor: Actor, schedule: Schedule) -> None:
    raise WorkflowsNotYet("Workflows cannot be scheduled yet. Name an agent.")


def _start_workflow(session: Session, actor: Actor, schedule: Schedule) -> Run:
    raise WorkflowsNotYet("Workflows cannot be scheduled yet. Name an agent.")
