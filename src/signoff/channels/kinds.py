"""Every kind of channel, by its name."""

from collections.abc import Mapping

from signoff.channels.apprise.transport import AppriseTransport
from signoff.channels.discord.transport import DiscordTransport
from signoff.channels.email.transport import EmailTransport
from signoff.channels.port import Transport
from signoff.channels.push.transport import PushTransport
from signoff.channels.slack.transport import SlackTransport
from signoff.channels.teams.transport import TeamsTransport
from signoff.channels.telegram.transport import TelegramTransport
from signoff.channels.webhook.transport import WebhookTransport
from signoff.kit.jsons import JsonObject

PUSH, EMAIL, WEBHOOK, TELEGRAM, DISCORD = "push", "email", "webhook", "telegram", "discord"
# Which of its settings names the place that many read; without it, a channel goes to single members only.
PLACE_SETTINGS = {"slack": "channel", TELEGRAM: "chat_id", DISCORD: "channel_id"}

TRANSPORTS: Mapping[str, Transport] = {
    each.kind: each
    for each in (
        EmailTransport(),
        SlackTransport(),
        TeamsTransport(),
        TelegramTransport(),
        DiscordTransport(),
        WebhookTransport(),
        PushTransport(),
        AppriseTransport(),
    )
}


def place_in(kind: str, settings: JsonObject) -> str | None:
    """The place that many read, as its service knows it."""
    found = settings.get(PLACE_SETTINGS.get(kind, "channel"))
    return str(found) if found else None


def is_shared(kind: str, settings: JsonObject) -> bool:
    """Whether it posts to a place that many read, as it is set up."""
    return TRANSPORTS[kind].shared and (kind not in PLACE_SETTINGS or place_in(kind, settings) is not None)
