"""A site on this machine that answers as it is told and remembers what it was asked."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import pytest

from signoff.kit.settings import Settings


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Site:
    """Under two names: 127.0.0.1 and localhost."""

    port: int = 0
    asked: list[Asked] = field(default_factory=list[Asked])
    pages: dict[str, tuple[int, dict[str, str], bytes]] = field(
        default_factory=dict[str, tuple[int, dict[str, str], bytes]]
    )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def other(self) -> str:
        return f"http://localhost:{self.port}"

    def page(self, path: str, body: bytes | str | dict[str, Any] | list[Any], status: int = 200, **headers: str) -> str:
        if isinstance(body, dict | list):
            body, headers = json.dumps(body), {"content-type": "application/json"} | headers
        content = body.encode() if isinstance(body, str) else body
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.pages[path] = (status, {"content-type": "text/html"} | named, content)
        return f"{self.url}{path}"

    @property
    def paths(self) -> list[str]:
        return [each.path for each in self.asked]


class _Handler(BaseHTTPRequestHandler):
    site: Site
    protocol_version = "HTTP/1.1"

    def _answer(self) -> None:
        length = int(self.headers.get("content-length", 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.site.asked.append(Asked(self.command, self.path, headers, self.rfile.read(length)))
        status, shown, body = self.site.pages.get(urlsplit(self.path).path, (404, {}, b"not here"))
        if "x-hang-up" in shown:
            self.close_connection = True
            return
        self.send_response(status)
        for name, value in shown.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.send_header("connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = _answer

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"site": site}))
    site.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield site
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def private() -> Settings:
    """Settings that let tools reach the site."""
    return Settings(allow_private_addresses=True)
