"""A new key for everything that is sealed, while others seal, and whoever dies in the middle of it."""

import base64
import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest
from sqlalchemy.orm import Session
from standardwebhooks import Webhook
from typer.testing import CliRunner, Result

from signoff.cli import app
from signoff.kit.db.database import Database
from signoff.kit.settings import Settings
from signoff.secrets import store
from signoff.secrets.keyring import KEY_FILE, CannotOpen, Keyring, keyring_for
from signoff.secrets.models import Secret
from signoff.secrets.rotation import rotate
from tests.channels.receiver import Receiver
from tests.house import House

KEPT = {"password": "correct horse", "token": "xoxb-1"}
DYING = """
import os, sys
from signoff.kit.db.database import Database
from signoff.kit.settings import Settings
from signoff.secrets import rotation, store

def die(*_):
    os._exit(9)

if sys.argv[3] == "sealing":
    store.reseal = die
else:
    rotation.end_rotation = die
settings = Settings(data=sys.argv[1], database_url=sys.argv[2])
rotation.rotate(Database(settings.url), settings)
"""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture
def kept(db: Database, settings: Settings) -> Database:
    keyring = keyring_for(settings)
    db.write(lambda session: store.put(session, keyring, "w", "channel", KEPT))
    return db


def keys(settings: Settings) -> list[str]:
    return (settings.data / KEY_FILE).read_text().split()


def opened(db: Database, settings: Settings) -> dict[str, str]:
    """As a process reads them that starts now."""
    return db.read(lambda session: store.take(session, keyring_for(settings), "w", "channel"))


def rotated(settings: Settings, *options: str) -> Result:
    place = ("--data", str(settings.data), "--database-url", settings.database_url)
    return CliRunner().invoke(app, ["secrets", "rotate", *place, *options])


def test_everything_is_sealed_with_a_new_key_and_the_old_one_is_gone(kept: Database, settings: Settings) -> None:
    (before,) = keys(settings)
    stale = Keyring(lambda: [base64.b64decode(before)])
    for _ in range(2):
        result = rotated(settings)
        assert (result.exit_code, "2 sealed with a new key." in result.output) == (0, True), result.output
        assert opened(kept, settings) == KEPT
        assert len(keys(settings)) == 1
        assert before not in keys(settings)
    with pytest.raises(CannotOpen):
        kept.read(lambda session: store.take(session, stale, "w", "channel"))


@pytest.mark.parametrize("point", ["sealing", "forgetting"])
def test_who_dies_in_the_middle_leaves_keys_that_open_everything(
    kept: Database, settings: Settings, point: str
) -> None:
    command = [sys.executable, "-c", DYING, str(settings.data), settings.database_url, point]
    assert subprocess.run(command, check=False).returncode == 9
    assert len(keys(settings)) == 2
    assert opened(kept, settings) == KEPT
    assert rotate(kept, settings) == 2
    assert len(keys(settings)) == 1
    assert opened(kept, settings) == KEPT


def test_what_is_sealed_meanwhile_is_not_lost(kept: Database, settings: Settings) -> None:
    keyring, other = keyring_for(settings), Database(settings.url)
    rotation = threading.Thread(target=rotate, args=(other, settings))

    def work(session: Session) -> None:
        store.put(session, keyring, "w", "channel", {"late": "sealed with the old key"})
        rotation.start()
        rotation.join(0.5)

    kept.write(work)
    rotation.join()
    other.close()
    assert opened(kept, settings) == KEPT | {"late": "sealed with the old key"}


def test_two_at_once_lose_nothing(kept: Database, settings: Settings) -> None:
    others = [Database(settings.url) for _ in range(2)]
    threads = [threading.Thread(target=rotate, args=(each, settings)) for each in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in others:
        each.close()
    assert opened(kept, settings) == KEPT


def test_a_running_server_goes_on_opening_and_sealing(house: House, settings: Settings, receiver: Receiver) -> None:
    webhook = {"kind": "webhook", "settings": {"url": receiver.url}}
    first = house.post("/api/channels", webhook | {"name": "One"}, 201)
    assert rotated(settings).exit_code == 0
    # It seals before it has met anything that the new key sealed.
    second = house.post("/api/channels", webhook | {"name": "Two"}, 201)
    for channel in (first, second):
        assert house.post(f"/api/channels/{channel['id']}/test") == {"ok": True, "error": None}
        got = receiver.requests[-1]
        assert Webhook(channel["signing_secret"]).verify(got.body, got.headers)
        fresh = keyring_for(settings)
        sealed = house.parts.db.read(lambda s, of=channel["id"]: s.get_one(Secret, (of, "secret")).sealed)
        assert fresh.is_current(sealed)


def test_what_no_key_opens_stops_it_and_is_named(kept: Database, settings: Settings) -> None:
    lost = Keyring(lambda: [os.urandom(32)])
    kept.write(lambda session: store.put(session, lost, "w", "elsewhere", {"password": "gone"}))
    result = rotated(settings)
    assert result.exit_code == 1
    assert "The secrets were not rotated. password of elsewhere:" in " ".join(result.output.split())
    assert opened(kept, settings) == KEPT


def test_a_key_from_the_settings_is_changed_there(
    kept: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    (before,) = keys(settings)
    monkeypatch.setenv("SIGNOFF_SECRET_KEY", before)
    result = rotated(settings)
    assert result.exit_code == 1
    assert "SIGNOFF_SECRET_RETIRED_KEYS" in result.output
    after = base64.b64encode(os.urandom(32)).decode()
    monkeypatch.setenv("SIGNOFF_SECRET_KEY", after)
    monkeypatch.setenv("SIGNOFF_SECRET_RETIRED_KEYS", before)
    assert "2 sealed with SIGNOFF_SECRET_KEY." in rotated(settings).output
    assert "0 sealed with SIGNOFF_SECRET_KEY." in rotated(settings).output
    alone = settings.model_copy(update={"secret_key": after})
    assert opened(kept, alone) == KEPT


def test_a_folder_that_is_not_the_servers_is_refused_and_none_is_made(kept: Database, settings: Settings) -> None:
    elsewhere = settings.data / "mistyped"
    result = rotated(settings, "--data", str(elsewhere))
    assert result.exit_code == 1
    said = " ".join(result.output.split())
    assert f"The secrets were not rotated. There is no {KEY_FILE} in" in said
    assert "--data or SIGNOFF_DATA" in said
    assert not elsewhere.exists()
    assert opened(kept, settings) == KEPT
