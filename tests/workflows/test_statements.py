"""What a workflow's step costs the database."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, select
from sqlalchemy.orm import Session

from bench.chains import WORKFLOWS, workflow_stage
from bench.measure import statements
from bench.stage import Place, Stage
from signoff.engine.loop.advance import advance
from signoff.engine.model import client, providers
from signoff.kit.clock import now
from signoff.runs import queries as runs
from signoff.runs.models import Run
from signoff.runs.schemas import RunIn
from signoff.runs.workflow.credits_above import credits_left_above
from signoff.runs.workflow.people_time import time_of_people, waits_for_people
from signoff.runs.workflow.queries import step_summaries
from signoff.runs.workflow.start import start
from signoff.workflows import actions as workflows
from signoff.workflows.reading import read_workflow

# In the transaction that takes one step's output in and starts the next one's run.
MOST_STATEMENTS = 25


@pytest.fixture
def moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Statements and commits of each move of a workflow, from its first step to its last."""
    # The stage puts its own model in the place of all others: only for this test.
    monkeypatch.setattr(providers, "model_for", providers.model_for)
    monkeypatch.setattr(client, "request_model", client.request_model)
    with workflow_stage(Place("sqlite", tmp_path)) as stage:
        stage.parts.db.write(lambda s: start(s, stage.actor, RunIn(workflow="tools", input={"chain": "c0"})))
        return asyncio.run(_moves(stage))


@pytest.fixture
def last_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], int]:
    """Statements of the move that takes in what the workflows made that did so many items."""
    monkeypatch.setattr(providers, "model_for", providers.model_for)
    monkeypatch.setattr(client, "request_model", client.request_model)

    def of(items: int) -> int:
        folder = tmp_path / str(items)
        folder.mkdir()
        with workflow_stage(Place("sqlite", folder)) as stage:
            return asyncio.run(_last_move(stage, items))

    return of


def _start_items(session: Session, stage: Stage, items: int) -> str:
    one = {"id": "one", "tool": "pass_on", "input": {"chain": {"const": "c"}, "number": "index"}}
    many = {"id": "many", "workflow": "one", "each": {"path": "list", "max_parallel": 20}, "input": {}}
    for slug, step in (("one", one), ("many", many)):
        workflows.create(
            session, stage.actor, read_workflow({"slug": slug, "name": slug, "steps": [step]}), draft=False
        )
    return start(session, stage.actor, RunIn(workflow="many", input={"list": list(range(items))})).id


async def _last_move(stage: Stage, items: int) -> int:
    run_id = stage.parts.db.write(lambda s: _start_items(s, stage, items))
    sent = 0
    while claims := stage.claim(100):
        for claim in claims:
            with statements(stage.parts.db) as counted:
                await advance(stage.parts.context, claim, asyncio.Event())
            sent = counted.sent if claim.run_id == run_id else sent
    assert stage.parts.db.read(lambda s: s.get_one(Run, run_id).status) == "completed"
    return sent


async def _moves(stage: Stage) -> list[tuple[int, int]]:
    found = list[tuple[int, int]]()
    for _ in WORKFLOWS["tools"]:
        [workflow] = stage.claim(100)
        with statements(stage.parts.db) as counted:
            await advance(stage.parts.context, workflow, asyncio.Event())
        found.append(counted.seen)
        [step] = stage.claim(100)
        await advance(stage.parts.context, step, asyncio.Event())
    return found


def test_a_late_step_costs_as_many_statements_as_an_early_one(moves: list[tuple[int, int]]):
    assert moves[2] == moves[-1]


def test_the_next_step_starts_in_one_commit_of_few_statements(moves: list[tuple[int, int]]):
    sent, commits = moves[-1]
    assert commits == 1
    assert sent <= MOST_STATEMENTS


def test_taking_in_many_workflows_costs_as_many_statements_as_taking_in_few(last_move: Callable[[int], int]):
    assert last_move(12) == last_move(3)


def test_what_is_left_to_spend_costs_as_many_statements_however_many_spend_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(providers, "model_for", providers.model_for)
    many = {"id": "many", "tool": "pass_on", "each": {"path": "list", "max_parallel": 20}, "input": {}}
    sent = dict[int, int]()
    with workflow_stage(Place("sqlite", tmp_path)) as stage:
        db, made = stage.parts.db, read_workflow({"slug": "many", "name": "Many", "steps": [many]})
        db.write(lambda s: workflows.create(s, stage.actor, made, draft=False))
        for items in (2, 12):
            given = RunIn.model_validate(
                {"workflow": "many", "input": {"list": list(range(items))}, "limits": {"max_cost_credits": 5}}
            )
            run_id = db.write(lambda s, given=given: start(s, stage.actor, given).id)
            [claim] = [each for each in stage.claim(100) if each.run_id == run_id]
            asyncio.run(advance(stage.parts.context, claim, asyncio.Event()))
            below = db.read(lambda s, top=run_id: s.scalars(select(Run).where(Run.parent_id == top)).all())
            assert len(below) == items
            with statements(db) as counted:
                assert db.read(lambda s, one=below[0]: credits_left_above(s, one)) == 5
            sent[items] = counted.sent
    assert sent[12] == sent[2]


def test_what_steps_were_given_before_is_read_at_once_however_many_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(providers, "model_for", providers.model_for)
    given = {"chain": {"const": "c"}, "number": {"const": 1}}
    steps = [{"id": f"s{each}", "tool": "pass_on", "input": given, "needs": []} for each in range(5)]
    with workflow_stage(Place("sqlite", tmp_path)) as stage:
        db, made = stage.parts.db, read_workflow({"slug": "wide", "name": "Wide", "steps": steps})
        db.write(lambda s: workflows.create(s, stage.actor, made, draft=False))
        run_id = db.write(lambda s: start(s, stage.actor, RunIn(workflow="wide", input={})).id)
        [claim] = stage.claim(100)
        with statements(db) as counted:
            asyncio.run(advance(stage.parts.context, claim, asyncio.Event()))
        below = db.read(lambda s: s.scalars(select(Run.id).where(Run.parent_id == run_id)).all())
    assert len(below) == len(steps)
    assert len([text for text in counted.texts if "run_steps.input" in text]) == 1


def test_a_list_of_runs_leaves_the_data_of_their_steps_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(providers, "model_for", providers.model_for)
    with workflow_stage(Place("sqlite", tmp_path)) as stage:
        db = stage.parts.db
        db.write(lambda s: start(s, stage.actor, RunIn(workflow="tools", input={"chain": "c0"})))
        with statements(db) as counted:
            [shown] = db.read(lambda s: runs.show_all(s, list(s.scalars(runs.runs(stage.actor)))))
    assert len(shown.steps or []) == len(WORKFLOWS["tools"])
    assert not [text for text in counted.texts if "run_steps.output" in text or "run_steps.input" in text]


def test_what_is_looked_up_at_each_move_and_in_each_list_goes_through_no_whole_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(providers, "model_for", providers.model_for)
    with workflow_stage(Place("sqlite", tmp_path)) as stage:
        db, asked = stage.parts.db, list[tuple[str, Any]]()
        run_id = db.write(lambda s: start(s, stage.actor, RunIn(workflow="tools", input={"chain": "c0"})).id)
        event.listen(db.reader, "before_cursor_execute", lambda *given: asked.append((given[2], given[3])))

        def look(session: Session) -> None:
            run = session.get_one(Run, run_id)
            waits_for_people(session, run)
            time_of_people(session, run, now())
            step_summaries(session, [run])

        def plan(session: Session) -> list[str]:
            plans = [
                session.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", given) for sql, given in asked[1:]
            ]
            return [str(row[-1]) for each in plans for row in each]

        db.read(look)
        steps = db.read(plan)
    assert [each for each in steps if "SEARCH audit" in each or "SEARCH asks" in each]
    by_all = ("SCAN asks", "SCAN audit", "SEARCH audit USING INDEX sqlite_autoindex_audit_1 (workspace_id=?)")
    assert not [each for each in steps if each.startswith(by_all)]
