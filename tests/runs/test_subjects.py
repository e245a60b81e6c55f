"""A run is an agent's or a workflow's, and the database itself holds both to their columns."""

from functools import partial
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from signoff.kit.actor import Actor
from signoff.kit.db.database import Database
from signoff.runs import queries
from signoff.runs.models import Run
from tests.runs.rows import add_run

WRONG: list[dict[str, Any]] = [
    {"agent": None},
    {"agent_revision": None},
    {"revision_id": None},
    {"step": "a step of no workflow"},
    {"workflow": "one without its step"},
    {"workflow_revision": 1},
    {"workflow_revision_id": "w1"},
    {"kind": "nothing known"},
    {"kind": "workflow", "workflow": None},
    {"kind": "workflow", "workflow_revision": None},
    {"kind": "workflow", "workflow_revision_id": None},
    {"kind": "workflow", "agent": "a"},
    {"kind": "workflow", "agent_revision": 1},
    {"kind": "workflow", "revision_id": "a1"},
]


@pytest.mark.both_databases
def test_a_run_that_is_neither_an_agents_nor_a_workflows_is_not_stored(db: Database) -> None:
    db.write(lambda session: add_run(session, "right"))
    for wrong in WRONG:
        with pytest.raises(IntegrityError, match="runs_subject"):
            db.write(partial(add_run, name="r", **wrong))


def test_a_workflows_run_stands_among_the_others(db: Database) -> None:
    def fill(session: Any) -> str:
        add_run(session, "an agent's")
        add_run(session, "a step's", workflow="w", step="first", parent_id="an agent's")
        return add_run(session, "a workflow's", kind="workflow").workspace_id

    actor = Actor.system(db.write(fill))

    def found(**narrowed: str) -> set[str]:
        return db.read(lambda session: {run.id for run in session.scalars(queries.runs(actor, **narrowed))})

    assert found(kind="workflow") == {"a workflow's"}
    assert found(agent="a") == {"an agent's", "a step's"}
    assert found(workflow="w") == {"a workflow's", "a step's"}
    shown = db.read(lambda session: queries.show(session, session.get_one(Run, "a workflow's")))
    assert (shown.kind, shown.agent, shown.workflow, shown.workflow_revision) == ("workflow", None, "w", 1)
    run = db.read(lambda session: session.get_one(Run, "a workflow's"))
    assert run.actor == actor
    with pytest.raises(TypeError, match="workflow"):
        _ = run.agent_subject
