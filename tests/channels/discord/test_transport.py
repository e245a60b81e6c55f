"""Discord at the other end of the wire: what is sent, what is changed later, and what its refusals say."""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from signoff.channels.discord.rest_api import DiscordSettings
from signoff.channels.discord.transport import DiscordTransport
from signoff.channels.port import ChannelError, NotVerified, OpenChannel, Recipient
from tests.channels.chats.receiver import Receiver, ReceiverServer
from tests.channels.chats.samples import MESSAGE
from tests.channels.discord.server import APPLICATION, KEY, PLACE, PUBLIC_KEY, TOKEN, buttons, discord_api, signed
from tests.ports import free_port

TRANSPORT = DiscordTransport()
ANA = Recipient("ana@example.org", "Ana", "member-1", account="42")


@pytest.fixture
def discord() -> Iterator[Receiver]:
    receiver = discord_api()
    server = ReceiverServer(receiver)
    yield receiver
    server.close()


def channel_to(url: str, token: str = TOKEN, **settings: Any) -> OpenChannel:
    given = {"channel_id": PLACE, "application_id": APPLICATION, "public_key": PUBLIC_KEY, "api_url": url, **settings}
    return OpenChannel("c1", "w1", "discord", "Discord", given, {"bot_token": token}, reaches_private=True)


def test_a_post_goes_to_the_channel_and_says_where_it_is(discord: Receiver) -> None:
    receipt = TRANSPORT.send(channel_to(discord.url), None, MESSAGE)
    (request,) = discord.requests
    assert (request.verb, request.path) == ("POST", f"/channels/{PLACE}/messages")
    assert request.headers["authorization"] == f"Bot {TOKEN}"
    assert request.headers["user-agent"].startswith("DiscordBot (")
    assert "Approve" in buttons(request.body)
    assert (len(request.body["nonce"]), request.body["enforce_nonce"]) == (25, True)
    assert receipt.remote["channel_id"] == PLACE
    assert receipt.remote["message_id"].isdecimal()


def test_a_message_to_a_member_goes_to_the_account_that_they_linked(discord: Receiver) -> None:
    receipt = TRANSPORT.send(channel_to(discord.url), ANA, MESSAGE)
    assert discord.bodies("/users/@me/channels") == [{"recipient_id": "42"}]
    assert discord.requests[1].path == "/channels/942/messages"
    assert (receipt.remote["channel_id"], receipt.target) == ("942", "ana@example.org")


def test_who_has_linked_nothing_cannot_be_reached_for_good(discord: Receiver) -> None:
    with pytest.raises(ChannelError, match="Ana has not linked their Discord account") as caught:
        TRANSPORT.send(channel_to(discord.url), replace(ANA, account=None), MESSAGE)
    assert caught.value.permanent
    assert not discord.requests


def test_a_change_takes_the_buttons_away(discord: Receiver) -> None:
    channel = channel_to(discord.url)
    remote = TRANSPORT.send(channel, None, MESSAGE).remote
    TRANSPORT.update(channel, remote, replace(MESSAGE, outcome="Approved by Ana"))
    changed = discord.requests[-1]
    assert (changed.verb, changed.path) == ("PATCH", f"/channels/{PLACE}/messages/{remote['message_id']}")
    assert changed.body["components"] == []
    assert "Approved by Ana" in changed.body["content"]
    assert "nonce" not in changed.body


REFUSALS = [
    ((401, {"message": "401: Unauthorized", "code": 0}), True, "Enter the bot's token again."),
    ((403, {"message": "Missing Access", "code": 50001}), True, "Invite the bot to the server"),
    ((403, {"message": "Cannot send messages to this user", "code": 50007}), True, "no direct messages"),
    ((400, {"message": "Invalid Form Body", "code": 50035, "errors": {"x": 1}}), True, 'Invalid Form Body {"x":1}'),
    ((404, {"message": "404: Not Found", "code": 0}), True, "404: Not Found (0)."),
    ((500, {"message": "500: Internal Server Error", "code": 0}), False, "Internal Server Error"),
    ((502, "bad gateway"), False, "is not Discord"),
    ((200, "<html>"), True, "is not Discord"),
    ((200, {"id": "../x"}), True, "is not Discord"),
]


@pytest.mark.parametrize(("reply", "permanent", "words"), REFUSALS)
def test_a_refusal_is_told_in_discords_own_words_with_what_to_do(
    discord: Receiver, reply: Any, permanent: bool, words: str
) -> None:
    discord.instead = [reply]
    with pytest.raises(ChannelError) as caught:
        TRANSPORT.send(channel_to(discord.url), None, MESSAGE)
    assert words in caught.value.detail
    assert caught.value.permanent == permanent
    assert TOKEN not in caught.value.detail


def test_too_many_say_when_to_try_again(discord: Receiver) -> None:
    discord.instead = [(429, {"message": "You are being rate limited.", "retry_after": 0.65, "global": False})]
    with pytest.raises(ChannelError) as caught:
        TRANSPORT.send(channel_to(discord.url), None, MESSAGE)
    assert (caught.value.permanent, caught.value.retry_after) == (False, 0.65)


@pytest.mark.parametrize("token", [TOKEN, "a token\nwith: lines", "ünïcode"])
def test_no_error_says_the_token(token: str) -> None:
    with pytest.raises(ChannelError) as caught:
        TRANSPORT.send(channel_to(f"http://127.0.0.1:{free_port()}", token), None, MESSAGE)
    assert token not in caught.value.detail


def test_a_signature_fits_its_body_key_and_time(discord: Receiver) -> None:
    channel, body = channel_to(discord.url), b'{"type": 1}'
    TRANSPORT.verify(channel, signed(body), body)
    good = signed(body)
    spoilt = [
        ({}, body),
        (good, body + b" "),
        (signed(body, Ed25519PrivateKey.generate()), body),
        (signed(body, at=time.time() - 301), body),
        (signed(body, at=time.time() + 400), body),
        (good | {"x-signature-timestamp": str(int(time.time()) - 1)}, body),
        (good | {"x-signature-timestamp": "soon"}, body),
        (good | {"x-signature-ed25519": "zz"}, body),
        (good | {"x-signature-ed25519": ""}, body),
        (good | {"x-signature-ed25519": "ab" * 63}, body),
    ]
    for headers, given in spoilt:
        with pytest.raises(NotVerified):
            TRANSPORT.verify(channel, headers, given)


def test_a_time_that_is_none_is_refused_though_it_is_signed(discord: Receiver) -> None:
    body = b"{}"
    for timestamp in ("soon", "9" * 400, "", "nan"):
        headers = {"x-signature-timestamp": timestamp, "x-signature-ed25519": KEY.sign(timestamp.encode() + body).hex()}
        with pytest.raises(NotVerified):
            TRANSPORT.verify(channel_to(discord.url), headers, body)


@pytest.mark.parametrize("field", ["channel_id", "application_id", "public_key"])
def test_what_is_no_id_or_key_is_refused(field: str) -> None:
    good = {"channel_id": "1", "application_id": 2, "public_key": PUBLIC_KEY}
    assert DiscordSettings.model_validate(good).application_id == "2"
    for wrong in ("", "1/../2", "x" * 64):
        with pytest.raises(ValueError, match=field):
            DiscordSettings.model_validate(good | {field: wrong})
