"""Text as Slack takes it: nothing in it is a command, and none of it is longer than allowed."""

from signoff.kit.jsons import JsonObject

# In Slack's own writing these begin and end a mention, a link or an entity.
ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
CUT = "…"
NOTHING = "-"
# Where they stand at words, they change how these look.
FORMATTING = str.maketrans(dict.fromkeys("*_~`\n", " "))


def escaped(text: str) -> str:
    return "".join(ESCAPES.get(each, each) for each in text)


def length(text: str) -> int:
    """How long a text is when it is escaped, as Slack counts: what is outside the first plane counts twice."""
    return sum(_length(each) for each in text)


def _length(character: str) -> int:
    return len(ESCAPES.get(character, character)) + (ord(character) > 0xFFFF)


def bounded(text: str, most: int) -> str:
    """The text, escaped and never longer than this; never empty, since Slack refuses that."""
    text = text.strip() or NOTHING
    if length(text) <= most:
        return escaped(text)
    kept, left = list[str](), most - len(CUT)
    for each in text:
        left -= _length(each)
        if left < 0:
            break
        kept.append(each)
    return escaped("".join(kept)) + CUT


def plain(text: str, most: int) -> JsonObject:
    """Shown as it is: no formatting, no emoji codes, no links, no mentions."""
    return {"type": "plain_text", "text": bounded(text, most), "emoji": False}


def bold(label: str, most: int) -> JsonObject:
    """A short name, in bold letters; whatever would format it otherwise is left out."""
    name = " ".join(label.translate(FORMATTING).split())
    return {"type": "mrkdwn", "text": f"*{bounded(name, most - 2)}*", "verbatim": True}
