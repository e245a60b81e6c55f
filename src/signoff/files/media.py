"""What a file is, by its content first and its name second. Pure."""

import codecs
import re
from pathlib import PurePosixPath

# So much of a file's beginning tells what it is.
HEAD = 4096
SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"),
    (b"PAR1", "application/vnd.apache.parquet"),
    (b"SQLite format 3\x00", "application/vnd.sqlite3"),
    (b"\x1f\x8b", "application/gzip"),
)
# Documents that are archives inside.
ZIPPED = {
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
TEXTS = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".json": "application/json",
    ".html": "text/html",
    ".htm": "text/html",
    ".svg": "image/svg+xml",
    ".patch": "text/x-diff",
    ".diff": "text/x-diff",
}
BY_NAME = {
    **TEXTS,
    **ZIPPED,
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".pdf": "application/pdf",
    ".zip": "application/zip",
    ".parquet": "application/vnd.apache.parquet",
}
_CODE = "c cc cpp css go h ini java js jsx kt lua php pl py r rb rs sh sql swift toml ts tsx xml yaml yml"
CODE = frozenset(f".{each}" for each in _CODE.split())
KINDS = {
    "text/markdown": "markdown",
    "text/csv": "csv",
    "text/tab-separated-values": "csv",
    "application/json": "json",
    "application/pdf": "pdf",
    "text/html": "html",
    "text/x-diff": "patch",
}
UNKNOWN, TEXT = "application/octet-stream", "text/plain"
_HTML = re.compile(rb"\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|script|iframe)\b", re.I | re.S)
_SVG = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*(?:<!doctype svg[^>]*>\s*)?<svg\b", re.I | re.S)


def media_type(head: bytes, name: str) -> str:
    """What a file is: by how it begins; of texts the name says which kind."""
    extension = PurePosixPath(name).suffix.lower()
    for signature, kind in SIGNATURES:
        if head.startswith(signature):
            return ZIPPED.get(extension, kind) if kind == "application/zip" else kind
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    if not _is_text(head):
        return UNKNOWN
    if _HTML.match(head):
        return "text/html"
    if _SVG.match(head):
        return "image/svg+xml"
    return TEXTS.get(extension, TEXT)


def by_name(name: str) -> str:
    """What a file seems to be, for lists; whoever opens it looks at its content."""
    extension = PurePosixPath(name).suffix.lower()
    return BY_NAME.get(extension, TEXT if extension in CODE or extension in (".txt", ".log", "") else UNKNOWN)


def kind_of(media: str, name: str) -> str:
    """How it is previewed: one of the types of deliverables, text, or nothing but a download."""
    if media.startswith("image/"):
        return "image"
    if media == TEXT:
        return "code" if PurePosixPath(name).suffix.lower() in CODE else "text"
    return KINDS.get(media, "binary")


def _is_text(head: bytes) -> bool:
    """UTF-8 without NUL; in a long text a character may be cut at the end."""
    if b"\x00" in head:
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head, final=len(head) < HEAD)
    except UnicodeDecodeError:
        return False
    return True
