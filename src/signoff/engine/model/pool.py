"""Models in use: opened when first needed, kept with their connections, closed with the engine."""

import asyncio
import gc
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

from signoff.engine.model.errors import ModelProblem
from signoff.engine.model.slow_imports import SlowImports

if TYPE_CHECKING:
    from pydantic_ai.models import Model

LIBRARY = ("signoff.engine.model.providers", "signoff.engine.model.client")


class ModelPool:
    def __init__(self) -> None:
        self._models: dict[tuple[str | None, ...], Model] = {}
        # By address; a provider's client with its certificates takes longer to make than the rest of a first call.
        self._providers: dict[tuple[str | None, ...], dict[str, Any]] = {}
        self._lock = asyncio.Lock()
        self._imports = SlowImports()

    @property
    def opened(self) -> list[str]:
        """The names of the models that are in use."""
        return [str(name) for name, *_ in self._models]

    async def get(self, name: str) -> "Model":
        """The model with this name; the same object while its address stays the same."""
        self.hurry()
        return await self._get(name)

    def hurry(self) -> None:
        """Somebody waits: what is loaded in the background gives way no longer."""
        self._imports.hurry()

    async def warm_up(self, names: Iterable[str]) -> None:
        """Import the library and open these models while nobody waits for them; what cannot be used is passed over."""
        with self._imports.slowly():
            async with self._lock:
                await _import_library()
            for name in names:
                with suppress(ModelProblem):
                    await self._get(name)
        # All of it stays; without this every full collection would look through it again.
        gc.freeze()

    async def _get(self, name: str) -> "Model":
        addresses = (os.environ.get("OPENAI_BASE_URL"), os.environ.get("OLLAMA_BASE_URL"))
        place = (name, *addresses)
        if place in self._models:
            return self._models[place]
        # One at a time: two threads that import the same modules in another order may see each other's halves.
        async with self._lock:
            await _import_library()
            from signoff.engine.model import providers

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


async def _import_library() -> None:
    """The library takes a second or more to import: only a run that thinks needs it, and never on the loop."""
    for module in LIBRARY:
        if module not in sys.modules:
            await asyncio.to_thread(import_module, module)
