"""Slack's Web API: what it refuses is told in its own word, with what to do about it."""

from typing import Annotated, Any, cast
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from signoff.channels.addresses import WebAddress
from signoff.channels.guarded_http import post
from signoff.channels.port import ChannelError, OpenChannel
from signoff.kit import jsons
from signoff.kit.jsons import JsonObject

API_URL = "https://slack.com/api"
TOKEN, SIGNING_SECRET = "bot_token", "signing_secret"
# They answer no JSON.
BY_FORM = frozenset({"auth.test", "conversations.list", "users.info", "users.lookupByEmail"})
# Another try may go through; everything else stays as it is.
PASSES = frozenset({"fatal_error", "internal_error", "ratelimited", "request_timeout", "service_unavailable"})
_TOKEN = "Enter the Bot User OAuth Token (xoxb-…) of the app again."  # noqa: S105
HINTS = {
    "account_inactive": _TOKEN,
    "channel_not_found": "Check the channel's name or id; if it is private, invite the app to it.",
    "invalid_auth": _TOKEN,
    "is_archived": "The channel is archived: choose another one.",
    "not_authed": _TOKEN,
    "not_in_channel": "Invite the app to the channel: /invite @ and its name.",
    "token_expired": _TOKEN,
    "token_revoked": _TOKEN,
    "users_not_found": "Nobody in this Slack has the address.",
}


class SlackSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    channel: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)] = Field(
        description="Where it posts: a channel's name or id."
    )
    api_url: WebAddress | None = Field(default=None, description=f"Only for tests; else {API_URL}.")


def call(channel: OpenChannel, method: str, /, **arguments: Any) -> JsonObject:
    """What a method of the API answers. Raises ChannelError."""
    api = (channel.settings_as(SlackSettings).api_url or API_URL).rstrip("/")
    by_form = method in BY_FORM
    body = urlencode(arguments) if by_form else jsons.dumps(arguments)
    kind = "application/x-www-form-urlencoded" if by_form else "application/json; charset=utf-8"
    headers = {"authorization": f"Bearer {channel.secrets.get(TOKEN, '')}", "content-type": kind}
    response = post(f"{api}/{method}", content=body.encode(), headers=headers, reaches_private=channel.reaches_private)
    try:
        answer = jsons.loads(response.content)
    except jsons.BadJson:
        answer = None
    if not isinstance(answer, dict):
        raise ChannelError(f"What answered {method} is not Slack: its answer is no JSON object.", permanent=True)
    found = cast("JsonObject", answer)
    if found.get("ok") is not True:
        raise _refusal(method, found)
    return found


def id_in(answer: JsonObject, of: str) -> str:
    """The id of the one thing that an answer is about."""
    found = answer.get(of)
    found = cast("JsonObject", found).get("id") if isinstance(found, dict) else None
    if not isinstance(found, str):
        raise ChannelError(f"What answered is not Slack: its answer has no id of a {of}.", permanent=True)
    return found


def _refusal(method: str, answer: JsonObject) -> ChannelError:
    error = str(answer.get("error") or "no reason")[:100]
    hint = HINTS.get(error, "")
    if error == "missing_scope":
        needed = str(answer.get("needed") or "")[:100]
        hint = f"Add the scope {needed} to the app and install it again." if needed else "Add the scope to the app."
    return ChannelError(f"Slack answered {error} to {method}. {hint}".rstrip(), permanent=error not in PASSES)
