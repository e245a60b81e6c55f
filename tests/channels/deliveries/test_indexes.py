"""Deliveries of three months are found by index: no list, no page of channels and no delete walks over all of them."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event, insert
from sqlalchemy.orm import Session

from signoff.channels import queries
from signoff.channels.answer_links.models import AnswerLink
from signoff.channels.models import Channel, Delivery
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.db.columns import table
from signoff.kit.db.database import Database
from signoff.kit.ids import new_id
from signoff.notifications.actions import forget_old
from signoff.workspaces import actions as workspaces
from tests.fresh import opened

MANY = 600
STATUSES = ("queued", "sending", "failed", "cancelled")


@pytest.fixture(scope="module")
def db(folder: Path, request: pytest.FixtureRequest) -> Iterator[Database]:
    """One for all, since filling it takes longer than looking."""
    with opened("sqlite", folder, request) as db:
        yield db


@pytest.fixture(scope="module")
def actor(db: Database) -> Actor:
    return db.write(fill)


def fill(session: Session) -> Actor:
    """Two channels, and by each many that were sent and a few of every other kind."""
    workspace = workspaces.found(session, "w", "w@example.org", "w").workspace_id
    channels = [Channel(id=each, workspace_id=workspace, kind="webhook", name=each) for each in ("one", "two")]
    session.add_all(channels)
    session.flush()
    rows = [row(workspace, channels[number % 2].id, number) for number in range(MANY)]
    session.execute(insert(table(Delivery)), rows)
    return Actor.system(workspace)


def row(workspace: str, channel: str, number: int) -> dict[str, Any]:
    status = STATUSES[number // 25 % 4] if number % 25 < 2 else "sent"
    at = clock.now() + timedelta(seconds=number)
    return {
        **{"id": new_id(), "workspace_id": workspace, "channel_id": channel, "kind": "run.ended", "key": str(number)},
        **{"run_id": f"r{number // 3}", "target": "x.example", "why": "", "urgent": False, "status": status},
        **{"tries": 1, "update_tries": 0, "created_at": at, "sent_at": at if status == "sent" else None},
        **{"error": f"no {number}" if status == "failed" else None},
    }


def plans(db: Database, work: Callable[[Session], Any]) -> str:
    """How the database goes about everything that this reads."""
    said = list[tuple[str, Any]]()

    def listen(connection: Connection, cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        said.append((statement, parameters))

    event.listen(db.reader, "before_cursor_execute", listen)
    db.read(work)
    event.remove(db.reader, "before_cursor_execute", listen)
    return "\n".join(db.read(lambda s: [str(line) for sql, values in said for line in _explained(s, sql, values)]))


def _explained(session: Session, sql: str, values: Any) -> Any:
    return session.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", values).all()


def test_the_health_of_channels_is_one_look_for_each(db: Database, actor: Actor) -> None:
    plan = plans(db, lambda s: queries.health(s, ["one", "two"]))
    assert "deliveries_sent (channel_id=?" in plan
    assert "deliveries_troubled (channel_id=?)" in plan


def test_the_newest_trouble_is_told_until_something_goes_out_after_it(db: Database, actor: Actor) -> None:
    before = db.read(lambda s: queries.health(s, ["one", "two", "three"]))
    last = db.read(lambda s: s.query(Delivery).filter_by(channel_id="two", status="sent").order_by(Delivery.id).all())
    assert before["two"] == (last[-1].sent_at, None)
    assert before["three"] == (None, None)
    late = {**row(actor.workspace_id, "two", MANY), "status": "failed", "sent_at": None, "error": "gone"}
    db.write(lambda s: s.execute(insert(table(Delivery)), [late]))
    assert db.read(lambda s: queries.health(s, ["one", "two"]))["two"][1] == "gone"


@pytest.mark.parametrize("status", STATUSES)
def test_those_of_one_status_are_found_by_it(db: Database, actor: Actor, status: str) -> None:
    query = queries.deliveries(actor, status=status).order_by(Delivery.id.desc()).limit(51)
    plan = plans(db, lambda s: s.execute(query).all())
    assert "deliveries_not_sent (workspace_id=? AND status=?)" in plan
    assert "TEMP B-TREE" not in plan
    assert {each.status for each in db.read(lambda s: s.scalars(query).all())} == {status}


def test_those_of_a_run_are_found_by_it(db: Database, actor: Actor) -> None:
    query = queries.deliveries(actor, run_id="r7").order_by(Delivery.id.desc()).limit(51)
    assert "deliveries_by_run (run_id=?)" in plans(db, lambda s: s.execute(query).all())


def test_a_channels_answer_links_are_found_by_it(db: Database) -> None:
    """As the database itself does when the channel goes."""
    plan = plans(db, lambda s: s.query(AnswerLink.hash).filter_by(channel_id="one").all())
    assert "answer_links_by_channel (channel_id=?)" in plan


def test_what_was_only_told_outside_is_found_by_its_age(db: Database) -> None:
    plan = plans(db, lambda s: forget_old(s, clock.now(), timedelta(days=90)))
    assert "notifications_unlisted (created_at<?)" in plan
