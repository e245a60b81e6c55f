"""Most of these tests are about bytes alone: they need no house. The one that does says so."""

import pytest


@pytest.fixture(scope="module", autouse=True)
def mailbox() -> None:
    """None."""


@pytest.fixture(autouse=True)
def only_this_tests_people_and_channels() -> None:
    """Nobody comes."""
