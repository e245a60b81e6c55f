"""What a worker reads of a run: all of it when it claims it, and what came in when somebody woke it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from sqlalchemy import bindparam, or_, select, update
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.states import AskStatus
from signoff.catalog import queries as catalog
from signoff.catalog.schemas import AgentDefinition
from signoff.catalog.tool_step import tool_step
from signoff.claims.actions import Claim, LostClaim
from signoff.connections import queries as connections
from signoff.connections.queries import UsableConnection
from signoff.kit.db.columns import table
from signoff.kit.db.prepared import Loader, Prepared
from signoff.runs.models import Call, Message, Run
from signoff.runs.states import ASKING, ENDED, FINISHED, CallStatus, RunStatus
from signoff.runs.transcript.reading import COMPACTION
from signoff.runs.worker.hosts_above import hosts_above
from signoff.workspaces.models import Workspace

_CALLS, _MESSAGES = table(Call), table(Message)
_RUN = Loader(Run, Run.id == bindparam("run"))
_MESSAGES_OF = Loader(Message, Message.run_id == bindparam("run"), order_by=(Message.id,))
_CALLS_OF = Loader(Call, Call.run_id == bindparam("run"), Call.undoes.is_(None), order_by=(Call.turn, Call.position))
# The same without what a summary stands for.
_NEWER_MESSAGES_OF = Loader(
    Message,
    Message.run_id == bindparam("run"),
    order_by=(Message.id,),
    left_out={"response": Message.turn < bindparam("summarized")},
)
_NEWER_CALLS_OF = Loader(
    Call,
    Call.run_id == bindparam("run"),
    Call.undoes.is_(None),
    order_by=(Call.turn, Call.position),
    left_out={"result": Call.turn < bindparam("summarized")},
)
_COMPACTIONS = Prepared(
    select(_MESSAGES.c.compaction)
    .where(_MESSAGES.c.run_id == bindparam("run"), _MESSAGES.c.role == COMPACTION)
    .order_by(_MESSAGES.c.id)
)
# What is shorter is read whole.
LONG = 20
UNDOING = (CallStatus.WAITING.value, CallStatus.APPROVED.value, CallStatus.STARTED.value)
_UNDOS_OF = Loader(
    Call,
    Call.run_id == bindparam("run"),
    Call.undoes.is_not(None),
    Call.status.in_(UNDOING),
    order_by=(Call.position,),
)
_SETTLED = Loader(Ask, Ask.id == bindparam("ask"), Ask.status != AskStatus.PENDING.value)


# A call that takes another one back, and the settled ask that it waited for.
Undo: TypeAlias = tuple[Call, Ask | None]


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
    unread_answers: list[Ask] = field(default_factory=list[Ask])
    # What people want taken back, in that order, each with what others said to it.
    undos: list[Undo] = field(default_factory=list[Undo])
    # The connections that it may use.
    connections: list[UsableConnection] = field(default_factory=list[UsableConnection])
    # The hosts that the agents may reach by which it was started.
    hosts_above: tuple[list[str], ...] = ()


@dataclass(frozen=True)
class WorkflowRun:
    """It is a workflow's: its worker reads it in the transaction that moves it on."""


# A claimed run as its worker finds it.
Opened: TypeAlias = Snapshot | WorkflowRun


@dataclass(frozen=True)
class Incoming:
    """What came in while a worker held the run."""

    messages: list[Message]
    settled: dict[str, Ask]
    unread_answers: list[Ask]
    phase: str
    awaited_runs: int
    undos: list[Undo]
    connections: list[UsableConnection]


def load(session: Session, claim: Claim, known: Run | None = None) -> Opened:
    """Read a claimed run: the transcript is the checkpoint, nothing else is needed. `known` is its own row, if whoever
    claimed it has just read it."""
    run = load_run(session, claim) if known is None else known
    if run.kind == "workflow":
        return WorkflowRun()
    definition = definition_of(session, run)
    messages, calls = _transcript(session, run)
    undos = load_undos(session, run) if calls else []
    settled, unread = _settled_asks(session, run, calls), _unread_answers(session, calls)
    usable = connections.granted(session, run.id) if run.has_connections else []
    hosts = hosts_above(session, run)
    return Snapshot(run, definition, messages, calls, settled, unread, undos, usable, hosts)


def definition_of(session: Session, run: Run) -> AgentDefinition:
    """The agent as it was when the run started, with what the step wants that it does."""
    if run.kind == "tool":
        return tool_step(run.task)
    definition = catalog.frozen(session, run.agent_subject.revision_id)
    return (
        definition if run.output_schema is None else definition.model_copy(update={"output_schema": run.output_schema})
    )


def _transcript(session: Session, run: Run) -> tuple[list[Message], list[Call]]:
    """Every line and call, but of those that a summary stands for only that they were."""
    summarized = 0
    if run.iterations > LONG:
        summarized = max((row[0]["summarized"] for row in _COMPACTIONS.rows(session, {"run": run.id})), default=0)
    if not run.iterations:
        # Calls come with replies, and each reply counts.
        return _MESSAGES_OF.all(session, {"run": run.id}), []
    if not summarized:
        return _MESSAGES_OF.all(session, {"run": run.id}), _CALLS_OF.all(session, {"run": run.id})
    given = {"run": run.id, "summarized": summarized}
    return _NEWER_MESSAGES_OF.all(session, given), _NEWER_CALLS_OF.all(session, given)


def load_run(session: Session, claim: Claim) -> Run:
    """Only the run's own row."""
    run = _RUN.first(session, {"run": claim.run_id})
    if run is None:
        raise LostClaim(claim.run_id)
    return run


def load_incoming(session: Session, run: Run, calls: Sequence[Call]) -> Incoming:
    """New words, new answers, and whether somebody skipped the clarification."""
    _see_late_ends(session, calls)
    pending = select(Message).where(Message.run_id == run.id, Message.turn.is_(None)).order_by(Message.id)
    row = select(Run.phase, Run.awaited_runs, Run.has_connections).where(Run.id == run.id)
    phase, awaited, has_connections = session.execute(row).one()
    usable = connections.granted(session, run.id) if has_connections else []
    messages = list(session.scalars(pending))
    answers = (_settled_asks(session, run, calls), _unread_answers(session, calls))
    return Incoming(messages, *answers, phase, awaited, load_undos(session, run), usable)


def load_undos(session: Session, run: Run) -> list[Undo]:
    """What people want taken back and is not yet."""
    calls = _UNDOS_OF.all(session, {"run": run.id})
    return [(call, _SETTLED.first(session, {"ask": call.ask_id}) if call.ask_id else None) for call in calls]


def mark_read(session: Session, answers: Sequence[Ask]) -> None:
    """The agent reads these answers now."""
    ids = [ask.id for ask in answers]
    change = update(Ask).where(Ask.id.in_(ids)).values(handed_over=True)
    session.execute(change.execution_options(synchronize_session=False))


def halted(session: Session, run_ids: Sequence[str]) -> list[str]:
    """Which of these runs a person has paused or ended, alone or with everything."""
    stopped = [RunStatus.PAUSED.value, *(status.value for status in ENDED)]
    query = select(Run.id).join(Workspace, Workspace.id == Run.workspace_id).where(Run.id.in_(run_ids))
    return list(session.scalars(query.where(or_(Run.status.in_(stopped), Workspace.paused_at.is_not(None)))))


def _settled_asks(session: Session, run: Run, calls: Sequence[Call]) -> dict[str, Ask]:
    """Answers that the run has not acted on yet."""
    waiting = [call.ask_id for call in calls if call.ask_id and call.status in ASKING]
    if run.ask_id:
        waiting.append(run.ask_id)
    found = (_SETTLED.first(session, {"ask": ask_id}) for ask_id in dict.fromkeys(waiting))
    return {ask.id: ask for ask in found if ask is not None}


def _unread_answers(session: Session, calls: Sequence[Call]) -> list[Ask]:
    """Answers to questions that did not block. Asks nothing of the database where there were none."""
    asked = [call.ask_id for call in calls if call.tool == "ask_question" and call.ask_id and call.status in FINISHED]
    if not asked:
        return []
    unread = (Ask.blocking.is_(False), Ask.status == AskStatus.ANSWERED.value, Ask.handed_over.is_(False))
    return list(session.scalars(select(Ask).where(Ask.id.in_(asked), *unread).order_by(Ask.id)))


def _see_late_ends(session: Session, calls: Sequence[Call]) -> None:
    """What became of calls whose end was not seen. Asks nothing of the database where there are none."""
    open_ends = {call.id: call for call in calls if call.status == CallStatus.UNKNOWN.value}
    if open_ends:
        for call_id, late in session.execute(select(_CALLS.c.id, _CALLS.c.late).where(_CALLS.c.id.in_(open_ends))):
            open_ends[call_id].late = late
