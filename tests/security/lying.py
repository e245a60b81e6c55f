"""A model server that sends exactly the bytes it is told to, whatever the wire would have it send."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Frames = list[dict[str, Any]]


def stream(frames: Frames, end: str = "", named: bool = False) -> bytes:
    """Frames as server-sent events; some wires name them."""
    name = "event: {type}\n" if named else ""
    return "".join(f"{name.format(**each)}data: {json.dumps(each)}\n\n" for each in frames).encode() + end.encode()


class Liar:
    """Answers in order: bytes of an event stream, or a content type with bytes."""

    def __init__(self) -> None:
        self.answers: list[bytes | tuple[str, bytes]] = []
        self.requests = 0
        self.url = ""

    def says(self, *answers: bytes | tuple[str, bytes]) -> None:
        self.answers, self.requests = list(answers), 0


class _Handler(BaseHTTPRequestHandler):
    liar: Liar

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.liar.requests += 1
        answer = self.liar.answers.pop(0) if len(self.liar.answers) > 1 else self.liar.answers[0]
        kind, body = answer if isinstance(answer, tuple) else ("text/event-stream", answer)
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def lying() -> Iterator[Liar]:
    liar = Liar()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"liar": liar}))
    liar.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield liar
    server.shutdown()
    server.server_close()
    thread.join()
