"""Models in use: opened when first needed, kept with their connections, closed with the engine."""

import asyncio
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic_ai.models import Model


class ModelPool:
    def __init__(self) -> None:
        self._models: dict[tuple[str | None, ...], Model] = {}
        # By address; a provider's client with its certificates takes longer to make than the rest of a first call.
        self._providers: dict[tuple[str | None, ...], dict[str, Any]] = {}
        self._lock = asyncio.Lock()

    async def get(self, name: str) -> "Model":
        """The model with this name; the same object while its address stays the same."""
        # The library and its providers take seconds to import: only a run that thinks pays for them, off the loop.
        for module in ("signoff.engine.model.providers", "signoff.engine.model.client"):
            if module not in sys.modules:
                await asyncio.to_thread(import_module, module)
        from signoff.engine.model import providers

        addresses = (os.environ.get("OPENAI_BASE_URL"), os.environ.get("OLLAMA_BASE_URL"))
        place = (name, *addresses)
        async with self._lock:
            if place not in self._models:
                model = await asyncio.to_thread(providers.model_for, name, self._providers.setdefault(addresses, {}))
                await model.__aenter__()
                self._models[place] = model
            return self._models[place]

    async def close(self) -> None:
        for model in self._models.values():
            await model.__aexit__(None, None, None)
        self._models.clear()
        self._providers.clear()
