"""The service at the other end of the wire, on loopback: keeps what it is sent and answers as it is told."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = tuple[int, Any]


@dataclass(frozen=True)
class Request:
    verb: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class Receiver:
    """Answers with what `reply` makes of a request, or with one of `instead` while there are any."""

    reply: Callable[[Request], Reply]
    url: str = ""
    requests: list[Request] = field(default_factory=list)
    instead: list[Reply] = field(default_factory=list)

    def answer(self, request: Request) -> Reply:
        self.requests.append(request)
        return self.instead.pop(0) if self.instead else self.reply(request)

    def bodies(self, part: str, verb: str = "POST") -> list[Any]:
        """What was sent to addresses that have this in their path."""
        return [each.body for each in self.requests if part in each.path and each.verb == verb]


class _Handler(BaseHTTPRequestHandler):
    receiver: Receiver

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        status, answer = self.receiver.answer(Request(self.command, self.path, headers, body))
        text = (answer if isinstance(answer, str) else json.dumps(answer)).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_PATCH = do_POST

    def log_message(self, *_: Any) -> None:
        pass


class ReceiverServer:
    """Serves one receiver until it is closed."""

    def __init__(self, receiver: Receiver) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"receiver": receiver}))
        self._server.daemon_threads = True
        receiver.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
