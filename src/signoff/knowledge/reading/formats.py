"""PDF, DOCX and HTML. Runs in a process of its own: these parsers meet files that somebody made to break them."""

import io
import re
import zipfile
from importlib import import_module
from typing import Any

from signoff.knowledge.reading.plain import decoded
from signoff.knowledge.reading.sections import MOST_PAGES, CannotRead, Section, Sections, require_bounded

MOST_UNPACKED, MOST_PARTS = 200 * 1024**2, 5_000
_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figure", "footer", "form", "header"}
    | {"hr", "li", "main", "nav", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul"}
)
_NO_TEXT = ["script", "style", "noscript", "template", "svg", "head"]
_STYLED = re.compile(r"heading (\d)")


def read_pdf(content: bytes) -> list[Section]:
    """One section for each page."""
    # Has no types of its own.
    library: Any = import_module("pypdfium2")
    try:
        document = library.PdfDocument(content)
    except library.PdfiumError as error:
        if "password" in str(error).lower():
            raise CannotRead("The PDF needs a password. Save it without one and try again.") from error
        raise CannotRead("The PDF is damaged. Open it and save it again.") from error
    if len(document) > MOST_PAGES:
        raise CannotRead(f"The PDF has more than {MOST_PAGES:,} pages. Split it into smaller files.")
    found, size = list[Section](), 0
    for number in range(len(document)):
        text = _page_text(library, document, number)
        size += len(text)
        require_bounded(size)
        found.append(Section(f"page {number + 1}", text))
    return found


def _page_text(library: Any, document: Any, number: int) -> str:
    try:
        page = document[number]
        words = page.get_textpage()
        text: str = words.get_text_bounded()
        words.close()
        page.close()
    except library.PdfiumError:
        # One page that is spoilt does not take the others with it.
        return ""
    # How the library marks a hyphen at the end of a line, and what is no character.
    return text.replace("\ufffe", "-").replace("\x00", "").replace("\r\n", "\n").strip()


def read_docx(content: bytes) -> list[Section]:
    """What stands under each heading; tables row by row."""
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        raise CannotRead("It is encrypted, or an old .doc. Save it as .docx without a password.")
    _require_no_bomb(content)
    import docx
    from docx.table import Table

    library: Any = docx
    try:
        document = library.Document(io.BytesIO(content))
    except (KeyError, ValueError, SyntaxError, zipfile.BadZipFile, AttributeError) as error:
        raise CannotRead("The DOCX is damaged. Open it and save it again.") from error
    sections = Sections()
    for block in document.iter_inner_content():
        if isinstance(block, Table):
            _add_table(sections, block)
        else:
            _add_paragraph(sections, block)
    sections.end()
    return sections.all


def _add_table(sections: Sections, table: Any) -> None:
    for row in table.rows:
        # A cell that spans several is given for each of them.
        cells = dict.fromkeys(" ".join(cell.text.split()) for cell in row.cells)
        sections.line(" | ".join(cells))


def _add_paragraph(sections: Sections, paragraph: Any) -> None:
    style = str(paragraph.style.name if paragraph.style is not None else "").lower()
    level = 1 if style == "title" else int(found[1]) if (found := _STYLED.match(style)) else 0
    if level and paragraph.text.strip():
        sections.heading(level, paragraph.text)
    else:
        sections.line(paragraph.text)


def _require_no_bomb(content: bytes) -> None:
    try:
        parts = zipfile.ZipFile(io.BytesIO(content)).infolist()
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise CannotRead("The DOCX is damaged. Open it and save it again.") from error
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
        raise CannotRead(f"The DOCX unpacks to more than {MOST_UNPACKED // 1024**2} MB, which is refused.")
    if any(part.flag_bits & 1 for part in parts):
        raise CannotRead("The DOCX is encrypted. Save it without a password.")


def read_html(content: bytes) -> list[Section]:
    """What stands under each heading, without scripts and styles."""
    from selectolax.lexbor import LexborHTMLParser

    library: Any = LexborHTMLParser
    tree = library(decoded(content))
    tree.strip_tags(_NO_TEXT, recursive=True)
    sections, words = Sections(), list[str]()

    def end_line() -> None:
        if text := " ".join("".join(words).split()):
            sections.line(text)
        words.clear()

    # The words of a heading come again as text of its own.
    skipped = ""
    for node in tree.body.traverse(include_text=True) if tree.body is not None else ():
        if node.tag == "-text":
            text: str = node.text(deep=False)
            if skipped and text and skipped.startswith(text):
                skipped = skipped[len(text) :]
            else:
                skipped = ""
                words.append(text)
        elif node.tag in _HEADINGS:
            end_line()
            skipped = node.text()
            sections.heading(_HEADINGS[node.tag], " ".join(skipped.split()))
        elif node.tag in _BLOCKS:
            end_line()
    end_line()
    sections.end()
    return sections.all
