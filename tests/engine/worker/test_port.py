"""A commit carries the ids of the runs it woke to whatever engine there is."""

from collections.abc import Collection

import pytest

from signoff.claims.actions import wake
from signoff.engine.worker.port import Engine, listener_for
from signoff.kit import clock
from signoff.kit.db.database import Commit, Database
from tests.runs.rows import add_run


@pytest.fixture
def kind() -> str:
    return "sqlite"


class ListeningEngine:
    """An engine that only listens."""

    live, healthy = 0, True

    def __init__(self) -> None:
        self.heard: list[tuple[str, set[str]]] = []

    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    async def claim(self, run_id: str) -> bool:
        return False

    def ready(self, run_ids: Collection[str]) -> None:
        self.heard.append(("ready", set(run_ids)))

    def halted(self, run_ids: Collection[str]) -> None:
        if run_ids:
            self.heard.append(("halted", set(run_ids)))

    def look_around(self) -> None:
        self.heard.append(("look around", set()))


def test_an_engine_hears_which_runs_are_ready_after_the_commit(db: Database) -> None:
    engine = ListeningEngine()
    as_port: Engine = engine
    db.write(lambda session: [add_run(session, name) for name in "ab"])
    db.listeners.append(listener_for(as_port))
    db.write(lambda session: [wake(session, name, clock.now()) for name in "ab"])
    assert engine.heard == [("ready", {"a", "b"})]
    db.announce(Commit(halted_runs={"a"}, from_elsewhere=True))
    assert engine.heard[1:] == [("ready", set()), ("halted", {"a"}), ("look around", set())]
