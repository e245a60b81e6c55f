"""Any change to the record shows at its place."""

import pytest
from sqlalchemy import text

from signoff.audit import queries
from signoff.audit.actions import record
from signoff.kit.actor import Actor
from signoff.kit.db import Database

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
