"""The headers of a mail, read so that no other program could find something else in them. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MOST_BYTES = 256 * 1024
_LINE = re.compile(r"([!-9;-~]{1,200}):(.*)", re.DOTALL)


class Unreadable(Exception):
    """A mail that is not what mail programs write. The text says what is wrong and holds nothing of the mail."""


@dataclass(frozen=True)
class Headers:
    """In the order in which they stand, each on one line, with their names in small letters."""

    fields: tuple[tuple[str, str], ...]

    def all(self, *names: str) -> list[str]:
        return [value for name, value in self.fields if name in names]

    def first(self, name: str) -> str:
        return next(iter(self.all(name)), "")


def split_mail(raw: bytes) -> tuple[Headers, bytes]:
    """The headers, and what follows the first empty line. All line ends are \\n then."""
    raw = raw.replace(b"\r\n", b"\n")
    if raw.startswith(b"\n"):
        return Headers(()), raw[1:]
    block, _, body = raw.partition(b"\n\n")
    if len(block) > MOST_BYTES:
        raise Unreadable("its headers are too long")
    # Some programs begin a new line at these, others do not.
    if b"\r" in block or b"\0" in block:
        raise Unreadable("its headers have characters that do not belong there")
    return Headers(tuple(_fields(block.removesuffix(b"\n").decode("utf-8", "replace")))), body


def _fields(block: str) -> Iterator[tuple[str, str]]:
    gathered = list[list[str]]()
    for line in block.split("\n"):
        if not line.startswith((" ", "\t")):
            gathered.append([line])
        elif gathered:
            gathered[-1].append(line)
        else:
            raise Unreadable("its headers begin in the middle of a line")
    for lines in gathered:
        # A folded line is its pieces as they stand, without the line ends.
        found = _LINE.fullmatch("".join(lines))
        if found is None:
            raise Unreadable("one of its headers has no name")
        yield found[1].lower(), found[2].strip(" \t")
