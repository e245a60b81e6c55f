"""A Discord of our own: its API, and what it signs and sends to us."""

import json
import time
from itertools import count
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.channels.chats.receiver import Receiver, Reply, Request

TOKEN, APPLICATION, PLACE = "a-bot-token.of.the-tests", "111", "222"
KEY = Ed25519PrivateKey.generate()
PUBLIC_KEY = KEY.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()
_NUMBERS = count(5_000)


def discord_api() -> Receiver:
    return Receiver(_reply)


def _reply(request: Request) -> Reply:
    if request.headers.get("authorization") != f"Bot {TOKEN}":
        return 401, {"message": "401: Unauthorized", "code": 0}
    if request.path == "/users/@me/channels":
        return 200, {"id": f"9{request.body['recipient_id']}", "type": 1}
    return 200, {"id": str(next(_NUMBERS)), "content": request.body["content"]}


def signed(body: bytes, key: Ed25519PrivateKey = KEY, at: float | None = None) -> dict[str, str]:
    """The headers that Discord sends with a body."""
    timestamp = str(int(at if at is not None else time.time()))
    signature = key.sign(timestamp.encode() + body).hex()
    kind = "application/json"
    return {"x-signature-timestamp": timestamp, "x-signature-ed25519": signature, "content-type": kind}


def pressed(custom_id: str, account: str, content: str = "**Title**", *, in_server: bool = True) -> dict[str, Any]:
    """Somebody presses a button."""
    data = {"custom_id": custom_id, "component_type": 2}
    message = {"id": "1", "content": content}
    return {"type": 3, "data": data, "message": message, **_who(account, in_server)}


def submitted(modal: dict[str, Any], account: str, words: str, content: str | None = "**Title**") -> dict[str, Any]:
    """Somebody sends a modal."""
    field = modal["data"]["components"][0]["components"][0]
    row = {"type": 1, "components": [{"type": 4, "custom_id": field["custom_id"], "value": words}]}
    data = {"custom_id": modal["data"]["custom_id"], "components": [row]}
    about = {"message": {"id": "1", "content": content}} if content is not None else {}
    return {"type": 5, "data": data, **about, **_who(account, True)}


def _who(account: str, in_server: bool) -> dict[str, Any]:
    user = {"id": account, "username": "somebody"}
    return {"application_id": APPLICATION, "token": "t"} | ({"member": {"user": user}} if in_server else {"user": user})


def encoded(interaction: Any) -> bytes:
    # As Discord does: what is not ASCII comes as an escape, which must not be changed before it is verified.
    return json.dumps(interaction).encode()


def buttons(message: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The buttons of a message, by what they say."""
    return {each["label"]: each for row in message.get("components", []) for each in row["components"]}
