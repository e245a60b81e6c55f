"""Every kind of file gives its text with the place where it stands, or a word that says why not."""

import pytest

from signoff.knowledge.reading.passages import LONGEST, split
from signoff.knowledge.reading.read_file import FileRead, read_file
from signoff.knowledge.reading.sections import CannotRead, Section
from tests.knowledge import samples

MOST = 10 * 1024**2


def read(name: str, content: bytes | str) -> FileRead:
    return read_file(name, content.encode() if isinstance(content, str) else content, MOST)


def places(file: FileRead) -> list[tuple[str, str]]:
    return [(each.where, each.text) for each in file.passages]


def test_markdown_is_cut_at_its_headings_and_not_inside_of_code() -> None:
    text = "before\n# Money\nintro\n## Refunds\n```\n# no heading\n```\nback\n# Next #\nend"
    assert places(read("a.md", text)) == [
        ("", "before"),
        ("Money", "Money\nintro"),
        ("Money / Refunds", "Refunds\n```\n# no heading\n```\nback"),
        ("Next", "Next\nend"),
    ]


def test_text_is_cut_at_empty_lines_and_says_the_line() -> None:
    long = "word " * 300
    assert [each.where for each in read("a.txt", f"one\n\n{long}\n\n\nlast").passages][-1] == "line 6"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_text_is_read_in_the_usual_encodings(encoding: str) -> None:
    assert read("a.txt", "Größe: 3 €".encode(encoding)).passages[0].text == "Größe: 3 €"


def test_a_pdf_gives_its_pages() -> None:
    assert places(read("a.PDF", samples.pdf(["First", "Second"]))) == [("page 1", "First"), ("page 2", "Second")]


def test_a_docx_gives_headings_paragraphs_and_tables() -> None:
    content = samples.word(
        [("Heading 1", "Refunds"), ("", "Pay back."), ("Heading 2", "Limits")], [["Plan", "Days"], ["Pro", "30"]]
    )
    assert places(read("a.docx", content)) == [
        ("Refunds", "Refunds\nPay back."),
        ("Refunds / Limits", "Limits\nPlan | Days\nPro | 30"),
    ]


def test_html_gives_what_a_reader_sees() -> None:
    page = (
        "<head><title>t</title><style>p{}</style></head><body><h1>Big <b>title</b></h1><p>One<br>two</p>"
        "<script>evil()</script><h2>Sub</h2><ul><li>x<li>y &amp; z</ul>"
    )
    assert places(read("a.html", page)) == [
        ("Big title", "Big title\nOne\ntwo"),
        ("Big title / Sub", "Sub\nx\ny & z"),
    ]


@pytest.mark.parametrize(
    ("name", "content", "word"),
    [
        ("a.exe", b"MZ", "not supported"),
        ("noname", b"x", "not supported"),
        ("a.txt", b"", "empty"),
        ("a.txt", b" \n ", "no text"),
        ("a.txt", b"a\x00b", "no text"),
        ("a.pdf", b"hello", "is no PDF"),
        ("a.pdf", b"%PDF-1.4 and nothing", "damaged"),
        ("a.pdf", samples.pdf(["secret"], encrypted=True), "password"),
        ("a.pdf", samples.pdf([""]), "OCR"),
        ("a.docx", b"hello", "is no DOCX"),
        ("a.docx", b"PK\x03\x04nothing", "damaged"),
        ("a.docx", b"\xd0\xcf\x11\xe0old", "encrypted"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_what_cannot_be_read_says_why(name: str, content: bytes, word: str) -> None:
    with pytest.raises(CannotRead, match=word):
        read(name, content)


def test_a_file_that_unpacks_to_too_much_says_so() -> None:
    with pytest.raises(CannotRead, match="unpacks"):
        read("a.docx", samples.bomb(201))


def test_a_file_that_is_too_large_is_refused_with_the_limit() -> None:
    with pytest.raises(CannotRead, match="2 MB"):
        read_file("a.txt", b"x" * (2 * 1024**2 + 1), 2 * 1024**2)


def test_too_much_text_is_refused() -> None:
    with pytest.raises(CannotRead, match="5,000,000 characters"):
        read("a.txt", b"word " * 1_000_001)


def test_a_long_section_is_cut_between_words_and_nothing_is_lost() -> None:
    text = "One sentence after another. " * 400
    pieces = split([Section("here", text)])
    assert all(len(each.text) <= LONGEST and each.where == "here" for each in pieces)
    assert " ".join(each.text for each in pieces) == text.strip()
    assert len(split([Section("", "x" * (3 * LONGEST))])) == 3
