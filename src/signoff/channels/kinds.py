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
    named_by = TRANSPORTS[kind].place_setting
    found = settings.get(named_by) if named_by else None
    return str(found) if found else None


def is_shared(kind: str, settings: JsonObject) -> bool:
    """Whether it posts to a place that many read, as it is set up."""
    transport = TRANSPORTS[kind]
    return transport.shared and (transport.place_setting is None or place_in(kind, settings) is not None)
