"""The inbox asks indexes, not the whole table."""

from sqlalchemy import text

from signoff.asks import queries
from signoff.asks.models import Ask
from signoff.kit.actor import Actor
from signoff.kit.db import Database


def test_open_asks_are_found_by_the_index_of_open_asks(db: Database) -> None:
    query = queries.asks(Actor.system("w"), status="pending").order_by(Ask.id).limit(50)
    sql = str(query.compile(db.reader, compile_kwargs={"literal_binds": True}))

    def plan(session: object) -> str:
        explain = "EXPLAIN QUERY PLAN " if db.is_sqlite else "EXPLAIN "
        if not db.is_sqlite:
            # An empty table is scanned whatever the indexes: ask what it would do with a full one.
            session.execute(text("SET LOCAL enable_seqscan = off"))
            session.execute(text("SET LOCAL enable_sort = off"))
        return "\n".join(str(row) for row in session.execute(text(explain + sql)))

    assert "asks_open" in db.write(plan)
