"""The history ends where the models are."""

from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, select, text
from sqlalchemy.orm import Session

from signoff import migrations
from signoff.asks.inbox.models import AskPart
from signoff.asks.inbox.parts import keep_signers
from signoff.asks.models import NEVER, Ask
from signoff.asks.proposed_call import read_proposed_call
from signoff.channels.models import Channel
from signoff.kit import clock, jsons
from signoff.kit.actor import Actor, Role
from signoff.kit.db.columns import Base
from signoff.kit.db.database import Database
from signoff.migrations import tables
from signoff.notifications import queries as notices
from signoff.notifications.actions import notify
from signoff.notifications.models import Notification
from signoff.policy.call import ProposedCall
from signoff.policy.impact import NOT_KNOWN, order
from signoff.policy.risk import Assessment, Risk
from signoff.runs.large_values import put_apart, value_of
from signoff.runs.models import Call, Message, Run
from signoff.workspaces import actions as workspaces
from signoff.workspaces import credentials
from signoff.workspaces import queries as people
from signoff.workspaces.models import Address, Credential, Member, User
from tests.runs.rows import add_run


def test_the_migrated_database_is_what_the_models_say(db: Database) -> None:
    assert tables.TABLES
    with db.writer.connect() as connection:
        # An index of words is made by hand, for each database its own.
        of_models = {"include_object": lambda _object, name, *_: "_fts" not in (name or "")}
        differences = compare_metadata(MigrationContext.configure(connection, opts=of_models), Base.metadata)
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
    with migrations.transaction(db) as connection:
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
    with migrations.transaction(db) as connection:
        command.downgrade(migrations.config(connection), "0002")
        command.upgrade(migrations.config(connection), "head")
    query = select(Ask).order_by(Ask.waits_until)
    found = db.read(lambda s: [(ask.title, ask.waits_until) for ask in s.scalars(query)])
    assert found == [("ends", deadline), ("no end", NEVER)]


@pytest.mark.both_databases
def test_open_approvals_from_before_stand_alone_and_questions_stay_alike(db: Database) -> None:
    def fill(session: Session) -> None:
        workspace = workspaces.found(session, "w", "w@example.org", "w").workspace_id
        about = {
            "workspace_id": workspace,
            "agent": "a",
            "run_title": "r",
            "title": "t",
            "tool": "post",
            "likeness": "old",
        }
        for number in range(2):
            session.add(Ask(**about, id=str(number), kind="approval", arguments={"channel": "#ops"}))
        session.add(Ask(**about, id="question", kind="question"))

    db.write(fill)
    with migrations.transaction(db) as connection:
        command.downgrade(migrations.config(connection), "0025")
        command.upgrade(migrations.config(connection), "head")
    found = db.read(lambda s: {ask.id: ask.likeness for ask in s.scalars(select(Ask))})
    assert found == {"0": None, "1": None, "question": "old"}


def test_approvals_from_before_are_sorted_as_if_they_might_do_more_than_is_known(db: Database) -> None:
    def fill(session: Session) -> None:
        workspace = workspaces.found(session, "w", "w@example.org", "w").workspace_id
        for kind in ("approval", "question"):
            session.add(Ask(workspace_id=workspace, kind=kind, agent="a", run_title="r", title=kind))

    db.write(fill)
    with migrations.transaction(db) as connection:
        command.downgrade(migrations.config(connection), "0027")
        command.upgrade(migrations.config(connection), "head")
    found = db.read(lambda s: {ask.title: ask.impact_order for ask in s.scalars(select(Ask))})
    assert found == {"approval": order(NOT_KNOWN), "question": order(None)}


def test_questions_from_before_that_ask_for_an_approval_are_known_by_whom_they_named(db: Database) -> None:
    named = {"approval": ["role:approver"], "question": ["ann@example.org"]}

    def fill(session: Session) -> None:
        workspace = workspaces.found(session, "w", "w@example.org", "w").workspace_id
        about = {"workspace_id": workspace, "agent": "a", "run_title": "r", "kind": "question"}
        session.add_all(Ask(**about, title=title, approvers=approvers) for title, approvers in named.items())

    db.write(fill)
    with migrations.transaction(db) as connection:
        command.downgrade(migrations.config(connection), "0035")
        command.upgrade(migrations.config(connection), "head")
    found = db.read(lambda s: {ask.title: ask.asks_approval for ask in s.scalars(select(Ask))})
    assert found == {"approval": True, "question": False}


def fill_runs(session: Session) -> None:
    """A run of every kind, as they stand in a database that is in use: at work, waiting, paused and over."""
    rows: dict[str, tuple[str, dict[str, Any]]] = {
        "first": ("completed", {}),
        "alone": ("queued", {"wake_at": clock.now()}),
        "second": ("failed", {"continues_id": "first", "continuation_count": 1}),
        "third": ("waiting_approval", {"continues_id": "second", "continuation_count": 2}),
        "first again": ("paused", {"retries_id": "first"}),
        "second again": ("cancelled", {"retries_id": "second", "continuation_count": 1}),
        "and again": ("waiting_input", {"retries_id": "second again", "continuation_count": 1}),
        "its first is deleted": ("timeout", {"continuation_count": 3}),
    }
    workspace = ""
    for name, (status, links) in rows.items():
        workspace = add_run(session, name, status, **links).workspace_id
    session.add(Message(run_id="third", role="user", text="do it"))
    call = {"tool_call_id": "t", "position": 0, "tool": "x", "proposed_arguments": {}, "verdict": {}}
    session.add(Call(id="c", run_id="third", turn=1, status="waiting", ask_id="ask", **call))
    about = {"agent": "a", "run_title": "third", "title": "May it?"}
    session.add(Ask(id="ask", workspace_id=workspace, run_id="third", call_id="c", kind="approval", **about))


@pytest.mark.both_databases
def test_continuations_and_retries_get_columns_of_their_own_and_no_row_is_lost(db: Database) -> None:
    db.write(fill_runs)

    def everything(connection: Connection) -> tuple[dict[str, int], dict[str, Any]]:
        counts = {name: connection.scalar(text(f"SELECT count(*) FROM {name}")) for name in Base.metadata.tables}
        rows = connection.execute(text("SELECT id, status, continuation_count, wakes, fence FROM runs")).all()
        return counts, {row[0]: row for row in rows}

    with migrations.transaction(db) as connection:
        before = everything(connection)
        command.downgrade(migrations.config(connection), "0012")
        parents = dict(connection.execute(text("SELECT id, parent_id FROM runs")).all())
        assert parents["third"] == "second"
        assert parents["and again"] == "second again"
        command.upgrade(migrations.config(connection), "head")
        assert everything(connection) == before

    def links(session: Session) -> dict[str, tuple[str | None, ...]]:
        return {run.id: (run.parent_id, run.continues_id, run.retries_id) for run in session.scalars(select(Run))}

    assert db.read(links) == {
        "first": (None, None, None),
        "alone": (None, None, None),
        "second": (None, "first", None),
        "third": (None, "second", None),
        "first again": (None, None, "first"),
        "second again": (None, None, "second"),
        "and again": (None, None, "second again"),
        "its first is deleted": (None, None, None),
    }


def test_asks_that_wait_get_the_call_that_they_are_about(db: Database) -> None:
    """As they would be frozen today: from their own columns and their run's; what is settled needs none."""
    schema = {"type": "object", "properties": {"to": {"type": "string"}}}
    seen = {"tool": "pay", "operation_type": "refund", "risk_level": "critical", "risk_reasons": ["money"]}
    seen |= {"confidence": 0.0, "estimated_cost_credits": 2.5, "arguments": {"to": "ann"}, "arguments_schema": schema}
    about = {"agent": "a", "run_title": "r", "title": "May it?", "run_id": "third"}

    def fill(session: Session) -> None:
        fill_runs(session)
        run = session.get_one(Run, "third")
        run.input, workspace = {"vip": [True, "\u00e9\u0000"]}, run.workspace_id
        session.add(Ask(id="pays", workspace_id=workspace, kind="approval", **about, **seen))
        session.add(Ask(id="plans", workspace_id=workspace, kind="plan", risk_level="high", **about))
        session.add(Ask(id="asks", workspace_id=workspace, kind="question", **about))
        session.add(Ask(id="paid", workspace_id=workspace, kind="approval", status="approved", **about, **seen))

    db.write(fill)
    with migrations.transaction(db) as connection:
        command.downgrade(migrations.config(connection), "0012")
        command.upgrade(migrations.config(connection), "head")

    def look(session: Session) -> dict[str, ProposedCall | None]:
        ids = ("pays", "plans", "asks", "paid")
        return {each: read_proposed_call(session.get_one(Ask, each), {"to": "bob"}) for each in ids}

    fields = {"input": {"vip": [True, "\u00e9\u0000"]}, "created_by": "b", "title": "third", "mode": "auto"}
    of_run = {"agent": "a", "scope": "third", "fields": fields, "arguments": {"to": "bob"}}
    risk = Assessment(Risk.CRITICAL, ("money",))
    pays = ProposedCall("pay", risk, False, "refund", confidence=0.0, cost=2.5, schema=schema, **of_run)
    plans = ProposedCall("propose_plan", Assessment(Risk.HIGH, ()), True, **of_run)
    assert db.read(look) == {"pays": pays, "plans": plans, "asks": None, "paid": None}


@pytest.mark.both_databases
def test_notices_from_before_reach_whom_they_were_for_and_are_not_new(db: Database) -> None:
    def fill(session: Session) -> str:
        boss = workspaces.found(session, "w", "boss@example.org", "Boss")
        for recipients in ([], ["Boss@Example.org"], ["admin"], ["group:other"]):
            notify(session, boss.workspace_id, None, "#all", "a", f"to {recipients}", recipients=recipients)
        return boss.id

    member = db.write(fill)
    with migrations.transaction(db) as connection:
        command.downgrade(migrations.config(connection), "0019")
        command.upgrade(migrations.config(connection), "head")

    def look(session: Session) -> tuple[list[str], int]:
        actor = people.actor_of(session, session.get_one(Member, member), "session")
        found = session.scalars(notices.notifications(actor).order_by(Notification.id))
        return [row.text for row in found], notices.count_unread(session, actor)

    assert db.read(look) == (["to []", "to ['Boss@Example.org']", "to ['admin']"], 0)


@pytest.mark.both_databases
def test_who_signed_before_there_were_views_finds_it_where_it_belongs(db: Database) -> None:
    def fill(session: Session) -> None:
        boss = workspaces.found(session, "w", "boss@example.org", "Boss")
        signed = [{"by": "ann@example.org", "decision": "approve"}, {"by": "bob@example.org", "decision": "void"}]
        about = {"workspace_id": boss.workspace_id, "kind": "approval", "agent": "a", "run_title": "r", "title": "t"}
        for status in ("pending", "approved"):
            session.add(Ask(id=status, status=status, signatures=signed, **about))
        session.add(Ask(id="new", **about))

    db.write(fill)
    with migrations.transaction(db) as connection:
        command.downgrade(migrations.config(connection), "0026")
        command.upgrade(migrations.config(connection), "head")
    rows = db.read(lambda s: [(part.person, part.part, part.ask_id) for part in s.scalars(select(AskPart))])
    assert sorted(rows) == [("ann@example.org", "decided", "approved"), ("ann@example.org", "signed", "pending")]


def test_who_signed_for_somebody_before_it_was_kept_by_which_delegation_is_not_bound_for_ever(db: Database) -> None:
    def fill(session: Session) -> None:
        boss = workspaces.found(session, "w", "boss@example.org", "Boss")
        own = {"by": "carol@example.org", "decision": "approve"}
        for_ann = {"by": "bob@example.org", "decision": "approve", "on_behalf_of": "ann@example.org"}
        for_ann |= {"absent": "ann", "delegation": "while ann is away"}
        about = {"workspace_id": boss.workspace_id, "kind": "approval", "agent": "a", "run_title": "r", "title": "t"}
        ask = Ask(id="ask", signatures=[own, for_ann], **about)
        session.add(ask)
        session.flush()
        keep_signers(session, ask)

    def parts(session: Session) -> dict[str, str | None]:
        return {part.person: part.delegation_id for part in session.scalars(select(AskPart))}

    db.write(fill)
    kept = db.read(parts)
    with migrations.transaction(db) as connection:
        command.downgrade(migrations.config(connection), "0033")
        command.upgrade(migrations.config(connection), "head")
    by_one = dict.fromkeys(("ann@example.org", "bob@example.org"), "while ann is away")
    assert db.read(parts) == kept == {"carol@example.org": None, **by_one}


@pytest.mark.both_databases
def test_everybody_keeps_their_address_where_they_are_and_who_left_where_they_were(db: Database) -> None:
    def fill(session: Session) -> dict[tuple[str, str], str]:
        boss = workspaces.found(session, "first", "boss@example.org", "Boss")
        other = workspaces.found(session, "second", "other@example.org", "Other")
        system = Actor.system(boss.workspace_id)
        ann = workspaces.add_member(session, system, "ann@example.org", "Ann", Role.VIEWER)
        left = workspaces.add_member(session, system, "left@example.org", "Left", Role.VIEWER)
        workspaces.remove_member(session, system, left)
        members = {
            "boss@example.org": boss,
            "other@example.org": other,
            "ann@example.org": ann,
            "left@example.org": left,
        }
        return {(each.workspace_id, email): each.user_id for email, each in members.items()}

    def addresses(session: Session) -> dict[tuple[str, str], str]:
        return {(each.workspace_id, each.email): each.user_id for each in session.scalars(select(Address))}

    known = db.write(fill)
    with migrations.transaction(db) as connection:
        command.downgrade(migrations.config(connection), "0030")
        command.upgrade(migrations.config(connection), "head")
    assert db.read(addresses) == known


def test_the_oldest_admin_who_came_in_makes_workspaces_from_then_on(db: Database) -> None:
    """Neither a viewer who is older nor `SIGNOFF_TOKEN` is one."""

    def fill(session: Session) -> None:
        first = workspaces.found(session, "w", "viewer@example.org", "Viewer")
        workspaces.root(session, first.workspace_id)
        system = Actor.system(first.workspace_id)
        workspaces.add_member(session, system, "invited@example.org", "Invited", Role.ADMIN)
        admin = workspaces.add_member(session, system, "admin@example.org", "Admin", Role.ADMIN)
        admin.accepted_at = clock.now()
        first.role = Role.VIEWER.value

    db.write(fill)
    with migrations.transaction(db) as connection:
        command.downgrade(migrations.config(connection), "0030")
        command.upgrade(migrations.config(connection), "head")
    named = select(User.email).where(User.installation_admin)
    assert db.read(lambda s: list(s.scalars(named))) == ["admin@example.org"]


def test_a_webhook_keeps_how_long_its_last_secret_signs_and_one_without_events_stays_silent(db: Database) -> None:
    until = clock.now()

    def fill(session: Session) -> None:
        where = {"workspace_id": workspaces.found(session, "w", "w@example.org", "W").workspace_id, "kind": "webhook"}
        session.add(Channel(name="changed", settings={"url": "u", "events": ["*"]}, previous_until=until, **where))
        session.add(Channel(name="silent", settings={"url": "u", "events": []}, **where))

    db.write(fill)
    with migrations.transaction(db) as connection:
        command.downgrade(migrations.config(connection), "0039")
        command.upgrade(migrations.config(connection), "head")
    found = {each.name: each for each in db.read(lambda s: list(s.scalars(select(Channel))))}
    changed, silent = found["changed"], found["silent"]
    assert (changed.settings, changed.previous_until, changed.enabled) == ({"url": "u", "events": ["*"]}, until, True)
    assert (silent.settings, silent.previous_until, silent.enabled) == ({"url": "u"}, None, False)


@pytest.mark.both_databases
def test_large_inputs_and_outputs_go_back_to_their_runs_and_small_ones_stay(db: Database) -> None:
    large = {"text": "\u00e9\u0000" * 60_000, "amount": 1.10}

    def fill(session: Session) -> None:
        add_run(session, "small", "completed", input={"a": 1}, output=[2])
        add_run(session, "input", "completed", apart=["input"], output=[2])
        add_run(session, "both", "completed", apart=["input", "output"])
        session.flush()
        for run, name in (("input", "input"), ("both", "input"), ("both", "output")):
            put_apart(session, run, name, jsons.dumps(large))

    db.write(fill)
    with migrations.transaction(db) as connection:
        command.downgrade(migrations.config(connection), "0052")
        command.upgrade(migrations.config(connection), "head")

    def look(session: Session) -> dict[str, tuple[Any, Any]]:
        return {run.id: (value_of(session, run, "input"), value_of(session, run, "output")) for run in runs(session)}

    def runs(session: Session) -> list[Run]:
        return list(session.scalars(select(Run)))

    assert db.read(look) == {"small": ({"a": 1}, [2]), "input": (large, [2]), "both": (large, large)}
