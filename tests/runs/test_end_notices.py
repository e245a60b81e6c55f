"""One end, one notice: written with it or not at all."""

import pytest
from sqlalchemy import select, update

from signoff.kit.actor import Actor, Role
from signoff.kit.db.database import Database
from signoff.notifications.models import Notification
from signoff.runs.ending import CANCELLED, COMPLETED, end
from signoff.runs.models import Run
from tests.runs.builders import Scene, scene_in

pytestmark = pytest.mark.parametrize("kind", ["sqlite"])


@pytest.fixture
def scene(db: Database) -> Scene:
    scene = scene_in(db)
    db.write(lambda s: s.execute(update(Run).values(created_by="ada@example.org")))
    return scene


def told(scene: Scene) -> list[str]:
    return scene.db.read(lambda s: list(s.scalars(select(Notification.kind).where(Notification.listed))))


def is_nobodys_child(scene: Scene) -> None:
    scene.db.write(lambda s: s.execute(update(Run).where(Run.id == scene.run_id).values(parent_id=None)))


def test_of_a_child_nobody_is_told(scene: Scene) -> None:
    scene.db.write(lambda s: end(s, scene.claim, s.get_one(Run, scene.run_id), COMPLETED))
    assert told(scene) == []


def test_a_worker_that_comes_second_tells_nothing(scene: Scene) -> None:
    is_nobodys_child(scene)
    other = Actor(scene.person.workspace_id, Role.ADMIN, "bob@example.org", user_id="bob")
    scene.db.write(lambda s: end(s, other, s.get_one(Run, scene.run_id), CANCELLED))
    scene.db.write(lambda s: end(s, scene.claim, s.get_one(Run, scene.run_id), COMPLETED))
    assert told(scene) == ["cancelled"]


def test_an_end_that_is_not_committed_tells_nothing_and_its_second_try_once(scene: Scene) -> None:
    is_nobodys_child(scene)

    def crashes(session: object) -> None:
        end(session, scene.claim, session.get_one(Run, scene.run_id), COMPLETED)  # type: ignore[attr-defined]
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        scene.db.write(crashes)
    assert told(scene) == []
    scene.db.write(lambda s: end(s, scene.claim, s.get_one(Run, scene.run_id), COMPLETED))
    assert told(scene) == ["completed"]
