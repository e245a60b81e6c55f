"""A small HTTP API as companies have them: what sales knows about customers, for whoever has the token."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = "a-token-for-the-crm"  # noqa: S105
CUSTOMERS = {"7": {"name": "Ada", "owner": "Bob", "renewal": "2027-01-31", "notes": ["Asked for a quote"]}}


@contextmanager
def running_crm() -> Iterator[str]:
    """GET /v1/customers/7, and POST /v1/customers/7/notes. Yields the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.answer(self.customer() or ({"api": "crm"} if self.path == "/v1/" else None))

        def do_POST(self) -> None:
            note = json.loads(self.rfile.read(int(self.headers["content-length"])))["text"]
            self.customer()["notes"].append(note)
            self.answer({"kept": True})

        def customer(self) -> dict[str, Any]:
            return CUSTOMERS.get(self.path.removeprefix("/v1/customers/").partition("/")[0], {})

        def answer(self, found: Any) -> None:
            known = self.headers["authorization"] == f"Bearer {TOKEN}"
            self.send_response(200 if known and found else 401 if not known else 404)
            self.send_header("content-type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(found if known else {}).encode())

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()
