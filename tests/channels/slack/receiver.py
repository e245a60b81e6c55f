"""A Slack of our own on loopback: keeps what it is sent, knows some people, and refuses as it is told."""

import hashlib
import hmac
import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode

TOKEN, SECRET, TEAM = "xoxb-a-token-of-the-tests", "a signing secret of the tests", "T1"
# Here as there, these read no JSON.
BY_FORM = {"auth.test", "conversations.list", "users.info", "users.lookupByEmail"}


@dataclass(frozen=True)
class Call:
    method: str
    given: dict[str, Any]
    authorization: str


@dataclass
class Slack:
    url: str = ""
    calls: list[Call] = field(default_factory=list)
    # Slack id → what it says of that person.
    users: dict[str, dict[str, Any]] = field(default_factory=dict)
    # Method → what it answers instead: status, body, headers.
    instead: dict[str, tuple[int, Any, dict[str, str]]] = field(default_factory=dict)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def person(self, email: str, user: str = "", **fields: Any) -> str:
        """Somebody with this address; returns their id here."""
        user = user or f"U{len(self.users) + 1}"
        known = {"id": user, "team_id": TEAM, "profile": {"email": email}, "is_email_confirmed": True}
        self.users[user] = known | fields
        return user

    def refuse(self, method: str, error: str, status: int = 200, headers: dict[str, str] | None = None, **more: Any):
        self.instead[method] = (status, {"ok": False, "error": error, **more}, headers or {})

    def of(self, method: str) -> list[dict[str, Any]]:
        return [call.given for call in self.calls if call.method == method]

    def next_of(self, method: str, after: int = 0) -> dict[str, Any]:
        """Wait for one more of these than there were."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.of(method)) > after, 20), f"no {method}"
        return self.of(method)[-1]

    def answer(self, call: Call) -> tuple[int, Any, dict[str, str]]:
        with self.changed:
            self.calls.append(call)
            self.changed.notify_all()
        if call.method in self.instead:
            return self.instead[call.method]
        if call.authorization != f"Bearer {TOKEN}":
            return 200, {"ok": False, "error": "invalid_auth"}, {}
        return 200, self._answer(call.method, call.given), {}

    def _answer(self, method: str, given: dict[str, Any]) -> dict[str, Any]:
        match method:
            case "auth.test":
                return {"ok": True, "team_id": TEAM, "user_id": "UBOT"}
            case "users.info":
                user = self.users.get(given["user"])
                return {"ok": True, "user": user} if user else {"ok": False, "error": "user_not_found"}
            case "users.lookupByEmail":
                found = [each for each in self.users.values() if each["profile"].get("email") == given["email"]]
                return {"ok": True, "user": found[0]} if found else {"ok": False, "error": "users_not_found"}
            case "conversations.open":
                return {"ok": True, "channel": {"id": f"D{given['users']}"}}
            case "chat.postMessage":
                return {"ok": True, "channel": given["channel"].replace("#", "C-"), "ts": f"{len(self.calls)}.01"}
            case _:
                return {"ok": True}


class _Handler(BaseHTTPRequestHandler):
    slack: Slack

    def do_POST(self) -> None:
        method, body = self.path.rpartition("/")[2], self.rfile.read(int(self.headers["content-length"])).decode()
        given = dict(parse_qsl(body)) if method in BY_FORM else json.loads(body)
        status, answer, headers = self.slack.answer(Call(method, given, self.headers["authorization"]))
        text = (answer if isinstance(answer, str) else json.dumps(answer)).encode()
        self.send_response(status)
        for name, value in {"content-length": str(len(text)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: Any) -> None:
        pass


class SlackServer:
    """Serves one `Slack` until it is closed."""

    def __init__(self, slack: Slack) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"slack": slack}))
        self._server.daemon_threads = True
        slack.url = f"http://127.0.0.1:{self._server.server_port}/api"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def signed(body: bytes, secret: str = SECRET, at: float | None = None) -> dict[str, str]:
    """The headers that Slack sends with a body."""
    timestamp = str(int(at if at is not None else time.time()))
    digest = hmac.new(secret.encode(), f"v0:{timestamp}:".encode() + body, hashlib.sha256).hexdigest()
    kind = "application/x-www-form-urlencoded"
    return {"x-slack-request-timestamp": timestamp, "x-slack-signature": f"v0={digest}", "content-type": kind}


def press(button: dict[str, Any], user: str, place: str = "C1") -> bytes:
    """What Slack sends when somebody presses a button."""
    action = {"type": "button", **{name: button[name] for name in ("action_id", "value")}}
    payload = {"type": "block_actions", "user": {"id": user}, "channel": {"id": place}, "trigger_id": "1.2.3"}
    return form({**payload, "team": {"id": TEAM}, "actions": [action]})


def submission(view: dict[str, Any], user: str, **values: Any) -> bytes:
    """What Slack sends when somebody sends a modal; `values` are by block, what was typed or chosen."""
    state = {block.replace("__", ":"): {"given": given} for block, given in values.items()}
    kept = {name: view[name] for name in ("private_metadata", "callback_id")}
    return form({"type": "view_submission", "user": {"id": user}, "view": {**kept, "state": {"values": state}}})


def form(payload: dict[str, Any]) -> bytes:
    return urlencode({"payload": json.dumps(payload)}).encode()


def buttons(blocks: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The buttons of a message, by their action."""
    rows = [block["elements"] for block in blocks if block["type"] == "actions"]
    aside = [block["accessory"] for block in blocks if "accessory" in block]
    return {each["action_id"]: each for each in [*(one for row in rows for one in row), *aside]}


def words(blocks: list[dict[str, Any]]) -> str:
    """All that a message says, as people read it."""
    text = json.dumps(blocks, ensure_ascii=False)
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
