"""One file of somebody's, read: its kind by name and content, its text within bounds, its passages."""

import hashlib
import json
import os
import subprocess
import sys
import threading
from dataclasses import dataclass
from typing import cast

from signoff.kit.jsons import clean_text
from signoff.knowledge.reading.passages import split
from signoff.knowledge.reading.plain import read_markdown, read_text
from signoff.knowledge.reading.sections import CannotRead, Section

KINDS = {
    "md": "markdown",
    "markdown": "markdown",
    "txt": "text",
    "text": "text",
    "pdf": "pdf",
    "html": "html",
    "htm": "html",
    "xhtml": "html",
    "docx": "docx",
}
MOST_PASSAGES = 20_000
SECONDS = 45
# Each takes a core and up to a gigabyte.
MOST_AT_ONCE = 2
_free = threading.BoundedSemaphore(MOST_AT_ONCE)


@dataclass(frozen=True)
class FileRead:
    """What is kept of a file."""

    name: str
    kind: str
    size_bytes: int
    sha256: str
    passages: tuple[Section, ...]


def read_file(name: str, content: bytes, most_bytes: int) -> FileRead:
    """Read a file. Raises CannotRead, with a word for whoever gave it."""
    kind = KINDS.get(name.rpartition(".")[2].lower())
    if kind is None:
        raise CannotRead("This type is not supported. Give Markdown (.md), text (.txt), HTML, PDF or DOCX.")
    if not content:
        raise CannotRead("The file is empty.")
    if len(content) > most_bytes:
        raise CannotRead(f"The file is larger than {most_bytes / 1024**2:g} MB, the most that is taken.")
    passages = split(_sections(kind, content))
    if not passages:
        scanned = " A scanned PDF needs text recognition (OCR) first." if kind == "pdf" else ""
        raise CannotRead(f"There is no text in it.{scanned}")
    if len(passages) > MOST_PASSAGES:
        raise CannotRead(f"It has more than {MOST_PASSAGES:,} passages. Split it into smaller files.")
    return FileRead(name, kind, len(content), hashlib.sha256(content).hexdigest(), tuple(passages))


def _sections(kind: str, content: bytes) -> list[Section]:
    match kind:
        case "markdown":
            return read_markdown(content)
        case "text":
            return read_text(content)
        case _:
            _require_looks_like(kind, content)
            return _read_apart(kind, content)


def _require_looks_like(kind: str, content: bytes) -> None:
    if kind == "pdf" and b"%PDF-" not in content[:1024]:
        raise CannotRead("It is named .pdf but is no PDF.")
    if kind == "docx" and not content.startswith((b"PK", b"\xd0\xcf\x11\xe0")):
        raise CannotRead("It is named .docx but is no DOCX.")


def _read_apart(kind: str, content: bytes) -> list[Section]:
    """In a process of its own, which a hostile file may take down."""
    if not _free.acquire(timeout=SECONDS):
        raise CannotRead("Too many files are being read at the moment. Try again in a minute.")
    try:
        done = subprocess.run(  # noqa: S603 (our own module)
            [sys.executable, "-m", "signoff.knowledge.reading.child", kind],
            input=content,
            capture_output=True,
            timeout=SECONDS,
            env=_environment(),
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise CannotRead(f"It could not be read within {SECONDS} seconds. Split it into smaller files.") from error
    finally:
        _free.release()
    return _answer(done.returncode, done.stdout)


def _answer(code: int, written: bytes) -> list[Section]:
    try:
        answer = cast("dict[str, object]", json.loads(written)) if code == 0 else {}
    except ValueError:
        answer = {}
    if "refusal" in answer:
        raise CannotRead(str(answer["refusal"]))
    if "sections" not in answer:
        raise CannotRead("It is damaged, or takes too much to read. Open it and save it again.")
    return [Section(where, clean_text(text)) for where, text in cast("list[tuple[str, str]]", answer["sections"])]


def _environment() -> dict[str, str]:
    """What Python needs to start, and no secret."""
    kept = ("PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "SYSTEMROOT", "LD_LIBRARY_PATH", "LANG")
    return {name: os.environ[name] for name in kept if name in os.environ} | {"PYTHONDONTWRITEBYTECODE": "1"}
