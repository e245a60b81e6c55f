"""One run is claimed by its id under the same rules as any: ready, nobody's, fenced, its falls counted."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy.orm import Session

from signoff.claims import actions as claims
from signoff.claims.actions import Claim
from signoff.kit import clock
from signoff.kit.db.database import Database
from tests.runs.rows import add_run

LEASE = timedelta(seconds=15)


@pytest.mark.both_databases
def test_a_run_is_claimed_by_its_id_once_and_only_when_it_is_ready(db: Database) -> None:
    at = clock.now()

    def fill(session: Session) -> None:
        add_run(session, "ready", wake_at=at)
        add_run(session, "another", wake_at=at)
        add_run(session, "rests", "waiting_approval")
        add_run(session, "later", wake_at=at + timedelta(hours=1))

    db.write(fill)

    def claim(run_id: str, owner: str = "me", when: datetime = at) -> Claim | None:
        return db.write(lambda session: claims.claim_run(session, owner, run_id, when, LEASE))

    first = claim("ready")
    assert first == Claim("ready", "me", fence=1, falls=0)
    for run_id in ("ready", "rests", "later", "nobody's"):
        assert claim(run_id, "other") is None
    # Its lease is over and it was never let go: the fence moves on and the fall is counted.
    second = claim("ready", "other", at + 2 * LEASE)
    assert second == Claim("ready", "other", fence=2, falls=1)
    with pytest.raises(claims.LostClaim):
        db.write(lambda session: claims.keep(session, first, at + LEASE))
    assert [each.run_id for each in db.write(lambda s: claims.claim_ready(s, "me", at, LEASE, 9))] == ["another"]


@pytest.mark.both_databases
def test_by_id_a_run_has_its_last_try_like_any_other(db: Database) -> None:
    at = clock.now()
    db.write(lambda session: add_run(session, "r", wake_at=at, owner="dead", lease_until=at - LEASE, falls=1))
    claim = db.write(lambda session: claims.claim_run(session, "me", "r", at, LEASE))
    assert claim is not None
    assert claim.falls == claims.LAST_TRY
    assert db.read(lambda session: claims.has_last_try(session, claim))
