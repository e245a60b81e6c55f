"""Connections to mail servers: kept for a moment, since greeting and signing in take longer than a mail."""

import hashlib
import smtplib
import socket
import ssl
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from email.message import EmailMessage
from functools import cache
from typing import Any

from signoff.channels.email.alarms import Alarms
from signoff.channels.guarded_http import LONGEST_SECONDS, SECONDS, allowed_address

KEPT_SECONDS = 5.0
# So shortly after a mail nobody has gone.
JUST_USED = 0.5
# Servers end a connection after so many mails, with an answer that looks like trouble.
MOST_MAILS = 50


@dataclass(frozen=True)
class Server:
    """Where mail is handed in, and as whom."""

    host: str
    port: int
    security: str
    username: str = ""


_alarms = Alarms()


class BrokeOff(OSError):
    """The connection ended while a mail was handed over: it may have arrived all the same."""


class Connection:
    """Signed in, and used by one thread at a time."""

    def __init__(self, server: Server, password: str, *, reaches_private: bool) -> None:
        self.mails, self.used_at = 0, 0.0
        self._close_later: object = None
        self._socket: socket.socket | None = None
        with self.bounded():
            self.smtp = self._opened(server, reaches_private)
            try:
                if server.username:
                    self.smtp.login(server.username, password)
            except BaseException:
                self.smtp.close()
                raise

    @contextmanager
    def bounded(self) -> Generator[None]:
        """Who answers a byte at a time must not keep a thread for ever: whatever is read or written then fails."""
        cut = _alarms.set(LONGEST_SECONDS, self._cut)
        try:
            yield
        finally:
            _alarms.call_off(cut)

    def rest(self) -> None:
        """Nobody uses it; if that stays so, it is closed."""
        self._close_later = _alarms.set(KEPT_SECONDS, self._end_aside)

    def wake(self) -> None:
        _alarms.call_off(self._close_later)

    def close(self) -> None:
        """Without a word: who waits for an answer to it waits for nothing."""
        self.smtp.close()

    def _end_aside(self) -> None:
        """Whoever is said goodbye to may take a while to answer."""
        threading.Thread(target=self._end, name="signoff-mail-end", daemon=True).start()

    def _end(self) -> None:
        if _idle.remove(self):
            with suppress(smtplib.SMTPException, OSError), self.bounded():
                self.smtp.quit()
            self.close()

    def _cut(self) -> None:
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def _opened(self, server: Server, reaches_private: bool) -> smtplib.SMTP:
        """To an address that was looked at, with the certificate of the name that was entered."""
        address = allowed_address(server.host, server.port, reaches_private=reaches_private)

        def connect(timeout: Any) -> socket.socket:
            self._socket = socket.create_connection((address, server.port), timeout)
            return self._socket

        class Plain(smtplib.SMTP):
            def _get_socket(self, host: str, port: int, timeout: Any) -> socket.socket:
                return connect(timeout)

        class Encrypted(smtplib.SMTP_SSL):
            def _get_socket(self, host: str, port: int, timeout: Any) -> socket.socket:
                return _certificates().wrap_socket(connect(timeout), server_hostname=server.host)

        kind = Encrypted if server.security == "tls" else Plain
        smtp = kind(server.host, server.port, timeout=SECONDS)
        if server.security == "starttls":
            try:
                smtp.starttls(context=_certificates())
            except (smtplib.SMTPException, OSError):
                smtp.close()
                raise
        return smtp


class _Idle:
    """Connections that nobody uses, by server and password: who enters another one signs in anew."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept = dict[Any, list[Connection]]()

    def take(self, key: Any) -> Connection | None:
        with self._lock:
            kept = self._kept.get(key)
            return kept.pop() if kept else None

    def keep(self, key: Any, connection: Connection) -> None:
        with self._lock:
            self._kept.setdefault(key, []).append(connection)
            connection.rest()

    def remove(self, connection: Connection) -> bool:
        """Whether it was here still: if not, somebody has just taken it."""
        with self._lock:
            for key, kept in list(self._kept.items()):
                if connection in kept:
                    kept.remove(connection)
                    if not kept:
                        del self._kept[key]
                    return True
        return False


_idle = _Idle()


def hand_over(
    server: Server, password: str, mail: EmailMessage, sender: str, to: Sequence[str], *, reaches_private: bool
) -> dict[str, str]:
    """Give one mail to the server; what it refused of several addresses comes back, with its words.

    Raises what `smtplib` raises, and OSError; BrokeOff where nobody knows whether it was taken."""
    key = (server, hashlib.sha256(password.encode()).digest(), reaches_private)
    connection = _idle.take(key)
    if connection is not None:
        connection.wake()
        if not _is_alive(connection):
            connection.close()
            connection = None
    if connection is None:
        connection = Connection(server, password, reaches_private=reaches_private)
    try:
        with connection.bounded():
            refused = _send(connection.smtp, mail, sender, to)
    except BaseException as error:
        connection.close()
        if isinstance(error, smtplib.SMTPServerDisconnected | TimeoutError | ssl.SSLError | ConnectionError):
            raise BrokeOff(str(error) or type(error).__name__) from error
        raise
    connection.mails, connection.used_at = connection.mails + 1, time.monotonic()
    if connection.mails < MOST_MAILS:
        _idle.keep(key, connection)
    else:
        connection.close()
    return {address: in_words(*answer) for address, answer in refused.items()}


def in_words(code: int, said: bytes | str) -> str:
    """An answer of a mail server."""
    words = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    return f"The mail server answered {code}: {' '.join(words.split())}"


def _send(smtp: smtplib.SMTP, mail: EmailMessage, sender: str, to: Sequence[str]) -> dict[str, tuple[int, bytes]]:
    if all(each.isascii() for each in (sender, *to)):
        # What `send_message` does beyond this concerns letters that addresses rarely have.
        return smtp.sendmail(sender, to, mail.as_bytes())
    return smtp.send_message(mail, sender, to)


def _is_alive(connection: Connection) -> bool:
    """Asked before a mail is begun, so that none is sent twice over a connection that had ended."""
    if time.monotonic() - connection.used_at < JUST_USED:
        return True
    with suppress(smtplib.SMTPException, OSError), connection.bounded():
        return connection.smtp.noop()[0] == 250
    return False


@cache
def _certificates() -> ssl.SSLContext:
    """Read once: it takes longer than sending a mail."""
    return ssl.create_default_context()
