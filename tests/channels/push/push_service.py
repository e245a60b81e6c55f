"""A push service on loopback, and browsers that are subscribed there: each with a key of its own."""

import base64
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


@dataclass
class Pushed:
    """One message as it came to the service."""

    headers: dict[str, str]
    body: bytes


@dataclass
class Browser:
    """Subscribed at one address. Only it can open what comes there."""

    endpoint: str
    # What the service answers to messages for it.
    status: int = 201
    headers: dict[str, str] = field(default_factory=dict[str, str])
    arrived: list[Pushed] = field(default_factory=list[Pushed])
    changed: threading.Condition = field(default_factory=threading.Condition)

    def __post_init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)

    @property
    def subscription(self) -> dict[str, Any]:
        """As `PushSubscription.toJSON()` gives it."""
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.endpoint, "keys": {"p256dh": base64url(point), "auth": base64url(self._auth)}}

    def recipient(self, name: str, *, reaches_private: bool = True) -> dict[str, Any]:
        """As the core hands it to the transport."""
        return {"id": name, "reaches_private": reaches_private, **self.subscription}

    def take(self, pushed: Pushed) -> None:
        with self.changed:
            self.arrived.append(pushed)
            self.changed.notify_all()

    def wait_for(self, number: int) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.arrived) >= number, 60), "waited in vain"

    def opened(self, number: int = -1) -> dict[str, Any]:
        """What the worker would read of a message."""
        content = http_ece.decrypt(
            self.arrived[number].body, private_key=self._key, auth_secret=self._auth, version="aes128gcm"
        )
        return json.loads(content)


class PushService:
    def __init__(self) -> None:
        self.browsers: dict[str, Browser] = {}
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                browser = service.browsers[self.path]
                browser.take(Pushed({name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(browser.status)
                for name, value in {**browser.headers, "Content-Length": "0"}.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=[0.02], daemon=True)

    def browser(self, **fields: Any) -> Browser:
        path = f"/{len(self.browsers) + 1}"
        self.browsers[path] = Browser(self.origin + path, **fields)
        return self.browsers[path]


@contextmanager
def push_service() -> Iterator[PushService]:
    service = PushService()
    service._thread.start()
    yield service
    service._server.shutdown()
    service._server.server_close()
    service._thread.join()
