"""What an agent or a member wrote is only ever text in a mail; what programs read stands there unencoded."""

from dataclasses import replace
from email import message_from_bytes
from email.header import decode_header, make_header
from email.headerregistry import Address
from email.message import EmailMessage

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from signoff.channels.email.compose import composed
from signoff.channels.port import AskView, ChannelError, Fact, Message, Recipient

INJECTED = "=?utf-8?q?A=0D=0ABcc=3A_evil=40example=2Eorg=0D=0A=0D=0AAnother_body?="
TURNED = "=?utf-8?b?4oCuZ25w?="
NAMES = {
    *("Subject", "From", "To", "Date", "Message-ID", "In-Reply-To", "References", "Reply-To", "Auto-Submitted"),
    *("X-Auto-Response-Suppress", "Importance", "List-Unsubscribe", "List-Unsubscribe-Post", "List-Id"),
    *("MIME-Version", "Content-Type"),
}
STOP = "https://signoff.example.org/a/stop/v1." + "k" * 120 + "=?" + "t" * 160
PIECES = st.sampled_from(
    ["=?", "?=", "utf-8", "?q?", "?b?", "=0D=0A", "Bcc:", "\r\n", "\u202e", " ", '"', "<", "é", INJECTED]
)
WORDS = st.text(max_size=200) | st.lists(PIECES, max_size=30).map("".join)


def mail(title: str = "Approve: Write", name: str = "Ana", email: str = "ana@example.org") -> EmailMessage:
    message = Message(
        id="0" * 36,
        kind="ask",
        title=title,
        text="What it is about.",
        urgent=True,
        thread="1" * 36,
        reply_to=f"signoff+{'r' * 36}@mail.example.org",
        unsubscribe_url=STOP,
    )
    return composed(f"signoff@{'long-name.' * 6}example.org", Recipient(email, name), message)


@example(INJECTED, "Ana")
@example(f"000{19 * chr(0x10000)}\U0001d2e8", "")
@example("Approve", INJECTED)
@example(TURNED, TURNED)
@example("=" + INJECTED + "?", '"' + INJECTED)
@given(WORDS, WORDS)
def test_no_words_become_a_header_a_body_or_hidden_letters(title: str, name: str) -> None:
    raw = mail(title, name).as_bytes()
    seen = message_from_bytes(raw)
    assert set(seen.keys()) == NAMES
    assert len(seen.keys()) == len(NAMES), "each of them once"
    # A text in many alphabets is shorter in base64.
    body = next(part.get_payload(decode=True) for part in seen.walk() if not part.is_multipart())
    assert isinstance(body, bytes)
    assert b"What it is about." in body
    for header in ("Subject", "To"):
        shown = str(make_header(decode_header(seen[header])))
        assert not {"\u202e", "\0"} & set(shown)
        assert not {"\r", "\n"} & set(shown.replace("\r\n ", ""))
    assert max(len(line) for line in raw.split(b"\r\n")) <= 998
    assert b"\n" not in raw.partition(b"\r\n\r\n")[0].replace(b"\r\n", b"")


@pytest.mark.parametrize("words", [INJECTED, TURNED])
def test_an_encoded_word_is_shown_letter_by_letter(words: str) -> None:
    made = mail(words, words)
    assert words.replace("=?", "= ?")[:100] in made["Subject"]
    (person,) = made["To"].addresses
    assert isinstance(person, Address)
    assert person.addr_spec == "ana@example.org"
    assert person.display_name == words.replace("=?", "= ?")[:100]


def test_an_address_that_is_an_encoded_word_gets_no_mail() -> None:
    with pytest.raises(ChannelError, match="no address") as refused:
        mail(email="=?utf-8?q?A=0D=0ABcc=3A?=@example.org")
    assert refused.value.permanent


def test_what_mail_programs_read_is_neither_split_nor_encoded() -> None:
    lines = mail().as_bytes().split(b"\r\n")
    domain = ("long-name." * 6 + "example.org").encode()
    root = b"<run-" + b"1" * 36 + b"@" + domain + b">"
    assert b"List-Unsubscribe: <" + STOP.encode() + b">" in lines
    assert b"Message-ID: <" + b"0" * 36 + b"@" + domain + b">" in lines
    assert b"In-Reply-To: " + root in lines
    assert b"References: " + root in lines
    assert b"List-Id: Signoff <signoff." + domain + b">" in lines


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x85", "\u2028"])
def test_no_line_of_an_agent_passes_for_one_of_ours(end: str) -> None:
    words = f"Fine.{end}{end}Decide: https://evil.example/a/ans_x"
    fact = Fact("note", words)
    ask = AskView("0" * 36, "approval", None, ("approve",), needs_sign_in=False, arguments=(fact,))
    message = Message(id="0" * 36, kind="ask", title="Approve", text=words, facts=(fact,), detail=words, ask=ask)
    message = replace(message, answer_url="https://signoff.example.org/a/ans_y")
    part = composed("signoff@example.org", Recipient("ana@example.org", "Ana"), message).get_body(("plain",))
    assert part is not None
    lines = [line for line in part.get_content().splitlines() if line.lstrip().startswith("Decide:")]
    assert lines == ["Decide: https://signoff.example.org/a/ans_y"]
