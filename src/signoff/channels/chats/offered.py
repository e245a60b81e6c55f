"""Which buttons a message has. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from signoff.channels.chats.carried import APPROVE, CHOOSE, DENY, REPLY, packed
from signoff.channels.port import Choice, Link, Message

Look = Literal["approve", "deny", "plain", "link"]
# More choices than this are made in the app.
MOST_CHOICES, MOST_LINKS = 8, 5
LONGEST_LABEL, LONGEST_URL = 60, 512


@dataclass(frozen=True)
class Button:
    label: str
    look: Look
    # What comes back when it is pressed; or, of a link, nothing.
    data: str = ""
    url: str = ""


def decision_buttons(message: Message, *, shows_all: bool, takes_text: bool) -> list[Button]:
    """What can be decided by one press. Only a refusal, where the message does not show all that would be signed."""
    ask = message.ask
    if ask is None or message.outcome is not None or ask.needs_sign_in:
        return []
    found = list[Button]()
    if "approve" in ask.decisions and shows_all:
        found.append(Button("Approve", "approve", packed(message.id, APPROVE, ask.digest)))
    if "deny" in ask.decisions:
        found.append(Button("Deny", "deny", packed(message.id, DENY, ask.digest)))
    if "respond" not in ask.decisions or not shows_all:
        return found
    if 0 < len(ask.choices) <= MOST_CHOICES:
        chosen = ((each, packed(message.id, CHOOSE, ask.digest, each.number)) for each in ask.choices)
        return [*found, *(Button(_label(each), "plain", data) for each, data in chosen)]
    if takes_text and ask.response_type == "text":
        # What can be approved as it is can also be sent back with other words.
        label = "Reply" if "approve" in ask.decisions else "Answer"
        found.append(Button(label, "plain", packed(message.id, REPLY, ask.digest)))
    return found


def _label(choice: Choice) -> str:
    label = choice.label.strip() or f"Answer {choice.number + 1}"
    return label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "…"


def link_buttons(message: Message) -> list[Button]:
    """Ways to the app that a chat accepts."""
    return [
        Button(each.label[:LONGEST_LABEL], "link", url=each.url) for each in _links(message) if is_web_link(each.url)
    ]


def links_in_words(message: Message) -> list[Link]:
    """Ways to the app that no chat makes a button of, such as to this very machine."""
    return [each for each in _links(message) if not is_web_link(each.url)]


def is_web_link(url: str) -> bool:
    """Whether chats take it for an address: they refuse a whole message for a host without a dot."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return parts.scheme in ("http", "https") and ("." in host or ":" in host) and len(url) <= LONGEST_URL


def _links(message: Message) -> Iterator[Link]:
    if message.outcome is not None:
        return
    if message.open_url:
        yield Link("Open", message.open_url)
    if message.answer_url:
        yield Link("Answer without signing in", message.answer_url)
    yield from message.links[:MOST_LINKS]
