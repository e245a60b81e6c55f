"""One Alembic history for both databases; run at start, under a lock."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from signoff.kit.db.database import Database

LOCK = 7_216_001


if TYPE_CHECKING:
    from alembic.config import Config


class BrokenReferences(Exception):
    """A migration would leave rows that refer to nothing; nothing of it was stored."""


def config(connection: Connection | None = None) -> "Config":
    from alembic.config import Config

    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent))
    settings.attributes["connection"] = connection
    return settings


def migrate(db: Database) -> None:
    """Bring the database up to date. Of several processes one does it; the others wait and find it done."""
    with transaction(db) as connection:
        if _current(connection) != newest():
            # Only a database that has to change pays for importing Alembic.
            from alembic import command

            before = _broken_references(connection)
            command.upgrade(config(connection), "head")
            if _broken_references(connection) > before:
                raise BrokenReferences("The database would hold rows that refer to rows that are gone.")


@contextmanager
def transaction(db: Database) -> Generator[Connection]:
    """One transaction of one process at a time, in which tables may be made anew."""
    with db.writer.connect() as connection:
        if not db.is_sqlite:
            with connection.begin():
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
                yield connection
            return
        # SQLite changes a table by making a new one and dropping the old, which would delete every row that refers to
        # it. The switch works only outside of a transaction; BEGIN IMMEDIATE is the lock.
        _check_references(connection, "OFF")
        try:
            with connection.begin():
                yield connection
        finally:
            _check_references(connection, "ON")


def _check_references(connection: Connection, state: str) -> None:
    driver = connection.connection.driver_connection
    assert driver is not None
    driver.execute(f"PRAGMA foreign_keys={state}")


def _broken_references(connection: Connection) -> int:
    """How many there are; PostgreSQL lets none in."""
    return len(connection.execute(text("PRAGMA foreign_key_check")).all()) if connection.dialect.name == "sqlite" else 0


def newest() -> str:
    """The last revision; files are named by their number."""
    return max(path.name.split("_")[0] for path in (Path(__file__).parent / "versions").glob("[0-9]*.py"))


def _current(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.scalar(text("SELECT version_num FROM alembic_version"))
