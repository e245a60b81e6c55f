"""How long people took: time that does not count against a workflow's."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, select, union_all
from sqlalchemy.orm import Session

from signoff.asks.models import Ask
from signoff.asks.states import AskStatus
from signoff.audit.models import AuditEntry
from signoff.claims.models import of_family
from signoff.runs.models import Run

Span = tuple[datetime, datetime]
# What stops the clock, and what lets it go on: for the run itself, and for all runs of its workspace.
STOPS = {"run.paused": "run.resumed", "everything.paused": "everything.resumed"}


def waits_for_people(session: Session, run: Run) -> bool:
    """Whether any ask of the workflow, or of a run below it, is open."""
    pending = select(Ask.id).where(*_waited_for(run), Ask.status == AskStatus.PENDING.value)
    return session.scalar(pending.limit(1)) is not None


def time_of_people(session: Session, run: Run, at: datetime) -> timedelta:
    """While any ask of the workflow, or of a run below it, was open, or somebody had paused it; several at once count
    once."""
    began = run.started_at or run.created_at
    return union([*_open_asks(session, run, at), *_pauses(session, run, began, at)])


def _open_asks(session: Session, run: Run, at: datetime) -> Iterable[Span]:
    for begin, end in session.execute(select(Ask.created_at, Ask.settled_at).where(*_waited_for(run))):
        yield begin, end or at


def _waited_for(run: Run) -> tuple[ColumnElement[bool], ...]:
    """What is asked from outside about a run holds nothing up."""
    return Ask.run_id.in_(of_family(run.id)), Ask.blocking.is_(True), Ask.asked_by.is_(None)


def _pauses(session: Session, run: Run, began: datetime, at: datetime) -> Iterable[Span]:
    """As they stand in the record, which never changes."""
    said = select(AuditEntry.number, AuditEntry.action, AuditEntry.at).where(AuditEntry.at >= began)
    of_run = said.where(AuditEntry.run_id == run.id, AuditEntry.action.in_(["run.paused", "run.resumed"]))
    of_all = said.where(AuditEntry.subject == "pause-all", AuditEntry.workspace_id == run.workspace_id)
    # Each by an index of its own, and put in order here: the whole record is too long to be gone through.
    entries = sorted(session.execute(union_all(of_run, of_all)).all())
    for stop, go in STOPS.items():
        since: datetime | None = None
        for _, action, when in entries:
            if action == stop and since is None:
                since = when
            elif action == go:
                # Stopped before it began: then it has stood still from the start.
                yield since or began, when
                since = None
        if since is not None:
            yield since, at


def union(spans: Iterable[Span]) -> timedelta:
    """How much time spans cover together."""
    total, until = timedelta(), None
    for begin, end in sorted(spans):
        begins = begin if until is None or begin > until else until
        if end > begins:
            total, until = total + (end - begins), end
    return total
