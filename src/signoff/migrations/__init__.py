"""One Alembic history for both databases; run at start, under a lock."""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from signoff.kit.db.database import Database

LOCK = 7_216_001


if TYPE_CHECKING:
    from alembic.config import Config


def config(connection: Connection | None = None) -> "Config":
    from alembic.config import Config

    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent))
    settings.attributes["connection"] = connection
    return settings


def migrate(db: Database) -> None:
    """Bring the database up to date. Of several processes one does it; the others wait and find it done."""
    with db.writer.connect() as connection, connection.begin():
        # SQLite's BEGIN IMMEDIATE is the lock already.
        if not db.is_sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
        if _current(connection) != newest():
            # Only a database that has to change pays for importing Alembic.
            from alembic import command

            command.upgrade(config(connection), "head")


def newest() -> str:
    """The last revision; files are named by their number."""
    return max(path.name.split("_")[0] for path in (Path(__file__).parent / "versions").glob("[0-9]*.py"))


def _current(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.scalar(text("SELECT version_num FROM alembic_version"))
