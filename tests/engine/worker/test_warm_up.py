"""What is loaded before the server is ready, and what after it."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from signoff import main
from signoff.catalog import queries as catalog
from signoff.engine.model.pool import ModelPool
from signoff.engine.worker.warm_up import TASK as WARM_UP
from signoff.engine.worker.warm_up import WarmUp
from signoff.kit.settings import Settings

LATER = ("pydantic_ai", "openai", "anthropic", "genai_prices", "psycopg", "alembic", "httpx", "rich")
DEMO = "demo:competitive-analysis"


def test_what_only_some_need_is_not_loaded_before_the_server_is_ready(tmp_path: Path):
    # The second start: at the first, the database has to be made.
    first = main.assemble(Settings(data=tmp_path, demo=False))
    main.prepare(first)
    first.db.close()
    starting = (
        "import sys; from signoff import main; from signoff.kit.settings import Settings\n"
        f"parts = main.assemble(Settings(data={str(tmp_path)!r}, demo=False)); main.prepare(parts)\n"
        f"main.application(parts); print(*sys.modules.keys() & set({LATER!r}))"
    )
    started = subprocess.run([sys.executable, "-c", starting], capture_output=True, check=True)
    assert started.stdout.split() == []


def test_a_warm_pool_hands_out_what_it_opened_and_leaves_the_interpreter_as_it_was():
    before = (sys.getswitchinterval(), list(sys.meta_path))

    async def use() -> bool:
        pool = ModelPool()
        await pool.warm_up([DEMO])
        assert (sys.getswitchinterval(), list(sys.meta_path)) == before
        opened = set(pool.opened)
        await pool.get(DEMO)
        found = opened == set(pool.opened) == {DEMO}
        await pool.close()
        return found

    assert asyncio.run(use())


def test_models_that_cannot_be_used_do_not_keep_others_cold(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)

    async def warm() -> list[str]:
        pool = ModelPool()
        await pool.warm_up(["openai:gpt", "nobody:knows", DEMO])
        found = pool.opened
        await pool.close()
        return found

    assert asyncio.run(warm()) == [DEMO]


def test_of_each_provider_that_agents_name_one_model_is_warmed_up(tmp_path: Path):
    parts = main.assemble(Settings(data=tmp_path))
    main.prepare(parts)
    assert [name.partition(":")[0] for name in parts.db.read(catalog.one_model_per_provider)] == ["demo"]
    parts.db.close()


def test_warming_up_ends_with_the_server(tmp_path: Path):
    parts = main.assemble(Settings(data=tmp_path))

    async def begin_and_stop() -> set[str]:
        warm_up = WarmUp(parts.context)
        await warm_up.stop()
        warm_up.start()
        await asyncio.sleep(0)
        await asyncio.wait_for(warm_up.stop(), 10)
        return {task.get_name() for task in asyncio.all_tasks()}

    assert WARM_UP not in asyncio.run(begin_and_stop())
    parts.db.close()
