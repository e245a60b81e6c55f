"""Slack at the other end of the wire: what is sent, what is changed later, and what its refusals say."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from signoff.channels.port import ChannelError, NotVerified, OpenChannel, Recipient
from signoff.channels.slack.transport import SlackTransport
from tests.channels.slack.receiver import SECRET, TOKEN, Slack, SlackServer, buttons, signed, words
from tests.channels.slack.test_blocks import MESSAGE

TRANSPORT = SlackTransport()
ANA = Recipient("ana@example.org", "Ana", "member-1")


@pytest.fixture
def slack() -> Iterator[Slack]:
    slack = Slack()
    server = SlackServer(slack)
    yield slack
    server.close()


def channel_to(slack: Slack, **settings: Any) -> OpenChannel:
    given = {"channel": "#approvals", "api_url": slack.url, **settings}
    secrets = {"bot_token": TOKEN, "signing_secret": SECRET}
    return OpenChannel("c1", "w1", "slack", "Slack", given, secrets, reaches_private=True)


def test_a_post_goes_to_the_channel_and_says_where_it_is(slack: Slack) -> None:
    receipt = TRANSPORT.send(channel_to(slack), None, MESSAGE)
    (sent,) = slack.of("chat.postMessage")
    assert (sent["channel"], receipt.target) == ("#approvals", "#approvals")
    assert receipt.remote == {"channel": "C-approvals", "ts": "1.01"}
    assert "approve" in buttons(sent["blocks"])
    assert (sent["unfurl_links"], sent["unfurl_media"]) == (False, False)
    assert slack.calls[0].authorization == f"Bearer {TOKEN}"


def test_a_direct_message_goes_to_whoever_has_the_address(slack: Slack) -> None:
    ana = slack.person("ana@example.org")
    receipt = TRANSPORT.send(channel_to(slack), ANA, MESSAGE)
    assert slack.of("conversations.open") == [{"users": ana}]
    assert slack.of("chat.postMessage")[0]["channel"] == f"D{ana}"
    assert (receipt.remote["channel"], receipt.target) == (f"D{ana}", "ana@example.org")


def test_a_change_takes_the_buttons_away(slack: Slack) -> None:
    channel = channel_to(slack)
    remote = TRANSPORT.send(channel, None, MESSAGE).remote
    TRANSPORT.update(channel, remote, replace(MESSAGE, outcome="Approved by Ana"))
    (changed,) = slack.of("chat.update")
    assert (changed["channel"], changed["ts"]) == ("C-approvals", "1.01")
    assert not buttons(changed["blocks"])
    assert "Approved by Ana" in words(changed["blocks"])


REFUSALS = [
    ("invalid_auth", True, "Bot User OAuth Token"),
    ("channel_not_found", True, "invite the app"),
    ("not_in_channel", True, "Invite the app to the channel"),
    ("a_new_one", True, ""),
    ("internal_error", False, ""),
]


@pytest.mark.parametrize(("error", "permanent", "hint"), REFUSALS)
def test_a_refusal_is_told_in_slacks_own_word_with_what_to_do(
    slack: Slack, error: str, permanent: bool, hint: str
) -> None:
    slack.refuse("chat.postMessage", error)
    with pytest.raises(ChannelError) as caught:
        TRANSPORT.send(channel_to(slack), None, MESSAGE)
    assert f"Slack answered {error} to chat.postMessage." in caught.value.detail
    assert (caught.value.permanent, hint in caught.value.detail) == (permanent, True)
    assert TOKEN not in caught.value.detail


def test_a_missing_scope_is_named(slack: Slack) -> None:
    slack.refuse("users.lookupByEmail", "missing_scope", needed="users:read.email")
    with pytest.raises(ChannelError, match=r"Add the scope users:read\.email"):
        TRANSPORT.send(channel_to(slack), ANA, MESSAGE)


def test_nobody_with_the_address_is_for_good(slack: Slack) -> None:
    with pytest.raises(ChannelError, match="users_not_found") as caught:
        TRANSPORT.send(channel_to(slack), ANA, MESSAGE)
    assert caught.value.permanent


def test_too_many_say_when_to_try_again(slack: Slack) -> None:
    slack.refuse("chat.postMessage", "ratelimited", 429, {"Retry-After": "17"})
    with pytest.raises(ChannelError, match="ratelimited") as caught:
        TRANSPORT.send(channel_to(slack), None, MESSAGE)
    assert (caught.value.permanent, caught.value.retry_after) == (False, 17.0)


def test_what_is_not_slack_is_said_to_be_none(slack: Slack) -> None:
    slack.instead["chat.postMessage"] = (200, "<html>", {})
    with pytest.raises(ChannelError, match="is not Slack"):
        TRANSPORT.send(channel_to(slack), None, MESSAGE)
    slack.instead.clear()
    slack.instead["users.lookupByEmail"] = (200, {"ok": True}, {})
    with pytest.raises(ChannelError, match="no id of a user"):
        TRANSPORT.send(channel_to(slack), ANA, MESSAGE)


def test_a_signature_fits_its_body_secret_and_time(slack: Slack) -> None:
    channel, body = channel_to(slack), b"payload=%7B%7D"
    TRANSPORT.verify(channel, signed(body), body)
    good = signed(body)
    spoilt = [
        ({}, body),
        (good, body + b"x"),
        (signed(body, "another secret"), body),
        (signed(body, at=1_000_000), body),
        (good | {"x-slack-request-timestamp": "soon"}, body),
        (good | {"x-slack-request-timestamp": "9" * 400}, body),
        (good | {"x-slack-signature": "v0=é"}, body),
        (good, b"\xff"),
    ]
    for headers, given in spoilt:
        with pytest.raises(NotVerified):
            TRANSPORT.verify(channel, headers, given)
