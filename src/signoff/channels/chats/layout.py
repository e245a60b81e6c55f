"""What a chat shows of a message, in the order that it is read and within the room that there is. Pure."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from signoff.channels.chats.offered import LONGEST_LABEL, MOST_CHOICES, links_in_words
from signoff.channels.port import AskView, Message

Part = Literal["outcome", "standing", "text", "fact", "argument", "why", "choice", "item", "note"]
# How much room a text takes, as the chat counts; that of two texts is the sum of theirs.
Size = Callable[[str], int]
# Whoever presses a button signs these: what of them has no room cannot be approved there.
SIGNED = frozenset[Part]({"text", "fact", "argument", "choice"})
# Who gets room first.
ORDER: tuple[Part, ...] = ("outcome", "note", "standing", "argument", "choice", "fact", "text", "why", "item")
LONGEST_TITLE, MOST_ITEMS = 500, 15
# Line ends, and the marks that a chat puts around a line.
AROUND = 16
# Less of a text than this is not worth showing.
SHORTEST = 20
CUT = "…"
RISKS = {"high": "⚠️ High risk", "critical": "🚨 Critical risk"}
NOT_ALL = "Not all of it is shown here. Open it to read the rest."
REPEATED = "This may be a repeat: it is not known whether the first one came through."
SIGN_IN = "This is decided in the app, by whoever signs in there."


@dataclass(frozen=True)
class Line:
    part: Part
    value: str
    label: str = ""
    url: str = ""


@dataclass(frozen=True)
class Layout:
    title: str
    lines: tuple[Line, ...]
    # Whether all that a button would sign is here.
    shows_all: bool


def laid_out(message: Message, room: int, size: Size) -> Layout:
    named = message.title.strip() or "Signoff"
    title = cut(named, LONGEST_TITLE, size)
    wanted = list(_lines(message))
    # It is known only at the end whether it is needed.
    left = room - size(title) - size(NOT_ALL) - 2 * AROUND
    kept = dict[int, Line]()
    for at in sorted(range(len(wanted)), key=lambda each: ORDER.index(wanted[each].part)):
        line = _fitting(wanted[at], left, size)
        if line is not None:
            kept[at] = line
            left -= _room_of(line, size)
    lines = [kept[at] for at in sorted(kept)]
    is_whole = title == named and all(kept.get(at) == line for at, line in enumerate(wanted))
    signed = ((at, line) for at, line in enumerate(wanted) if line.part in SIGNED)
    shows_all = title == named and all(kept.get(at) == line for at, line in signed)
    return Layout(title, tuple(lines if is_whole else [*lines, Line("note", NOT_ALL)]), shows_all)


def cut(text: str, most: int, size: Size) -> str:
    """The text, or as much of its beginning as there is room for."""
    if size(text) <= most:
        return text
    kept, left = list[str](), most - size(CUT)
    for each in text:
        left -= size(each)
        if left < 0:
            break
        kept.append(each)
    return "".join(kept) + CUT


def _room_of(line: Line, size: Size) -> int:
    return size(line.label) + size(line.value) + size(line.url) + AROUND


def _fitting(line: Line, left: int, size: Size) -> Line | None:
    for_value = left - AROUND - size(line.label) - size(line.url)
    if size(line.value) <= for_value:
        return line
    return replace(line, value=cut(line.value, for_value, size)) if for_value >= SHORTEST else None


def _lines(message: Message) -> Iterator[Line]:
    ask = message.ask
    if message.outcome is not None:
        yield Line("outcome", message.outcome)
    yield from _standing(message)
    if message.text.strip():
        yield Line("text", message.text.strip())
    yield from (Line("fact", each.value, each.label) for each in message.facts)
    yield from (Line("argument", each.value, each.label) for each in (ask.arguments if ask else ()))
    if message.detail.strip():
        yield Line("why", message.detail.strip(), "Why")
    yield from _items(message)
    if message.repeated:
        yield Line("note", REPEATED)
    if ask is not None and message.outcome is None:
        yield from _choices(ask)
    yield from (Line("note", each.url, each.label) for each in links_in_words(message))


def _standing(message: Message) -> Iterator[Line]:
    words = ["🔔 Urgent"] if message.urgent else []
    if message.risk:
        words.append(RISKS.get(message.risk, f"{message.risk.capitalize()} risk"))
    if words:
        yield Line("standing", " · ".join(words))


def _items(message: Message) -> Iterator[Line]:
    """What a digest gathers."""
    yield from (Line("item", each.title, url=each.open_url) for each in message.items[:MOST_ITEMS])
    if len(message.items) > MOST_ITEMS:
        yield Line("item", f"and {len(message.items) - MOST_ITEMS} more")


def _choices(ask: AskView) -> Iterator[Line]:
    """What stands behind each choice, where its button has no room for it; and why there is no button at all."""
    if ask.needs_sign_in:
        yield Line("note", SIGN_IN)
    if len(ask.choices) > MOST_CHOICES:
        yield Line("note", f"There are {len(ask.choices)} answers to choose from. Open it to choose one.")
    elif any(each.description or len(each.label) > LONGEST_LABEL for each in ask.choices):
        for each in ask.choices:
            yield Line("choice", f"{each.label}: {each.description}" if each.description else each.label)
