"""To have read everything is one row, however much it is."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.db.database import Database
from signoff.notifications import queries
from signoff.notifications.actions import mark_read, notify
from signoff.notifications.models import Notification, NotificationRead
from signoff.workspaces import actions as workspaces
from signoff.workspaces import queries as people


def somebody(db: Database) -> Actor:
    def found(session: Session) -> Actor:
        return people.actor_of(session, workspaces.found(session, "w", "ann@example.org", "Ann"), "session")

    return db.write(found)


def tell(db: Database, actor: Actor, *texts: str, ago: timedelta = timedelta(0)) -> list[str]:
    def write(session: Session) -> list[str]:
        made = [notify(session, actor.workspace_id, None, "#all", "agent:a", text).id for text in texts]
        at = update(Notification).where(Notification.id.in_(made)).values(created_at=clock.now() - ago)
        session.execute(at)
        return made

    return db.write(write)


def unread(db: Database, actor: Actor) -> int:
    return db.read(lambda session: queries.count_unread(session, actor))


def kept(db: Database) -> int:
    return db.read(lambda session: session.scalar(select(func.count()).select_from(NotificationRead)) or 0)


@pytest.mark.both_databases
def test_old_ones_that_are_read_leave_no_row_each(db: Database) -> None:
    actor = somebody(db)
    old = tell(db, actor, *(f"old {number}" for number in range(120)), ago=timedelta(hours=1))
    assert unread(db, actor) == queries.MOST_COUNTED
    db.write(lambda session: mark_read(session, actor, old[:7]))
    assert kept(db) == 7
    tell(db, actor, "new")
    db.write(lambda session: mark_read(session, actor, None))
    assert (unread(db, actor), kept(db)) == (0, 1)
    db.write(lambda session: mark_read(session, actor, None))
    assert (unread(db, actor), kept(db)) == (0, 1)


@pytest.mark.both_databases
def test_one_that_is_committed_late_is_not_read_unseen(db: Database) -> None:
    actor = somebody(db)
    (late,) = tell(db, actor, "late")
    seen = tell(db, actor, "seen")
    # As if the first were committed only after all that could be seen was marked as read.
    db.write(lambda session: mark_read(session, actor, seen))
    assert db.read(lambda session: queries.unread_among(session, actor, [late, *seen])) == {late}
