"""Mail through a connection: what arrives is what was shown, and nothing slips into its headers."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.channels.email.connections import BrokeOff
from signoff.kit.settings import Settings
from signoff.policy.impact import ImpactKind
from signoff.policy.risk import raised
from signoff.tools.connections.email.kind import EmailKind
from signoff.tools.connections.email.mail import checked
from signoff.tools.effects import NoPreview
from signoff.tools.egress import ANYWHERE
from signoff.tools.impact_statements import Statements
from signoff.tools.registry import ToolFailed
from tests.channels.mailbox import Mailbox, text_of
from tests.tools.connections.using import Desk

CALL: dict[str, Any] = {"to": "ana@house.example", "subject": "Hello", "body": "One\n.\nTwo"}


@pytest.fixture
def desk(mailbox: Mailbox, tmp_path: Path) -> Desk:
    return Desk(EmailKind(), mailbox.settings, tmp_path, password="a password of the tests")


def test_what_arrives_is_what_was_shown(desk: Desk, mailbox: Mailbox) -> None:
    assert desk.tested() is None
    call = CALL | {"to": ["ana@house.example", "eve@away.example"], "cc": "bob@house.example", "subject": "Grüße"}
    call |= {"reply_to": "eve@away.example", "body": "Liebe Ana,\n\nbis bald — 🎉\n" + "x" * 1_200}
    shown = desk.previewed("send_email", **call)
    assert (shown.kind, mailbox.mails) == ("mail", [])
    assert shown.summary == "A mail from signoff@example.org to 3 addresses, 1 outside of the workspace: Grüße"
    assert desk.use("send_email", **call) == {"sent_to": [*call["to"], call["cc"]]}
    (mail,) = mailbox.mails
    detail = shown.detail
    assert [(each["address"], each["outside"]) for each in detail["to"]] == [
        (call["to"][0], False),
        (call["to"][1], True),
    ]
    assert mail["To"] == ", ".join(each["address"] for each in detail["to"])
    assert (mail["From"], mail["Cc"], mail["Reply-To"]) == (detail["from"], call["cc"], detail["reply_to"]["address"])
    assert (mail["Subject"], text_of(mail).replace("\r\n", "\n")) == (detail["subject"], detail["body"])
    assert mail["Message-ID"] == "<c@example.org>"
    assert mail["X-Rcpt"] == "ana@house.example, eve@away.example, bob@house.example"


def test_who_is_outside_raises_the_risk(desk: Desk) -> None:
    level, operation, impact = desk.judged("send_email", **CALL)
    assert (level, operation) == ("high", "send_email")
    assert impact.kinds == (ImpactKind.CANNOT_BE_UNDONE, ImpactKind.REACHES_PEOPLE)
    for beyond in (
        {"to": "ANA@house.example,eve@away.example"},
        {"cc": ["eve@away.example"]},
        {"reply_to": "e@x.example"},
    ):
        used = desk.tool("send_email").used_for(CALL | beyond, ANYWHERE, Statements(desk.folder))
        assert raised(used.assessment).level.value == "critical"
    assert not desk.tool("send_email").idempotent
    assert desk.tool("send_email").headline(CALL) == "Send a mail to ana@house.example: Hello"


@pytest.mark.parametrize(
    "bad",
    [
        {"to": ""},
        {"to": "nobody"},
        {"to": "a@b.example\nBcc: eve@away.example"},
        {"to": "a@b.example", "cc": "=?utf-8?q?x?=@b.example"},
        {"to": [f"a{number}@b.example" for number in range(20)], "cc": "one@more.example"},
        {"reply_to": "x"},
        {"subject": " "},
        {"body": " \n"},
        {"body": "x" * 100_001},
    ],
)
def test_a_mail_that_cannot_be_sent_is_refused(desk: Desk, mailbox: Mailbox, bad: dict[str, Any]) -> None:
    with pytest.raises(ToolFailed):
        desk.use("send_email", **CALL | bad)
    with pytest.raises(NoPreview):
        desk.previewed("send_email", **CALL | bad)
    assert mailbox.mails == []


@given(st.text(max_size=120), st.text(max_size=60))
def test_no_text_becomes_a_header(subject: str, body: str) -> None:
    try:
        mail = checked("signoff@example.org", {"to": "a@b.example", "subject": subject, "body": body})
    except ToolFailed:
        return
    composed = mail.composed("id")
    head = composed.as_bytes().partition(b"\r\n\r\n")[0].decode("ascii", "replace")
    names = {line.partition(":")[0] for line in head.split("\r\n") if line and not line.startswith((" ", "\t"))}
    assert names <= {
        "Subject",
        "From",
        "To",
        "Date",
        "Message-ID",
        "Content-Type",
        "Content-Transfer-Encoding",
        "MIME-Version",
    }


def test_what_the_server_refused_is_a_known_failure(desk: Desk, mailbox: Mailbox) -> None:
    mailbox.says = lambda: "554 no: a password of the tests"
    with pytest.raises(ToolFailed, match="answered 554") as refused:
        desk.use("send_email", **CALL)
    assert "a password of the tests" not in str(refused.value)


def test_a_mail_that_broke_off_may_have_arrived(desk: Desk, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    def hang_up() -> str:
        mailbox.break_off()
        return "250 OK"

    mailbox.says = hang_up
    with pytest.raises(BrokeOff):
        desk.use("send_email", **CALL)


def test_a_server_inside_of_the_network_is_not_reached(mailbox: Mailbox, tmp_path: Path) -> None:
    desk = Desk(EmailKind(), mailbox.settings, tmp_path, Settings())
    assert "SIGNOFF_CONNECTION_HOSTS=127.0.0.1" in str(desk.tested())
    with pytest.raises(ToolFailed, match="private network"):
        desk.use("send_email", **CALL)
    assert mailbox.mails == []


def test_settings_are_checked(tmp_path: Path) -> None:
    problems = EmailKind().check({"host": "", "port": 0, "security": "no", "from": "x", "password": "clear"})
    assert {each.path for each in problems} == {"host", "port", "security", "from", "password"}
    gone = Desk(EmailKind(), {"host": "127.0.0.1", "port": 1, "security": "none", "from": "a@b.example"}, tmp_path)
    assert "Could not reach 127.0.0.1:1" in str(gone.tested())
