"""What people do to runs. What its worker writes is in `worker.fenced_writes`, every end in `ending`."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import delete as delete_rows
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from signoff.asks import actions as asks
from signoff.asks import queries as ask_queries
from signoff.asks.effects.windows import hold_windows, resume_windows
from signoff.asks.models import Ask
from signoff.asks.signatures.parties import names, steers
from signoff.asks.signatures.who_may_answer import may
from signoff.audit.actions import record
from signoff.catalog import queries as catalog
from signoff.catalog.queries import CurrentAgent
from signoff.catalog.schemas import AgentDefinition, Limits
from signoff.claims.actions import wake
from signoff.files.actions import told
from signoff.files.models import Upload
from signoff.kit import clock, jsons
from signoff.kit.actor import Actor, Role
from signoff.kit.db import events
from signoff.kit.db.columns import table
from signoff.kit.db.database import commit_of
from signoff.kit.db.prepared import Prepared, insert_into_session
from signoff.kit.errors import Forbidden
from signoff.kit.jsons import Written
from signoff.kit.states import move
from signoff.runs.ending import CANCELLED, COMPLETED_BY_USER, end, has_children, hold_family
from signoff.runs.events import RUN_CREATED, RUN_STATUS, CreatedRun, RunState, mark_of_test
from signoff.runs.granting.actions import grant_at_start
from signoff.runs.large_values import IN_A_FILE, is_large, put_apart
from signoff.runs.limits import beyond
from signoff.runs.lineage.continuation import looser, looser_mode, may_raise
from signoff.runs.models import Message, Run
from signoff.runs.schemas import RunIn
from signoff.runs.states import ENDED, RUN, IllegalMove, Phase, RunStatus
from signoff.runs.transcript.mentions import notify_mentioned
from signoff.runs.transcript.messages import add_messages, emit_message, new_message

TITLE_LENGTH = 80
# Puts files into the folder of a run whose row is there, and says which they are.
GivenFiles = Callable[[Session, Actor, Run], Sequence[Upload]]
_INSERT = Prepared.insert(table(Run))


def start(session: Session, actor: Actor, given: RunIn, files: GivenFiles | None = None) -> Run:
    """Start a piece of work. The agent's revision, autonomy and limits are frozen now."""
    actor.require(Role.MEMBER)
    agent = catalog.current(session, actor, given.agent or "")
    definition = catalog.frozen(session, agent.revision_id)
    _check(actor, given, definition)
    run = _new_run(actor, given, agent, definition)
    run.parties = names(actor)
    launch(session, actor, run, files=files)
    without = given.without_missing_connections
    grant_at_start(session, actor, run, definition, given.connections, without_missing=without)
    return run


def post_message(session: Session, actor: Actor, run: Run, text: str) -> Message:
    """Speak to a run at work; it reads this at its next iteration."""
    actor.require(Role.MEMBER)
    _refuse_ended(run)
    if run.kind != "agent":
        raise IllegalMove("Only agents read messages. Write to the step that is at work.", state={"status": run.status})
    message = Message(run_id=run.id, role="user", author=actor.label, text=text)
    steers(session, actor, run.id)
    _answer_clarification(session, actor, run, text)
    session.add(message)
    session.flush()
    record(session, actor, "run.message", run.id, {"title": run.title, "message": message.id}, run_id=run.id)
    emit_message(session, run, message)
    notify_mentioned(session, actor, run, text)
    if run.status != RunStatus.PAUSED.value:
        wake(session, run.id, clock.now())
    return message


def _answer_clarification(session: Session, actor: Actor, run: Run, text: str) -> None:
    """While a run clarifies its task, whatever is said to it is the answer."""
    if run.phase == Phase.CLARIFYING.value and text.strip():
        asked = ask_queries.asks(actor, status="pending", kind="clarification", run_id=run.id)
        for ask in session.scalars(asked):
            # Somebody may have answered it a moment ago, or this one may not answer: then it is a further word.
            with suppress(asks.AlreadySettled):
                if may(session, actor, ask, "respond"):
                    asks.answer_by_message(session, actor, ask, text)


def skip_clarification(session: Session, actor: Actor, run: Run) -> None:
    """Begin with the work, whatever is unclear."""
    actor.require(Role.MEMBER)
    if run.phase != Phase.CLARIFYING.value or RunStatus(run.status) in ENDED:
        raise IllegalMove(f"The run is {run.status}, so there is nothing to skip.", state={"status": run.status})
    phase = Phase.after_clarifying(run.mode)
    if run.status == RunStatus.CLARIFYING.value:
        _move(session, actor, run, phase.status, "run.clarification_skipped", phase=phase.value)
    else:
        # Not begun, or paused: it goes on in the next phase when it does.
        session.execute(update(Run).where(Run.id == run.id).values(phase=phase.value))
        record(session, actor, "run.clarification_skipped", run.id, {"title": run.title}, run_id=run.id)
        session.refresh(run)
    asked = ask_queries.asks(actor, status="pending", kind="clarification", run_id=run.id)
    for ask in session.scalars(asked):
        asks.withdraw(session, actor, ask.id)
    if run.status != RunStatus.PAUSED.value:
        wake(session, run.id, clock.now())


def pause(session: Session, actor: Actor, run: Run) -> None:
    """Stop after what is under way. Open asks stay open."""
    if has_children(run):
        hold_family(session, run)
    _move(session, actor, run, RunStatus.PAUSED, "run.paused", paused_from=Run.status, wake_at=None)
    hold_windows(session, Ask.run_id == run.id)
    _with_children(session, run, RunStatus.PAUSED, lambda child: pause(session, actor, child))


def resume(session: Session, actor: Actor, run: Run) -> None:
    """Go on where it was paused."""
    actor.require(Role.MEMBER)
    if run.status != RunStatus.PAUSED.value:
        raise IllegalMove(f"The run is {run.status}, not paused.", state={"status": run.status})
    # A wait is not gone back to: whether it still waits is for the engine to see.
    if has_children(run):
        hold_family(session, run)
    to = RunStatus.QUEUED if run.paused_from == RunStatus.QUEUED.value else Phase(run.phase).status
    _move(session, actor, run, to, "run.resumed", paused_from=None)
    resume_windows(session, Ask.run_id == run.id)
    _with_children(session, run, None, lambda child: resume(session, actor, child))
    wake(session, run.id, clock.now())


def cancel(session: Session, actor: Actor, run: Run) -> None:
    """End it now. Drafts are kept, open asks are cancelled."""
    actor.require(Role.MEMBER)
    end(session, actor, run, CANCELLED)


def complete(session: Session, actor: Actor, run: Run) -> None:
    """Take what there is as the result: drafts become final."""
    actor.require(Role.MEMBER)
    end(session, actor, run, COMPLETED_BY_USER)


def delete(session: Session, actor: Actor, run: Run) -> None:
    """Remove an ended run with its transcript and deliverables. The audit record stays, whole."""
    actor.require(Role.ADMIN)
    if RunStatus(run.status) not in ENDED:
        raise IllegalMove(f"The run is {run.status}. Cancel it before you delete it.", state={"status": run.status})
    above = session.get(Run, run.parent_id) if run.parent_id else None
    if above is not None and RunStatus(above.status) not in ENDED:
        detail = "The run above it still needs what it made. Delete it once that has ended."
        raise IllegalMove(detail, state={"status": above.status})
    entry = {"title": run.title, "agent": run.agent, "status": run.status, "started_by": run.created_by}
    record(session, actor, "run.deleted", run.id, entry, run_id=run.id)
    events.forget_run(session, run.id)
    session.execute(delete_rows(Run).where(Run.id == run.id))


def _check(actor: Actor, given: RunIn, definition: AgentDefinition) -> None:
    # Loosening an agent's autonomy is an admin's business, also for a single run.
    if given.autonomy and looser(given.autonomy, definition.autonomy):
        actor.require(Role.ADMIN)
    if given.mode and looser_mode(given.mode, definition.mode) and not actor.role.includes(Role.ADMIN):
        raise Forbidden("This agent plans first. Only an admin can start it without a plan.")
    raised = beyond(definition.limits, _limits(given, definition))
    if raised and not may_raise(actor):
        own = ", ".join(f"{name} {getattr(definition.limits, name)}" for name in raised)
        who = f"you are {actor.role.value}" + ("" if actor.role is Role.MEMBER else ", with a service token")
        raise Forbidden(f"Only an approver can go beyond the agent's own limits ({own}); {who}.")


def _limits(given: RunIn, definition: AgentDefinition) -> Limits:
    changed = given.limits.model_dump(exclude_none=True) if given.limits else {}
    return Limits.model_validate(definition.limits.model_dump() | changed)


def _new_run(actor: Actor, given: RunIn, agent: CurrentAgent, definition: AgentDefinition) -> Run:
    mode = given.mode or definition.mode
    clarify = definition.clarify and definition.clarification_max_exchanges > 0 and not given.skip_clarification
    title = given.title or given.task.strip().splitlines()[0] if given.task.strip() else definition.name
    return Run(
        workspace_id=actor.workspace_id,
        agent=agent.slug,
        agent_name=definition.name,
        agent_revision=agent.revision,
        revision_id=agent.revision_id,
        title=title[:TITLE_LENGTH],
        task=given.task,
        context=given.context,
        input=given.input,
        mode=mode,
        phase=Phase.first(clarify, mode).value,
        autonomy=(given.autonomy or definition.autonomy).value,
        limits=_limits(given, definition).model_dump(),
        project_id=given.project_id,
        test=given.test,
        created_by=actor.label,
    )


def launch(
    session: Session,
    actor: Actor,
    run: Run,
    transcript: Callable[[Run], None] | None = None,
    files: GivenFiles | None = None,
) -> Run:
    """Set a new run going, with its task and files as the first line or with a transcript to go on from."""
    run.wake_at = clock.now()
    _insert(session, run)
    given = files(session, actor, run) if files else ()
    if transcript is not None:
        transcript(run)
    else:
        add_messages(session, [new_message(run, "user", None, author=run.created_by, text=opening(run, given))])
    data = {
        "title": run.title,
        "agent": run.agent,
        "revision": run.agent_revision,
        "autonomy": run.autonomy,
        "limits": run.limits,
        **mark_of_test(run),
    }
    record(session, actor, "run.started", run.id, data, run_id=run.id)
    created: CreatedRun = {"title": run.title, "agent": run.agent, "status": run.status, **mark_of_test(run)}
    events.emit(session, run.workspace_id, RUN_CREATED, run.id, created)
    # Its row says so already.
    commit_of(session).woken_runs.add(run.id)
    return run


def _insert(session: Session, run: Run) -> None:
    """With its input to the letter, and apart where it is large."""
    written = run.input if isinstance(run.input, Written) else None
    is_apart = written is not None and is_large(written)
    if is_apart:
        run.input, run.apart = None, ["input"]
    insert_into_session(session, _INSERT, run)
    if written is not None and is_apart:
        put_apart(session, run.id, "input", written)
    elif written is not None:
        # Who looks at it reads what was written.
        session.expire(run, ["input"])


def opening(run: Run, given: Sequence[Upload] = ()) -> str:
    """The first line of the transcript: the task with what came along."""
    parts = [run.task]
    if run.context:
        parts.append(f"Context:\n{run.context}")
    if run.input is not None:
        parts.append(f"Input:\n{jsons.dumps(run.input)}")
    elif "input" in run.apart:
        parts.append(IN_A_FILE)
    if given:
        parts.append(told(given))
    return "\n\n".join(parts)


def _with_children(session: Session, run: Run, to: RunStatus | None, act: Callable[[Run], None]) -> None:
    """The same for the runs that do its steps: all of them, or without a status those that are paused."""
    if has_children(run):
        paused = Run.status == RunStatus.PAUSED.value
        moving = ~paused & Run.status.not_in([each.value for each in ENDED]) if to else paused
        for child in session.scalars(select(Run).where(Run.parent_id == run.id, moving).order_by(Run.id)).all():
            with suppress(IllegalMove):
                act(child)


def _move(session: Session, actor: Actor, run: Run, to: RunStatus, action: str, **values: Any) -> None:
    """Every move by a person that ends nothing; the statement itself refuses an illegal one."""
    assert to not in ENDED, "A run ends in runs.ending."
    actor.require(Role.MEMBER)
    # Whoever works on the run must notice, so this counts as a wake.
    values["wakes"] = Run.wakes + 1
    commit_of(session).halted_runs.add(run.id)
    moved = move(session, RUN, Run.status, to, Run.id == run.id, **values)
    session.refresh(run)
    if not moved:
        raise IllegalMove(f"The run is {run.status} and cannot become {to.value}.", state={"status": run.status})
    record(session, actor, action, run.id, {"title": run.title}, run_id=run.id)
    state: RunState = {"status": run.status, "completion_reason": run.completion_reason, **mark_of_test(run)}
    events.emit(session, run.workspace_id, RUN_STATUS, run.id, state)


def _refuse_ended(run: Run) -> None:
    if RunStatus(run.status) in ENDED:
        raise IllegalMove(
            f"The run is {run.status}. Continue it with new instructions instead.", state={"status": run.status}
        )
