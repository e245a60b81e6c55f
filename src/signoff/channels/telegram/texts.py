"""A message as Telegram's HTML and its keyboard. Pure: what agents wrote is shown as it is, and means nothing there."""

import html
from typing import assert_never

from signoff.channels.chats.layout import Layout, Line, cut, laid_out
from signoff.channels.chats.offered import Button, decision_buttons, link_buttons
from signoff.channels.port import Message
from signoff.kit.jsons import JsonObject

# Telegram's own bounds.
ROOM, ANSWER = 4_096, 200
# After this, `@name` calls nobody.
APART = "\u2060"
PER_ROW = 2
EMPTY = "(empty)"


def size(text: str) -> int:
    """As Telegram counts: what is outside the first plane counts twice."""
    return sum(1 + (ord(each) > 0xFFFF) + (each == "@") for each in text)


def layout(message: Message) -> Layout:
    return laid_out(message, ROOM, size)


def text_of(made: Layout) -> str:
    return "\n".join([f"<b>{_plain(made.title)}</b>", *(_line(each) for each in made.lines)])


def keyboard(message: Message, made: Layout) -> list[list[JsonObject]]:
    """Decisions beside each other, and links below them."""
    decisions = decision_buttons(message, shows_all=made.shows_all, takes_text=False)
    rows = [decisions[at : at + PER_ROW] for at in range(0, len(decisions), PER_ROW)]
    return [[_button(each) for each in row] for row in [*rows, *([each] for each in link_buttons(message))]]


def answer_text(words: str) -> str:
    """What whoever pressed reads at once: plain text."""
    return cut(words, ANSWER, size)


def _button(button: Button) -> JsonObject:
    if button.look == "link":
        return {"text": button.label, "url": button.url}
    return {"text": button.label, "callback_data": button.data}


def _line(line: Line) -> str:
    value = _plain(line.value) or EMPTY
    match line.part:
        case "outcome":
            return f"<b>{value}</b>"
        case "fact":
            return f"<b>{_plain(line.label)}:</b> {value}"
        case "argument":
            # Nothing is looked for in there: no names, no links, no commands.
            return f"<b>{_plain(line.label)}</b>\n<pre>{_escaped(line.value) or EMPTY}</pre>"
        case "why":
            return f"<b>{_plain(line.label)}</b>\n{value}"
        case "item":
            link = f'<a href="{html.escape(line.url)}">{value}</a>' if line.url else value
            return f"• {link}"
        case "choice":
            return f"• {value}"
        case "note" if line.label:
            return f"{_plain(line.label)}: {value}"
        case "note":
            return f"<i>{value}</i>"
        case "standing" | "text":
            return value
        case _:
            assert_never(line.part)


def _plain(text: str) -> str:
    return _escaped(text).replace("@", f"@{APART}")


def _escaped(text: str) -> str:
    return html.escape(text, quote=False)
