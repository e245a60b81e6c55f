"""Rows that prepared statements load or insert are the session's own, as if the ORM had done it."""

import pytest
from sqlalchemy.orm import Session

from signoff.kit.db.database import Database
from signoff.kit.db.prepared import Getter
from signoff.runs.models import Run
from tests.runs.builders import Scene, scene_in

get_run = Getter(Run)


@pytest.fixture
def scene(db: Database) -> Scene:
    return scene_in(db)


def test_what_is_changed_in_a_row_is_written(scene: Scene) -> None:
    def change(session: Session) -> None:
        run = get_run(session, scene.run_id)
        assert run is not None
        run.title = "another"

    scene.db.write(change)
    assert scene.run().title == "another"


def test_a_session_has_one_object_for_a_row(scene: Scene) -> None:
    def twice(session: Session) -> bool:
        return get_run(session, scene.run_id) is session.get(Run, scene.run_id) is get_run(session, scene.run_id)

    assert scene.db.write(twice)
    assert scene.db.read(twice)


def test_a_row_that_is_not_there_is_none(scene: Scene) -> None:
    assert scene.db.read(lambda s: get_run(s, "nobody")) is None
