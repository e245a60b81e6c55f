"""What an engine is. Whoever drives runs does so through this, and both ends call the same `advance`."""

from collections.abc import Collection
from typing import Protocol

from signoff.kit.db.database import Commit, Listener


class Engine(Protocol):
    """Sees to it that every ready run is worked on by exactly one worker."""

    @property
    def live(self) -> int:
        """How many runs are in this process's hands."""
        ...

    @property
    def healthy(self) -> bool:
        """Whether ready runs are being taken up."""
        ...

    async def start(self) -> None:
        """Begin with what is ready; runs of a worker that died come first."""
        ...

    async def stop(self) -> None:
        """Finish the calls under way, drop model requests, release everything."""
        ...

    def ready(self, run_ids: Collection[str]) -> None:
        """These runs may go on. Called after the commit, by whichever thread made it; must not block or raise."""
        ...

    def halted(self, run_ids: Collection[str]) -> None:
        """People paused or ended these runs: a model call under way need not go on. Called like `ready`."""
        ...

    def look_around(self) -> None:
        """Another process wrote, and nothing more is known. Called like `ready`."""
        ...

    async def claim(self, run_id: str) -> bool:
        """Work on this run, if it is ready and nobody else does."""
        ...


def listener_for(engine: Engine) -> Listener:
    """For the database's listeners: a commit carries the runs it woke to the engine."""

    def heard(commit: Commit) -> None:
        engine.ready(commit.woken_runs)
        engine.halted(commit.halted_runs)
        if commit.from_elsewhere:
            engine.look_around()

    return heard
