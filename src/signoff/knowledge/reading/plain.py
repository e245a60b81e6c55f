"""Text and Markdown."""

import codecs
import re

from signoff.knowledge.reading.sections import CannotRead, Section, Sections, require_bounded

PARAGRAPHS = 1_200
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def decoded(content: bytes) -> str:
    """The text of a file: UTF-8, UTF-16 with its mark, else Windows' Latin letters."""
    encoding = next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")
    if "\x00" in text:
        raise CannotRead("It is no text. Give Markdown, text, HTML, PDF or DOCX.")
    require_bounded(len(text))
    return text


def read_text(content: bytes) -> list[Section]:
    """Paragraphs that stand together, by their first line."""
    found, kept, first, size = list[Section](), list[str](), 1, 0
    for number, line in enumerate(decoded(content).splitlines(), 1):
        if size >= PARAGRAPHS and not line.strip():
            found.append(Section(f"line {first}", "\n".join(kept).strip()))
            kept, size = [], 0
        if not kept:
            first = number
        if kept or line.strip():
            kept.append(line)
            size += len(line) + 1
    return [each for each in (*found, Section(f"line {first}", "\n".join(kept).strip())) if each.text]


def read_markdown(content: bytes) -> list[Section]:
    """What stands under each heading."""
    sections, fence = Sections(), ""
    for line in decoded(content).splitlines():
        if mark := _FENCE.match(line):
            fence = "" if fence == mark[1] else fence or mark[1]
        title = None if fence else _HEADING.fullmatch(line)
        if title and title[2]:
            sections.heading(len(title[1]), title[2])
        else:
            sections.line(line)
    sections.end()
    return sections.all
