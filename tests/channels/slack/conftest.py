"""One office for the tests of a module."""

from collections.abc import Iterator

import pytest

from tests.channels.alone import kind, mailbox, only_this_tests_people_and_channels  # noqa: F401
from tests.channels.slack.office import Office
from tests.channels.slack.receiver import SECRET, TOKEN, Slack, SlackServer
from tests.house import House


@pytest.fixture(scope="module")
def office(house: House) -> Iterator[Office]:
    slack = Slack()
    server = SlackServer(slack)
    settings = {"channel": "#approvals", "api_url": slack.url}
    secrets = {"bot_token": TOKEN, "signing_secret": SECRET}
    body = {"kind": "slack", "name": "Slack", "settings": settings, "secrets": secrets}
    yield Office(house, slack, house.post("/api/channels", body, 201))
    server.close()
