"""Teams at the other end of the wire."""

from collections.abc import Iterator

import pytest

from signoff.channels.port import ChannelError, NotVerified, OpenChannel
from signoff.channels.teams.transport import TeamsTransport
from tests.channels.slack.test_blocks import MESSAGE
from tests.channels.teams.receiver import KEY, Teams, TeamsServer, signed, written

TRANSPORT = TeamsTransport()


@pytest.fixture
def teams() -> Iterator[Teams]:
    teams = Teams()
    server = TeamsServer(teams)
    yield teams
    server.close()


def channel_to(teams: Teams, key: str = KEY) -> OpenChannel:
    settings = {"webhook_url": teams.url, "inbound": True}
    return OpenChannel("c1", "w1", "teams", "Teams", settings, {"hmac_secret": key}, reaches_private=True)


def test_a_card_goes_to_the_webhook(teams: Teams) -> None:
    TRANSPORT.send(channel_to(teams), None, MESSAGE)
    (card,) = teams.cards
    assert card["type"] == "AdaptiveCard"
    assert card["actions"][0]["url"] == MESSAGE.open_url


@pytest.mark.parametrize(
    ("status", "said", "permanent"),
    [
        (404, "gone", True),
        (429, "slow down", False),
        (502, "", False),
        (200, "Webhook message delivery failed with error: HTTP error 429", False),
    ],
)
def test_a_failure_is_told_without_the_address(teams: Teams, status: int, said: str, permanent: bool) -> None:
    teams.answer = (status, said)
    with pytest.raises(ChannelError) as caught:
        TRANSPORT.send(channel_to(teams), None, MESSAGE)
    assert said in caught.value.detail
    assert caught.value.permanent == permanent
    assert "a-secret-address" not in caught.value.detail


def test_a_signature_fits_its_body_and_secret(teams: Teams) -> None:
    body = written("approve 1a2b3c4d")
    TRANSPORT.verify(channel_to(teams), signed(body), body)
    other = "b3RoZXI="
    for channel, headers, given in [
        (channel_to(teams), {}, body),
        (channel_to(teams), signed(body), body + b" "),
        (channel_to(teams), signed(body, other), body),
        (channel_to(teams), {"authorization": "HMAC é"}, body),
        (channel_to(teams, "not base64!"), signed(body), body),
        (channel_to(teams, ""), {"authorization": "HMAC " + "A" * 44}, body),
    ]:
        with pytest.raises(NotVerified):
            TRANSPORT.verify(channel, headers, given)
