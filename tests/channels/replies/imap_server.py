"""A real IMAP server on loopback, in a process of its own, and mails as our own mail server would leave them there."""

import imaplib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from typing import Any

from tests.house import until
from tests.ports import free_port

USER, PASSWORD = "signoff", "a mailbox's pass word"
AUTHSERV_ID = "mx.example.org"
# Its password costs half a second on purpose, each time somebody signs in: here it costs nothing.
PYMAP = """
from functools import partial
from pymap import config, main
config.BuiltinHash = partial(config.BuiltinHash, rounds=1)
main.main()
"""


class ImapServer:
    """Started at once; `close` ends it."""

    def __init__(self) -> None:
        self.port = free_port()
        place = ("--host", "127.0.0.1", "--port", str(self.port), "--no-tls")
        command = (
            sys.executable,
            "-c",
            PYMAP,
            *place,
            "dict",
            "--demo-user",
            USER,
            "--demo-password",
            PASSWORD,
        )
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(self._answers)

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(20)

    @property
    def settings(self) -> dict[str, Any]:
        return {
            "host": "127.0.0.1",
            "port": self.port,
            "security": "none",
            "username": USER,
            "address": "signoff@example.org",
            "authserv_id": AUTHSERV_ID,
        }

    def put(self, mail: bytes) -> None:
        with self._signed_in() as connection:
            assert connection.append("INBOX", "", None, mail)[0] == "OK"

    def mails_in(self, folder: str) -> list[bytes]:
        with self._signed_in() as connection:
            if connection.select(f'"{folder}"', readonly=True)[0] != "OK":
                return []
            found = connection.fetch("1:*", "(BODY.PEEK[])")[1]
            return [each[1] for each in found if isinstance(each, tuple)]

    def _answers(self) -> bool:
        try:
            with self._signed_in():
                return True
        except OSError:
            return False

    @contextmanager
    def _signed_in(self) -> Iterator[imaplib.IMAP4]:
        with imaplib.IMAP4("127.0.0.1", self.port, timeout=10) as connection:
            connection.login(USER, PASSWORD)
            yield connection


def verdict(domain: str = "example.org", server: str = AUTHSERV_ID) -> str:
    """What a mail server writes on top of a mail that it found to be genuine."""
    return f"{server}; dkim=pass header.d={domain}; spf=pass smtp.mailfrom=x@{domain}; dmarc=pass header.from={domain}"


def reply(
    question: EmailMessage, sender: str, text: str, *, vouched: tuple[str, ...] = (verdict(),), **more: str
) -> bytes:
    """A reply to this mail, as it stands in the mailbox."""
    headers = [("Return-Path", f"<{sender}>"), *(("Authentication-Results", each) for each in vouched)]
    headers += [("From", f'"Somebody" <{sender}>'), ("To", str(question["Reply-To"]))]
    headers += [("Subject", f"Re: {question['Subject']}"), ("Content-Type", "text/plain; charset=utf-8")]
    own = {name.replace("_", "-"): value for name, value in more.items()}
    lines = [f"{name}: {own.pop(name, value)}" for name, value in headers]
    lines += [f"{name}: {value}" for name, value in own.items()]
    return "\r\n".join([*lines, "", *text.split("\n"), ""]).encode()
