"""The history ends where the models are."""

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff import migrations
from signoff.asks.models import NEVER, Ask
from signoff.kit import clock
from signoff.kit.actor import Actor, Role
from signoff.kit.db.columns import Base
from signoff.kit.db.database import Database
from signoff.migrations import tables
from signoff.workspaces import actions as workspaces
from signoff.workspaces import credentials
from signoff.workspaces import queries as people
from signoff.workspaces.models import Credential, Member, User


def test_the_migrated_database_is_what_the_models_say(db: Database) -> None:
    assert tables.TABLES
    with db.writer.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), Base.metadata)
    assert [each for each in differences if "alembic_version" not in str(each)] == []


def test_the_newest_file_is_alembics_head() -> None:
    assert migrations.newest() == ScriptDirectory.from_config(migrations.config()).get_current_head()


def test_tokens_that_by_the_record_another_made_become_service_tokens_and_members_stay_members(db: Database) -> None:
    def fill(session: Session) -> dict[str, str]:
        admin = workspaces.found(session, "w", "boss@example.org", "Boss")
        system = Actor.system(admin.workspace_id)
        ada = workspaces.add_member(session, system, "ada@example.org", "Ada", Role.APPROVER)
        boss, own = people.actor_of(session, admin, "session"), people.actor_of(session, ada, "session")
        made = {"first": (system, admin), "own": (own, ada), "boss's own": (boss, admin), "for ada": (boss, ada)}
        return {
            name: credentials.issue_token(session, actor, member, name, [], None)[0].id
            for name, (actor, member) in made.items()
        }

    ids = db.write(fill)
    with db.writer.connect() as connection, connection.begin():
        command.downgrade(migrations.config(connection), "0004")
        command.upgrade(migrations.config(connection), "head")

    def look(session: Session) -> dict[str, tuple[str, str | None]]:
        emails = {user.id: user.email for user in session.scalars(select(User))}
        rows = {name: session.get_one(Credential, each) for name, each in ids.items()}
        return {name: (row.standing, emails.get(row.made_by or "")) for name, row in rows.items()}

    person = ("person", None)
    assert db.read(look) == {
        "first": person,
        "own": person,
        "boss's own": person,
        "for ada": ("service", "boss@example.org"),
    }
    assert all(db.read(lambda s: list(s.scalars(select(Member.accepted_at)))))


def test_asks_from_before_are_found_by_their_deadline(db: Database) -> None:
    deadline = clock.now()

    def fill(session: Session) -> None:
        workspace = workspaces.found(session, "w", "w@example.org", "w").workspace_id
        for title, at in (("no end", None), ("ends", deadline)):
            session.add(
                Ask(workspace_id=workspace, kind="question", agent="a", run_title="r", title=title, deadline=at)
            )

    db.write(fill)
    with db.writer.connect() as connection, connection.begin():
        command.downgrade(migrations.config(connection), "0002")
        command.upgrade(migrations.config(connection), "head")
    query = select(Ask).order_by(Ask.waits_until)
    found = db.read(lambda s: [(ask.title, ask.waits_until) for ask in s.scalars(query)])
    assert found == [("ends", deadline), ("no end", NEVER)]
