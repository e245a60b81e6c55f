"""The history ends where the models are."""

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from signoff import migrations
from signoff.kit.columns import Base
from signoff.kit.db import Database
from signoff.migrations import tables


def test_the_migrated_database_is_what_the_models_say(db: Database) -> None:
    assert tables.TABLES
    with db.writer.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), Base.metadata)
    assert [each for each in differences if "alembic_version" not in str(each)] == []


def test_the_newest_file_is_alembics_head() -> None:
    assert migrations.newest() == ScriptDirectory.from_config(migrations.config()).get_current_head()
