"""An HTTP server on loopback that keeps every request, and answers as told."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from signoff.kit import jsons
from tests.house import until


@dataclass(frozen=True)
class Received:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, object]:
        return jsons.loads(self.body)


Answer = tuple[int, bytes]


class Receiver:
    """Started at once; `close` ends it."""

    def __init__(self) -> None:
        self.requests: list[Received] = []
        self.answers: Callable[[Received], Answer] = lambda _: (200, b"{}")
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                got = Received(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
                status, answer = receiver.answers(got)
                if status < 400:
                    receiver.requests.append(got)
                self.send_response(status)
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, format: str, *args: object) -> None:
                """Nobody reads it."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def wait_for(self, count: int) -> list[Received]:
        return until(lambda: self.requests if len(self.requests) >= count else None)
