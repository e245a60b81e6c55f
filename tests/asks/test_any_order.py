"""Answers, signatures, timeouts, cancels and ends of runs in any order: never an illegal state."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.asks import actions as asks
from signoff.asks.answers.outcome import Answer
from signoff.asks.deadlines import expiry
from signoff.asks.deadlines.timing import set_times
from signoff.asks.models import Ask
from signoff.asks.signatures.conditions import set_conditions
from signoff.asks.states import ASK, AskStatus
from signoff.audit.queries import verify
from signoff.catalog import actions as catalog
from signoff.catalog.schemas import AgentDefinition
from signoff.claims.actions import Claim
from signoff.kit import clock
from signoff.kit.actor import Actor, Role
from signoff.kit.db import events
from signoff.kit.db.database import Database
from signoff.kit.errors import SignoffError
from signoff.kit.ids import new_id
from signoff.policy.evaluate import Conditions
from signoff.runs import actions as runs
from signoff.runs.asking.new_ask import ASK_DEFAULTS
from signoff.runs.ending import Ending, end
from signoff.runs.models import Run
from signoff.runs.schemas import RunIn
from signoff.runs.states import ENDED, RUN, Reason, RunStatus
from signoff.runs.worker.fenced_writes import Release, write_run
from signoff.workspaces import actions as workspaces

PEOPLE = ("ada", "bob", "cid", "dot")
MOVES: dict[str, Callable[[Session, Actor, Run], None]] = {
    "cancel": runs.cancel,
    "complete": runs.complete,
    "pause": runs.pause,
    "resume": runs.resume,
}


class AnyOrder(RuleBasedStateMachine):
    """One run with asks of every sort; everybody does anything at any time."""

    db: Database

    def __init__(self) -> None:
        super().__init__()
        self.workspace = self.db.write(lambda s: workspaces.found(s, "w", f"{new_id()}@example.org", "w").workspace_id)
        self.run = self.db.write(self._start)
        self.asks: list[str] = []
        self.ends: dict[str, tuple[Any, ...]] = {}
        self.run_end: str | None = None

    def _start(self, session: Session) -> str:
        admin = Actor(self.workspace, Role.ADMIN, "starter")
        catalog.create(session, admin, "a", AgentDefinition(name="a", model="demo:a"))
        return runs.start(session, admin, RunIn(agent="a", task="t")).id

    def person(self, name: str) -> Actor:
        return Actor(self.workspace, Role.APPROVER, name, user_id=name)

    def attempt(self, work: Callable[[Session], Any]) -> None:
        """Anything may be refused, but only with a word that a caller understands."""
        try:
            self.db.write(work)
        except SignoffError:
            return

    @rule(several=st.sampled_from([1, 2, 3]), timed=st.sampled_from([None, "deny", "cancel", "fail", "escalate"]))
    @precondition(lambda self: self.run_end is None and len(self.asks) < 6)
    def the_engine_asks(self, several: int, timed: str | None) -> None:
        def work(session: Session) -> None:
            run = session.get_one(Run, self.run)
            ask = Ask(
                **ASK_DEFAULTS | {"id": new_id(), "workspace_id": self.workspace, "run_id": run.id, "kind": "approval"},
                **{"status": "pending", "agent": "a", "run_title": "t", "title": "t", "created_at": clock.now()},
                **{"tool": "pay", "arguments": {"amount": 1}, "arguments_schema": {"type": "object"}},
            )
            set_conditions(ask, Conditions(approvals=several))
            if timed:
                ask.on_timeout = timed
                set_times(ask, 600)
            asks.open_ask(session, Actor.agent(self.workspace, "a"), ask)
            claim = Claim(run.id, "w", run.fence)
            if write_run(session, claim, run, RunStatus.WAITING_APPROVAL, release=Release(run.wakes)) in ENDED:
                asks.cancel_open(session, Actor.agent(self.workspace, "a"), run.id)
            self.asks.append(ask.id)

        self.db.write(work)

    @rule(
        which=st.integers(0, 5), who=st.sampled_from(PEOPLE), decision=st.sampled_from(["approve", "deny", "respond"]),
        edited=st.booleans(),
    )  # fmt: skip
    @precondition(lambda self: self.asks)
    def somebody_answers(self, which: int, who: str, decision: Any, edited: bool) -> None:
        given = Answer(
            decision,
            arguments={"amount": 2} if edited and decision == "approve" else None,
            value="talk to me" if decision == "respond" else None,
        )
        self.attempt(lambda s: asks.answer(s, self.person(who), self.ask_in(s, which), given))

    @rule(which=st.integers(0, 5), who=st.sampled_from(PEOPLE))
    @precondition(lambda self: self.asks)
    def somebody_withdraws(self, which: int, who: str) -> None:
        self.attempt(lambda s: asks.cancel(s, self.person(who), self.ask_in(s, which)))

    @rule(which=st.integers(0, 5), minutes=st.sampled_from([1, 9, 11, 60 * 24]))
    @precondition(lambda self: self.asks)
    def time_passes(self, which: int, minutes: int) -> None:
        at = clock.now() + timedelta(minutes=minutes)
        self.db.write(lambda s: expiry.run_due(s, self.asks[which % len(self.asks)], at))

    @rule()
    def an_admin_clears_away(self) -> None:
        admin = Actor(self.workspace, Role.ADMIN, "admin")
        self.db.write(lambda s: expiry.expire_old(s, admin, clock.now() - timedelta(days=1)))

    @rule(how=st.sampled_from(sorted(MOVES)))
    def somebody_steers(self, how: str) -> None:
        self.attempt(lambda s: MOVES[how](s, self.person("ada"), s.get_one(Run, self.run)))

    @rule(to=st.sampled_from([RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.TIMEOUT]))
    def the_engine_ends_it(self, to: RunStatus) -> None:
        def work(session: Session) -> None:
            run = session.get_one(Run, self.run)
            end(session, Claim(run.id, "w", run.fence), run, Ending(to, Reason.SUCCESS))

        self.db.write(work)

    def ask_in(self, session: Session, which: int) -> Ask:
        return session.get_one(Ask, self.asks[which % len(self.asks)])

    @invariant()
    def what_is_settled_stays_so(self) -> None:
        for ask in self.db.read(lambda s: list(s.scalars(select(Ask).where(Ask.run_id == self.run)))):
            status = AskStatus(ask.status)
            if ask.id in self.ends:
                assert self.ends[ask.id] == (ask.status, ask.answer, ask.settled_by, ask.settled_at)
            elif status is not AskStatus.PENDING:
                assert ASK.allows(AskStatus.PENDING, status)
                self.ends[ask.id] = (ask.status, ask.answer, ask.settled_by, ask.settled_at)

    @invariant()
    def approvals_are_by_different_people(self) -> None:
        for ask in self.db.read(lambda s: list(s.scalars(select(Ask).where(Ask.run_id == self.run)))):
            signers = [each["by"] for each in ask.signatures if each["decision"] == "approve"]
            assert len(set(signers)) == len(signers) <= ask.approvals_required
            if ask.status == "approved" and ask.approvals_required > 1:
                assert len(signers) == ask.approvals_required

    @invariant()
    def an_ended_run_never_moves_and_has_nothing_open(self) -> None:
        run = self.db.read(lambda s: s.get_one(Run, self.run))
        if self.run_end is not None:
            assert run.status == self.run_end
        if RunStatus(run.status) in ENDED:
            self.run_end = run.status
            left = self.db.read(
                lambda s: s.scalars(select(Ask.id).where(Ask.run_id == run.id, Ask.status == "pending"))
            )
            assert list(left) == []
        assert RunStatus(run.status) in RUN.moves

    def teardown(self) -> None:
        emitted = self.db.read(lambda s: events.after(s, self.workspace, 0, 10_000))
        settled = [each["data"]["ask"]["id"] for each in emitted if each["type"] == "ask.settled"]
        assert sorted(settled) == sorted(self.ends), "every settled ask is told of exactly once"
        assert self.db.read(lambda s: verify(s, self.workspace)).ok


@pytest.mark.timeout(300)
@pytest.mark.parametrize("orders", [15, pytest.param(100, marks=pytest.mark.slow)])
def test_no_order_of_answers_time_and_ends_leads_to_an_illegal_state(db: Database, orders: int) -> None:
    machine = type("Machine", (AnyOrder,), {"db": db})
    bounds = settings(
        max_examples=orders,
        stateful_step_count=25,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    run_state_machine_as_test(machine, settings=bounds)
