"""Time in which no server was there to take an objection does not count, whichever comes back first."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from signoff.asks.deadlines import expiry
from signoff.asks.effects import attendance, veto
from signoff.asks.effects.attendance import GAP, NAME, SEEN_EVERY
from signoff.asks.effects.previews import bound_digest
from signoff.asks.models import Ask
from signoff.audit.models import AuditEntry
from signoff.kit.db.database import Database
from signoff.workspaces import actions as workspaces

MINUTE = timedelta(minutes=1)
START = datetime(2026, 5, 4, 12, tzinfo=UTC)
END = START + 10 * MINUTE


class Servers:
    """An ask that runs after ten minutes unless somebody objects; servers look at it when the test says so."""

    def __init__(self, db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
        self.db, self._now = db, START
        # Theirs is the clock.
        for module in (veto, attendance):
            monkeypatch.setattr(module, "clock", self)
        self._ask_id = db.write(self._open)

    def now(self) -> datetime:
        return self._now

    def _open(self, session: Session) -> str:
        home = workspaces.found(session, "w", "w@example.org", "w").workspace_id
        ask = Ask(workspace_id=home, kind="approval", agent="a", run_title="r", title="t", tool="pay", arguments={})
        ask.rule, ask.schedule, ask.approvals_required, ask.four_eyes = "let it run", [], 1, False
        ask.status, ask.digest = "pending", bound_digest(ask)
        veto.open_window(ask, (END - START).total_seconds(), True)
        veto.reach(ask, held=False)
        session.add(ask)
        session.flush()
        return ask.id

    @property
    def ask(self) -> Ask:
        return self.db.read(lambda session: session.get_one(Ask, self._ask_id))

    @property
    def extended(self) -> int:
        entries = select(func.count()).where(AuditEntry.action == "ask.window_extended")
        return self.db.read(lambda session: session.scalar(entries)) or 0

    def one_is_there(self) -> None:
        """As each does every few seconds."""
        for due in self.db.read(lambda session: attendance.due(session, self._now, 1)):
            self.db.write(lambda session, due=due: attendance.run_due(session, due, self._now))

    def there_until(self, at: datetime) -> None:
        while self._now < at:
            self._now += SEEN_EVERY
            self.one_is_there()

    def gone_until(self, at: datetime) -> None:
        self._now = at

    def clock_looks(self) -> None:
        self.db.write(lambda session: expiry.run_due(session, self._ask_id, self._now))


@pytest.fixture
def servers(db: Database, monkeypatch: pytest.MonkeyPatch) -> Servers:
    return Servers(db, monkeypatch)


def test_what_was_left_when_the_last_server_went_is_left_when_one_is_back(servers: Servers) -> None:
    servers.there_until(START + 4 * MINUTE)
    servers.gone_until(END + 4 * MINUTE)
    servers.one_is_there()
    assert servers.ask.deadline == END + 10 * MINUTE
    servers.clock_looks()
    assert servers.ask.status == "pending"
    servers.there_until(END + 10 * MINUTE)
    servers.clock_looks()
    assert servers.ask.status == "auto_approved"


def test_it_does_not_end_before_the_server_that_is_back_has_said_so(servers: Servers) -> None:
    servers.there_until(START + 4 * MINUTE)
    servers.gone_until(END + 4 * MINUTE)
    servers.clock_looks()
    assert servers.ask.status == "pending"
    servers.one_is_there()
    assert (servers.ask.deadline, servers.ask.due_at) == (END + 10 * MINUTE, END + 10 * MINUTE)


def test_a_worker_without_a_server_ends_nothing(servers: Servers) -> None:
    servers.gone_until(END + MINUTE)
    servers.clock_looks()
    assert (servers.ask.status, servers.ask.due_at) == ("pending", END + MINUTE + GAP)


def test_a_moment_at_least_is_left(servers: Servers) -> None:
    servers.there_until(END - SEEN_EVERY)
    servers.gone_until(END + 4 * MINUTE)
    servers.one_is_there()
    assert servers.ask.deadline == END + 5 * MINUTE


def test_of_several_that_come_back_at_once_one_makes_up_for_the_gap(servers: Servers) -> None:
    servers.there_until(START + 4 * MINUTE)
    servers.gone_until(END)
    together = Barrier(4)

    def come_back(_: int) -> None:
        together.wait()
        servers.db.write(lambda session: attendance.run_due(session, NAME, servers.now()))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(come_back, range(4)))
    assert (servers.ask.deadline, servers.extended) == (END + 6 * MINUTE, 1)


def test_while_another_server_goes_on_nothing_is_made_up_for(servers: Servers) -> None:
    servers.there_until(END)
    servers.clock_looks()
    assert (servers.ask.deadline, servers.ask.status, servers.extended) == (END, "auto_approved", 0)


def test_a_window_counts_from_its_begin_when_there_was_none_for_long(servers: Servers) -> None:
    servers.gone_until(START - 60 * MINUTE)
    servers.db.write(lambda session: attendance.run_due(session, NAME, servers.now()))
    servers.gone_until(START + SEEN_EVERY)
    servers.one_is_there()
    assert (servers.ask.deadline, servers.extended) == (END, 0)


def test_what_was_over_while_a_server_was_there_ends(servers: Servers) -> None:
    servers.there_until(END)
    servers.gone_until(END + MINUTE)
    servers.one_is_there()
    servers.clock_looks()
    assert servers.ask.status == "auto_approved"


def test_nothing_is_written_while_no_time_counts(servers: Servers) -> None:
    def settle(session: Session) -> None:
        veto.close_window(session.get_one(Ask, servers.ask.id))

    assert servers.db.read(lambda session: attendance.due(session, START, 1)) == [NAME]
    servers.db.write(settle)
    assert servers.db.read(lambda session: attendance.due(session, START, 1)) == []
