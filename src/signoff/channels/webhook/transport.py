"""Every event as an object of the API, with Standard Webhooks headers."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, ClassVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from signoff.channels.addresses import WebAddress
from signoff.channels.guarded_http import post
from signoff.channels.port import ChannelError, Message, NotVerified, OpenChannel, Receipt, Recipient
from signoff.channels.webhook.events import EVENTS, USUAL
from signoff.channels.webhook.secrets import PREVIOUS, SECRET
from signoff.kit import clock, jsons
from signoff.kit.jsons import JsonObject


def _known(events: list[str]) -> list[str]:
    if not events:
        raise ValueError("name at least one, or leave it out for the usual ones")
    unknown = [each for each in events if each not in (*EVENTS, "*")]
    if unknown:
        raise ValueError(f"unknown event {unknown[0]!r}; one of: *, {', '.join(EVENTS)}")
    return events


class WebhookSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    url: WebAddress
    events: Annotated[list[str], AfterValidator(_known), Field(max_length=50)] | None = None

    def wants(self, event_type: str) -> bool:
        wanted = self.events if self.events is not None else USUAL
        return event_type in wanted or ("*" in wanted and event_type in EVENTS)


class WebhookTransport:
    kind: ClassVar[str] = "webhook"
    settings_model: ClassVar[type[BaseModel]] = WebhookSettings
    secret_names: ClassVar[Mapping[str, bool]] = {SECRET: True}
    secret_settings: ClassVar[Sequence[str]] = ()
    sent_to: ClassVar[Mapping[str, Sequence[str]]] = {}
    personal: ClassVar[bool] = False
    shared: ClassVar[bool] = False
    place_setting: ClassVar[str | None] = None
    updates: ClassVar[bool] = False
    for_the_operator: ClassVar[bool] = False

    def send(self, channel: OpenChannel, to: Recipient | None, message: Message) -> Receipt:
        if message.event is None and message.kind != "test":
            raise ChannelError("The event is kept no more, so there is nothing to send.", permanent=True)
        event = message.event or {"type": message.kind, "data": {"text": message.title}}
        body = jsons.dumps({"timestamp": event.get("at") or clock.now().isoformat(), **event})
        settings = channel.settings_as(WebhookSettings)
        headers = signed_headers(message.id, body, _secrets(channel), clock.now())
        if message.repeated:
            headers["signoff-repeated"] = "true"
        post(settings.url, content=body.encode(), headers=headers, reaches_private=channel.reaches_private)
        return Receipt()

    def update(self, channel: OpenChannel, remote: JsonObject, message: Message) -> None:
        """What follows is an event of its own."""

    def verify(self, channel: OpenChannel, headers: Mapping[str, str], body: bytes) -> None:
        raise NotVerified("Nothing comes back from a webhook.")


def signed_headers(message_id: str, body: str, secrets: list[str], at: datetime) -> dict[str, str]:
    """One signature for each secret that is valid, the newest first."""
    from standardwebhooks import Webhook

    signatures = [Webhook(secret).sign(msg_id=message_id, timestamp=at, data=body) for secret in secrets]
    return {
        "content-type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def _secrets(channel: OpenChannel) -> list[str]:
    from standardwebhooks import Webhook

    valid = (channel.secrets.get(name) for name in (SECRET, PREVIOUS))
    try:
        return [each for each in valid if each and Webhook(each)]
    except Exception as error:  # noqa: BLE001 - the library raises what base64 does
        raise ChannelError(f"The signing secret is not valid: {error}.", permanent=True) from None
