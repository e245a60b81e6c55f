"""An S3 of our own, and a line to it that breaks when a test says so."""

import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer

import httpx
import pytest

from tests.ports import free_port

BUCKET = "files"


class Line(ThreadingTCPServer):
    """Hands on to a port what comes, both ways. While `away` it hands on nothing; after `most` bytes it goes away."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        self.port = port
        self.away = False
        self.most: int | None = None
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    @contextmanager
    def is_away(self) -> Generator[None]:
        self.away = True
        try:
            yield
        finally:
            self.away = False

    @contextmanager
    def breaks_after(self, most: int) -> Generator[None]:
        self.most = most
        try:
            yield
        finally:
            self.most, self.away = None, False


class _Connection(BaseRequestHandler):
    def handle(self) -> None:
        assert isinstance(self.server, Line)
        if self.server.away:
            return
        with socket.create_connection(("127.0.0.1", self.server.port)) as beyond:
            back = threading.Thread(target=self._hand_back, args=(self.server, beyond), daemon=True)
            back.start()
            with suppress(OSError):
                # A connection that is kept open is cut at its next request.
                while (sent := self.request.recv(65_536)) and not self.server.away:
                    beyond.sendall(sent)
            with suppress(OSError):
                beyond.shutdown(socket.SHUT_RDWR)
            back.join()

    def _hand_back(self, line: Line, beyond: socket.socket) -> None:
        given = 0
        with suppress(OSError):
            while came := beyond.recv(65_536):
                given += len(came)
                if line.most is not None and given > line.most:
                    line.away = True
                if line.away:
                    break
                self.request.sendall(came)
        with suppress(OSError):
            self.request.shutdown(socket.SHUT_RDWR)


@contextmanager
def bucket_server() -> Generator[Line]:
    """An S3 with one bucket, and the variables by which it is found."""
    # Takes a second to import, which only whoever runs these tests should wait for.
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", free_port(), verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    line = Line(port)
    threading.Thread(target=line.serve_forever, daemon=True).start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", line.url)
        patch.setenv("AWS_ALLOW_HTTP", "true")
        patch.setenv("AWS_ACCESS_KEY_ID", "tests")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "tests")
        patch.setenv("AWS_REGION", "us-east-1")
        httpx.put(f"http://127.0.0.1:{port}/{BUCKET}").raise_for_status()
        yield line
    line.shutdown()
    line.server_close()
    server.stop()
