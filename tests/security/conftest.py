"""The houses of the contract tests: one per module and database."""

from collections.abc import Iterator

import pytest

from tests.contract.conftest import (  # noqa: F401
    abroad,
    approver,
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
from tests.security.callers import Door, door_of


@pytest.fixture(scope="module")
def door(house: House) -> Iterator[Door]:  # noqa: F811
    """Every way into the house."""
    with door_of(house) as door:
        yield door
