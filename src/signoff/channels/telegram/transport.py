"""Telegram: a message to a member or to a group, with buttons that decide."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

from pydantic import BaseModel

from signoff.channels.port import ChannelError, Message, NotVerified, OpenChannel, Receipt, Recipient
from signoff.channels.telegram.bot_api import TOKEN, WEBHOOK_SECRET, TelegramSettings, call
from signoff.channels.telegram.texts import keyboard, layout, text_of
from signoff.kit import crypto
from signoff.kit.jsons import JsonObject

SECRET_HEADER = "x-telegram-bot-api-secret-token"  # noqa: S105
# Telegram says so when a change was made before, by a try whose answer got lost.
UNCHANGED = "message is not modified"


class TelegramTransport:
    kind: ClassVar[str] = "telegram"
    settings_model: ClassVar[type[BaseModel]] = TelegramSettings
    secret_names: ClassVar[Mapping[str, bool]] = {TOKEN: True, WEBHOOK_SECRET: True}
    secret_settings: ClassVar[Sequence[str]] = ()
    sent_to: ClassVar[Mapping[str, Sequence[str]]] = {TOKEN: ("api_url",)}
    personal: ClassVar[bool] = True
    shared: ClassVar[bool] = True
    place_setting: ClassVar[str | None] = "chat_id"
    updates: ClassVar[bool] = True
    for_the_operator: ClassVar[bool] = False

    def send(self, channel: OpenChannel, to: Recipient | None, message: Message) -> Receipt:
        sent = call(channel, "sendMessage", chat_id=_chat(channel, to), **_content(message))
        number, chat = _place(sent)
        return Receipt({"chat_id": chat, "message_id": number}, to.email if to else None)

    def update(self, channel: OpenChannel, remote: JsonObject, message: Message) -> None:
        place = {"chat_id": remote.get("chat_id"), "message_id": remote.get("message_id")}
        try:
            call(channel, "editMessageText", **place, **_content(message))
        except ChannelError as error:
            if UNCHANGED not in error.detail:
                raise

    def verify(self, channel: OpenChannel, headers: Mapping[str, str], body: bytes) -> None:
        secret = channel.secrets.get(WEBHOOK_SECRET, "")
        if not secret or not crypto.same(headers.get(SECRET_HEADER, ""), secret):
            raise NotVerified("The secret token does not fit.")


def _content(message: Message) -> JsonObject:
    """Without a keyboard, one that was there goes away."""
    made = layout(message)
    rows = keyboard(message, made)
    # Telegram would fetch the first address that it finds.
    found: JsonObject = {"text": text_of(made), "parse_mode": "HTML", "link_preview_options": {"is_disabled": True}}
    return found | ({"reply_markup": {"inline_keyboard": rows}} if rows else {})


def _chat(channel: OpenChannel, to: Recipient | None) -> str:
    if to is not None:
        if to.account is None:
            raise ChannelError(f"{to.name} has not linked their Telegram account.", permanent=True)
        return to.account
    place = channel.settings_as(TelegramSettings).chat_id
    if place is None:
        raise ChannelError("This channel has no chat that many read: enter a chat id.", permanent=True)
    return place


def _place(sent: Any) -> tuple[int, int]:
    found = cast("JsonObject", sent) if isinstance(sent, dict) else {}
    chat = found.get("chat")
    number, place = found.get("message_id"), cast("JsonObject", chat).get("id") if isinstance(chat, dict) else None
    if not isinstance(number, int) or not isinstance(place, int):
        raise ChannelError("What answered is not Telegram: its answer names no message.", permanent=True)
    return number, place
