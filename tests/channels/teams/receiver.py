"""A Teams of our own on loopback: keeps the cards that it is sent, and signs what people write."""

import base64
import hashlib
import hmac
import json
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = base64.b64encode(b"a security token of the tests").decode()


@dataclass
class Teams:
    url: str = ""
    sent: list[dict[str, Any]] = field(default_factory=list)
    # What it answers: status and text.
    answer: tuple[int, str] = (202, "")

    @property
    def cards(self) -> list[dict[str, Any]]:
        return [each["attachments"][0]["content"] for each in self.sent]


class _Handler(BaseHTTPRequestHandler):
    teams: Teams

    def do_POST(self) -> None:
        self.teams.sent.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        status, text = self.teams.answer
        self.send_response(status)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: Any) -> None:
        pass


class TeamsServer:
    """Serves one `Teams` until it is closed."""

    def __init__(self, teams: Teams) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"teams": teams}))
        self._server.daemon_threads = True
        teams.url = f"http://127.0.0.1:{self._server.server_port}/webhook/a-secret-address"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def written(text: str, account: str = "aad-ana", at: datetime | None = None) -> bytes:
    """What Teams sends when somebody writes to the webhook."""
    timestamp = (at or datetime.now(UTC)).isoformat().replace("+00:00", "Z")
    sender = {"id": "29:1", "name": "Ana \u00e9", "aadObjectId": account}
    said = f"<at>Signoff</at>&nbsp;{text}\n"
    # With escapes, as it comes: who reads it and writes it anew signs something else.
    return json.dumps({"type": "message", "timestamp": timestamp, "text": said, "from": sender}).encode()


def signed(body: bytes, key: str = KEY) -> dict[str, str]:
    digest = hmac.new(base64.b64decode(key), body, hashlib.sha256).digest()
    return {"authorization": f"HMAC {base64.b64encode(digest).decode()}", "content-type": "application/json"}
