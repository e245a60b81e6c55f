"""A waiting run costs a row."""

import asyncio
import gc

import pytest
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from signoff import main
from signoff.kit.actor import Actor
from signoff.kit.settings import Settings
from signoff.runs import actions
from signoff.runs.schemas import RunIn
from signoff.workspaces import queries as people
from signoff.workspaces.models import Member
from tests.house import House
from tests.wire import Model, call, says


@pytest.mark.timeout(300)
@pytest.mark.parametrize("number", [50, pytest.param(1_000, marks=pytest.mark.slow)])
def test_waiting_runs_hold_no_task_thread_or_connection(settings: Settings, model: Model, number: int) -> None:
    model.script("w", says("", call("write_file", {"path": "a", "content": "1"})))
    with House(settings, model) as house:
        house.agent("w", "openai-chat:w", "write_file")
        first = house.start("w")
        house.ask(first)
    parts = main.assemble(settings)

    def start_many(session: Session) -> None:
        member = session.scalar(select(Member).order_by(Member.id).limit(1))
        assert member is not None
        actor: Actor = people.actor_of(session, member, "test")
        for each in range(number - 1):
            actions.start(session, actor, RunIn(agent="w", task=f"task {each}"))

    async def park_all() -> tuple[int, int, int]:
        await parts.hub.start()
        await parts.engine.start()
        before = len(asyncio.all_tasks())
        await parts.db.awrite(start_many)
        while await parts.db.aread(_waiting) < number or parts.engine.live:  # noqa: ASYNC110 - looks from outside
            await asyncio.sleep(0.1)
        await asyncio.sleep(0.2)
        gc.collect()
        after = len(asyncio.all_tasks())
        connections = parts.db.writer.pool.checkedout() + parts.db.reader.pool.checkedout()
        await parts.engine.stop()
        await parts.hub.stop()
        return before, after, connections

    before, after, connections = asyncio.run(park_all())
    assert after <= before
    assert connections == 0
    assert parts.engine.live == 0
    held = parts.db.read(lambda s: s.execute(text("SELECT count(*) FROM runs WHERE owner IS NOT NULL")).scalar())
    assert held == 0
    parts.db.close()


def _waiting(session: Session) -> int:
    query = text("SELECT count(*) FROM runs WHERE status = 'waiting_approval'")
    return session.execute(query).scalar()
