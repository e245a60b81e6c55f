"""Secrets lie sealed in the database, each for its own row, and the key lies elsewhere."""

import os
import stat

import pytest
from sqlalchemy import text

from signoff.kit.db.database import Database
from signoff.kit.settings import Settings
from signoff.secrets import store
from signoff.secrets.keyring import KEY_FILE, CannotOpen, Keyring, keyring_for
from signoff.secrets.models import Secret


def test_the_database_has_no_word_of_a_secret_and_its_owner_gets_it_back(db: Database, settings: Settings) -> None:
    keyring = keyring_for(settings)
    db.write(lambda s: store.put(s, keyring, "w", "channel", {"password": "correct horse", "token": "xoxb-1"}))
    rows = db.read(lambda s: s.execute(text("SELECT * FROM secrets")).all())
    assert len(rows) == 2
    assert "correct horse" not in str(rows)
    assert "xoxb-1" not in str(rows)
    assert db.read(lambda s: store.take(s, keyring, "w", "channel")) == {"password": "correct horse", "token": "xoxb-1"}
    assert db.read(lambda s: store.names(s, ["channel"])) == {"channel": ["password", "token"]}


@pytest.mark.parametrize("place", [("other", "channel", "password"), ("w", "other", "password"), ("w", "channel", "x")])
def test_a_secret_that_was_moved_to_another_row_does_not_open(
    db: Database, settings: Settings, place: tuple[str, str, str]
) -> None:
    keyring, (workspace, owner, name) = keyring_for(settings), place
    sealed = keyring.seal("correct horse", "w", "channel", "password")
    db.write(lambda s: s.add(Secret(workspace_id=workspace, owner_id=owner, name=name, sealed=sealed)))
    with pytest.raises(CannotOpen, match="belongs elsewhere"):
        db.read(lambda s: store.take(s, keyring, workspace, owner))


def test_without_the_key_nothing_opens_and_the_error_says_what_to_do(db: Database, settings: Settings) -> None:
    db.write(lambda s: store.put(s, keyring_for(settings), "w", "channel", {"password": "correct horse"}))
    with pytest.raises(CannotOpen, match="Enter it again"):
        db.read(lambda s: store.take(s, Keyring(lambda: [os.urandom(32)]), "w", "channel"))


def test_an_empty_secret_is_forgotten_and_a_new_one_takes_the_place(db: Database, settings: Settings) -> None:
    keyring = keyring_for(settings)
    db.write(lambda s: store.put(s, keyring, "w", "channel", {"password": "one", "token": "two"}))
    db.write(lambda s: store.put(s, keyring, "w", "channel", {"password": "three", "token": ""}))
    assert db.read(lambda s: store.take(s, keyring, "w", "channel")) == {"password": "three"}


def test_the_key_is_made_once_for_its_owner_alone(settings: Settings) -> None:
    sealed = keyring_for(settings).seal("correct horse", "w")
    assert stat.S_IMODE((settings.data / KEY_FILE).stat().st_mode) == 0o600
    assert keyring_for(settings).open(sealed, "w") == "correct horse"
