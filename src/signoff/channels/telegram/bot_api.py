"""Telegram's Bot API. Its token is a part of every address, so no error says where it came from."""

from typing import Annotated, Any, cast
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from signoff.channels.addresses import WebAddress
from signoff.channels.guarded_http import exchange
from signoff.channels.port import ChannelError, OpenChannel, told_without
from signoff.kit import jsons
from signoff.kit.jsons import JsonObject

API_URL = "https://api.telegram.org"
TOKEN, WEBHOOK_SECRET = "bot_token", "webhook_secret"
MOST_TOLD, LONGEST_WAIT = 300, 3600.0
# What Telegram says, by a part of its words, and what to do about it.
HINTS = {
    "unauthorized": "Enter the token that BotFather gave you again.",
    "not found": "Enter the token that BotFather gave you again.",
    "chat not found": "Check the chat id, and see that the bot is a member of the chat.",
    "bot was blocked": "They have to start the bot in Telegram again.",
    "can't initiate conversation": "They have to start the bot in Telegram first.",
    "bot was kicked": "Add the bot to the chat again.",
    "not enough rights": "Let the bot post there.",
}


class TelegramSettings(BaseModel):
    model_config = ConfigDict(extra="forbid", coerce_numbers_to_str=True)

    chat_id: Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^(-?\d{1,20}|@\w{4,32})$")] | None = (
        Field(default=None, description="A group or channel for what many read: its id, or @ and its name.")
    )
    api_url: WebAddress | None = Field(default=None, description=f"Your own Bot API server; else {API_URL}.")


def call(channel: OpenChannel, method: str, /, **arguments: Any) -> Any:
    """What a method of the API results in. Raises ChannelError."""
    api = (channel.settings_as(TelegramSettings).api_url or API_URL).rstrip("/")
    token = channel.secrets.get(TOKEN, "")
    url = f"{api}/bot{quote(token, safe=':')}/{method}"
    try:
        response = exchange(
            url,
            content=jsons.dumps(arguments).encode(),
            headers={"content-type": "application/json"},
            reaches_private=channel.reaches_private,
        )
    except ChannelError as error:
        raise told_without(channel.secrets, error) from None
    try:
        answer = jsons.loads(response.content)
    except jsons.BadJson:
        answer = None
    if not isinstance(answer, dict):
        passes = response.status_code >= 500 or response.status_code == 429
        raise ChannelError(
            f"What answered {method} with {response.status_code} is not Telegram: its answer is no JSON object.",
            permanent=not passes,
        )
    found = cast("JsonObject", answer)
    if found.get("ok") is not True:
        raise told_without(channel.secrets, _refusal(method, found, response.status_code))
    return found.get("result")


def _refusal(method: str, answer: JsonObject, status: int) -> ChannelError:
    said = " ".join(str(answer.get("description") or "no reason").split())[:MOST_TOLD]
    more = answer.get("parameters")
    more = cast("JsonObject", more) if isinstance(more, dict) else {}
    code = answer.get("error_code")
    code = code if isinstance(code, int) else status
    # The longest of the words that fit says most.
    hint = max((each for each in HINTS if each in said.lower()), key=len, default="")
    words = HINTS.get(hint, "")
    if isinstance(more.get("migrate_to_chat_id"), int):
        words = f"The group has a new id: {more['migrate_to_chat_id']}. Enter that one."
    wait = more.get("retry_after")
    return ChannelError(
        f"Telegram answered {code} to {method}: {said}. {words}".rstrip(),
        permanent=code != 429 and code < 500,
        retry_after=min(float(wait), LONGEST_WAIT) if isinstance(wait, int | float) and wait > 0 else None,
    )
