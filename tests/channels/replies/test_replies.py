"""A question that came by mail is answered by a reply: only by who got it, and only once."""

from collections.abc import Iterator
from email.message import EmailMessage
from typing import Any

import pytest

from signoff.channels import queries
from signoff.channels.email.replies.mailbox import DONE, REFUSED
from signoff.channels.email.replies.reader import look_into
from signoff.channels.email.replies.take import Taken, take
from signoff.channels.email.transport import EmailSettings, Mailbox
from signoff.channels.models import Channel
from signoff.channels.port import OpenChannel
from signoff.kit.ids import new_id
from tests.channels.conftest import only_this_tests_people_and_channels  # noqa: F401
from tests.channels.mailbox import Mailbox as MailServer
from tests.channels.people import someone
from tests.channels.replies.imap_server import PASSWORD, USER, ImapServer, reply, verdict
from tests.contract.scenes import QUESTION, WRITE, at_once, run_that, said_to_model
from tests.house import House
from tests.wire import says

QUOTED = """Take the second one.
It costs less.

On Mon, 5 Jan 2026 at 10:00, Signoff <signoff@example.org> wrote:
> Which one?
"""


@pytest.fixture(scope="module")
def imap() -> Iterator[ImapServer]:
    server = ImapServer()
    yield server
    server.close()


@pytest.fixture(scope="module")
def mailbox(house: House, imap: ImapServer) -> Iterator[MailServer]:
    """A mail server, and a channel whose mails can be replied to."""
    server = MailServer()
    body = {"kind": "email", "name": "Mail", "settings": {**server.settings, "replies": imap.settings}}
    house.post("/api/channels", {**body, "secrets": {"mailbox_password": PASSWORD}}, 201)
    yield server
    server.close()


@pytest.fixture(scope="module")
def channel_id(house: House, mailbox: MailServer) -> str:
    return next(each["id"] for each in house.get("/api/channels")["items"] if each["name"] == "Mail")


@pytest.fixture
def person(house: House, mailbox: MailServer) -> str:
    """A new member's address."""
    email = f"{new_id()}@example.org"
    house.member("approver", email)
    return email


@pytest.fixture
def run(house: House, person: str) -> str:
    """One that waits for an answer in words."""
    return run_that(house, says("", QUESTION), says("Thank you."))


@pytest.fixture
def question(run: str, mailbox: MailServer, person: str) -> EmailMessage:
    return mailbox.wait_for(person, "Which one?")


def looked(house: House, imap: ImapServer, folder: str, *mails: bytes) -> None:
    """Wait until these mails were seen to, and are in this folder."""

    def look() -> bool:
        house.parts.reply_reader.nudge()
        return not set(mails) - set(imap.mails_in(folder))

    house.until(look)
    assert imap.mails_in("INBOX") == []


def opened(house: House, channel_id: str) -> tuple[OpenChannel, Mailbox]:
    def work(session: Any) -> OpenChannel:
        return queries.opened(session, house.parts.keyring, session.get_one(Channel, channel_id))

    channel = house.parts.db.read(work)
    settings = channel.settings_as(EmailSettings).replies
    assert settings is not None
    return channel, settings


def on_record(house: House, run: str, action: str) -> list[dict[str, Any]]:
    return [each for each in house.get("/api/audit", run=run, limit=200)["items"] if each["action"] == action]


def test_a_reply_answers_the_question_without_what_it_quotes(
    house: House, imap: ImapServer, run: str, question: EmailMessage, person: str
) -> None:
    mail = reply(question, person, QUOTED)
    imap.put(mail)
    looked(house, imap, DONE, mail)
    assert house.ended(run)["status"] == "completed"
    assert "Take the second one." in said_to_model(house, run)
    (answered,) = on_record(house, run, "ask.answered")
    assert answered["data"]["answer"]["value"] == "Take the second one.\nIt costs less."
    assert (answered["actor"], answered["data"]["via"]) == (person, "email")


def test_what_does_not_prove_its_sender_answers_nothing(
    house: House, imap: ImapServer, run: str, question: EmailMessage, person: str
) -> None:
    stranger = "somebody@elsewhere.example"
    wrong = [
        # From somebody else, who is who they say.
        reply(question, stranger, "1", vouched=(verdict("elsewhere.example"),)),
        # From them as far as it says, but nobody vouches for it.
        reply(question, person, "2", vouched=()),
        # Our server says that it comes from elsewhere; below stands what came with the mail.
        reply(question, person, "3", vouched=(verdict("elsewhere.example"), verdict())),
        reply(question, person, "4", vouched=(verdict(server="mx.elsewhere.example"),)),
        reply(question, person, "5", From=f"{person}, {stranger}"),
        reply(question, person, "6", From=f"{person} <{stranger}>"),
        # A program writes that they are away.
        reply(question, person, "7", Auto_Submitted="auto-replied"),
        reply(question, person, "> Which one?"),
    ]
    for mail in wrong:
        imap.put(mail)
    looked(house, imap, REFUSED, *wrong)
    reasons = [each["data"]["reason"] for each in on_record(house, run, "mail.refused")]
    assert len(reasons) == len(wrong)
    assert str(reasons).count("does not vouch") == 1
    assert house.asks(run), "the question is still open"
    right = reply(question, person, "The first one.")
    imap.put(right)
    looked(house, imap, DONE, right)
    assert house.ended(run)["status"] == "completed"


def test_a_second_reply_changes_nothing(
    house: House, imap: ImapServer, run: str, question: EmailMessage, person: str
) -> None:
    first, second = reply(question, person, "This one."), reply(question, person, "No, the other one.")
    imap.put(first)
    looked(house, imap, DONE, first)
    house.ended(run)
    imap.put(first)
    imap.put(second)
    looked(house, imap, REFUSED, second)
    assert imap.mails_in(DONE).count(first) == 2
    assert len(on_record(house, run, "ask.answered")) == 1
    assert len(on_record(house, run, "mail.refused")) == 1


def test_two_that_look_at_once_take_a_mail_once(
    house: House, imap: ImapServer, run: str, question: EmailMessage, person: str, channel_id: str
) -> None:
    mail = reply(question, person, "This one.")
    imap.put(mail)
    at_once(3, lambda _: look_into(house.parts.db, *opened(house, channel_id), lambda: False))
    looked(house, imap, DONE, mail)
    assert len(on_record(house, run, "ask.answered")) == 1
    assert on_record(house, run, "mail.refused") == []


def test_who_dies_before_the_mail_is_put_aside_neither_loses_it_nor_answers_twice(
    house: House, imap: ImapServer, run: str, question: EmailMessage, person: str, channel_id: str
) -> None:
    mail = reply(question, person, "This one.")
    assert isinstance(take(house.parts.db, *opened(house, channel_id), mail), Taken)
    imap.put(mail)
    looked(house, imap, DONE, mail)
    assert len(on_record(house, run, "ask.answered")) == 1
    assert on_record(house, run, "mail.refused") == []


def test_a_mail_to_nobody_and_one_that_is_too_large_are_put_aside(
    house: House, imap: ImapServer, question: EmailMessage, person: str
) -> None:
    to_nobody = reply(question, person, "Hello?", To="signoff@example.org")
    large = reply(question, person, "x" * 1_000_001)
    broken = b"\x00\xff no mail at all\r\n\r\n"
    for mail in (to_nobody, large, broken):
        imap.put(mail)
    looked(house, imap, REFUSED, to_nobody, large, broken)


def test_two_channels_can_share_a_mailbox(
    house: House, imap: ImapServer, run: str, question: EmailMessage, person: str, channel_id: str
) -> None:
    body = {"kind": "email", "name": new_id(), "settings": house.get(f"/api/channels/{channel_id}")["settings"]}
    other = house.post("/api/channels", {**body, "secrets": {"mailbox_password": PASSWORD}}, 201)["id"]
    mail = reply(question, person, "This one.")
    assert take(house.parts.db, *opened(house, other), mail) is None
    assert house.asks(run)
    imap.put(mail)
    looked(house, imap, DONE, mail)


def test_an_approval_is_not_asked_for_a_reply(house: House, mailbox: MailServer, person: str) -> None:
    run_that(house, says("", WRITE))
    mail = mailbox.wait_for(person, "a.txt")
    assert mail["Reply-To"] is None
    assert "replying" not in mail.as_string()


def test_the_test_of_a_channel_signs_in_to_its_mailbox(house: House, imap: ImapServer, channel_id: str) -> None:
    assert house.post(f"/api/channels/{channel_id}/test") == {"ok": True, "error": None}
    settings = house.get(f"/api/channels/{channel_id}")["settings"]
    body: dict[str, Any] = {"kind": "email", "name": new_id(), "settings": settings}
    other = house.post("/api/channels", {**body, "enabled": False, "secrets": {"mailbox_password": "wr0ng-w0rd"}}, 201)
    tried = house.post(f"/api/channels/{other['id']}/test")
    assert not tried["ok"]
    assert "AUTHENTICATIONFAILED" in tried["error"]
    assert "wr0ng-w0rd" not in tried["error"]
    settings = {**settings, "replies": {**imap.settings, "port": 1, "username": USER}}
    changed = {"settings": settings, "secrets": {"mailbox_password": "wr0ng-w0rd"}}
    assert house.client.patch(f"/api/channels/{other['id']}", json=changed).is_success
    assert "127.0.0.1:1" in house.post(f"/api/channels/{other['id']}/test")["error"]


def test_a_mailbox_that_cannot_be_reached_is_told_and_looked_into_again(
    house: House,
    imap: ImapServer,
    question: EmailMessage,
    person: str,
    channel_id: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings = house.get(f"/api/channels/{channel_id}")["settings"]
    elsewhere = {**settings, "replies": {**imap.settings, "port": 1}}
    secrets = {"secrets": {"mailbox_password": PASSWORD}}
    assert house.client.patch(f"/api/channels/{channel_id}", json={"settings": elsewhere, **secrets}).is_success
    house.until(lambda: f"{channel_id}: Could not reach 127.0.0.1:1" in caplog.text)
    error = house.until(lambda: house.get(f"/api/channels/{channel_id}")["last_error"])
    assert error.startswith("Replies cannot be read. Could not reach 127.0.0.1:1")
    seen = someone(house, "viewer").client.get(f"/api/channels/{channel_id}").json()
    assert seen["last_error"] is None, "for admins"
    mail = reply(question, person, "This one.")
    imap.put(mail)
    assert house.client.patch(f"/api/channels/{channel_id}", json={"settings": settings, **secrets}).is_success
    assert house.get(f"/api/channels/{channel_id}")["last_error"] is None
    looked(house, imap, DONE, mail)
    assert PASSWORD not in caplog.text


def test_a_mailbox_address_leaves_room_for_the_token(house: House, imap: ImapServer, mailbox: MailServer) -> None:
    settings = {**mailbox.settings, "replies": {**imap.settings, "address": f"{'a' * 28}@example.org"}}
    refused = house.client.post("/api/channels", json={"kind": "email", "name": new_id(), "settings": settings})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["path"] == "settings.replies.address"
