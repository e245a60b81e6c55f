"""A Bot API of our own, and what Telegram reports to us."""

from itertools import count
from typing import Any

from tests.channels.chats.receiver import Receiver, Reply, Request

TOKEN, SECRET = "123456:AAF-a_token-of-the-tests-0123456789", "a-webhook-secret"
GROUP = -1001
_NUMBERS = count(1)


def bot_api() -> Receiver:
    return Receiver(_reply)


def _reply(request: Request) -> Reply:
    _, bot, method = request.path.split("/")
    if bot != f"bot{TOKEN}":
        return 401, {"ok": False, "error_code": 401, "description": "Unauthorized"}
    if method == "sendMessage":
        chat = int(request.body["chat_id"])
        return 200, {"ok": True, "result": {"message_id": next(_NUMBERS), "chat": {"id": chat, "type": "group"}}}
    return 200, {"ok": True, "result": True}


def refusal(code: int, description: str, **parameters: Any) -> Reply:
    more = {"parameters": parameters} if parameters else {}
    return code, {"ok": False, "error_code": code, "description": description, **more}


def pressed(data: str, account: str, **fields: Any) -> dict[str, Any]:
    """Somebody presses a button."""
    who = {"id": int(account), "is_bot": False, "first_name": "Somebody"}
    query = {"id": "77", "from": who, "chat_instance": "1", "data": data, **fields}
    return {"update_id": 1, "callback_query": query}


def said(text: str, account: str, chat_type: str = "private") -> dict[str, Any]:
    """Somebody writes to the bot."""
    who = {"id": int(account), "is_bot": False, "first_name": "Somebody"}
    return {"update_id": 2, "message": {"message_id": 5, "from": who, "chat": _chat(account, chat_type), "text": text}}


def _chat(account: str, chat_type: str) -> dict[str, Any]:
    return {"id": int(account) if chat_type == "private" else GROUP, "type": chat_type}


def buttons(message: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The buttons of a message, by what they say."""
    rows = message.get("reply_markup", {}).get("inline_keyboard", [])
    return {each["text"]: each for row in rows for each in row}
