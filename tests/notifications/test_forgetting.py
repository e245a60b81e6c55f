"""What was only told outside is not kept for ever; what stands in people's lists is."""

from datetime import timedelta

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from signoff.channels.delivering.claim import KEPT
from signoff.channels.models import Channel, Delivery
from signoff.kit import clock
from signoff.kit.db.database import Database
from signoff.notifications import actions
from signoff.notifications.actions import notify
from signoff.notifications.models import Notification
from signoff.workspaces import actions as workspaces


def fill(session: Session) -> None:
    """Each says what it is; those that are old are older than deliveries are kept."""
    workspace = workspaces.found(session, "w", "ann@example.org", "Ann").workspace_id
    session.add(Channel(id="c", workspace_id=workspace, kind="email", name="Mail"))
    session.flush()
    for text in ("new", "old", "old too", "old and on the record", "old and listed"):
        listed = text.endswith("listed")
        made = notify(session, workspace, None, "#all", "agent:a", text, listed=listed)
        if text.startswith("old"):
            at = clock.now() - KEPT - timedelta(days=1)
            session.execute(update(Notification).where(Notification.id == made.id).values(created_at=at))
        if text.endswith("record"):
            delivery = Delivery(workspace_id=workspace, channel_id="c", notification_id=made.id, kind="ask")
            delivery.target, delivery.key = "ann@example.org", "k"
            session.add(delivery)
            session.flush()


@pytest.mark.both_databases
def test_what_stands_in_no_list_goes_when_it_is_old_and_its_deliveries_are_gone(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "FORGOTTEN_AT_ONCE", 1)
    db.write(fill)
    more = [db.write(lambda s: actions.forget_old(s, clock.now(), KEPT)) for _ in range(3)]
    assert more == [True, True, False]
    texts = db.read(lambda s: set(s.scalars(select(Notification.text))))
    assert texts == {"new", "old and on the record", "old and listed"}
