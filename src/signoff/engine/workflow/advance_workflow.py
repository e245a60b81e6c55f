"""A workflow's run, as far as it can go: what ended is taken in, what is ready begins, all in one transaction."""

from contextlib import suppress
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.claims.actions import Claim, hold
from signoff.claims.pause_all import is_paused
from signoff.engine.context import EngineContext
from signoff.engine.workflow.begin_step import begin_steps
from signoff.engine.workflow.bounds import at_a_limit, deadline, out_of_money
from signoff.engine.workflow.checkpoints import Rejection, take_answers
from signoff.engine.workflow.claimed_workflow import ClaimedWorkflow
from signoff.engine.workflow.take_results import FailedStep, take_results
from signoff.kit import clock
from signoff.runs.ending import COMPLETED, Ending, end, hold_family
from signoff.runs.models import Run
from signoff.runs.states import ENDED, Reason, RunStatus
from signoff.runs.waiting import wait_for
from signoff.runs.worker.fenced_writes import Release, begin, write_run
from signoff.runs.worker.snapshot import load_run
from signoff.runs.workflow.limits import MOST_BYTES, TOO_LARGE
from signoff.runs.workflow.states import DONE, StepStatus
from signoff.runs.workflow.values import write_output

MOST_OUTPUT = 1_000_000


class Overtaken(Exception):
    """A person paused or ended the run while this was under way: nothing of it counts."""


async def advance_workflow(engine: EngineContext, claim: Claim) -> bool:
    """Move a workflow's run on. True: only a wake, or its due time, makes it ready again."""
    await engine.crash_point("workflow")
    rests = None
    while rests is None:
        with suppress(Overtaken):
            rests = await engine.db.awrite(lambda s: _advance(s, engine, claim))
    await engine.crash_point("workflow moved")
    return rests


def _advance(session: Session, engine: EngineContext, claim: Claim) -> bool:
    run = load_run(session, claim)
    wakes = run.wakes
    if RunStatus(run.status) in ENDED or run.status == RunStatus.PAUSED.value:
        write_run(session, claim, run, release=Release(wakes))
        return True
    if is_paused(session, run.workspace_id):
        # Ready from now on, and claimed by nobody until everything goes on.
        write_run(session, claim, run, release=Release(wakes, clock.now()))
        return False
    if run.started_at is None:
        begin(session, claim, run)
    claimed = ClaimedWorkflow.load(session, engine, claim, run)
    claimed.count_spent()
    ending = at_a_limit(claimed)
    try:
        take_results(claimed)
        take_answers(claimed)
        if ending is not None and not claimed.is_done:
            return _end(claimed, ending)
        begin_steps(claimed)
    except FailedStep as stopped:
        return _end(claimed, ending or out_of_money(claimed) or stopped.ending)
    except Rejection as stopped:
        return _end(claimed, stopped.ending)
    return _complete(claimed) if claimed.is_done else _rest(claimed, wakes, deadline(claimed))


def _rest(claimed: ClaimedWorkflow, wakes: int, over_at: datetime | None) -> bool:
    session, run = claimed.session, claimed.run
    session.flush()
    if claimed.started:
        wait_for(session, run, claimed.started)
    due = [row.retry_at for row in claimed.rows.values() if row.retry_at is not None]
    due += [over_at] if over_at else []
    wake_at = min(due) if due else None
    values = {"progress": claimed.progress, **claimed.spent()}
    status = write_run(session, claimed.claim, run, claimed.waits_for_people, release=Release(wakes, wake_at), **values)
    if claimed.started and (status in ENDED or status is RunStatus.PAUSED):
        # Whoever stopped it could not see the runs that begin only now.
        raise Overtaken
    return run.wakes == wakes and wake_at is None


def _complete(claimed: ClaimedWorkflow) -> bool:
    session, run = claimed.session, claimed.run
    merged = claimed.context.text()
    session.flush()
    if len(merged) > MOST_BYTES and run.step is not None:
        return _end(claimed, Ending(RunStatus.FAILED, Reason.ERROR, {"message": TOO_LARGE}))
    if len(merged) <= MOST_OUTPUT or run.step is not None:
        # What is larger is put together from the steps whenever somebody reads it; a step's is read by the next ones.
        write_output(session, run, merged)
    values = {"progress": claimed.progress, "summary": _summary(claimed), **claimed.spent()}
    end(session, claimed.claim, run, COMPLETED, calls=(), **values)
    return True


def _summary(claimed: ClaimedWorkflow) -> str:
    failed = [step.name or step.id for step in claimed.definition.steps if claimed.states[step.id] is StepStatus.FAILED]
    if not failed:
        return f"All {len(claimed.rows)} steps are done."
    done = sum(state is StepStatus.SUCCEEDED for state in claimed.states.values())
    return f"{done} of {len(claimed.rows)} steps succeeded. Failed: {', '.join(failed)}."


def _end(claimed: ClaimedWorkflow, ending: Ending) -> bool:
    """Everything that was made stays; what has not begun does not, what is under way is cancelled."""
    session, run = claimed.session, claimed.run
    session.flush()
    hold_family(session, run)
    if claimed.started and _is_over(session, run):
        raise Overtaken
    for step in claimed.definition.steps:
        if claimed.states[step.id] not in DONE:
            claimed.move(step, StepStatus.CANCELLED)
    session.flush()
    end(session, claimed.claim, run, ending, calls=(), progress=claimed.progress, **claimed.spent())
    return True


def _is_over(session: Session, run: Run) -> bool:
    """Whether a person ended it since it was read; held, so that nobody does so from now on."""
    hold(session, run.id)
    return RunStatus(session.scalars(select(Run.status).where(Run.id == run.id)).one()) in ENDED
