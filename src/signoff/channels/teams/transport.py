"""Microsoft Teams: an Adaptive Card to a channel's webhook. What comes back is a message that Teams has signed."""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field

from signoff.channels.addresses import WebAddress
from signoff.channels.guarded_http import MOST_TOLD, post
from signoff.channels.port import ChannelError, Message, NotVerified, OpenChannel, Receipt, Recipient
from signoff.channels.teams.card import payload
from signoff.kit import crypto, jsons
from signoff.kit.jsons import JsonObject

HMAC_SECRET, SCHEME = "hmac_secret", "HMAC "
# So it says that it failed, and answers with success all the same.
FAILED = "Webhook message delivery failed"


class TeamsSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    webhook_url: WebAddress = Field(description="Of a workflow or an incoming webhook. It is stored as a secret.")
    inbound: bool = Field(
        default=False, description="Take answers that people write to an outgoing webhook; needs its security token."
    )


class TeamsTransport:
    kind: ClassVar[str] = "teams"
    settings_model: ClassVar[type[BaseModel]] = TeamsSettings
    secret_names: ClassVar[Mapping[str, bool]] = {HMAC_SECRET: False}
    secret_settings: ClassVar[Sequence[str]] = ("webhook_url",)
    sent_to: ClassVar[Mapping[str, Sequence[str]]] = {}
    personal: ClassVar[bool] = False
    shared: ClassVar[bool] = True
    place_setting: ClassVar[str | None] = None
    updates: ClassVar[bool] = False
    for_the_operator: ClassVar[bool] = False

    def send(self, channel: OpenChannel, to: Recipient | None, message: Message) -> Receipt:
        settings = channel.settings_as(TeamsSettings)
        body = jsons.dumps(payload(message, takes_answers=settings.inbound)).encode()
        headers = {"content-type": "application/json"}
        response = post(settings.webhook_url, content=body, headers=headers, reaches_private=channel.reaches_private)
        said = " ".join(response.text.split())[:MOST_TOLD]
        if said.startswith(FAILED):
            raise ChannelError(f"Teams answered: {said}", permanent=False)
        return Receipt()

    def update(self, channel: OpenChannel, remote: JsonObject, message: Message) -> None:
        """A card stays as it is: its link says how the ask ended."""

    def verify(self, channel: OpenChannel, headers: Mapping[str, str], body: bytes) -> None:
        given, secret = headers.get("authorization", ""), channel.secrets.get(HMAC_SECRET, "")
        try:
            key = base64.b64decode(secret, validate=True)
        except (binascii.Error, ValueError):
            key = b""
        expected = base64.b64encode(hmac.new(key, body, hashlib.sha256).digest()).decode()
        if not key or not given.startswith(SCHEME) or not crypto.same(given.removeprefix(SCHEME).strip(), expected):
            raise NotVerified("The signature does not fit.")
