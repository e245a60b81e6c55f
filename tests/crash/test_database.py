"""The database goes away for a moment: no run is failed for it, and none is forgotten."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from tests.crash.scene import STORY, Scene
from tests.house import until


@pytest.mark.parametrize("kind", ["postgresql"])
def test_a_run_whose_step_met_a_dead_database_goes_on_later(scene: Scene, postgres_server: str) -> None:
    # One run keeps the worker and its lease thread busy all the while; the other is in its model call.
    claimed = scene.story()
    worker = scene.life("charging", fate="hang", lease=1.0)
    worker.said("hangs at charging")
    answering = threading.Event()

    def answer(_request: dict[str, Any]) -> dict[str, Any]:
        answering.wait()
        return STORY[-1]

    scene.agent("slow")
    scene.model.play("slow", answer)
    run = scene.start("slow")
    until(lambda: scene.model.asked("slow"))
    with unreachable(scene, postgres_server):
        answering.set()
        worker.said(f"run {run} is released")
    scene.right(run)
    assert scene.charged == []
    worker.go_on()
    scene.right(claimed)
    assert scene.charged == ["c"]


@contextmanager
def unreachable(scene: Scene, server: str) -> Iterator[None]:
    """Every connection is cut and no new one is let in."""
    name = scene.db.url.database
    scene.db.writer.dispose()
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        connection.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", [name])
        yield
        connection.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
