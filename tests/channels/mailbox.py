"""A real SMTP server on loopback that keeps what it gets, and answers as told."""

import re
from collections.abc import Callable
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any, cast

from aiosmtpd.controller import Controller

from tests.house import until
from tests.ports import free_port

LINK = re.compile(r"https?://\S+/a/(ans_[\w-]+)")


class Mailbox:
    """Started at once; `close` ends it."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        # What the server says instead of taking a mail: given the mail so far, an SMTP line or None.
        self.says: Callable[[], str | None] = lambda: None
        self.port = free_port()
        self._sessions: list[Any] = []
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()

    async def handle_DATA(self, server: Any, _session: Any, envelope: Any) -> str:
        self._sessions = [server]
        if (said := self.says()) is not None:
            return said
        mail = cast("EmailMessage", message_from_bytes(envelope.content, policy=default))
        mail["X-Rcpt"] = ", ".join(envelope.rcpt_tos)
        self.mails.append(mail)
        return "250 OK"

    def break_off(self) -> None:
        """End every connection, as a server that dies."""
        for session in self._sessions:
            session.transport.abort()

    def close(self) -> None:
        self._controller.stop()

    @property
    def settings(self) -> dict[str, Any]:
        return {"host": "127.0.0.1", "port": self.port, "security": "none", "from": "signoff@example.org"}

    def to(self, email: str) -> list[EmailMessage]:
        return [mail for mail in self.mails if email in mail["X-Rcpt"]]

    def about(self, email: str, words: str) -> list[EmailMessage]:
        """The mails to this person with these words in the subject."""
        return [mail for mail in self.to(email) if words in mail["Subject"]]

    def wait_for(self, email: str, words: str, count: int = 1) -> EmailMessage:
        """The last of so many of them."""
        return until(lambda: found if len(found := self.about(email, words)) >= count else None)[-1]


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return part.get_content()


def link_in(mail: EmailMessage) -> str:
    """The answer link, as a path."""
    found = LINK.search(text_of(mail))
    assert found, text_of(mail)
    return f"/a/{found[1]}"
