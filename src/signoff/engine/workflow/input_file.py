"""A large input as a file of the run's folder. Whoever works on the run writes it: what started the run may have been
another machine."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.runs.large_values import INPUT_FILE
from signoff.runs.workflow.values import input_of


@asynccontextmanager
async def input_laid_out(engine: EngineContext, claimed: ClaimedRun) -> AsyncGenerator[None]:
    """The file is there when this is left: no tool runs before that, and the model is asked meanwhile."""
    run = claimed.run
    # Once a reply is stored, the file is the agent's.
    if "input" not in run.apart or run.iterations:
        yield
        return
    writing = asyncio.create_task(_write(engine, run.id))
    try:
        yield
    finally:
        await asyncio.shield(writing)


async def _write(engine: EngineContext, run_id: str) -> None:
    text = await engine.db.aread(lambda s: input_of(s, run_id))
    await asyncio.to_thread(_write_whole, engine.settings.runs_folder / run_id / INPUT_FILE, text)


def _write_whole(place: Path, text: str) -> None:
    """Nobody ever sees half of it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_name(f".{place.name}.part")
    part.write_bytes(text.encode())
    part.replace(place)
