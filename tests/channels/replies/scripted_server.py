"""A server on loopback that answers IMAP as a test tells it to."""

import socket
import ssl
import threading
import time
from collections.abc import Callable
from types import TracebackType

from tests.ports import free_port

# Given a command and the rest of its line, the lines that it answers with; the last one gets the tag.
Answers = Callable[[str, str], list[str]]
# A byte now and then, and never a whole line.
DRIP = ["drip"]


class ScriptedServer:
    """Takes one connection, inside `with`."""

    def __init__(self, answers: Answers, greeting: str = "* OK ready", tls: ssl.SSLContext | None = None) -> None:
        self.said: list[str] = []
        self.port = free_port()
        self._answers, self._greeting, self._tls = answers, greeting, tls
        self._listening = socket.create_server(("127.0.0.1", self.port))
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> "ScriptedServer":
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        # Wakes it up if nobody came.
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join(20)

    def _serve(self) -> None:
        try:
            connection, _ = self._listening.accept()
            with connection:
                self._talk(self._tls.wrap_socket(connection, server_side=True) if self._tls else connection)
        except OSError:
            return

    def _talk(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as lines:
            connection.sendall(f"{self._greeting}\r\n".encode())
            for line in lines:
                tag, _, command = line.decode().strip().partition(" ")
                self.said.append(command)
                name, _, rest = command.partition(" ")
                if (answers := self._answers(name, rest)) == DRIP:
                    self._drip(connection)
                *before, last = answers
                answer = "".join(f"{each}\r\n" for each in [*before, f"{tag} {last}"])
                connection.sendall(answer.encode())

    def _drip(self, connection: socket.socket) -> None:
        while True:
            connection.sendall(b"*")
            time.sleep(0.05)
