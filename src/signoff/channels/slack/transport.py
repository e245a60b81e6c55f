"""Slack: a direct message to a member, or a post where many read, with buttons that decide."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import BaseModel

from signoff.channels.port import Message, NotVerified, OpenChannel, Receipt, Recipient
from signoff.channels.slack.blocks import blocks, summary
from signoff.channels.slack.web_api import SIGNING_SECRET, TOKEN, SlackSettings, call, id_in
from signoff.kit import clock
from signoff.kit.jsons import JsonObject

# Slack would fetch every address that it finds.
QUIET = {"unfurl_links": False, "unfurl_media": False}


class SlackTransport:
    kind: ClassVar[str] = "slack"
    settings_model: ClassVar[type[BaseModel]] = SlackSettings
    secret_names: ClassVar[Mapping[str, bool]] = {TOKEN: True, SIGNING_SECRET: True}
    secret_settings: ClassVar[Sequence[str]] = ()
    sent_to: ClassVar[Mapping[str, Sequence[str]]] = {TOKEN: ("api_url",)}
    personal: ClassVar[bool] = True
    shared: ClassVar[bool] = True
    place_setting: ClassVar[str | None] = "channel"
    updates: ClassVar[bool] = True
    for_the_operator: ClassVar[bool] = False

    def send(self, channel: OpenChannel, to: Recipient | None, message: Message) -> Receipt:
        place = channel.settings_as(SlackSettings).channel if to is None else _conversation_with(channel, to)
        posted = call(
            channel, "chat.postMessage", channel=place, text=summary(message), blocks=blocks(message), **QUIET
        )
        # By its name a channel can be posted to, but what was posted is only found by its id.
        remote = {"channel": posted.get("channel") or place, "ts": posted.get("ts")}
        return Receipt(remote, place if to is None else to.email)

    def update(self, channel: OpenChannel, remote: JsonObject, message: Message) -> None:
        where = {"channel": remote.get("channel"), "ts": remote.get("ts")}
        call(channel, "chat.update", **where, text=summary(message), blocks=blocks(message))

    def verify(self, channel: OpenChannel, headers: Mapping[str, str], body: bytes) -> None:
        # Only when something comes in: it takes a while to load.
        from slack_sdk.signature import Clock, SignatureVerifier

        class OurClock(Clock):
            def now(self) -> float:
                return clock.now().timestamp()

        try:
            verifier = SignatureVerifier(channel.secrets.get(SIGNING_SECRET, ""), OurClock())
            fits = verifier.is_valid_request(body, dict(headers))
        except (ValueError, TypeError, OverflowError):
            fits = False
        if not fits:
            raise NotVerified("The signature does not fit, or is older than five minutes.")


def _conversation_with(channel: OpenChannel, to: Recipient) -> str:
    user = id_in(call(channel, "users.lookupByEmail", email=to.email), "user")
    return id_in(call(channel, "conversations.open", users=user), "channel")
