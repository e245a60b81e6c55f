"""What connections lead to, on this machine."""

from collections.abc import Iterator

import pytest

from tests.channels.mailbox import Mailbox
from tests.channels.slack.receiver import Slack, SlackServer
from tests.tools.web.conftest import site  # noqa: F401


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    mailbox = Mailbox()
    yield mailbox
    mailbox.close()


@pytest.fixture
def slack() -> Iterator[Slack]:
    slack = Slack()
    server = SlackServer(slack)
    yield slack
    server.close()
