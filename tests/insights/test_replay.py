"""A draft replayed over ten thousand past decisions."""

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import insert
from sqlalchemy.orm import Session

from bench.measure import statements
from signoff.asks.models import Ask
from signoff.catalog import actions as catalog
from signoff.catalog.schemas import AgentDefinition
from signoff.insights.figures import rule_figures
from signoff.insights.replay import replay
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.db.columns import table
from signoff.kit.db.database import Database
from signoff.kit.ids import new_id
from signoff.runs import actions as runs
from signoff.runs.large_values import put_apart
from signoff.runs.models import Call
from signoff.runs.schemas import RunIn
from signoff.workspaces import actions as workspaces
from tests.fresh import opened

DECISIONS = 10_000
DRAFT = """
auto_approval:
  enabled: true
  rules:
    - name: Small refunds
      conditions: {tool: refund, data_threshold: {field: amount, operator: "<=", value: 50}}
      action: {auto_approve: true}
"""


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def db(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Filled once for all tests here: they only read."""
    with opened(request.param, tmp_path_factory.mktemp("full"), request) as db:
        yield db


@pytest.fixture(scope="module")
def actor(db: Database) -> Actor:
    """Refunds of 1 to 100; every one was asked for, and those of 13 and 77 were refused."""

    def fill(session: Session) -> Actor:
        actor = Actor.system(workspaces.found(session, "w", "w@example.org", "w").workspace_id)
        catalog.create(session, actor, "a", AgentDefinition(name="a", model="demo:a"))
        run = runs.start(session, actor, RunIn(agent="a", task="t"))
        put_apart(session, run.id, "input", '{"region": "north"}')
        run.apart = ["input"]
        made = [_decision(actor, run.id, number) for number in range(DECISIONS)]
        session.execute(insert(table(Ask)), [ask for ask, _ in made])
        session.execute(insert(table(Call)), [call for _, call in made])
        return actor

    return db.write(fill)


def _decision(actor: Actor, run_id: str, number: int) -> tuple[dict[str, Any], dict[str, Any]]:
    amount, ask_id, at = number % 100 + 1, new_id(), clock.now()
    refused = amount in (13, 77)
    ask = {
        **{"id": ask_id, "workspace_id": actor.workspace_id, "run_id": run_id, "kind": "approval", "agent": "a"},
        **{"status": "denied" if refused else "approved", "run_title": "t", "title": "t", "description": ""},
        **{"risk_reasons": [], "risk_order": 1, "blocking": True, "handed_over": False, "schedule": []},
        **{"signatures": [], "approvers": [], "approvals_required": 1, "four_eyes": False, "created_at": at},
        **{"settled_by": "ada@example.org", "answer": {"decision": "deny", "note": "no"} if refused else None},
    }
    verdict = {"verdict": "ask", "reasons": [], "rule": None, "risk": "high", "operation_type": "refund"}
    call = {
        **{"id": new_id(), "run_id": run_id, "turn": number, "position": 0, "tool_call_id": "c", "tool": "refund"},
        **{"proposed_arguments": {"amount": amount}, "verdict": verdict, "judged": "ask", "ask_id": ask_id},
        **{"status": "denied" if refused else "succeeded", "attempt": 1, "created_at": at, "cost_credits": 0.0},
    }
    return ask, call


def test_a_draft_says_what_it_saves_and_names_every_refusal_it_would_let_through(db: Database, actor: Actor) -> None:
    found = db.read(lambda s: replay(s, actor, DRAFT, None))
    assert (found.evaluated, found.asks_before, found.asks_after) == (DECISIONS, DECISIONS, DECISIONS // 2)
    assert len(found.would_allow_denied) == DECISIONS // 100
    assert {each.arguments["amount"] for each in found.would_allow_denied} == {13}
    assert {(each.refused_by, each.note, each.rule) for each in found.would_allow_denied} == {
        ("ada@example.org", "no", "Small refunds")
    }
    assert (len(found.changed), found.changed_count) == (500, DECISIONS // 2)


def test_a_large_input_is_read_once_however_many_calls_its_run_made(db: Database, actor: Actor) -> None:
    draft = DRAFT.replace("field: amount", "field: input.region").replace('"<=", value: 50', '"==", value: north')
    with statements(db) as sent:
        assert db.read(lambda s: replay(s, actor, draft, None)).asks_after == 0
    assert sum("run_values" in each for each in sent.texts) == 1


def test_another_workspaces_decisions_are_not_looked_at(db: Database, actor: Actor) -> None:
    other = db.write(lambda s: Actor.system(workspaces.found(s, "o", "o@example.org", "o").workspace_id))
    assert db.read(lambda s: replay(s, other, DRAFT, None)).evaluated == 0


def test_figures_count_what_people_decided(db: Database, actor: Actor) -> None:
    (figures,) = db.read(lambda s: rule_figures(s, actor, clock.now().replace(year=2000)))
    assert (figures.rule, figures.asked, figures.refused) == (None, DECISIONS, DECISIONS // 50)
    assert figures.accuracy == pytest.approx(0.98)
