"""Discord's API: what it refuses is told in its own words, with what to do about it."""

from typing import Annotated, Any, cast

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from signoff import __version__
from signoff.channels.addresses import WebAddress
from signoff.channels.guarded_http import exchange
from signoff.channels.port import ChannelError, OpenChannel, told_without
from signoff.kit import jsons
from signoff.kit.jsons import JsonObject

API_URL = "https://discord.com/api/v10"
TOKEN = "bot_token"  # noqa: S105
MOST_TOLD, LONGEST_WAIT = 300, 3600.0
_TOKEN = "Enter the bot's token again."  # noqa: S105
# By Discord's own numbers.
HINTS = {
    0: _TOKEN,
    10003: "Check the channel id.",
    10008: "The message was deleted there.",
    40001: _TOKEN,
    50001: "Invite the bot to the server, and let it see the channel.",
    50007: "They take no direct messages from the bot: it must share a server with them, and they must allow it.",
    50013: "Let the bot send messages and embed links in the channel.",
}
Id = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^\d{1,20}$")]


class DiscordSettings(BaseModel):
    model_config = ConfigDict(extra="forbid", coerce_numbers_to_str=True)

    channel_id: Id = Field(description="Where it posts: the id of a text channel.")
    application_id: Id
    public_key: Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[0-9a-fA-F]{64}$")] = Field(
        description="Of the application: what presses are signed with."
    )
    api_url: WebAddress | None = Field(default=None, description=f"Only for tests; else {API_URL}.")


def call(channel: OpenChannel, method: str, path: str, body: Any) -> JsonObject:
    """What the API answers. Raises ChannelError."""
    api = (channel.settings_as(DiscordSettings).api_url or API_URL).rstrip("/")
    token = channel.secrets.get(TOKEN, "")
    if not token.isascii() or not token.isprintable():
        raise ChannelError(f"This is no token of a bot. {_TOKEN}", permanent=True)
    response = exchange(
        f"{api}{path}",
        content=jsons.dumps(body).encode(),
        headers={
            "authorization": f"Bot {token}",
            "content-type": "application/json",
            "user-agent": f"DiscordBot (signoff, {__version__})",
        },
        reaches_private=channel.reaches_private,
        method=method,
    )
    try:
        answer = jsons.loads(response.content)
    except jsons.BadJson:
        answer = None
    found = cast("JsonObject", answer) if isinstance(answer, dict) else None
    if found is not None and response.is_success:
        return found
    raise told_without(channel.secrets, _refusal(found, response.status_code))


def id_in(answer: JsonObject) -> str:
    """The id of what was made."""
    found = answer.get("id")
    if not isinstance(found, str) or not found.isdecimal():
        raise ChannelError("What answered is not Discord: its answer has no id.", permanent=True)
    return found


def _refusal(answer: JsonObject | None, status: int) -> ChannelError:
    passes = status == 429 or status >= 500
    if answer is None:
        return ChannelError(
            f"What answered with {status} is not Discord: its answer is no JSON object.", permanent=not passes
        )
    code, wait = answer.get("code"), answer.get("retry_after")
    said = " ".join(str(answer.get("message") or "no reason").split())
    wrong = answer.get("errors")
    more = f" {jsons.dumps(wrong)}" if wrong else ""
    hint = HINTS.get(code, "") if isinstance(code, int) and (code or status == 401) else ""
    return ChannelError(
        f"Discord answered {status}: {f'{said}{more}'[:MOST_TOLD]} ({code}). {hint}".rstrip(),
        permanent=not passes,
        retry_after=min(float(wait), LONGEST_WAIT) if isinstance(wait, int | float) and wait > 0 else None,
    )
