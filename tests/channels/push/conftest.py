"""A house as it is delivered, whose members have browsers, with a push service on loopback."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from signoff.kit.ids import new_id
from tests.channels.push.push_service import Browser, PushService, push_service
from tests.fresh import fresh_database, settings_for
from tests.house import House
from tests.wire import Model, ModelServer


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[House]:
    """Members reach nothing inside our network."""
    folder, model = tmp_path_factory.mktemp("house"), Model()
    server = ModelServer(model)
    with fresh_database("sqlite", folder, request) as url, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", model.url)
        settings = settings_for(url, folder).model_copy(update={"allow_private_addresses": False})
        with House(settings, model) as house:
            yield house
    server.close()


@pytest.fixture
def service() -> Iterator[PushService]:
    with push_service() as service:
        yield service


@pytest.fixture
def person(house: House) -> Iterator[Callable[..., httpx.Client]]:
    """A new member with the given role, and a token of their own."""
    met: list[httpx.Client] = []

    def meet(role: str = "approver", **fields: Any) -> httpx.Client:
        met.append(house.member(role, **fields))
        return met[-1]

    yield meet
    for client in met:
        client.close()


@pytest.fixture
def subscribed(house: House, person: Callable[..., httpx.Client]) -> Iterator[Callable[[Browser], httpx.Client]]:
    """An approver with this browser, in a house where everybody may reach the push service. Then they leave."""
    settings, left = house.parts.settings, list[str]()
    settings.allow_private_addresses = True

    def subscribe(browser: Browser) -> httpx.Client:
        email = f"{new_id()}@example.org"
        left.append(email)
        client = person("approver", email=email)
        answer = client.post("/api/push/subscriptions", json=browser.subscription)
        assert answer.status_code == 201, answer.text
        return client

    yield subscribe
    settings.allow_private_addresses = False
    members = house.get("/api/members", limit=200)["items"]
    for each in members:
        if each["email"] in left:
            house.client.delete(f"/api/members/{each['id']}")
