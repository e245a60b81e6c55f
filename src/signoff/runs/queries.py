from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, Text, cast, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from signoff.asks import queries as asks
from signoff.catalog import queries as catalog
from signoff.catalog.schemas import Limits
from signoff.deliverables.models import Deliverable
from signoff.kit.actor import Actor
from signoff.kit.clock import now
from signoff.kit.db.prepared import Getter
from signoff.kit.errors import NotFound
from signoff.kit.paging import readable, the_one
from signoff.runs.calls import START_RUN
from signoff.runs.large_values import value_of
from signoff.runs.limits import deadline
from signoff.runs.models import Call, Message, Run, RunValue
from signoff.runs.schemas import CallOut, Dashboard, MessageOut, RunCount, RunOut
from signoff.runs.states import ENDED, WAITING, RunStatus
from signoff.runs.transcript.reading import show_message
from signoff.runs.undoing.undo_calls import undone
from signoff.runs.workflow.queries import merged_output, step_summaries

BOARD_SIZE = 50
# Whoever looks for words in runs looks through so many of the newest.
LOOKED_THROUGH, MOST_WORDS = 5_000, 10
RECENT = timedelta(hours=24)
_GET = Getter(Run)


class UnknownRun(NotFound):
    code = "unknown_run"


def runs(
    actor: Actor,
    *,
    status: str | None = None,
    kind: str | None = None,
    agent: str | None = None,
    workflow: str | None = None,
    project_id: str | None = None,
    q: str | None = None,
    since: datetime | None = None,
    below: bool = True,
) -> Select[Run]:
    """The runs of the actor's workspace, narrowed down. `status` may name several, with commas; without those below,
    what other runs started is left out, unless it waits for somebody."""
    query = select(Run).where(Run.workspace_id == actor.workspace_id)
    if not below:
        query = query.where(or_(Run.parent_id.is_(None), _waits()))
    given: dict[InstrumentedAttribute[Any], str | None] = {
        Run.kind: kind,
        Run.agent: agent,
        Run.workflow: workflow,
        Run.project_id: project_id,
    }
    for column, value in given.items():
        if value is not None:
            query = query.where(column == value)
    if status:
        query = query.where(Run.status.in_(status.split(",")))
    if q:
        query = query.where(or_(Run.title.icontains(q, autoescape=True), Run.task.icontains(q, autoescape=True)))
    return query.where(Run.created_at >= since) if since else query


def _waits() -> ColumnElement[bool]:
    """For somebody: also a run that rests while it clarifies."""
    asks_back = (Run.status == RunStatus.CLARIFYING.value) & Run.wake_at.is_(None) & Run.owner.is_(None)
    return or_(Run.status.in_([status.value for status in WAITING]), asks_back)


def with_words(session: Session, workspace_id: str, words: Sequence[str], limit: int, *, besides: str) -> list[Run]:
    """Of the newest runs of a workspace those that have every word in what was asked, came out or was handed over."""
    newest = select(Run.id).where(Run.workspace_id == workspace_id).order_by(Run.id.desc()).limit(LOOKED_THROUGH)
    query = select(Run).where(Run.id.in_(newest), Run.id != besides, Run.workspace_id == workspace_id)
    for word in words[:MOST_WORDS]:
        texts = (Run.title, Run.task, Run.summary, cast(Run.output, Text))
        handed_over = select(Deliverable.run_id).where(
            Deliverable.workspace_id == workspace_id, Deliverable.name.icontains(word, autoescape=True)
        )
        large = select(RunValue.run_id).where(
            RunValue.run_id.in_(newest), RunValue.name == "output", RunValue.value.icontains(word, autoescape=True)
        )
        told = or_(*(each.icontains(word, autoescape=True) for each in texts))
        query = query.where(or_(told, Run.id.in_(handed_over), Run.id.in_(large)))
    return list(session.scalars(query.order_by(Run.id.desc()).limit(limit)))


def run(session: Session, actor: Actor, run_id: str) -> Run:
    found = _GET(session, run_id)
    if found is None or found.workspace_id != actor.workspace_id:
        raise UnknownRun("Run not found.")
    return found


def run_of_workflow(session: Session, actor: Actor, slug: str, wanted: str) -> Run:
    """A run of this workflow by its id, or its `last` one."""
    if wanted != "last":
        found = run(session, actor, wanted)
        found = found if (found.kind, found.workflow) == ("workflow", slug) else None
    else:
        of_workflow = runs(actor).where(Run.kind == "workflow", Run.workflow == slug)
        found = session.scalar(of_workflow.order_by(Run.id.desc()).limit(1))
    if found is None:
        raise UnknownRun("This workflow has no such run.")
    return found


def show(session: Session, run: Run) -> RunOut:
    """A run with all that went in and came out; what is too large to be kept twice is put together here."""
    shown = the_one(show_all(session, [run]))
    shown.input, shown.output = value_of(session, run, "input"), value_of(session, run, "output")
    if run.kind == "workflow" and shown.output is None:
        shown.output = merged_output(session, run)
    return shown


def show_all(session: Session, found: list[Run]) -> list[RunOut]:
    """Runs as lists give them, without data that is large; open asks of all of them in one query."""
    opened = asks.open_by_run(session, [run.id for run in found]) if found else {}

    def one(run: Run) -> RunOut:
        until = deadline(Limits.model_validate(run.limits), run.started_at)
        shown = RunOut.of(run, opened.get(run.id, 0), until, _most_exchanges(session, run))
        shown.steps = of_workflows.get(run.id)
        return shown

    of_workflows = step_summaries(session, [run for run in found if run.kind == "workflow"])
    return readable(found, one)


def _most_exchanges(session: Session, run: Run) -> int:
    """As its agent was when it started; one that does not clarify asks nothing before it works."""
    if run.revision_id is None:
        return 0
    try:
        definition = catalog.frozen(session, run.revision_id)
    except (LookupError, TypeError, ValueError):
        # Somebody spoilt it in the database: the run itself is still to be seen.
        return 0
    return definition.clarification_max_exchanges if definition.clarify else 0


def messages(run: Run) -> Select[Message]:
    return select(Message).where(Message.run_id == run.id)


def calls(run: Run) -> Select[Call]:
    return select(Call).where(Call.run_id == run.id)


def show_calls(session: Session, run: Run, found: list[Call]) -> list[CallOut]:
    """Calls with what took them back, and with the runs that they started."""
    taken_back, started = undone(session, [run.id]), started_runs(session, run, found)
    return readable(found, lambda call: CallOut.of(call, taken_back.get(call.id), started.get(call.id)))


def started_runs(session: Session, run: Run, found: Sequence[Call]) -> dict[str, str]:
    """Which runs these calls started. Asks nothing of the database where none could."""
    ids = [call.id for call in found if call.tool == START_RUN]
    query = select(Run.parent_call_id, Run.id).where(Run.parent_id == run.id, Run.parent_call_id.in_(ids))
    return {call_id or "": run_id for call_id, run_id in session.execute(query)} if ids else {}


def show_messages(session: Session, run: Run, found: list[Message]) -> list[MessageOut]:
    """Messages with the calls they proposed or answer, in one more query."""
    turns = {message.turn for message in found if message.role == "assistant"}
    ids = {message.call_id for message in found if message.call_id}
    related = session.scalars(
        calls(run)
        .where(or_(Call.turn.in_(turns), Call.id.in_(ids)), Call.undoes.is_(None))
        .order_by(Call.turn, Call.position)
    ).all()
    taken_back = undone(session, [run.id]) if related else {}
    started = started_runs(session, run, related)
    by_id = {call.id: call for call in related}

    def one(message: Message) -> MessageOut:
        if message.role == "assistant":
            own = [call for call in related if call.turn == message.turn]
        else:
            own = [by_id[message.call_id]] if message.call_id in by_id else []
        return show_message(message, own, taken_back, started)

    return readable(found, one)


def count(session: Session, actor: Actor, project_id: str | None = None) -> RunCount:
    query = runs(actor, project_id=project_id).with_only_columns(Run.status, func.count()).group_by(Run.status)
    by_status = {row[0]: row[1] for row in session.execute(query)}
    attention = sum(number for status, number in by_status.items() if status in WAITING)
    return RunCount(total=sum(by_status.values()), needs_attention=attention, by_status=by_status)


def dashboard(session: Session, actor: Actor, project_id: str | None = None) -> Dashboard:
    """What needs somebody, what is at work, what was done."""
    day_ago = now() - RECENT
    ended = Run.status.in_([status.value for status in ENDED])
    # What a run started stands on that run's own page, unless it waits for somebody.
    top = Run.parent_id.is_(None)
    attention = or_(_waits(), top & ended & (Run.ended_at >= day_ago))
    at_work = [status.value for status in RunStatus if status not in ENDED and status not in WAITING]

    def board(*where: Any) -> list[RunOut]:
        found = session.scalars(
            runs(actor, project_id=project_id).where(*where).order_by(Run.id.desc()).limit(BOARD_SIZE)
        )
        return show_all(session, list(found))

    return Dashboard(
        needs_attention=board(attention),
        running=board(top, Run.status.in_(at_work), ~_waits()),
        recent_completed=board(top, ended, Run.ended_at < day_ago),
    )
