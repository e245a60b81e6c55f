from collections.abc import Iterator

import pytest

from signoff.kit.db.database import Database
from signoff.kit.settings import Settings
from tests.crash.ledger import Ledger
from tests.crash.scene import Scene
from tests.wire import Model


@pytest.fixture
def scene(db: Database, settings: Settings, model: Model) -> Iterator[Scene]:
    scene = Scene(db, settings, model)
    yield scene
    scene.close()


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    ledger = Ledger()
    yield ledger
    ledger.close()
