"""A fresh database and the settings that go with it, however long the test that asks keeps them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from signoff.audit.actions import sealed_by
from signoff.audit.anchor_writer import sealer_for
from signoff.kit.db import events
from signoff.kit.db.database import Database
from signoff.kit.ids import new_id
from signoff.kit.settings import Settings
from tests.postgres import drop_database, new_database

ROOT_TOKEN = "the-root-token-of-the-tests"


@contextmanager
def fresh_database(kind: str, folder: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """A migrated, empty database of this kind; copied, since migrating each would take longer than the tests."""
    if kind == "sqlite":
        template: Path = request.getfixturevalue("sqlite_template")
        (folder / "signoff.db").write_bytes(template.read_bytes())
        yield f"sqlite:///{folder / 'signoff.db'}"
        return
    server: str = request.getfixturevalue("postgres_server")
    name = f"t{new_id()}"
    yield new_database(server, name, "signoff_template").replace("postgresql://", "postgresql+psycopg://")
    drop_database(server, name)


@contextmanager
def opened(kind: str, folder: Path, request: pytest.FixtureRequest) -> Iterator[Database]:
    """The same, opened, for tests that share what takes long to fill."""
    with fresh_database(kind, folder, request) as url:
        db = Database(url, (sealed_by(sealer_for(settings_for(url, folder))), events.finish))
        yield db
        db.close()


def settings_for(database_url: str, folder: Path) -> Settings:
    return Settings(
        data=folder,
        database_url=database_url,
        token=ROOT_TOKEN,
        demo=False,
        retry_seconds=0.01,
        lease_seconds=5,
        allow_private_addresses=True,
        wrong_tokens_per_minute=100_000,
    )
