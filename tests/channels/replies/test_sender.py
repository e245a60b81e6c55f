"""Who a mail is from, whom it is to, and whether a person wrote it."""

import pytest

from signoff.channels.email.replies.headers import Headers, Unreadable, split_mail
from signoff.channels.email.replies.reply_to import reply_address, reply_tokens
from signoff.channels.email.replies.sender import is_automatic, sender_of

TOKEN = "rep_" + "a1-_" * 8


def headers_of(*lines: str) -> Headers:
    return split_mail(("\r\n".join(lines) + "\r\n\r\nx").encode())[0]


@pytest.mark.parametrize(
    "written",
    [
        "ann@example.org",
        "Ann <ann@example.org>",
        "Ann <ANN@Example.org>",
        "<ann@example.org>",
        '"Ann, from <the> office" <ann@example.org>',
        r'"Ann \"the\" Boss" <ann@example.org>',
        '"boss@example.org" <ann@example.org>',
        "Ann M. =?utf-8?q?M=C3=BCller?= <ann@example.org>",
        "Änn <ann@example.org>",
        "Ann\r\n\t<ann@example.org>",
        "\r\n ann@example.org",
    ],
)
def test_one_plain_sender_is_understood(written: str) -> None:
    assert sender_of(headers_of(f"From: {written}")) == "ann@example.org"


@pytest.mark.parametrize(
    "written",
    [
        "",
        "Ann",
        "ann@example.org, eve@evil.example",
        "ann@example.org <eve@evil.example>",
        "ann@example.org eve@evil.example",
        "<ann@example.org> <eve@evil.example>",
        "Ann <ann@example.org>, Eve <eve@evil.example>",
        "Ann <ann@example.org> (<eve@evil.example>)",
        "ann@example.org(<eve@evil.example>)",
        "Group: ann@example.org;",
        '"ann@example.org',
        '"Ann" ann@example.org',
        '"ann"@example.org',
        "<@evil.example:ann@example.org>",
        "<ann@example.org>eve@evil.example",
        "ann@example.org\x0b",
        "ann@example",
        "ann@[192.0.2.1]",
        "ann@exаmple.org",  # noqa: RUF001
        "\u212aann@example.org",
        f"{'a' * 2000} <ann@example.org>",
    ],
)
def test_anything_that_could_be_read_in_two_ways_is_nobodys(written: str) -> None:
    assert sender_of(headers_of(f"From: {written}")) is None


def test_a_mail_with_two_senders_or_none_is_nobodys() -> None:
    assert sender_of(headers_of("From: ann@example.org", "FROM: ann@example.org")) is None
    assert sender_of(headers_of("Sender: ann@example.org")) is None


@pytest.mark.parametrize(
    "raw",
    [
        b"From: ann@example.org\rFrom: eve@evil.example\r\n\r\n",
        b"From: ann@example.org\0\r\n\r\n",
        b"From : ann@example.org\r\n\r\n",
        b"No header at all\r\nFrom: ann@example.org\r\n\r\n",
        b" From: ann@example.org\r\n\r\n",
        b": ann@example.org\r\n\r\n",
        b"X: " + b"x" * 300_000 + b"\r\n\r\n",
    ],
)
def test_headers_that_programs_read_in_different_ways_are_not_read(raw: bytes) -> None:
    with pytest.raises(Unreadable):
        split_mail(raw)


def test_a_reply_address_is_found_wherever_mail_servers_write_it() -> None:
    address = reply_address("Signoff@Example.org", TOKEN)
    for name in ("To", "Cc", "Delivered-To", "X-Original-To"):
        for written in (address, address.upper(), f"Signoff <{address}>", f"x@y.example, {address}"):
            assert reply_tokens(headers_of(f"{name}: {written}"), "signoff@example.org") == [TOKEN]
    assert reply_tokens(headers_of(f"To: {address}", f"Delivered-To: {address.lower()}"), "signoff@example.org") == [
        TOKEN
    ]


@pytest.mark.parametrize(
    "line",
    [
        f"Subject: signoff+{TOKEN}@example.org",
        f"To: signoff+{TOKEN}@evil.example",
        f"To: signoff+{TOKEN}@example.org.evil.example",
        f"To: xsignoff+{TOKEN}@example.org",
        f"To: eve+signoff+{TOKEN}@example.org",
        "To: signoff+rep_short@example.org",
        "To: signoff@example.org",
    ],
)
def test_no_other_address_is_taken_for_one(line: str) -> None:
    assert reply_tokens(headers_of(line), "signoff@example.org") == []


@pytest.mark.parametrize(
    "line",
    [
        "Auto-Submitted: auto-replied",
        "Auto-Submitted: auto-generated; x=y",
        "X-Autoreply: yes",
        "Precedence: bulk",
        "Precedence: Auto_Reply",
        "Return-Path: <>",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=x",
    ],
)
def test_what_a_program_wrote_is_recognised(line: str) -> None:
    assert is_automatic(headers_of("From: ann@example.org", line))


def test_what_a_person_wrote_is_not_taken_for_a_programs() -> None:
    assert not is_automatic(headers_of("Auto-Submitted: no", "Return-Path: <ann@example.org>", "Precedence: normal"))
