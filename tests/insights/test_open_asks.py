"""Which open asks would pass is found in as many statements for one as for many."""

import pytest
from sqlalchemy.orm import Session

from bench.measure import statements
from signoff.asks.models import Ask
from signoff.catalog import actions as catalog
from signoff.catalog.schemas import AgentDefinition
from signoff.insights.open_asks import passing
from signoff.kit.actor import Actor
from signoff.kit.db.database import Database
from signoff.policy.call import ProposedCall
from signoff.policy.risk import Assessment, Risk
from signoff.rules.models import Allowance
from signoff.runs import actions as runs
from signoff.runs.schemas import RunIn
from signoff.workspaces import actions as workspaces


def asking(session: Session, actor: Actor, name: str, allowed_run: str | None = None) -> str:
    """An agent whose run waits for a call that somebody allowed since, to all its runs or to one."""
    catalog.create(session, actor, name, AgentDefinition(name=name, model="demo:a"))
    run = runs.start(session, actor, RunIn(agent=name, task="t"))
    kept = ProposedCall("pay", Assessment(Risk.HIGH, ()), agent=name).to_json()
    of = {"workspace_id": actor.workspace_id, "agent": name, "tool": "pay", "risk_level": "high"}
    given = {"run_id": allowed_run, "ask_id": "q", "created_by": "ann"}
    ask = {"kind": "approval", "status": "pending", "run_title": "t", "title": name, "arguments": {}}
    session.add(Ask(id=name, run_id=run.id, proposed_call=kept, **ask, **of))
    session.add(Allowance(**of, **given))
    return run.id


@pytest.mark.both_databases
def test_what_would_pass_costs_as_many_statements_for_one_as_for_many(db: Database) -> None:
    def look(actor: Actor) -> tuple[list[str], int]:
        with statements(db) as sent:
            found = db.read(lambda session: [each.id for each in passing(session, actor)])
        assert not any("asks.description" in each for each in sent.texts), "whole rows are read"
        return found, sent.sent

    actor = db.write(lambda s: Actor.system(workspaces.found(s, "w", "w@example.org", "w").workspace_id))
    first = db.write(lambda session: asking(session, actor, "a0"))
    one = look(actor)
    for number in range(1, 8):
        db.write(lambda session, number=number: asking(session, actor, f"a{number}"))
    db.write(lambda session: asking(session, actor, "b", allowed_run=first))
    many = look(actor)
    assert one == (["a0"], many[1])
    assert many[0] == [f"a{number}" for number in range(8)], "what is allowed to one run is allowed to no other"
