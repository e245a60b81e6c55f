"""Names that are safe on every system, whatever somebody called their file. Pure."""

import re
import unicodedata
from collections.abc import Collection

from signoff.kit.text.deceptive import without_hidden
from signoff.kit.text.lookalikes import latin

MOST_BYTES = 120
NAMELESS = "file"
# What separates folders somewhere, and what some system gives a meaning or forbids.
SEPARATORS = re.compile(r"[/\\\u2044\u2215\u29f5\u29f8\u29f9\ufe68]")
FORBIDDEN = re.compile(r'[<>:"|?*\x00-\x1f\x7f-\x9f]')
# Devices on Windows, with any extension.
RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\..*)?", re.IGNORECASE)


def clean_name(given: str) -> str:
    """The last part of what somebody called a file, with nothing in it that hides, leads elsewhere or is reserved."""
    # Full-width and other forms of a character first: one of them may be a slash or a dot.
    text = unicodedata.normalize("NFKC", given.encode("utf-8", "replace").decode())
    # What cannot be seen goes before the path is cut, so that nothing hides a slash.
    text = FORBIDDEN.sub("_", without_hidden(text, "_"))
    text = SEPARATORS.split(text)[-1]
    text = re.sub(r"\s+", " ", text).strip(" .")
    if not text.strip("_"):
        text = NAMELESS
    if RESERVED.fullmatch(text):
        text = f"_{text}"
    return _shortened(text)


def unique_name(name: str, taken: Collection[str]) -> str:
    """The name, or one with a number if another looks the same: on some systems that would be the same file."""
    looks = {look(each) for each in taken}
    stem, extension = _split(name)
    number, unique = 1, name
    while look(unique) in looks:
        number += 1
        unique = _shortened(f"{stem}-{number}{extension}", keep=f"-{number}{extension}")
    return unique


def look(name: str) -> str:
    """The same for all names that a person, or a file system without capitals, takes for one."""
    return latin(name).casefold()


def _split(name: str) -> tuple[str, str]:
    stem, dot, extension = name.rpartition(".")
    # What is longer is no extension.
    return (stem, dot + extension) if stem and len(extension) <= 10 else (name, "")


def _shortened(name: str, keep: str | None = None) -> str:
    """Short enough for every file system; the end stays."""
    end = _split(name)[1] if keep is None else keep
    stem = name.removesuffix(end) if end else name
    most = MOST_BYTES - len(end.encode())
    return stem.encode()[:most].decode("utf-8", "ignore").rstrip(" .") + end
