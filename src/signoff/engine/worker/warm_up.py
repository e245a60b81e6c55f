"""Once the server is ready: what the first model call needs, loaded before somebody waits for it."""

import asyncio
import logging

from signoff.catalog import queries as catalog
from signoff.engine.context import EngineContext

log = logging.getLogger(__name__)

# Whoever waited for the server to be ready is served first.
PAUSE_SECONDS = 0.2
TASK = "signoff-warm-up"


class WarmUp:
    def __init__(self, engine: EngineContext) -> None:
        self._engine = engine
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name=TASK)

    async def stop(self) -> None:
        """Begin nothing more; a module that is being imported is imported to its end."""
        if self._task:
            self._engine.models.hurry()
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _run(self) -> None:
        await asyncio.sleep(PAUSE_SECONDS)
        try:
            await self._engine.models.warm_up(await self._engine.db.aread(catalog.one_model_per_provider))
        except Exception:
            # The first run will meet the same trouble, and says it to somebody.
            log.debug("could not load the models beforehand", exc_info=True)
