"""A message as Discord shows it. Pure: what agents wrote is shown as it is, calls nobody and formats nothing."""

import string
from collections.abc import Sequence
from typing import assert_never
from urllib.parse import quote

from signoff.channels.chats.layout import Line, cut, laid_out
from signoff.channels.chats.offered import Button, Look, decision_buttons, link_buttons
from signoff.channels.port import Message
from signoff.kit.jsons import JsonObject

# Discord's own bounds.
CONTENT, DESCRIPTION, PER_ROW = 2_000, 4_096, 5
OUTCOME = 500
# Nobody is called, whatever is written.
QUIET: JsonObject = {"parse": []}
ROW, BUTTON, TEXT_INPUT = 1, 2, 4
STYLES: dict[Look, int] = {"approve": 3, "deny": 4, "plain": 2, "link": 5}
COLOURS = {"low": 0x2E7D32, "medium": 0x1565C0, "high": 0xE65100, "critical": 0xB71C1C}
PUNCTUATION = frozenset(string.punctuation)
EMPTY = "(empty)"
LINK = "link"
LINK_ROW: JsonObject = {
    "type": ROW,
    "components": [{"type": BUTTON, "style": STYLES["plain"], "label": "Link account", "custom_id": LINK}],
}


def escaped(text: str) -> str:
    """Discord takes a backslash before any such character as: this one is meant as it is."""
    return "".join(f"\\{each}" if each in PUNCTUATION else each for each in text)


def size(text: str) -> int:
    """How long it is when it is escaped; what is outside the first plane counts twice."""
    return sum(1 + (ord(each) > 0xFFFF) + (each in PUNCTUATION) for each in text)


def content_of(message: Message) -> JsonObject:
    """All of a message that can be sent, or changed later. Without buttons, those that were there go away."""
    made = laid_out(message, DESCRIPTION, size)
    first = with_outcome(f"**{escaped(made.title)}**", message.outcome)
    lines = [_line(each) for each in made.lines if each.part != "outcome"]
    embeds = [{"description": "\n".join(lines), "color": COLOURS.get(message.risk or "", 0x546E7A)}] if lines else []
    decisions = decision_buttons(message, shows_all=made.shows_all, takes_text=True)
    rows = [_row(part) for part in (*_chunks(decisions), *_chunks(link_buttons(message)))]
    if message.kind == "test":
        # Whoever reads it can say at once who they are.
        rows.append(LINK_ROW)
    return {"content": first, "embeds": embeds, "components": rows, "allowed_mentions": QUIET}


def with_outcome(first: str, outcome: str | None) -> str:
    """The first line of a message, and how it ended."""
    return f"{first}\n**{escaped(cut(outcome, OUTCOME, size))}**" if outcome else first


def _chunks(buttons: Sequence[Button]) -> list[Sequence[Button]]:
    return [buttons[at : at + PER_ROW] for at in range(0, len(buttons), PER_ROW)]


def _row(buttons: Sequence[Button]) -> JsonObject:
    return {"type": ROW, "components": [_button(each) for each in buttons]}


def _button(button: Button) -> JsonObject:
    made: JsonObject = {"type": BUTTON, "style": STYLES[button.look], "label": button.label}
    return made | ({"url": button.url} if button.look == "link" else {"custom_id": button.data})


def _line(line: Line) -> str:
    value, label = escaped(line.value) or EMPTY, escaped(line.label)
    match line.part:
        case "fact":
            return f"**{label}:** {value}"
        case "argument" | "why":
            return f"**{label}**\n{value}"
        case "item":
            return f"• [{value}]({quote(line.url, safe=':/?&=#%+~')})" if line.url else f"• {value}"
        case "choice":
            return f"• {value}"
        case "note":
            return f"{label}: {value}" if label else f"*{value}*"
        case "outcome" | "standing" | "text":
            return value
        case _:
            assert_never(line.part)


def told(words: str, rows: Sequence[JsonObject] = ()) -> JsonObject:
    """Something that only whoever pressed reads."""
    text = escaped(cut(words, CONTENT, size))
    return {"content": text, "flags": 64, "components": list(rows), "allowed_mentions": QUIET}
