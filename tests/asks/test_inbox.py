"""With ten thousand open asks among many settled ones, the inbox asks indexes, not the whole table."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Select, func, insert, literal, select, text
from sqlalchemy.orm import Session

from bench.measure import statements
from signoff.asks import queries
from signoff.asks.groups.queries import groups, groups_page
from signoff.asks.groups.schemas import AskGroup
from signoff.asks.inbox import views
from signoff.asks.models import NEVER, Ask
from signoff.asks.presentation import shown_page
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.db.columns import table
from signoff.kit.db.database import Database
from signoff.kit.ids import new_id
from signoff.kit.paging import Page, Window, count, page
from signoff.workspaces import actions as workspaces
from tests.fresh import opened

OPEN, SETTLED = 10_000, 20_000
KINDS = ("approval", "question", "plan", "budget")


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def db(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Filled once for all tests here: they only read."""
    with opened(request.param, tmp_path_factory.mktemp("full"), request) as db:
        yield db


@pytest.fixture(scope="module")
def actor(db: Database) -> Actor:
    """A workspace with a full inbox."""

    def fill(session: Session) -> Actor:
        actor = Actor.system(workspaces.found(session, "w", "w@example.org", "w").workspace_id)
        session.execute(insert(table(Ask)), [_row(actor, number) for number in range(OPEN + SETTLED)])
        return actor

    actor = db.write(fill)
    # PostgreSQL does so by itself, SQLite never does.
    if not db.is_sqlite:
        with db.writer.connect() as connection, connection.begin():
            connection.execute(text("ANALYZE asks"))
    return actor


def _row(actor: Actor, number: int) -> dict[str, Any]:
    at = clock.now()
    return {
        **{"id": new_id(), "workspace_id": actor.workspace_id, "kind": KINDS[number % 4], "agent": f"a{number % 7}"},
        **{"status": "pending" if number >= SETTLED else "approved", "run_title": "r", "title": f"t{number}"},
        **{"description": "", "risk_reasons": [], "risk_order": number % 4, "blocking": True, "handed_over": False},
        **{"schedule": [], "signatures": [], "approvers": [], "approvals_required": 1, "four_eyes": False},
        **{"waits_until": at + timedelta(minutes=number) if number % 3 == 0 else NEVER},
        **{"created_at": at, "due_at": at + timedelta(minutes=number) if number % 3 == 0 else None},
        **{"settled_by": f"p{number % 40}" if number < SETTLED else None},
        **{"settled_at": at if number < SETTLED else None},
        **{
            "likeness": f"l{number % 500}",
            "tool": "pay",
            "arguments": {"amount": number},
            "impact_order": number % 500 % 3,
        },
    }


def plan_of(db: Database, query: Select[Any]) -> str:
    sql = str(query.compile(db.reader, compile_kwargs={"literal_binds": True}))
    explain = "EXPLAIN QUERY PLAN " if db.is_sqlite else "EXPLAIN "
    return "\n".join(str(row) for row in db.read(lambda s: s.execute(text(explain + sql)).all()))


def reads_everything(db: Database, plan: str) -> bool:
    """Whether a plan walks over the whole table instead of an index."""
    whole = [
        line for line in plan.splitlines() if ("SCAN asks" in line if db.is_sqlite else "Seq Scan on asks" in line)
    ]
    return any("USING" not in line for line in whole)


def test_the_first_page_and_the_count_come_from_the_index_of_open_asks(db: Database, actor: Actor) -> None:
    opened = queries.asks(actor, status="pending")
    capped = opened.with_only_columns(literal(1)).limit(10_000)
    shapes = {
        **{sort: opened.order_by(*queries.sort_keys(sort)[0]).limit(51) for sort in ("oldest", "deadline", "risk")},
        "the count": select(func.count()).select_from(capped.subquery()),
        "what is due next": select(Ask.due_at).where(queries.PENDING, Ask.due_at <= clock.now()).order_by(Ask.due_at),
    }
    for name, query in shapes.items():
        plan = plan_of(db, query)
        assert "asks_open" in plan or "asks_due" in plan, f"{name}\n{plan}"
        assert not reads_everything(db, plan), f"{name}\n{plan}"


def test_alike_asks_are_counted_by_their_likeness(db: Database, actor: Actor) -> None:
    query = select(Ask.likeness, func.count()).where(
        Ask.workspace_id == actor.workspace_id, Ask.likeness.in_(["l1", "l2"]), queries.PENDING
    )
    assert "asks_open_by_likeness" in plan_of(db, query.group_by(Ask.likeness))


def test_groups_come_from_an_index_of_open_asks(db: Database, actor: Actor) -> None:
    opened = queries.asks(actor, status="pending")
    plan = plan_of(db, groups(opened).select())
    # PostgreSQL knows the rows, and may find another index of open ones as cheap.
    assert "USING COVERING INDEX asks_open_by_likeness" in plan or not db.is_sqlite, plan
    assert not reads_everything(db, plan), plan


def test_groups_stand_in_the_order_of_risk_then_impact_then_age(db: Database, actor: Actor) -> None:
    opened = queries.asks(actor, status="pending")
    found = db.read(lambda s: groups_page(s, actor, opened, Window(limit=50), "risk"))
    places = [(first.risk_order, first.impact_order, first.id) for first in _firsts(db, found)]
    assert places == sorted(places)
    assert len({place[:2] for place in places}) > 1


def _firsts(db: Database, found: Page[AskGroup]) -> list[Ask]:
    return db.read(lambda s: [s.get_one(Ask, group.first.id) for group in found.items])


def test_a_page_of_groups_costs_as_many_statements_for_one_as_for_fifty(db: Database, actor: Actor) -> None:
    opened = queries.asks(actor, status="pending", kind="approval")

    def cost(groups: int) -> int:
        with statements(db) as sent:
            found = db.read(lambda s: groups_page(s, actor, opened, Window(limit=groups), "oldest"))
        assert [(group.looked_at, len(group.differs)) for group in found.items] == [(20, 1)] * groups
        return sent.sent

    assert cost(1) == cost(50)


def test_a_page_leaves_the_calls_that_are_frozen_on_its_asks_where_they_are(db: Database, actor: Actor) -> None:
    opened = queries.asks(actor, status="pending")
    with statements(db) as sent:
        assert db.read(lambda s: shown_page(s, actor, opened, Window(limit=5))).items
        assert db.read(lambda s: groups_page(s, actor, opened, Window(limit=5), "oldest")).items
    assert [each for each in sent.texts if "asks.arguments" in each]
    assert not [each for each in sent.texts if "asks.proposed_call" in each]


def test_ten_thousand_are_five_hundred_groups(db: Database, actor: Actor) -> None:
    opened = queries.asks(actor, status="pending")
    found = db.read(lambda s: groups_page(s, actor, opened, Window(limit=2), "oldest"))
    assert (found.total, [group.count for group in found.items]) == (500, [20, 20])


def test_a_page_of_ten_thousand_is_whole_and_in_order(db: Database, actor: Actor) -> None:
    opened = queries.asks(actor, status="pending")
    first = db.read(lambda s: page(s, opened, [Ask.id], Window(limit=50), lambda ask: ask.title))
    again = db.read(lambda s: page(s, opened, [Ask.id], Window(50, first.next_cursor), lambda ask: ask.title))
    assert first.items + again.items == [f"t{SETTLED + number}" for number in range(100)]
    assert first.total == db.read(lambda s: count(s, opened)) == OPEN


def test_every_view_of_the_inbox_comes_from_an_index(db: Database, actor: Actor) -> None:
    found = queries.asks(actor)
    (mine, keys), newest = views.decided_by(actor, found), [key.desc() for key in views.order("decided", "oldest")[0]]
    shapes = {
        "open": (views.seen_by(actor, found, "open").order_by(Ask.id), "asks_open"),
        "waiting": (views.seen_by(actor, found, "waiting").order_by(Ask.id), "ask_parts"),
        "decided": (views.seen_by(actor, found, "decided").order_by(*newest), "asks_decided"),
        "decided by me": (mine.order_by(*(key.desc() for key in keys)), "asks_decided_by"),
    }
    for name, (query, index) in shapes.items():
        plan = plan_of(db, query.limit(51))
        assert index in plan, f"{name}\n{plan}"
        assert not reads_everything(db, plan), f"{name}\n{plan}"


def test_the_count_is_what_waits_less_what_waits_for_others(db: Database, actor: Actor) -> None:
    counted = db.read(lambda s: views.counts(s, actor))
    assert (counted["pending"], counted["waiting"]) == (OPEN, 0)
    assert counted["by_kind"] == dict.fromkeys(KINDS, OPEN // 4)
