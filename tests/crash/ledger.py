"""A payment service outside of the product: it counts what really happened, whoever believes what."""

import json
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Ledger:
    """Pays whatever it is told to, as often as it is told to, unless it honours keys or fences."""

    # Seconds between the request and the payment, and a gate that it passes before.
    slow: float = 0.0
    gate: threading.Event = field(default_factory=threading.Event)
    honours_keys: bool = False
    asked: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    paid: list[str] = field(default_factory=list[str])
    url: str = ""

    def __post_init__(self) -> None:
        self.gate.set()
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"ledger": self}))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def pay(self, key: str, fence: int) -> None:
        with self._lock:
            self.asked.append((key, fence))
        time.sleep(self.slow)
        self.gate.wait(60)
        with self._lock:
            if not self.honours_keys or key not in self.paid:
                self.paid.append(key)

    @property
    def payments(self) -> Counter[str]:
        """How often each key was paid."""
        with self._lock:
            return Counter(self.paid)

    @property
    def at_rest(self) -> bool:
        """Whether all that was asked for has happened."""
        with self._lock:
            return self.honours_keys or len(self.asked) == len(self.paid)

    def knows(self, key: str) -> bool:
        with self._lock:
            return any(each == key for each, _ in self.asked)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    ledger: Ledger

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.ledger.pay(self.headers["idempotency-key"], int(self.headers["x-fence"]))
        body = json.dumps({"paid": True}).encode()
        try:
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            # Whoever asked is gone; the money is, too.
            pass

    def log_message(self, *_: Any) -> None:
        pass
