"""Text as an Adaptive Card takes it: what agents wrote is shown as it is, since all that would format it is escaped."""

import re

CUT = "…"
# Emphasis, code, links, pictures, headings, quotes, tables, tags, and the braces of times that a card fills in.
_ACTIVE = re.compile(r"([\\`*_~\[\](){}<>#|!])")
# What begins a list or underlines a heading.
_MARK = re.compile(r"^(\s*)([-+=])", re.MULTILINE)
_NUMBER = re.compile(r"^(\s*\d+)([.)])", re.MULTILINE)


def bounded(text: str, most: int) -> str:
    """The text, no longer than this; escaping comes on top."""
    text = text.strip()
    return escaped(text if len(text) <= most else text[: most - len(CUT)] + CUT)


def escaped(text: str) -> str:
    # Before the brackets: those get a backslash of their own.
    numbered = _NUMBER.sub(lambda found: f"{found[1]}\0{found[2]}", text.replace("\0", ""))
    marked = _MARK.sub(lambda found: f"{found[1]}\\{found[2]}", _ACTIVE.sub(r"\\\1", numbered))
    # One line break alone would be a space.
    return marked.replace("\0.", "\\.").replace("\0", "").replace("\r\n", "\n").replace("\n", "\n\n")
