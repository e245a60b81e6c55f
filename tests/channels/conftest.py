"""One house per module and database, with a mail server beside it."""

from collections.abc import Iterator

import pytest

from tests.channels.mailbox import Mailbox
from tests.contract.conftest import (  # noqa: F401
    abroad,
    database_url,
    folder,
    house,
    kind,
    member,
    model,
    person,
    settings,
    viewer,
)
from tests.house import House


@pytest.fixture(scope="module", autouse=True)
def mailbox(house: House) -> Iterator[Mailbox]:  # noqa: F811
    """A mail server, and the channel that leads to it."""
    mailbox = Mailbox()
    house.post("/api/channels", {"kind": "email", "name": "Mail", "settings": mailbox.settings}, 201)
    yield mailbox
    mailbox.close()


@pytest.fixture(autouse=True)
def only_this_tests_people_and_channels(house: House) -> Iterator[None]:  # noqa: F811
    """Who comes in a test leaves after it: else everybody is told of everything that later tests do."""
    people, channels = _ids(house, "members"), _ids(house, "channels")
    yield
    for what, before in (("members", people), ("channels", channels)):
        for each in _ids(house, what) - before:
            house.client.delete(f"/api/{what}/{each}")


def _ids(house: House, what: str) -> set[str]:  # noqa: F811
    return {each["id"] for each in house.get(f"/api/{what}", limit=200)["items"]}
