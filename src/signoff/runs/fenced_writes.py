"""The engine's writes: one step of a run is one transaction, and each carries the claim's fence."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import bindparam, case, insert, select, update
from sqlalchemy.orm import Session

from signoff.asks import actions as asks
from signoff.asks.models import Ask
from signoff.asks.states import AskStatus
from signoff.audit.actions import record
from signoff.catalog import queries as catalog
from signoff.catalog.schemas import AgentDefinition
from signoff.claims.actions import Claim, LostClaim
from signoff.deliverables import actions as deliverables
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.db import events
from signoff.kit.db.columns import table
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject, clean_text, digest
from signoff.runs.models import Call, Message, Run
from signoff.runs.states import ENDED, FINISHED, RUN, CallStatus, Phase, Reason, RunStatus
from signoff.runs.transcript import response_text
from signoff.runs.waiting import wake_waiters

# How much of a message's text goes into its event; the whole is in the transcript.
TOLD = 20_000
ASKING = frozenset({CallStatus.WAITING.value, CallStatus.UNKNOWN.value})
_DONE = frozenset(status.value for status in FINISHED)


MESSAGES, CALLS, RUNS = table(Message), table(Call), table(Run)
# What changes in a call after it was proposed.
SAVED = (
    *("status", "edited_arguments", "verdict", "judged", "rule", "ask_id"),
    *("attempt", "worker", "result", "error", "started_at", "ended_at"),
)
# Made once: building a statement takes longer than running it.
_INSERT_MESSAGE, _INSERT_CALL = insert(MESSAGES), insert(CALLS)
_MESSAGES_OF = select(Message).where(Message.run_id == bindparam("run")).order_by(Message.id)
_CALLS_OF = select(Call).where(Call.run_id == bindparam("run")).order_by(Call.turn, Call.position)
_SETTLED = select(Ask).where(Ask.id.in_(bindparam("ids", expanding=True)), Ask.status != AskStatus.PENDING.value)
_SAVE_CALL = (
    update(CALLS)
    .where(CALLS.c.id == bindparam("call"))
    .values({name: bindparam(f"new_{name}", type_=CALLS.c[name].type) for name in SAVED})
)


@dataclass(frozen=True)
class Resting:
    """Nothing is held any more; `wake_at` is kept if the run was woken since `wakes` was read."""

    wakes: int
    wake_at: datetime | None


@dataclass
class Snapshot:
    """Everything a worker needs to go on with a run."""

    run: Run
    definition: AgentDefinition
    messages: list[Message]
    calls: list[Call]
    # Settled asks of calls that still wait, and of the run itself, by id.
    settled: dict[str, Ask] = field(default_factory=dict[str, Ask])
    # Answers to questions that did not block, which the agent has not read yet.
    late: list[Ask] = field(default_factory=list[Ask])


def load(session: Session, claim: Claim) -> Snapshot:
    """Read a claimed run: the transcript is the checkpoint, nothing else is needed."""
    run = session.get_one(Run, claim.run_id)
    definition = catalog.frozen(session, run.agent_subject.revision_id)
    messages = session.scalars(_MESSAGES_OF, {"run": run.id}).all()
    calls = session.scalars(_CALLS_OF, {"run": run.id}).all()
    settled, late = settled_asks(session, run, calls), late_answers(session, calls)
    return Snapshot(run, definition, list(messages), list(calls), settled, late)


def settled_asks(session: Session, run: Run, calls: Sequence[Call]) -> dict[str, Ask]:
    """Answers that the run has not acted on yet."""
    waiting = [call.ask_id for call in calls if call.ask_id and call.status in ASKING]
    if run.ask_id:
        waiting.append(run.ask_id)
    if not waiting:
        return {}
    return {ask.id: ask for ask in session.scalars(_SETTLED, {"ids": waiting})}


def late_answers(session: Session, calls: Sequence[Call]) -> list[Ask]:
    """Answers to questions that did not block. Asks nothing of the database where there were none."""
    asked = [call.ask_id for call in calls if call.tool == "ask_question" and call.ask_id and call.status in _DONE]
    if not asked:
        return []
    unread = (Ask.blocking.is_(False), Ask.status == AskStatus.ANSWERED.value, Ask.handed_over.is_(False))
    return list(session.scalars(select(Ask).where(Ask.id.in_(asked), *unread).order_by(Ask.id)))


def hand_over(session: Session, asks: Sequence[Ask]) -> None:
    """The agent reads these answers now."""
    ids = [ask.id for ask in asks]
    change = update(Ask).where(Ask.id.in_(ids)).values(handed_over=True)
    session.execute(change.execution_options(synchronize_session=False))


def begin(session: Session, claim: Claim, run: Run) -> None:
    """The first step of a queued run."""
    run.started_at = clock.now()
    write_run(session, claim, run, Phase(run.phase).status, started_at=run.started_at)


def write_run(
    session: Session,
    claim: Claim,
    run: Run,
    to: RunStatus | None = None,
    *,
    resting: Resting | None = None,
    **values: Any,
) -> RunStatus:
    """The fenced write of every step. Returns the status as it now is: a person may have paused or ended the run."""
    return _write(session, claim, run, to, resting, values)[0]


def _write(
    session: Session, claim: Claim, run: Run, to: RunStatus | None, resting: Resting | None, values: dict[str, Any]
) -> tuple[RunStatus, bool]:
    """The status as it now is, and whether this step could write: an end that a person set stays as they set it."""
    change = _fenced_update(to, resting is not None, tuple(values))
    given = {f"new_{name}": value for name, value in values.items()} | {"run": claim.run_id, "token": claim.fence}
    if resting is not None:
        given |= {"seen": resting.wakes, "at": resting.wake_at}
    row: Any = session.connection().execute(change, given).first()
    written = row is not None
    if not written and to in ENDED:
        row = session.connection().execute(_LET_GO, {"run": claim.run_id, "token": claim.fence}).first()
    if row is None:
        raise LostClaim(claim.run_id)
    if RunStatus(row[0]) in ENDED:
        # Whoever ended it, and whatever this step had opened: nobody needs to answer any more.
        asks.cancel_open(session, Actor.system(run.workspace_id), run.id)
    if written and to is not None and row[0] == to.value and run.status != row[0]:
        told = {"status": row[0], "completion_reason": values.get("completion_reason")}
        events.emit(session, run.workspace_id, "run.status", run.id, told)
    run.status, run.wakes = row[0], row[1]
    return RunStatus(run.status), written


@lru_cache(maxsize=256)
def _fenced_update(to: RunStatus | None, rests: bool, names: tuple[str, ...]) -> Any:
    """The statement for these columns; few shapes occur, and building one costs more than running it."""
    values: dict[str, Any] = {name: bindparam(f"new_{name}", type_=RUNS.c[name].type) for name in names}
    if to is not None:
        # Only people resume what people paused.
        sources = [source.value for source in RUN.sources(to) if source is not RunStatus.PAUSED or to in ENDED]
        legal = RUNS.c.status.in_(sources)
        values["status"] = case((legal, to.value), else_=RUNS.c.status)
    if rests:
        # A wake since the worker last looked stays: nothing that came in is lost.
        still, at = RUNS.c.wakes == bindparam("seen"), bindparam("at", type_=RUNS.c.wake_at.type)
        values |= {"owner": None, "lease_until": None, "wake_at": case((still, at), else_=RUNS.c.wake_at)}
        values.setdefault("falls", 0)
    fence = [RUNS.c.id == bindparam("run"), RUNS.c.fence == bindparam("token")]
    if to is not None and to in ENDED:
        fence.append(RUNS.c.status.in_([source.value for source in RUN.sources(to)]))
    change = update(RUNS).where(*fence).values(values or {"fence": RUNS.c.fence})
    return change.returning(RUNS.c.status, RUNS.c.wakes)


_LET_GO = (
    update(RUNS)
    .where(RUNS.c.id == bindparam("run"), RUNS.c.fence == bindparam("token"))
    .values(owner=None, lease_until=None, wake_at=None)
    .returning(RUNS.c.status, RUNS.c.wakes)
)


def add_messages(session: Session, lines: Sequence[Message]) -> None:
    """Add lines to the transcript, in one statement."""
    if lines:
        rows = [{column.key: getattr(line, column.key) for column in MESSAGES.c} for line in lines]
        session.connection().execute(_INSERT_MESSAGE, rows)


def tell_message(session: Session, run: Run, line: Message) -> None:
    """Tell those who look on what was said; results of calls are told as calls."""
    brief = {"id": line.id, "role": line.role, "created_at": line.created_at.isoformat(), "turn": line.turn}
    text = response_text(line.response) if line.role == "assistant" else line.text
    events.emit(session, run.workspace_id, "run.message", run.id, {"message": brief | {"text": (text or "")[:TOLD]}})


def line(run: Run, role: str, turn: int | None, **values: Any) -> Message:
    """A new line of the transcript, not stored yet."""
    return Message(id=new_id(), run_id=run.id, role=role, turn=turn, created_at=clock.now(), **values)


def mark_seen(session: Session, messages: Sequence[Message], turn: int) -> None:
    """The model has read these lines in this turn."""
    ids = [message.id for message in messages]
    if ids:
        session.execute(
            update(Message).where(Message.id.in_(ids)).values(turn=turn).execution_options(synchronize_session=False)
        )


def add_calls(session: Session, calls: Sequence[Call]) -> None:
    """Store what the model proposed."""
    if calls:
        rows = [{column.key: getattr(call, column.key) for column in CALLS.c} for call in calls]
        session.connection().execute(_INSERT_CALL, rows)


def save_call(session: Session, call: Call) -> None:
    """Write a call's state back. The run's fence, checked in the same transaction, guards it."""
    session.connection().execute(_SAVE_CALL, {f"new_{name}": getattr(call, name) for name in SAVED} | {"call": call.id})


def announce_start(session: Session, run: Run, call: Call) -> None:
    """An idempotent call begins: told, but with no mark that a crash would have to explain."""
    call.attempt += 1
    call.started_at = clock.now()
    tell_call(session, run, call, "call.started")


def mark_started(session: Session, claim: Claim, run: Run, call: Call) -> None:
    """Mark a call as started, before its tool runs: a crash then leaves a start without an end."""
    call.status, call.worker = CallStatus.STARTED.value, claim.owner
    call.attempt += 1
    call.started_at = clock.now()
    tell_call(session, run, call, "call.started")


def finish_call(
    session: Session, run: Run, call: Call, status: CallStatus, *, result: Any = None, error: str | None = None
) -> Message:
    """Give a call its end; returns the line that the transcript gets."""
    call.status = status.value
    call.result = result
    call.error = clean_text(error) if error is not None else None
    call.ended_at = clock.now()
    tell_call(session, run, call, "call.finished")
    return line(run, "tool", call.turn, call_id=call.id)


def audit_call(session: Session, run: Run, call: Call) -> None:
    """What ran, with exactly which arguments."""
    told = {"tool": call.tool, "digest": digest(call.arguments), "ask": call.ask_id, "error": call.error}
    told |= {"arguments": call.arguments, "attempt": call.attempt}
    if call.edited_arguments is not None:
        told["original_arguments"] = call.proposed_arguments
    told = {name: value for name, value in told.items() if value is not None}
    record(session, run.actor, f"call.{call.status}", call.id, told, run_id=run.id)


def tell_call(session: Session, run: Run, call: Call, type_: str) -> None:
    brief = {"id": call.id, "tool": call.tool, "status": call.status, "attempt": call.attempt, "error": call.error}
    events.emit(session, run.workspace_id, type_, run.id, {"call": brief})


def end(
    session: Session,
    claim: Claim,
    run: Run,
    to: RunStatus,
    reason: Reason,
    *,
    error: JsonObject | None = None,
    **values: Any,
) -> RunStatus:
    """The run is over: keep everything, cancel what is open, let go of the claim."""
    now = clock.now()
    released = {"wake_at": None, "owner": None, "lease_until": None}
    ended = {"completion_reason": reason.value, "ended_at": now, "error": error}
    status, written = _write(session, claim, run, to, None, {**ended, **released, **values})
    if not written:
        return status
    actor = run.actor
    if to is RunStatus.COMPLETED:
        deliverables.finalise(session, run.id)
    told = {"status": to.value, "completion_reason": reason.value}
    record(session, actor, "run.ended", run.id, {"title": run.title, **told}, run_id=run.id)
    wake_waiters(session, run)
    events.emit(session, run.workspace_id, "run.ended", run.id, told)
    return status


def resting(wakes: int, wake_at: datetime | None = None) -> dict[str, Any]:
    """For `write_run`: let go of the run, until somebody wakes it or the time comes."""
    return {"resting": Resting(wakes, wake_at)}


@dataclass(frozen=True)
class News:
    """What came in while a worker held the run."""

    messages: list[Message]
    settled: dict[str, Ask]
    late: list[Ask]
    phase: str
    awaited_runs: int


def refresh(session: Session, run: Run, calls: Sequence[Call]) -> News:
    """New words, new answers, and whether somebody skipped the clarification."""
    _see_late_ends(session, calls)
    pending = select(Message).where(Message.run_id == run.id, Message.turn.is_(None)).order_by(Message.id)
    phase, awaited = session.execute(select(Run.phase, Run.awaited_runs).where(Run.id == run.id)).one()
    messages = list(session.scalars(pending))
    return News(messages, settled_asks(session, run, calls), late_answers(session, calls), phase, awaited)


def _see_late_ends(session: Session, calls: Sequence[Call]) -> None:
    """What became of calls whose end was not seen. Asks nothing of the database where there are none."""
    open_ends = {call.id: call for call in calls if call.status == CallStatus.UNKNOWN.value}
    if open_ends:
        for call_id, late in session.execute(select(CALLS.c.id, CALLS.c.late).where(CALLS.c.id.in_(open_ends))):
            open_ends[call_id].late = late


def halted(session: Session, run_ids: Sequence[str]) -> list[str]:
    """Which of these runs a person has paused or ended."""
    stopped = [RunStatus.PAUSED.value, *(status.value for status in ENDED)]
    return list(session.scalars(select(Run.id).where(Run.id.in_(run_ids), Run.status.in_(stopped))))
