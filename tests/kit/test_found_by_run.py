"""A run's messages and events are found by the run: never by walking over everybody else's in order."""

from typing import Any

from sqlalchemy import insert, text
from sqlalchemy.orm import Session

from signoff.kit import clock
from signoff.kit.db import events
from signoff.kit.db.columns import table
from signoff.kit.db.database import Database
from signoff.kit.ids import new_id
from signoff.runs import queries
from signoff.runs.models import Message, Run
from tests.runs.rows import add_run

RUNS, EACH = 60, 40
TEST = events.EventType("test", dict[str, int])


def _fill(session: Session) -> list[Run]:
    runs, at = [add_run(session, f"r{number}") for number in range(RUNS)], clock.now()
    session.flush()
    said = {"role": "system", "created_at": at, "text": "x" * 50}
    for number in range(EACH):
        session.execute(insert(table(Message)), [{"id": new_id(), "run_id": run.id, **said} for run in runs])
        for run in runs:
            events.emit(session, "w", TEST, run.id, {"n": number})
    return runs


def _plan(session: Session, query: Any, *, sqlite: bool) -> str:
    sql = str(query.compile(session.connection(), compile_kwargs={"literal_binds": True}))
    return "\n".join(str(row) for row in session.execute(text(f"EXPLAIN {'QUERY PLAN ' if sqlite else ''}{sql}")))


def test_a_runs_rows_come_from_its_index(db: Database) -> None:
    run = db.write(_fill)[RUNS // 2]
    if not db.is_sqlite:
        db.write(lambda s: s.execute(text("ANALYZE")))
    emitted, said = events.rows_after("w", 40, run.id).limit(500), queries.messages(run).order_by(Message.id).limit(51)
    plans = db.read(lambda s: [_plan(s, each, sqlite=db.is_sqlite) for each in (emitted, said)])
    assert "events_by_run" in plans[0]
    assert "messages_by_run" in plans[1]
    further = queries.messages(run).where(Message.id > "0").order_by(Message.id).limit(51)
    assert "messages_by_run" in db.read(lambda s: _plan(s, further, sqlite=db.is_sqlite))


def test_the_events_of_a_run_come_in_order_and_after_a_place(db: Database) -> None:
    run = db.write(_fill)[3]
    seen = db.read(lambda s: events.after(s, "w", 0, 1_000, run.id))
    assert [each["data"]["n"] for each in seen] == list(range(EACH))
    later = db.read(lambda s: events.after(s, "w", seen[9]["id"], 5, run.id))
    assert [each["id"] for each in later] == [each["id"] for each in seen[10:15]]
    assert db.read(lambda s: events.after(s, "another", 0, 1_000, run.id)) == []
