"""A message as Telegram's HTML: what agents wrote means nothing there, and all of it stays within Telegram's bounds."""

from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

from hypothesis import given

from signoff.channels.port import Fact, Message
from signoff.channels.telegram.texts import answer_text, keyboard, layout, text_of
from tests.channels.chats.samples import ASK, HOSTILE, LONG, MESSAGE, MESSAGES, asking

TAGS = {"b", "i", "a", "pre"}


class Reader(HTMLParser):
    """Reads it as Telegram does."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.words, self.open, self.tags, self.plain = "", list[str](), list[str](), ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        assert tag in TAGS, tag
        self.open.append(tag)
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data
        if "pre" not in self.open:
            self.plain += data


def read(message: Message) -> Reader:
    return Reader(text_of(layout(message)))


def buttons(message: Message) -> list[dict[str, Any]]:
    return [each for row in keyboard(message, layout(message)) for each in row]


def test_an_approval_shows_what_it_is_about_and_has_its_buttons() -> None:
    made = read(MESSAGE)
    for part in ("Approve: Send a mail", "Support", "ana@example.org", "Hello\nworld", "asked for it", "High risk"):
        assert part in made.words, part
    assert [each["text"] for each in buttons(MESSAGE)] == ["Approve", "Deny", "Open"]
    assert buttons(MESSAGE)[-1] == {"text": "Open", "url": MESSAGE.open_url}


def test_choices_are_buttons_two_in_a_row() -> None:
    message = asking("Blue", "Red", "Green")
    assert [[each["text"] for each in row] for row in keyboard(message, layout(message))] == [
        ["Blue", "Red"],
        ["Green"],
        ["Open"],
    ]


def test_what_is_too_long_to_be_shown_cannot_be_approved() -> None:
    assert [each["text"] for each in buttons(LONG)] == ["Deny", "Open"]


def test_a_settled_ask_says_how_it_ended_and_has_no_keyboard() -> None:
    settled = replace(MESSAGE, outcome="Approved by Ana")
    assert "Approved by Ana" in read(settled).words
    assert not keyboard(settled, layout(settled))


def test_a_digest_is_a_list_of_links() -> None:
    items = (replace(MESSAGE, title='Thing <1> "x"', open_url='https://x.example/"><b>'),)
    made = text_of(layout(Message(id=MESSAGE.id, kind="digest", title="Things", items=items)))
    assert '• <a href="https://x.example/&quot;&gt;&lt;b&gt;">Thing &lt;1&gt; "x"</a>' in made


@given(MESSAGES)
def test_it_is_html_that_telegram_reads_within_its_bounds(message: Message) -> None:
    made = read(message)
    assert not made.open
    assert len(made.words.encode("utf-16-le", "surrogatepass")) // 2 <= 4_096
    assert len(made.tags) <= 100
    # Nobody is called: outside of what is quoted to the letter no name follows an @.
    assert "@" not in made.plain.replace("@\u2060", "")
    for each in buttons(message):
        assert each["text"].strip()
        assert len(each.get("callback_data", "").encode()) <= 64
        assert ("url" in each) != ("callback_data" in each)


@given(HOSTILE, HOSTILE)
def test_arguments_are_shown_to_the_letter(name: str, value: str) -> None:
    message = replace(MESSAGE, ask=replace(ASK, arguments=(Fact(name, value),)))
    made = read(message)
    if layout(message).shows_all:
        assert (value or "(empty)") in made.words
        assert not made.open


@given(HOSTILE)
def test_an_answer_to_a_press_is_short(words: str) -> None:
    assert len(answer_text(words).encode("utf-16-le", "surrogatepass")) // 2 <= 200
