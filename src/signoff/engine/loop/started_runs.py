"""Runs that calls of this one started: begun in the transaction that marks the call, and waited for as rows only."""

from sqlalchemy.orm import Session

from signoff.engine.calls.execute import storable
from signoff.engine.calls.plan import give_up_rest
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.kit.db.savepoint import savepoint
from signoff.kit.errors import SignoffError
from signoff.runs.calls import START_RUN, audit_call, finish_call, mark_started
from signoff.runs.limits import remaining
from signoff.runs.models import Call, Message, Run
from signoff.runs.states import ENDED, CallStatus, RunStatus
from signoff.runs.waiting import wait_for
from signoff.runs.workflow.start_by_call import output_of, start_by_call, started_by


def at_work(claimed: ClaimedRun) -> list[Call]:
    """Calls whose run has begun."""
    return [call for call in claimed.unfinished if is_at_work(call)]


def is_at_work(call: Call) -> bool:
    return call.tool == START_RUN and call.status == CallStatus.STARTED.value


def are_over(claimed: ClaimedRun) -> bool:
    """Whether all runs that were waited for have ended."""
    return claimed.run.awaited_runs == 0 and bool(at_work(claimed))


def begin_run(session: Session, claimed: ClaimedRun, call: Call) -> tuple[list[Call], list[Message]]:
    """The other run, the mark on the call and the wait for it: together or not at all. What cannot be started fails,
    and with it what a plan has behind it."""
    run, left = claimed.run, remaining(claimed.limits, claimed.usage)
    try:
        # Nothing of a run that cannot be started stays.
        with savepoint(session):
            child = start_by_call(session, run, call, left)
    except SignoffError as error:
        line = finish_call(session, run, call, CallStatus.FAILED, error=error.detail)
        rest, lines = give_up_rest(session, claimed, call)
        return rest, [line, *lines]
    mark_started(session, claimed.claim, run, call)
    session.flush()
    wait_for(session, run, [child.id])
    return [], []


def take_outputs(session: Session, engine: EngineContext, claimed: ClaimedRun) -> tuple[list[Call], list[Message]]:
    """What the runs made that have ended; what they took counts here as well."""
    calls = at_work(claimed)
    runs = started_by(session, claimed.run, [call.id for call in calls]) if calls else {}
    changed, lines = list[Call](), list[Message]()
    for call in calls:
        child = runs.get(call.id)
        if child is not None and RunStatus(child.status) not in ENDED:
            continue
        lines.append(_finish(session, engine, claimed, call, child))
        audit_call(session, claimed.run, call)
        changed.append(call)
        if call.status == CallStatus.FAILED.value:
            rest, given_up = give_up_rest(session, claimed, call)
            changed, lines = changed + rest, lines + given_up
    return changed, lines


def _finish(session: Session, engine: EngineContext, claimed: ClaimedRun, call: Call, child: Run | None) -> Message:
    run = claimed.run
    if child is None:
        return finish_call(session, run, call, CallStatus.FAILED, error="The run that it started was deleted.")
    run.working_seconds += child.working_seconds
    cost = child.cost_credits
    if child.status == RunStatus.COMPLETED.value:
        made = storable(output_of(session, child), engine.settings.max_message_bytes)
        return finish_call(session, run, call, CallStatus.SUCCEEDED, result=made, cost_credits=cost)
    why = (child.error or {}).get("message")
    said = f"{child.title} ended as {child.status} ({child.completion_reason}).{f' {why}' if why else ''}"
    return finish_call(session, run, call, CallStatus.FAILED, error=said, cost_credits=cost)
