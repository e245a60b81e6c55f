"""Mails that follow each other go over one connection; one that ended in between loses none and doubles none."""

import socket
from collections.abc import Iterator
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from signoff.channels.email import connections
from signoff.channels.email.connections import Server, hand_over
from tests.house import until
from tests.ports import free_port


class Counting:
    """A mail server that counts who comes in."""

    def __init__(self) -> None:
        self.mails: list[bytes] = []
        self.peers = set[Any]()
        self.sessions: list[Any] = []

    async def handle_EHLO(self, server: Any, session: Any, _envelope: Any, hostname: str, responses: list[str]) -> Any:
        self.peers.add(session.peer)
        self.sessions.append(server)
        session.host_name = hostname
        return responses

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        self.mails.append(envelope.content)
        return "250 OK"


@pytest.fixture
def counting() -> Iterator[tuple[Counting, Server]]:
    handler, port = Counting(), free_port()
    controller = Controller(
        handler,
        hostname="127.0.0.1",
        port=port,
        auth_require_tls=False,
        authenticator=lambda *_: AuthResult(success=True),
    )
    controller.start()
    yield handler, Server("127.0.0.1", port, "none", "signoff")
    controller.stop()


def send(server: Server, subject: str, password: str = "first") -> None:
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["To"] = subject, "a@example.org", "b@example.org"
    mail.set_content("Hello.")
    hand_over(server, password, mail, "a@example.org", ["b@example.org"], reaches_private=True)


def test_mails_that_follow_each_other_share_a_connection(counting: tuple[Counting, Server]) -> None:
    handler, server = counting
    for number in range(3):
        send(server, f"mail {number}")
    assert len(handler.mails) == 3
    assert len(handler.peers) == 1


def test_after_many_mails_a_new_connection_is_made(
    counting: tuple[Counting, Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    handler, server = counting
    monkeypatch.setattr(connections, "MOST_MAILS", 2)
    for number in range(4):
        send(server, f"mail {number}")
    assert (len(handler.mails), len(handler.peers)) == (4, 2)


def test_whoever_enters_another_password_signs_in_anew(counting: tuple[Counting, Server]) -> None:
    handler, server = counting
    send(server, "one")
    send(server, "two", "second")
    assert len(handler.peers) == 2


def test_a_connection_that_the_server_ended_is_replaced(
    counting: tuple[Counting, Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    handler, server = counting
    monkeypatch.setattr(connections, "JUST_USED", 0.0)
    send(server, "one")
    ended = handler.sessions[-1].transport.get_extra_info("socket")
    ended.shutdown(socket.SHUT_RDWR)
    send(server, "two")
    assert [b"Subject: one" in handler.mails[0], b"Subject: two" in handler.mails[1]] == [True, True]
    assert len(handler.mails) == 2


def test_a_connection_that_nobody_uses_is_closed(
    counting: tuple[Counting, Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    handler, server = counting
    monkeypatch.setattr(connections, "KEPT_SECONDS", 0.0)
    send(server, "one")
    kept = connections._idle._kept
    until(lambda: not any(key[0] == server for key in list(kept)))
    send(server, "two")
    assert len(handler.peers) == 2
