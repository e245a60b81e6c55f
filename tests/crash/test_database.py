"""The database goes away for a moment: no run is failed for it, and none is forgotten."""

import threading
from typing import Any

import psycopg
import pytest

from tests.crash.scene import STORY, Scene
from tests.house import until


@pytest.mark.parametrize("kind", ["postgresql"])
def test_a_run_whose_step_met_a_dead_database_goes_on_later(scene: Scene, database_url: str) -> None:
    held, answering = scene.story(), threading.Event()
    # One run keeps the worker busy all the while; the other is in its model call when the connections go.
    worker = scene.life("charging", fate="hang", lease=3.0)
    worker.said("hangs at charging")

    def answer(_request: dict[str, Any]) -> dict[str, Any]:
        answering.wait()
        return STORY[-1]

    scene.agent("slow")
    scene.model.play("slow", answer)
    run = scene.start("slow")
    until(lambda: scene.model.asked("slow"))
    drop_connections(scene, database_url)
    answering.set()
    scene.right(run)
    assert scene.charged == []
    worker.go_on()
    scene.right(held)
    assert scene.charged == ["c"]


def drop_connections(scene: Scene, database_url: str) -> None:
    scene.db.writer.dispose()
    with psycopg.connect(database_url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
