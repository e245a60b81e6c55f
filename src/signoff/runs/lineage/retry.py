"""Try an ended run again: from the start, or from the last step that was whole."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.catalog.schemas import Limits
from signoff.files.models import Upload
from signoff.kit.actor import Actor, Role
from signoff.kit.ids import new_id
from signoff.kit.jsons import Written
from signoff.runs import actions
from signoff.runs.folder.given_files import from_run
from signoff.runs.granting.actions import carry_over
from signoff.runs.lineage.continuation import follower
from signoff.runs.models import Call, Message, Run
from signoff.runs.states import ENDED, FINISHED, CallStatus, IllegalMove, Phase, RunStatus
from signoff.runs.workflow.retry import retry_workflow
from signoff.runs.workflow.values import input_of


def retry(
    session: Session, actor: Actor, ended: Run, run_id: str, *, from_last_good: bool, given: Sequence[Upload] = ()
) -> Run:
    """A new run of the same work with the same files; with `from_last_good` it knows all that was done, and goes on
    from there."""
    actor.require(Role.MEMBER)
    if RunStatus(ended.status) not in ENDED:
        raise IllegalMove(
            f"The run is {ended.status}. Only an ended run can be retried.", state={"status": ended.status}
        )
    if ended.kind != "agent":
        return retry_workflow(session, actor, ended, run_id, from_last_good=from_last_good)
    run = follower(session, actor, ended)
    run.id = run_id
    # What stood in a file stands in one again.
    run.task, run.input = ended.task, Written(input_of(session, ended.id)) if "input" in ended.apart else ended.input
    run.retries_id, run.continuation_count = ended.id, ended.continuation_count
    if from_last_good:
        actions.launch(session, actor, run, transcript=lambda made: _copy(session, ended, made))
    else:
        actions.launch(session, actor, run, files=from_run(given))
    carry_over(session, actor, ended, run)
    return run


def _copy(session: Session, ended: Run, run: Run) -> None:
    """The transcript up to the last reply whose calls all came to an end."""
    own = select(Call).where(Call.run_id == ended.id, Call.undoes.is_(None))
    calls = session.scalars(own.order_by(Call.turn, Call.position)).all()
    lines = session.scalars(select(Message).where(Message.run_id == ended.id).order_by(Message.id)).all()
    ends = {line.call_id for line in lines}
    torn = [call.turn for call in calls if call.status not in FINISHED or _given_up(call, ends)]
    last = min(torn) - 1 if torn else ended.iterations
    new_ids = {call.id: new_id() for call in calls if call.turn <= last}
    for line in lines:
        copied = line.turn is not None and line.turn <= last and (line.call_id is None or line.call_id in new_ids)
        if copied or _is_still_to_read(line, last, is_cut=bool(torn)):
            turn = line.turn if copied else None
            session.add(_like(line, run_id=run.id, id=new_id(), turn=turn, call_id=new_ids.get(line.call_id or "")))
    for call in calls:
        if call.id in new_ids:
            # What it cost and who judged it counts for the run before.
            session.add(_like(call, run_id=run.id, id=new_ids[call.id], cost_credits=0.0, judged=None, rule=None))
    run.iterations = last
    limits = Limits.model_validate(run.limits)
    # What was done stays counted, so that turns have their numbers; the run gets as many more as it had.
    run.limits = limits.model_copy(update={"max_iterations": min(limits.max_iterations + last, 100_000)}).model_dump()
    planned = any(
        call.tool == "propose_plan" and call.status == CallStatus.SUCCEEDED.value for call in calls if call.turn <= last
    )
    if run.mode != "plan" or planned:
        run.phase = Phase.WORKING.value
    session.flush()


def _is_still_to_read(line: Message, last: int, *, is_cut: bool) -> bool:
    """What was said behind the last good reply, at the very beginning the task itself: the next reply answers it."""
    if line.role not in ("user", "system") or (line.turn is not None and line.turn <= last):
        return False
    is_before_next = line.turn == last + 1 or not is_cut
    # Behind a reply that is left out: what people said by themselves and what happened, but no answer to that reply.
    return is_before_next or line.author is not None


def _given_up(call: Call, ends: set[str | None]) -> bool:
    """Whether the run's own end was this call's: the transcript has nothing of it."""
    return call.id not in ends and call.late is None


def _like(row: Message | Call, **changed: Any) -> Message | Call:
    kind = type(row)
    return kind(**{column.key: getattr(row, column.key) for column in kind.__table__.columns} | changed)
