"""What a run wants to hand over, checked before anything is written. What it is, is seen by looking at it."""

import base64
import binascii
from dataclasses import dataclass
from urllib.parse import urlsplit

from signoff.files.media import HEAD, TEXT, UNKNOWN, kind_of, media_type
from signoff.kit.errors import Invalid
from signoff.kit.jsons import clean_text
from signoff.kit.text.deceptive import without_hidden

TYPES = {
    "markdown": "text/markdown",
    "csv": "text/csv",
    "json": "application/json",
    "pdf": "application/pdf",
    "code": "text/plain",
    "image": "image/png",
    "html": "text/html",
    "patch": "text/x-diff",
    # Anything else: it is downloaded.
    "file": UNKNOWN,
}
EXTENSIONS = {
    "markdown": ".md",
    "csv": ".csv",
    "json": ".json",
    "pdf": ".pdf",
    "image": ".png",
    "html": ".html",
    "patch": ".patch",
}
BINARY = frozenset({"pdf", "image", "file"})
LONGEST_URL = 2_000


@dataclass(frozen=True)
class StoredFile:
    """A file of the run's folder, taken as it was: small ones are here, large ones in the file store."""

    size_bytes: int
    head: bytes
    content: bytes | None = None
    file_key: str | None = None


@dataclass(frozen=True)
class Draft:
    """What a run wants to hand over: content, a stored file, or a link."""

    name: str
    type: str
    mime_type: str
    size_bytes: int
    content: bytes | None = None
    file_key: str | None = None
    external_url: str | None = None
    description: str = ""


def draft(name: str, type_: str | None, content: str, description: str = "") -> Draft:
    """Check content that a model gives. Pictures and PDFs come as base64."""
    name = _name(name)
    type_ = _type(type_ or _seen_type(content[:HEAD].encode("utf-8", "replace"), name))
    given = _decoded(type_, content) if type_ in BINARY else content.encode("utf-8", "replace")
    media = _media(type_, given[:HEAD], name)
    return Draft(name, type_, media, len(given), content=given, description=clean_text(description))


def draft_of_file(name: str, type_: str | None, stored: StoredFile, description: str = "") -> Draft:
    """Check a file of the run's folder; without a type its content says which."""
    name = _name(name)
    kind = _type(type_ or _seen_type(stored.head, name))
    media = _media(kind, stored.head, name)
    return Draft(
        name,
        kind,
        media,
        stored.size_bytes,
        content=stored.content,
        file_key=stored.file_key,
        description=clean_text(description),
    )


def draft_of_link(name: str, type_: str | None, url: str, description: str = "") -> Draft:
    """Check a link to something elsewhere."""
    kind = _type(type_ or "file")
    link = safe_link(url)
    return Draft(_name(name), kind, TYPES[kind], 0, external_url=link, description=clean_text(description))


def safe_link(url: str) -> str:
    """The link, if it leads to a web page and shows where."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port
    except ValueError:
        host = parts = None
    plain = url.isprintable() and without_hidden(url) == url and not any(each.isspace() for each in url)
    safe = parts is not None and host and parts.scheme in ("http", "https") and "@" not in parts.netloc
    if not (safe and plain and "\\" not in url and len(url) <= LONGEST_URL):
        raise Invalid(f"The url must be an http or https address without a user name, of at most {LONGEST_URL} marks.")
    return url


def _seen_type(head: bytes, name: str) -> str:
    kind = kind_of(media_type(head, name), name)
    return {"text": "code", "binary": "file"}.get(kind, kind)


def _name(name: str) -> str:
    name = clean_text(name).strip()
    if not name or len(name) > 200 or any(mark in name for mark in "/\\\x00\n\r"):
        raise Invalid("A deliverable's name must have 1 to 200 characters, without slashes or line breaks.")
    return name


def _type(type_: str) -> str:
    if type_ not in TYPES:
        raise Invalid(f"The type must be one of: {', '.join(TYPES)}.")
    return type_


def _media(type_: str, head: bytes, name: str) -> str:
    """The type's own media type where the content bears it out, else what the content is."""
    found = media_type(head, name)
    is_text = found == TEXT or found.startswith("text/") or found in ("application/json", "image/svg+xml")
    match type_:
        case "pdf":
            return found if found == "application/pdf" else UNKNOWN
        case "image":
            return found if found.startswith("image/") else UNKNOWN
        case "file":
            # What is no document of another type is only downloaded.
            return UNKNOWN if is_text else found
        case _:
            return TYPES[type_] if is_text else UNKNOWN


def _decoded(type_: str, content: str) -> bytes:
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError):
        raise Invalid(f"The content of a {type_} deliverable must be base64.") from None
