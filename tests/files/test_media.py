"""What a file is, is seen by looking at it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.deliverables.drafts import StoredFile, draft, draft_of_file, safe_link
from signoff.files.media import kind_of, media_type
from signoff.files.ranges import OutOfRange, wanted_part
from signoff.kit.errors import Invalid

PNG = b"\x89PNG\r\n\x1a\n\x00\x00"


@pytest.mark.parametrize(
    ("head", "name", "media", "kind"),
    [
        (PNG, "photo.html", "image/png", "image"),
        (b"%PDF-1.7", "x.txt", "application/pdf", "pdf"),
        (b"<script>alert(1)</script>", "photo.png", "text/html", "html"),
        (b"<!-- x --><!DOCTYPE html>", "notes.md", "text/html", "html"),
        (b"<?xml version='1.0'?><svg>", "a.txt", "image/svg+xml", "image"),
        (b"a,b\n", "a.csv", "text/csv", "csv"),
        (b"\x00\x01", "a.csv", "application/octet-stream", "binary"),
        (b"\xff\xfe", "a.md", "application/octet-stream", "binary"),
        (b"print()", "a.py", "text/plain", "code"),
        (b"PK\x03\x04", "a.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "binary"),
    ],
)
def test_the_beginning_counts_more_than_the_name(head: bytes, name: str, media: str, kind: str) -> None:
    assert (media_type(head, name), kind_of(media_type(head, name), name)) == (media, kind)


@given(st.binary(max_size=100), st.text(max_size=20))
def test_anything_is_something(head: bytes, name: str) -> None:
    assert kind_of(media_type(head, name), name)


@pytest.mark.parametrize(
    ("type_", "head", "mime"),
    [
        ("image", PNG, "image/png"),
        ("image", b"\xff\xd8\xff\xe0", "image/jpeg"),
        ("image", b"<script>", "application/octet-stream"),
        ("pdf", b"<script>", "application/octet-stream"),
        ("markdown", PNG, "application/octet-stream"),
        ("file", b"<script>", "application/octet-stream"),
        (None, PNG, "image/png"),
    ],
)
def test_a_type_is_believed_only_where_the_content_bears_it_out(type_: str | None, head: bytes, mime: str) -> None:
    assert draft_of_file("x", type_, StoredFile(len(head), head, head)).mime_type == mime


def test_without_a_type_the_content_tells() -> None:
    assert draft("report.md", None, "# One").type == "markdown"
    assert draft("x.py", None, "print()").type == "code"


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "//example.org",
        "http://",
        "https://user:secret@example.org/",
        "https://example.org/\r\nSet-Cookie: x=1",
        "https://example.org/ x",
        "https://exa\u202emple.org",
        "https:\\\\example.org",
        "https://[::1",
        "https://example.org:99999/",
        "https://example.org/" + "x" * 2_000,
        "",
    ],
)
def test_a_link_leads_to_the_web_and_shows_where(url: str) -> None:
    with pytest.raises(Invalid):
        safe_link(url)


def test_a_plain_link_is_kept_as_it_is() -> None:
    assert safe_link("https://example.org:8443/a?b=c#d") == "https://example.org:8443/a?b=c#d"


@pytest.mark.parametrize(
    ("header", "part"),
    [(None, None), ("bytes=0-4", (0, 5)), ("bytes=5-", (5, 5)), ("bytes=-3", (7, 3)), ("bytes=0-99", (0, 10))]
    + [(each, None) for each in ("bytes=0-1,3-4", "lines=1-2", "bytes=-", "nonsense")],
)
def test_a_range_is_one_part_or_the_whole(header: str | None, part: tuple[int, int] | None) -> None:
    assert wanted_part(header, 10) == part


@pytest.mark.parametrize("header", ["bytes=10-", "bytes=5-4", "bytes=-0"])
def test_a_part_that_is_not_there_is_refused(header: str) -> None:
    with pytest.raises(OutOfRange):
        wanted_part(header, 10)
