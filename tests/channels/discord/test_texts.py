"""A message as Discord shows it: what agents wrote formats nothing and calls nobody, within Discord's bounds."""

import re
from dataclasses import replace
from typing import Any

from hypothesis import given

from signoff.channels.discord.texts import content_of, escaped, size, told
from signoff.channels.port import Fact, Message
from tests.channels.chats.samples import ASK, HOSTILE, LONG, MESSAGE, MESSAGES, asking
from tests.channels.discord.server import buttons

# Discord's own rule for what stands after a backslash.
ESCAPE = re.compile(r"\\([^0-9A-Za-z\s])")


def words(message: Message) -> str:
    """As people read it."""
    made = content_of(message)
    text = "\n".join([made["content"], *(each["description"] for each in made["embeds"])])
    return ESCAPE.sub(r"\1", text)


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def test_an_approval_shows_what_it_is_about_and_has_its_buttons() -> None:
    for part in ("Approve: Send a mail", "Support", "ana@example.org", "Hello\nworld", "asked for it", "High risk"):
        assert part in words(MESSAGE), part
    made = buttons(content_of(MESSAGE))
    assert [(each, button["style"]) for each, button in made.items()] == [
        ("Approve", 3),
        ("Deny", 4),
        ("Reply", 2),
        ("Open", 5),
    ]
    assert made["Open"]["url"] == MESSAGE.open_url
    assert "custom_id" not in made["Open"]


def test_choices_are_buttons() -> None:
    made = content_of(asking(*"abcdefgh"))
    assert [len(row["components"]) for row in made["components"]] == [5, 3, 1]


def test_what_is_too_long_to_be_shown_cannot_be_approved() -> None:
    assert list(buttons(content_of(LONG))) == ["Deny", "Open"]


def test_a_settled_ask_says_how_it_ended_and_has_no_buttons() -> None:
    made = content_of(replace(MESSAGE, outcome="Approved by *Ana*"))
    assert made["components"] == []
    assert made["content"].endswith("\n**Approved by \\*Ana\\***")


def test_a_test_message_lets_people_say_who_they_are() -> None:
    test = Message(id=MESSAGE.id, kind="test", title="A test")
    made = content_of(test)
    assert buttons(made)["Link account"]["custom_id"] == "link"
    assert made["embeds"] == []


def test_a_digest_is_a_list_of_links() -> None:
    items = (replace(MESSAGE, title="Thing [1](x)", open_url="https://x.example/a)b"),)
    made = content_of(Message(id=MESSAGE.id, kind="digest", title="Things", items=items))
    assert made["embeds"][0]["description"] == r"• [Thing \[1\]\(x\)](https://x.example/a%29b)"


@given(HOSTILE)
def test_nothing_that_was_written_means_anything(text: str) -> None:
    made = escaped(text)
    assert ESCAPE.sub(r"\1", made) == text
    assert not set(re.sub(r"\\[^0-9A-Za-z\s]", "", made)) & set(r"\*_~`|<>[]()#-@:")
    assert units(made) == size(text)


@given(MESSAGES)
def test_it_stays_within_discords_bounds_and_calls_nobody(message: Message) -> None:
    made: dict[str, Any] = content_of(message)
    assert made["allowed_mentions"] == {"parse": []}
    assert 0 < units(made["content"]) <= 2_000
    for embed in made["embeds"]:
        assert 0 < units(embed["description"]) <= 4_096
    assert len(made["components"]) <= 5
    for row in made["components"]:
        assert 0 < len(row["components"]) <= 5
        for each in row["components"]:
            assert 0 < len(each["label"].strip()) <= 80
            assert len(each.get("custom_id", "")) <= 100
            assert ("url" in each) != ("custom_id" in each)


@given(HOSTILE, HOSTILE)
def test_arguments_are_shown_to_the_letter(name: str, value: str) -> None:
    message = replace(MESSAGE, ask=replace(ASK, arguments=(Fact(name, value),)))
    if "Approve" in buttons(content_of(message)):
        assert (value or "(empty)") in words(message)


@given(HOSTILE)
def test_what_one_person_is_told_is_for_them_alone(text: str) -> None:
    made = told(text)
    assert (made["flags"], made["allowed_mentions"]) == (64, {"parse": []})
    assert units(made["content"]) <= 2_000
