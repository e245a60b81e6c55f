"""One worker process with the bench's model: `python -m bench.worker FOLDER DATABASE_URL RUNS_AT_ONCE`."""

import asyncio
import sys
from pathlib import Path

import uvloop

from bench.stage import TOKEN, Timeline, assemble
from signoff.kit.settings import Settings


async def work(folder: str, database_url: str, at_once: str) -> None:
    """Work until our input ends. Says so when the first step is stored: by then everything is imported."""
    settings = Settings(data=Path(folder), database_url=database_url, token=TOKEN, max_live_runs=int(at_once))
    timeline = Timeline()
    parts = assemble(settings, timeline)
    await parts.hub.start()
    await parts.engine.start()
    await timeline.parked.wait()
    print("at work", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await parts.engine.stop()
    await parts.hub.stop()
    parts.db.close()


if __name__ == "__main__":
    uvloop.run(work(*sys.argv[1:]))
