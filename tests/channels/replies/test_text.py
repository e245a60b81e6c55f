"""The answer is what the sender wrote, without the mail that they answered."""

from email.message import EmailMessage
from email.policy import SMTP

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.channels.email.replies.authentication import why_not_authenticated
from signoff.channels.email.replies.headers import Unreadable, split_mail
from signoff.channels.email.replies.html_text import text_of_html
from signoff.channels.email.replies.mime import text_of_mail
from signoff.channels.email.replies.quotes import own_words
from signoff.channels.email.replies.reply_to import reply_tokens
from signoff.channels.email.replies.sender import is_automatic, sender_of

GMAIL = """Take the second one.

On Mon, Jan 5, 2026 at 10:00 AM Signoff
<signoff@example.org> wrote:

> Which one?
>
>> Decide: …
"""
OUTLOOK = """Take the second one.

________________________________
From: Signoff <signoff@example.org>
Sent: Monday, January 5, 2026 10:00 AM
To: Ann
Subject: Which one?

Which one?
"""
OLD_OUTLOOK = "Take the second one.\n\n-----Original Message-----\nFrom: Signoff\n\nWhich one?"
UNMARKED = "Take the second one.\n\nOn 5 Jan 2026, at 10:00, Signoff <signoff@example.org> wrote:\n\nWhich one?\n"
GERMAN = "Take the second one.\n\nAm 05.01.26 um 10:00 schrieb Signoff <signoff@example.org>:\n> Which one?\n"
SIGNED = "Take the second one.\n\n-- \nAnn\nHead of Desks"
BELOW = "On 5 Jan 2026, Signoff <signoff@example.org> wrote:\n> Which one?\n\nTake the second one.\n"
PHONE = "Take the second one.\n\nSent from my iPhone\n\n> On 5 Jan 2026, at 10:00, Signoff wrote:\n>\n> Which one?"


@pytest.mark.parametrize(
    "mail",
    [GMAIL, OUTLOOK, OLD_OUTLOOK, UNMARKED, GERMAN, SIGNED, BELOW, PHONE],
    ids=["gmail", "outlook", "old-outlook", "unmarked", "german", "signed", "below", "phone"],
)
def test_what_is_quoted_and_who_signs_are_cut(mail: str) -> None:
    assert own_words(mail) == "Take the second one."


@pytest.mark.parametrize(
    "answer",
    [
        "On Monday she wrote:\nTake the second one.",
        "From: the second shelf, take two.\nThen stop.",
        "a -- b\n---\n_____\nFrom here on: nothing",
        "1 > 0\n\n- one\n- two",
        "Dear agent,\n\nno.\n\nAnn",
    ],
)
def test_what_only_looks_like_a_quote_stays(answer: str) -> None:
    assert own_words(answer) == answer


def test_between_the_lines_of_a_quote_stands_the_answer() -> None:
    assert own_words("> Which one?\nThe second.\n> And when?\nToday.") == "The second.\nToday."


def read(raw: bytes) -> str:
    return text_of_mail(*split_mail(raw))


def test_plain_text_is_preferred_to_html_and_attachments_are_left_out() -> None:
    mail = EmailMessage(policy=SMTP)
    mail.set_content("Grüße, the second one.", charset="iso-8859-1", cte="quoted-printable")
    mail.add_alternative("<p>HTML</p>", subtype="html")
    mail.add_attachment("an attached text")
    assert read(mail.as_bytes()) == "Grüße, the second one.\n"


def test_a_mail_of_html_alone_is_read_as_a_person_sees_it() -> None:
    mail = EmailMessage(policy=SMTP)
    html = """<html><head><title>T</title><style>p { x > y }</style></head><body><!-- > hidden -->
    <div>Take the <b>second</b>&nbsp;one &amp; a &lt; b &eacute;</div><div title="a > b">It costs<br>less.</div>
    <ul><li>today<li>tomorrow</ul><div class="gmail_quote">On … wrote:<div><blockquote>Which?</blockquote></div></div>
    <script>alert("x")</script></body></html>"""
    mail.set_content(html, subtype="html", cte="base64")
    assert read(mail.as_bytes()) == "Take the second one & a < b é\nIt costs\nless.\n\n- today\n- tomorrow"


def test_outlooks_html_ends_where_the_other_mail_begins() -> None:
    html = '<div>Yes.</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Signoff</div>No.'
    assert text_of_html(html) == "Yes."


def test_lines_that_a_mail_program_wrapped_are_whole_again() -> None:
    kind = b"Content-Type: text/plain; charset=utf-8; format=flowed\r\n\r\n"
    assert read(kind + b"Take the \r\nsecond one.\r\n  Then stop. \r\n> Which?\r\n-- \r\nAnn") == (
        "Take the second one.\n Then stop. \n> Which?\n-- \nAnn"
    )
    assert read(kind.replace(b"flowed", b"flowed; delsp=yes") + b"un \r\nbroken") == "unbroken"


@pytest.mark.parametrize(
    ("kind", "body", "text"),
    [
        ("text/plain; charset=nonsense", b"caf\xc3\xa9", "café"),
        ("text/plain; charset=punycode", b"plain-", "plain-"),
        ("text/plain; charset=unicode_escape", rb"\x41", r"\x41"),
        ("text/plain; charset=zip", b"x", "x"),
        ("text/plain; charset=utf-8", b"half \xff", "half \ufffd"),
        ("text/plain; charset=gb2312", "你好".encode("gb2312"), "你好"),
        ('TEXT/Plain; CHARSET="UTF-8"', b"x", "x"),
        ("application/pdf", b"x", ""),
        ("multipart/mixed", b"x", ""),
        ("message/rfc822", b"From: x\r\n\r\nx", ""),
    ],
)
def test_any_charset_and_any_type_is_taken_as_far_as_it_is_text(kind: str, body: bytes, text: str) -> None:
    assert read(b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body) == text


def test_text_that_was_encoded_badly_is_read_as_far_as_it_goes() -> None:
    assert read(b"Content-Transfer-Encoding: base64\r\n\r\nVGFrZSBpdA") == "Take it"
    assert read(b"Content-Transfer-Encoding: base64\r\n\r\nVGFr\r\n!ZSBpdA==V") == "Take it"
    assert read(b"Content-Transfer-Encoding: quoted-printable\r\n\r\n=41=4=ZZ=") == "A=4=ZZ"


def nested(boundaries: int, inner: bytes) -> bytes:
    parts = (b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (each, each) for each in range(boundaries))
    return b"".join([*parts][::-1]) + inner


def test_a_boundary_that_begins_like_another_is_its_own() -> None:
    inner = b"Content-Type: multipart/alternative; boundary=ab\n\n--ab\n\nThe text.\n--ab--\n"
    assert read(b"Content-Type: multipart/mixed; boundary=a\n\n--a\n" + inner + b"--a--\n") == "The text."


@pytest.mark.parametrize(
    "raw",
    [
        b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\nContent-Type: text/x\n\nx\n" * 30_000,
        b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n" * 200_000,
        nested(20_000, b"\nx"),
        b"Content-Type: text/html\n\n" + b"<!--" * 250_000,
        b"Content-Type: text/html\n\n" + b"<a " * 300_000,
        b"Content-Type: text/html\n\n" + b"<a b='" * 160_000,
        b"Content-Type: text/html\n\n" + b"<![CDATA[" * 100_000,
        b"Content-Type: text/html\n\n" + b"<div class='gmail_quote'>" * 40_000,
        b"Content-Type: text/html\n\n&#" + b"9" * 900_000,
        b"Content-Type: text/html\n\n" + b"&" * 900_000,
        b"Content-Type: text/plain; format=flowed\n\n" + b"a \n" * 300_000,
        b"\n" + b"On 1 @\n" * 140_000,
        b"\n" + b"From: x\n" * 120_000,
        b"\n" + b"_" * 900_000,
        b"\n" + b"-" * 900_000,
        b"\n" + b"\n" * 900_000,
        b"Content-Transfer-Encoding: base64\n\n" + b"=" * 900_000,
        b"Content-Type: " + b";a=" * 60_000 + b"\n\nx",
        b"Authentication-Results: mx.example.org;" + b" a=" * 60_000 + b"\n\nx",
        b"Authentication-Results: mx.example.org " + b"(" * 200_000 + b"\n\nx",
        b"Authentication-Results: mx.example.org;" + b' "' * 100_000 + b"\n\nx",
        b"Authentication-Results: a;\n" * 9_000 + b"\nx",
        b"To: " + b"signoff+rep_" * 20_000 + b"\n\nx",
        b"From: " + b'"' * 200_000 + b"\n\nx",
    ],
    ids=range(24),
)
def test_no_mail_stalls_whoever_reads_it(raw: bytes) -> None:
    look_at_everything(raw)


PIECES = st.sampled_from(
    [
        *(
            b"From: ann@example.org\r\n",
            b"From: ",
            b"\r\n",
            b"\n",
            b"\r",
            b" ",
            b"\0",
            b"\xff",
            b"<",
            b">",
            b'"',
            b"(",
            b")",
        ),
        *(b"Authentication-Results: mx.example.org; ", b"dkim=pass", b" header.d=example.org", b";", b"=", b"\\"),
        *(b"To: signoff+rep_aaaaaaaaaaaaaaaaaaaaaaaa@example.org\r\n", b"Return-Path: <>\r\n", b"> x\r\n", b"-- \r\n"),
        *(b"Content-Type: multipart/mixed; boundary=b\r\n", b"--b\r\n", b"--b--\r\n", b"Content-Type: text/html\r\n"),
        *(b"Content-Type: text/plain; charset=", b"utf-16", b"utf-7", b"idna", b"; format=flowed\r\n", b"<!--", b"&#x"),
        *(b"Content-Transfer-Encoding: base64\r\n", b"Content-Transfer-Encoding: quoted-printable\r\n", b"=4", b"&#9"),
        *(
            b"On 1 Jan a@b wrote:\r\n",
            b"<blockquote>",
            b"</blockquote>",
            b"<br>",
            b"<div class=gmail_quote>",
            b"</div>",
        ),
    ]
)


@given(st.one_of(st.binary(max_size=500), st.lists(st.one_of(PIECES, st.binary(max_size=8))).map(b"".join)))
def test_no_mail_breaks_whoever_reads_it(raw: bytes) -> None:
    look_at_everything(raw)


def look_at_everything(raw: bytes) -> None:
    try:
        headers, body = split_mail(raw)
    except Unreadable:
        return
    reply_tokens(headers, "signoff@example.org")
    sender = sender_of(headers)
    assert sender is None or sender.isascii()
    is_automatic(headers)
    why_not_authenticated(headers, "mx.example.org", "example.org")
    own_words(text_of_mail(headers, body)).encode()
