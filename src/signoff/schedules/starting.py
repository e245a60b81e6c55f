"""What a schedule starts: a run of an agent, or of a workflow."""

from sqlalchemy.orm import Session

from signoff.asks.signatures.parties import names
from signoff.audit.actions import record
from signoff.catalog import queries as catalog
from signoff.kit.actor import Actor
from signoff.runs.models import Run
from signoff.runs.schemas import RunIn
from signoff.runs.workflow import start as runs
from signoff.schedules.models import Schedule
from signoff.workflows import queries as workflows
from signoff.workspaces.mandates import mandated


def require_target(session: Session, actor: Actor, schedule: Schedule) -> None:
    """What it names must be there, and a workflow must take its input: now somebody is there who can mend it."""
    if schedule.agent is not None:
        catalog.current(session, actor, schedule.agent)
    else:
        workflow = workflows.deployed(session, actor, schedule.workflow or "")
        runs.check_input(workflow.definition, {} if schedule.input is None else schedule.input)


def start(session: Session, actor: Actor, schedule: Schedule) -> Run:
    """Start its run as this actor. Who made or changed the schedule had a hand in it."""
    given = RunIn(
        agent=schedule.agent,
        workflow=schedule.workflow,
        task=schedule.task or "",
        title=schedule.name,
        input=schedule.input,
    )
    run = runs.start(session, actor, given)
    run.schedule_id = schedule.id
    run.parties = list(dict.fromkeys([*names(actor), *schedule.parties]))
    data = {"title": schedule.title, "run": run.id}
    record(session, actor, "schedule.fired", schedule.id, data, run_id=run.id)
    return run


def owner(session: Session, schedule: Schedule) -> Actor | str:
    """Who acts when the time comes: whoever made it, with no more rights than then. A text says why they cannot."""
    return mandated(session, schedule.mandate, "schedule")
