"""What every run needs from the outside."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from signoff.engine.model.pool import ModelPool
from signoff.files.stores import FileStore
from signoff.kit.db.database import Database
from signoff.kit.db.live_events import Hub
from signoff.kit.settings import Settings
from signoff.tools.connections.available import ConnectionTools
from signoff.tools.registry import Registry

CrashPoint: TypeAlias = Callable[[str], Coroutine[Any, Any, None]]


async def pass_by(_place: str) -> None:
    """The usual checkpoint: nothing happens there."""


@dataclass(frozen=True)
class EngineContext:
    """What every run needs from the outside."""

    db: Database
    settings: Settings
    registry: Registry
    store: FileStore
    hub: Hub
    connections: ConnectionTools
    # Called at named places of a turn; the crash tests die there.
    crash_point: CrashPoint = pass_by
    models: ModelPool = field(default_factory=ModelPool)
    # Calls that went on after they were given up on.
    watching: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
