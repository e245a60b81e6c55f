"""One house per module and database, so that many small promises share one start."""

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from signoff.kit.settings import Settings
from tests.contract.scenes import Abroad, abroad_of
from tests.fresh import fresh_database, settings_for
from tests.house import House
from tests.wire import Model, ModelServer


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    """A module that needs one database only replaces this."""
    return request.param


@pytest.fixture(scope="module")
def folder(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("house")


@pytest.fixture(scope="module")
def database_url(kind: str, folder: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    with fresh_database(kind, folder, request) as url:
        yield url


@pytest.fixture(scope="module")
def model() -> Iterator[Model]:
    model = Model()
    server = ModelServer(model)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", model.url)
        yield model
    server.close()


@pytest.fixture(scope="module")
def settings(database_url: str, folder: Path) -> Settings:
    return settings_for(database_url, folder)


@pytest.fixture(scope="module")
def house(settings: Settings, model: Model) -> Iterator[House]:
    with House(settings, model) as house:
        yield house


@pytest.fixture(scope="module")
def abroad(house: House) -> Iterator[Abroad]:
    """A second workspace in the same house, with something of everything."""
    abroad = abroad_of(house)
    yield abroad
    abroad.client.close()


@pytest.fixture
def person(house: House) -> Iterator[Callable[[str], httpx.Client]]:
    """A new member with the given role."""
    met: list[httpx.Client] = []

    def meet(role: str) -> httpx.Client:
        met.append(house.member(role))
        return met[-1]

    yield meet
    for client in met:
        client.close()


def _by_role(role: str) -> object:
    @pytest.fixture(scope="module", name=role)
    def one(house: House) -> Iterator[httpx.Client]:
        with house.member(role) as client:
            yield client

    return one


viewer, member, approver = _by_role("viewer"), _by_role("member"), _by_role("approver")
