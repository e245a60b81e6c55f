"""Telegram at the other end of the wire: what is sent, what is changed later, and what its refusals say."""

import traceback
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from signoff.channels.port import ChannelError, NotVerified, OpenChannel, Recipient
from signoff.channels.telegram.bot_api import TelegramSettings
from signoff.channels.telegram.transport import TelegramTransport
from tests.channels.chats.receiver import Receiver, ReceiverServer
from tests.channels.chats.samples import MESSAGE
from tests.channels.telegram.bot import GROUP, SECRET, TOKEN, bot_api, buttons, refusal
from tests.ports import free_port

TRANSPORT = TelegramTransport()
ANA = Recipient("ana@example.org", "Ana", "member-1", account="42")


@pytest.fixture
def telegram() -> Iterator[Receiver]:
    receiver = bot_api()
    server = ReceiverServer(receiver)
    yield receiver
    server.close()


def channel_to(url: str, token: str = TOKEN, **settings: Any) -> OpenChannel:
    given = {"chat_id": GROUP, "api_url": url, **settings}
    secrets = {"bot_token": token, "webhook_secret": SECRET}
    return OpenChannel("c1", "w1", "telegram", "Telegram", given, secrets, reaches_private=True)


def test_a_post_goes_to_the_chat_and_says_where_it_is(telegram: Receiver) -> None:
    receipt = TRANSPORT.send(channel_to(telegram.url), None, MESSAGE)
    (request,) = telegram.requests
    assert (request.path, request.body["chat_id"]) == (f"/bot{TOKEN}/sendMessage", str(GROUP))
    assert (request.body["parse_mode"], request.body["link_preview_options"]) == ("HTML", {"is_disabled": True})
    assert list(buttons(request.body)) == ["Approve", "Deny", "Open"]
    assert receipt.remote["chat_id"] == GROUP
    assert isinstance(receipt.remote["message_id"], int)


def test_a_message_to_a_member_goes_to_the_account_that_they_linked(telegram: Receiver) -> None:
    receipt = TRANSPORT.send(channel_to(telegram.url), ANA, MESSAGE)
    assert telegram.requests[0].body["chat_id"] == "42"
    assert receipt.target == "ana@example.org"


def test_who_has_linked_nothing_cannot_be_reached_for_good(telegram: Receiver) -> None:
    with pytest.raises(ChannelError, match="Ana has not linked their Telegram account") as caught:
        TRANSPORT.send(channel_to(telegram.url), replace(ANA, account=None), MESSAGE)
    assert caught.value.permanent
    assert not telegram.requests


def test_without_a_chat_nothing_is_posted(telegram: Receiver) -> None:
    with pytest.raises(ChannelError, match="no chat that many read"):
        TRANSPORT.send(channel_to(telegram.url, chat_id=None), None, MESSAGE)


def test_a_change_takes_the_buttons_away(telegram: Receiver) -> None:
    channel = channel_to(telegram.url)
    remote = TRANSPORT.send(channel, None, MESSAGE).remote
    TRANSPORT.update(channel, remote, replace(MESSAGE, outcome="Approved by Ana"))
    (changed,) = telegram.bodies("editMessageText")
    assert (changed["chat_id"], changed["message_id"]) == (remote["chat_id"], remote["message_id"])
    assert "Approved by Ana" in changed["text"]
    assert "reply_markup" not in changed


def test_a_change_that_was_made_before_is_made(telegram: Receiver) -> None:
    telegram.instead = [refusal(400, "Bad Request: message is not modified: specified new message content …")]
    TRANSPORT.update(channel_to(telegram.url), {"chat_id": 1, "message_id": 2}, MESSAGE)
    telegram.instead = [refusal(400, "Bad Request: message to edit not found")]
    with pytest.raises(ChannelError, match="message to edit not found"):
        TRANSPORT.update(channel_to(telegram.url), {"chat_id": 1, "message_id": 2}, MESSAGE)


REFUSALS = [
    (refusal(400, "Bad Request: chat not found"), True, "Check the chat id"),
    (refusal(403, "Forbidden: bot was blocked by the user"), True, "start the bot in Telegram again"),
    (refusal(401, "Unauthorized"), True, "token that BotFather gave you"),
    (refusal(404, "Not Found"), True, "token that BotFather gave you"),
    (refusal(400, "Bad Request: x", migrate_to_chat_id=-100), True, "new id: -100"),
    (refusal(500, "Internal Server Error"), False, "Internal Server Error"),
    (refusal(400, "Bad Request: something new"), True, "something new"),
]


@pytest.mark.parametrize(("reply", "permanent", "words"), REFUSALS)
def test_a_refusal_is_told_in_telegrams_own_words_with_what_to_do(
    telegram: Receiver, reply: Any, permanent: bool, words: str
) -> None:
    telegram.instead = [reply]
    with pytest.raises(ChannelError) as caught:
        TRANSPORT.send(channel_to(telegram.url), None, MESSAGE)
    assert f"Telegram answered {reply[0]} to sendMessage" in caught.value.detail
    assert (caught.value.permanent, words in caught.value.detail) == (permanent, True)


def test_too_many_say_when_to_try_again(telegram: Receiver) -> None:
    telegram.instead = [refusal(429, "Too Many Requests: retry after 17", retry_after=17)]
    with pytest.raises(ChannelError) as caught:
        TRANSPORT.send(channel_to(telegram.url), None, MESSAGE)
    assert (caught.value.permanent, caught.value.retry_after) == (False, 17.0)


def test_what_is_not_telegram_is_said_to_be_none(telegram: Receiver) -> None:
    for reply in ((200, "<html>"), (502, "bad gateway"), (200, {"ok": True, "result": {}}), (200, {"ok": True})):
        telegram.instead = [reply]
        with pytest.raises(ChannelError, match="is not Telegram") as caught:
            TRANSPORT.send(channel_to(telegram.url), None, MESSAGE)
        assert caught.value.permanent == (reply[0] == 200)


AWKWARD = [TOKEN, "123:with a space/../and?more#of it", "no colon", "123:ünïcode\nline", "1:%2F%2e"]


@pytest.mark.parametrize("token", AWKWARD)
def test_no_error_says_the_token(telegram: Receiver, token: str) -> None:
    nowhere = f"http://127.0.0.1:{free_port()}"
    telegram.instead = [refusal(400, f"you asked for /bot{token}/sendMessage"), (400, f"no JSON: {token}")]
    for url in (telegram.url, telegram.url, nowhere, "http://not a host", "https://no.such.host.invalid"):
        with pytest.raises(ChannelError) as caught:
            TRANSPORT.send(
                replace(channel_to(nowhere, token), settings={"api_url": url, "chat_id": "1"}), None, MESSAGE
            )
        told = "".join(traceback.format_exception(caught.value))
        for part in (token, token.partition(":")[2] or token):
            assert part not in caught.value.detail
            assert part not in told


def test_the_secret_token_must_fit(telegram: Receiver) -> None:
    channel = channel_to(telegram.url)
    TRANSPORT.verify(channel, {"x-telegram-bot-api-secret-token": SECRET}, b"{}")
    empty = replace(channel, secrets={"bot_token": TOKEN})
    wrong = [(channel, {}), (channel, {"x-telegram-bot-api-secret-token": "é"}), (empty, {})]
    for each, headers in [*wrong, (empty, {"x-telegram-bot-api-secret-token": ""})]:
        with pytest.raises(NotVerified):
            TRANSPORT.verify(each, headers, b"{}")


@pytest.mark.parametrize("chat_id", ["-100123", "@approvals", 42, None])
def test_a_chat_is_named_by_its_id_or_name(chat_id: Any) -> None:
    assert TelegramSettings.model_validate({"chat_id": chat_id}).chat_id == (str(chat_id) if chat_id else None)


@pytest.mark.parametrize("chat_id", ["approvals", "https://t.me/x", "", "1; 2"])
def test_what_names_no_chat_is_refused(chat_id: str) -> None:
    with pytest.raises(ValueError, match="chat_id"):
        TelegramSettings.model_validate({"chat_id": chat_id})
