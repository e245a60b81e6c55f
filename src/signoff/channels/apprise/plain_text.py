"""A message in plain words, for services of which nothing is known. Pure."""

import re
from collections.abc import Iterable

from signoff.channels.port import Message

LONGEST_TITLE, LONGEST_BODY, LONGEST_TEXT, MOST_ITEMS = 200, 3_000, 1_000, 15
CUT = "…"
# What calls everybody in one service or another.
_ALL = "everyone|here|channel|all|room|stream|topic|online"
_CALLS = re.compile(rf"@(?=_?\**(?:{_ALL})\b)|<(?=[!@#]|users/)", re.IGNORECASE)


def title(message: Message) -> str:
    words = f"{message.outcome}: {message.title}" if message.outcome else message.title
    return _bounded(f"Urgent: {words}" if message.urgent else words, LONGEST_TITLE).replace("\n", " ")


def body(message: Message) -> str:
    """The links come first of all that is cut: without them there is nothing to do about it."""
    links = "\n".join(_links(message))
    told = _bounded("\n".join(_lines(message)), LONGEST_BODY - min(len(links), LONGEST_BODY // 2))
    return f"{told}\n\n{links}".strip() or title(message)


def _lines(message: Message) -> Iterable[str]:
    if message.repeated:
        yield "This may be a repeat."
    if message.text:
        yield _bounded(message.text, LONGEST_TEXT)
    yield from (_bounded(f"{each.label}: {each.value}", LONGEST_TEXT) for each in message.facts)
    if message.ask:
        yield from (_bounded(f"{each.label}: {each.value}", LONGEST_TEXT) for each in message.ask.arguments)
        yield from (_bounded(f"- {each.label}", LONGEST_TEXT) for each in message.ask.choices)
    if message.detail:
        yield _bounded(f"Why: {message.detail}", LONGEST_TEXT)
    for item in message.items[:MOST_ITEMS]:
        yield _bounded(f"- {item.title} {item.open_url}", LONGEST_TITLE * 2)


def _links(message: Message) -> Iterable[str]:
    if message.open_url:
        yield f"Open: {message.open_url}"
    yield from (f"{each.label}: {each.url}" for each in message.links)


def _bounded(text: str, most: int) -> str:
    quiet = _CALLS.sub(lambda found: f"{found[0]} ", text.strip())
    return quiet if len(quiet) <= most else quiet[: most - len(CUT)] + CUT
