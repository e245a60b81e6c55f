"""Keys and sessions that are over do not pile up."""

from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.kit import clock
from signoff.kit.db.database import Database
from signoff.kit.db.idempotency import KEPT, SpentKey, forget
from signoff.workspaces import actions as people
from signoff.workspaces.credentials import forget_expired
from signoff.workspaces.models import Credential, Member


@pytest.mark.both_databases
def test_what_nobody_will_ask_for_again_is_forgotten(db: Database) -> None:
    at = clock.now()

    def fill(session: Session) -> Member:
        member = people.found(session, "w", "w@example.org", "w")
        for key, age in (("fresh", timedelta(days=1)), ("stale", KEPT + timedelta(days=1))):
            place = {"workspace_id": member.workspace_id, "caller": "w@example.org", "key": key}
            session.add(SpentKey(**place, fingerprint="", created_at=at - age))
        for kind, days in (("session", 1), ("session", -1), ("link", -1), ("token", -1)):
            place = {"workspace_id": member.workspace_id, "member_id": member.id, "kind": kind}
            session.add(Credential(**place, hash=f"{kind}{days}", expires_at=at + timedelta(days=days)))
        return member

    db.write(fill)
    db.write(lambda session: forget(session, at))
    db.write(lambda session: forget_expired(session, at))
    assert db.read(lambda session: list(session.scalars(select(SpentKey.key)))) == ["fresh"]
    left = db.read(lambda session: set(session.scalars(select(Credential.hash))))
    assert left == {"session1", "token-1"}
