"""Who wants the same session comes one after the other."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

Key = tuple[str, str]


class Turns:
    """A lock for each key. It is there for as long as somebody holds it or waits for it, and no longer."""

    def __init__(self) -> None:
        self._locks: dict[Key, asyncio.Lock] = {}
        self._wanted = Counter[Key]()

    @asynccontextmanager
    async def of(self, key: Key) -> AsyncGenerator[None]:
        lock = self._locks.setdefault(key, asyncio.Lock())
        # A lock that was let go of seems free until the next one wakes up, so those who want it are counted.
        self._wanted[key] += 1
        try:
            async with lock:
                yield
        finally:
            self._wanted[key] -= 1
            if not self._wanted[key]:
                del self._wanted[key], self._locks[key]
