"""Any change to the record shows at its place."""

from collections.abc import Iterable
from typing import Any

import pytest
from sqlalchemy import text

from signoff.audit import queries
from signoff.audit.actions import record
from signoff.audit.chain import Proof, check
from signoff.kit.actor import Actor
from signoff.kit.db.database import Database

ACTOR = Actor.system("w")


@pytest.fixture
def recorded(db: Database) -> Database:
    for number in range(5):
        db.write(lambda s, n=number: record(s, ACTOR, "test.done", f"thing {n}", {"n": n, "x": 0.1}))
    return db


def test_an_untouched_chain_verifies(recorded: Database) -> None:
    proof = recorded.read(lambda s: queries.verify(s, "w"))
    assert (proof.ok, proof.entries) == (True, 5)


@pytest.mark.parametrize(
    "tampering",
    [
        "UPDATE audit SET actor = 'someone' WHERE number = 3",
        "UPDATE audit SET data = '{\"n\": 9}' WHERE number = 3",
        "UPDATE audit SET at = '2020-01-01 00:00:00' WHERE number = 3",
        "DELETE FROM audit WHERE number = 3",
        "DELETE FROM audit WHERE number = 5",
        "UPDATE audit SET number = number + 10 WHERE number >= 3",
    ],
)
def test_tampering_is_found(recorded: Database, tampering: str) -> None:
    recorded.write(lambda s: s.execute(text(tampering)))
    proof = recorded.read(lambda s: queries.verify(s, "w"))
    assert not proof.ok
    assert proof.first_broken


def test_several_entries_of_one_transaction_are_chained_in_order(db: Database) -> None:
    db.write(lambda s: [record(s, ACTOR, "a", str(n)) for n in range(3)])
    subjects = [entry["subject"] for entry in db.read(lambda s: list(queries.walk(s, "w")))]
    assert subjects == ["0", "1", "2"]
    assert db.read(lambda s: queries.verify(s, "w")).ok


def test_what_is_appended_while_the_chain_is_read_breaks_nothing(
    recorded: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check_while_somebody_writes(entries: Iterable[dict[str, Any]], *keys: Any) -> Proof:
        proof = check(entries, *keys)
        recorded.write(lambda s: record(s, ACTOR, "a", "meanwhile"))
        return proof

    monkeypatch.setattr(queries, "check", check_while_somebody_writes)
    assert recorded.read(lambda s: queries.verify(s, "w")).ok
