"""For tests of one channel: no mail server, nobody who leaves after each test, and one database."""

import pytest


@pytest.fixture(scope="module")
def kind() -> str:
    """What comes through a channel is the same on both."""
    return "sqlite"


@pytest.fixture(scope="module", autouse=True)
def mailbox() -> None:
    """There is none."""


@pytest.fixture(autouse=True)
def only_this_tests_people_and_channels() -> None:
    """Everybody stays: they are told of nothing, since there is no mail."""
