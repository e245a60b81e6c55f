"""The stream of what happened: one order per workspace, written last in the transaction, read without gaps.

Positions come from the workspace's head row. Taking a position locks that row until the commit, so positions
become visible in order and a reader that has seen N has seen everything before N.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeAlias, TypedDict, TypeVar

from sqlalchemy import BigInteger, ColumnElement, Index, Select, delete, select
from sqlalchemy.dialects import sqlite
from sqlalchemy.orm import Mapped, Session, mapped_column

from signoff.kit import clock, jsons
from signoff.kit.db.columns import Base, table
from signoff.kit.db.database import commit_of
from signoff.kit.db.driver import driver_of
from signoff.kit.db.prepared import Prepared
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject

CHANNEL = "signoff"
# A notification holds 8,000 bytes.
MOST_RUNS = 80
# Names this process in notifications, so that it does not listen to itself.
PROCESS = new_id()
# Given the session and the number of the last audit entry, this transaction's included.
Last: TypeAlias = Callable[[Session, int], None]
# Given the data of events as it is stored, gives it as it goes over the wire, in the same order.
Complete: TypeAlias = Callable[[Session, Sequence[JsonObject]], list[JsonObject]]
_completing: dict[str, Complete] = {}


Data = TypeVar("Data")


@dataclass(frozen=True)
class EventType(Generic[Data]):
    """One kind of event: its name on the wire, and the shape of its data. Declared in the domain that emits it."""

    name: str
    shape: type[Data]


class Nothing(TypedDict):
    """The event says it all."""


# Not for people: somebody's way in ended, so whoever follows the stream looks again whether they still may.
ACCESS_CHANGED = EventType("access.changed", Nothing)


class Head(Base):
    """How far a workspace's stream has come; its row lock is the workspace's one-writer lock."""

    __tablename__ = "heads"

    workspace_id: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[int] = mapped_column(BigInteger, default=0)
    # How many audit entries there are: a chain whose end was cut off shows against it.
    entries: Mapped[int] = mapped_column(default=0)


class Event(Base):
    """One thing that happened."""

    __tablename__ = "events"

    workspace_id: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    run_id: Mapped[str | None]
    type: Mapped[str]
    at: Mapped[datetime]
    data: Mapped[JsonObject]

    # By the run alone: PostgreSQL then keeps the run's id once for all of its rows.
    __table_args__ = (Index("events_by_run", "run_id"),)


@dataclass
class _Outbox:
    """What the transaction wants written last."""

    events: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    entries: int = 0
    last: list[Last] = field(default_factory=list[Last])


def emit(session: Session, workspace_id: str, kind: EventType[Data], run_id: str | None, data: Data) -> None:
    """Say that something happened; it is stored and sent if, and only if, the transaction commits."""
    _outbox(session, workspace_id).events.append({"run_id": run_id, "type": kind.name, "data": data})


def add_entry(session: Session, workspace_id: str, write: Last) -> None:
    """Count one audit entry, and run `write` (once) last in the transaction, while no one else writes in its order."""
    outbox = _outbox(session, workspace_id)
    outbox.entries += 1
    if not outbox.last:
        outbox.last.append(write)


def finish(session: Session) -> None:
    """The database's finisher: take positions, store the events, then run what wants to be last."""
    outboxes: dict[str, _Outbox] = session.info.pop("outbox", {})
    commit = commit_of(session)
    # A fixed order of locks, so that two transactions over the same workspaces never wait for each other.
    for workspace_id in sorted(outboxes):
        outbox = outboxes[workspace_id]
        commit.workspaces.add(workspace_id)
        if driver_of(session).is_sqlite:
            entries = _store_on_sqlite(session, workspace_id, outbox)
        else:
            entries = _store_on_postgres(session, workspace_id, outbox)
        for write in outbox.last:
            write(session, entries)


def _store_on_sqlite(session: Session, workspace_id: str, outbox: _Outbox) -> int:
    given = {"workspace_id": workspace_id, "position": len(outbox.events), "entries": outbox.entries}
    position, entries = _ADVANCE.rows(session, given)[0]
    first, at = position - len(outbox.events) + 1, clock.now()
    rows = [
        {"workspace_id": workspace_id, "position": first + offset, "at": at, **item}
        for offset, item in enumerate(outbox.events)
    ]
    _INSERT.run(session, rows)
    return entries


def _store_on_postgres(session: Session, workspace_id: str, outbox: _Outbox) -> int:
    """One statement: head, events, and the word to other processes. It travels with the commit, unless entries follow:
    so the workspace is locked for no round trip of ours."""
    commit = commit_of(session)
    woken, halted = sorted(commit.woken_runs)[:MOST_RUNS], sorted(commit.halted_runs)[:MOST_RUNS]
    announced = {"workspace": workspace_id, "woken": woken, "halted": halted, "from": PROCESS}
    given = {
        "workspace": workspace_id,
        "events": len(outbox.events),
        "added": outbox.entries,
        "channel": CHANNEL,
        "note": jsons.dumps(announced),
        "at": clock.now(),
        "runs": [item["run_id"] for item in outbox.events],
        "types": [item["type"] for item in outbox.events],
        # One text each: PostgreSQL stores a NUL that stands escaped in JSON, and takes no such JSON apart.
        "data": [jsons.dumps(item["data"]) for item in outbox.events],
    }
    if not outbox.last:
        driver_of(session).run(_STORE_AND_NOTIFY, given)
        return 0
    return driver_of(session).rows(_STORE_AND_NOTIFY, given)[0][0]


def after(
    session: Session, workspace_id: str, position: int, limit: int, run_id: str | None = None
) -> list[JsonObject]:
    """The next events of a workspace, or of one run, in order, as they go over the wire."""
    return _read(session, rows_after(workspace_id, position, run_id).limit(limit))


def at_positions(session: Session, workspace_id: str, positions: Collection[int]) -> list[JsonObject]:
    """Those of these events that are still there, as they go over the wire."""
    return _read(session, rows_after(workspace_id, 0, None).where(Event.position.in_(positions)))


def _read(session: Session, query: Select[int, str, str | None, datetime, JsonObject]) -> list[JsonObject]:
    rows = session.execute(query).all()
    data = complete(session, [(row[1], row[4]) for row in rows])
    return [
        {"id": row[0], "type": row[1], "run_id": row[2], "at": row[3].isoformat(), "data": each}
        for row, each in zip(rows, data, strict=True)
    ]


def completed_by(kind: EventType[Any], work: Complete) -> None:
    """Events of this type leave out what rows of their domain say; `work` puts it in when they are read."""
    _completing[kind.name] = work


def complete(session: Session, stored: Sequence[tuple[str, JsonObject]]) -> list[JsonObject]:
    """The data of events of these types as it goes over the wire."""
    data = [each for _, each in stored]
    for type_, work in _completing.items():
        places = [place for place, each in enumerate(stored) if each[0] == type_]
        whole = work(session, [data[place] for place in places]) if places else []
        for place, each in zip(places, whole, strict=True):
            data[place] = each
    return data


def rows_after(
    workspace_id: str, position: int, run_id: str | None
) -> Select[int, str, str | None, datetime, JsonObject]:
    query = select(Event.position, Event.type, Event.run_id, Event.at, Event.data)
    place: ColumnElement[int] = Event.position.expression
    if run_id is not None:
        # A run's rows are found by the run and then sorted. By the order they stand in, all others would be read, too.
        query, place = query.where(Event.run_id == run_id), Event.position + 0
    return query.where(Event.workspace_id == workspace_id, place > position).order_by(place)


def of_run(run_id: str) -> Select[Event]:
    """What happened in one run."""
    return select(Event).where(Event.run_id == run_id)


def forget_run(session: Session, run_id: str) -> None:
    """Remove the events of a run that is deleted; readers go by position and do not mind a gap."""
    session.execute(delete(Event).where(Event.run_id == run_id).execution_options(synchronize_session=False))


def position(session: Session, workspace_id: str) -> int:
    """Where the workspace's stream ends now."""
    return session.scalar(select(Head.position).where(Head.workspace_id == workspace_id)) or 0


def entries(session: Session, workspace_id: str) -> int:
    """How many audit entries the workspace must have."""
    return session.scalar(select(Head.entries).where(Head.workspace_id == workspace_id)) or 0


def _outbox(session: Session, workspace_id: str) -> _Outbox:
    outboxes: dict[str, _Outbox] = session.info.setdefault("outbox", {})
    return outboxes.setdefault(workspace_id, _Outbox())


# Built once: they run in every transaction that has something to tell.
_heads = table(Head)
_INSERT = Prepared.insert(table(Event))
# The first event of a workspace makes its head.
_HEAD = sqlite.insert(_heads)
_ADVANCE = Prepared(
    _HEAD.on_conflict_do_update(
        index_elements=["workspace_id"],
        set_={
            "position": _heads.c.position + _HEAD.excluded.position,
            "entries": _heads.c.entries + _HEAD.excluded.entries,
        },
    ).returning(_heads.c.position, _heads.c.entries),
    [column.key for column in _heads.c],
)
_STORE_AND_NOTIFY = """
WITH head AS (
  INSERT INTO heads (workspace_id, position, entries) VALUES (%(workspace)s, %(events)s, %(added)s)
  ON CONFLICT (workspace_id) DO UPDATE
  SET position = heads.position + excluded.position, entries = heads.entries + excluded.entries
  RETURNING position, entries, pg_notify(%(channel)s, %(note)s)
), stored AS (
  INSERT INTO events (workspace_id, position, run_id, type, at, data)
  SELECT %(workspace)s, head.position - %(events)s + row.n, row.run_id, row.type, %(at)s, row.data::json
  FROM head, unnest(%(runs)s::text[], %(types)s::text[], %(data)s::text[]) WITH ORDINALITY AS row(run_id, type, data, n)
)
SELECT entries FROM head
"""
