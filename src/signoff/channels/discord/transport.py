"""Discord: a post in a channel, or a direct message to a member, with buttons that decide."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from pydantic import BaseModel

from signoff.channels.discord.rest_api import TOKEN, DiscordSettings, call, id_in
from signoff.channels.discord.texts import content_of
from signoff.channels.port import ChannelError, Message, NotVerified, OpenChannel, Receipt, Recipient
from signoff.kit import clock
from signoff.kit.jsons import JsonObject

SIGNATURE, TIMESTAMP = "x-signature-ed25519", "x-signature-timestamp"
OLDEST_SECONDS = 300
LONGEST_NONCE = 25


class DiscordTransport:
    kind: ClassVar[str] = "discord"
    settings_model: ClassVar[type[BaseModel]] = DiscordSettings
    secret_names: ClassVar[Mapping[str, bool]] = {TOKEN: True}
    secret_settings: ClassVar[Sequence[str]] = ()
    sent_to: ClassVar[Mapping[str, Sequence[str]]] = {TOKEN: ("api_url",)}
    personal: ClassVar[bool] = True
    shared: ClassVar[bool] = True
    place_setting: ClassVar[str | None] = "channel_id"
    updates: ClassVar[bool] = True
    for_the_operator: ClassVar[bool] = False

    def send(self, channel: OpenChannel, to: Recipient | None, message: Message) -> Receipt:
        place = channel.settings_as(DiscordSettings).channel_id if to is None else _conversation_with(channel, to)
        # Discord itself leaves out a second one with the same mark, for a few minutes.
        once = {"nonce": message.id.replace("-", "")[-LONGEST_NONCE:], "enforce_nonce": True}
        posted = call(channel, "POST", f"/channels/{place}/messages", {**content_of(message), **once})
        return Receipt({"channel_id": place, "message_id": id_in(posted)}, to.email if to else None)

    def update(self, channel: OpenChannel, remote: JsonObject, message: Message) -> None:
        path = f"/channels/{remote.get('channel_id')}/messages/{remote.get('message_id')}"
        call(channel, "PATCH", path, content_of(message))

    def verify(self, channel: OpenChannel, headers: Mapping[str, str], body: bytes) -> None:
        timestamp = headers.get(TIMESTAMP, "")
        try:
            key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(channel.settings_as(DiscordSettings).public_key))
            key.verify(bytes.fromhex(headers.get(SIGNATURE, "")), timestamp.encode() + body)
            age = abs(clock.now().timestamp() - int(timestamp))
        except (InvalidSignature, ValueError, OverflowError):
            raise NotVerified("The signature does not fit.") from None
        if age > OLDEST_SECONDS:
            raise NotVerified("The signature is older than five minutes.")


def _conversation_with(channel: OpenChannel, to: Recipient) -> str:
    if to.account is None:
        raise ChannelError(f"{to.name} has not linked their Discord account.", permanent=True)
    return id_in(call(channel, "POST", "/users/@me/channels", {"recipient_id": to.account}))
