"""HTML as plain text, without what is quoted in it. One pass over it, however broken it is. Pure."""

import re
from collections.abc import Iterator
from html import unescape

LONGEST_TAG = 2_000
_NAME = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:]*)")
# In a tag: its end, or the beginning of a value in which an end does not count.
_END_OR_VALUE = re.compile(r"=\s*[\"']|>")
# No character has such a number, and Python refuses to read it.
_ENDLESS_NUMBER = re.compile(r"&#[xX]?[0-9a-fA-F]{9,};?")
_LINES = frozenset({"article", "dd", "div", "dl", "dt", "footer", "header", "hr", "li", "section", "tr"})
_PARAGRAPHS = frozenset({"p", "table", "ul", "ol", "pre", "h1", "h2", "h3", "h4", "h5", "h6"})
_UNSEEN = frozenset({"head", "style", "script", "title", "template", "noscript"})
# How mail programs mark what they quote.
_QUOTE = re.compile(r"gmail_quote|gmail_attr|yahoo_quoted|moz-cite-prefix|protonmail_quote|tutanota_quote")
# From here on everything is the mail that is answered.
_REST_IS_QUOTED = re.compile(r"""\bid=["']?(?:x_)?(?:divRplyFwdMsg|appendonsend|reply-intro)\b""")


class _Lines:
    """Text that grows, and never has more than one empty line in a row."""

    def __init__(self) -> None:
        self._kept = list[str]()
        # As many as an empty text needs none of.
        self._ends = 2

    def write(self, text: str) -> None:
        text = re.sub(r"\s+", " ", unescape(_ENDLESS_NUMBER.sub("\ufffd", text)))
        text = text.lstrip() if self._ends else text
        if text:
            self._kept.append(text)
            self._ends = 0

    def end_line(self, most: int, *, always: bool = False) -> None:
        count = 1 if always else most - self._ends
        if count > 0 and self._ends + count <= 2:
            self._kept.append("\n" * count)
            self._ends += count

    def __str__(self) -> str:
        return "\n".join(line.strip() for line in "".join(self._kept).split("\n")).strip()


def text_of_html(html: str) -> str:
    """What a person reads, line by line, up to where their mail program put the mail that they answer."""
    lines, hidden, depth = _Lines(), "", 0
    # Python's own parser takes minutes for a page of open brackets, so tags are told apart here.
    for is_tag, piece in _pieces(html):
        tag = _NAME.match(piece) if is_tag else None
        name, closes = (tag[2].lower(), bool(tag[1])) if tag else ("", False)
        if hidden:
            # Only its own kind is counted: the rest need not fit together.
            depth += (-1 if closes else 1) if name == hidden else 0
            hidden = hidden if depth else ""
        elif not is_tag:
            lines.write(piece)
        elif _REST_IS_QUOTED.search(piece):
            break
        elif not closes and _is_hidden(name, piece):
            hidden, depth = name, 1
        else:
            _break(lines, name, closes)
    return str(lines)


def _break(lines: _Lines, name: str, closes: bool) -> None:
    if name == "br":
        lines.end_line(1, always=True)
    elif name in _LINES:
        lines.end_line(1)
        if name == "li" and not closes:
            lines.write("- ")
    elif name in _PARAGRAPHS:
        lines.end_line(2)


def _is_hidden(name: str, tag: str) -> bool:
    if tag.endswith("/>"):
        return False
    return name in _UNSEEN or name == "blockquote" or (name == "div" and _QUOTE.search(tag) is not None)


def _pieces(html: str) -> Iterator[tuple[bool, str]]:
    """Tags and the texts between them; a tag that is never closed goes to the end."""
    at = 0
    while (start := html.find("<", at)) >= 0:
        if start > at:
            yield False, html[at:start]
        after = html[start + 1 : start + 2]
        if html.startswith("<!--", start):
            end = html.find("-->", start + 4)
            at = len(html) if end < 0 else end + 3
        elif after.isalpha() or after in ("/", "!", "?"):
            at = _end_of_tag(html, start)
            yield True, html[start : min(at, start + LONGEST_TAG)]
        else:
            yield False, "<"
            at = start + 1
    if at < len(html):
        yield False, html[at:]


def _end_of_tag(html: str, start: int) -> int:
    at = start + 1
    while found := _END_OR_VALUE.search(html, at):
        if found[0] == ">":
            return found.end()
        end = html.find(found[0][-1], found.end())
        if end < 0:
            break
        at = end + 1
    return len(html)
