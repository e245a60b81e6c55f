"""What reading a file gives: sections of text, each with the place where it stands."""

from dataclasses import dataclass

MOST_CHARACTERS = 5_000_000
MOST_PAGES = 5_000


class CannotRead(Exception):
    """The file has no text that could be kept; the message tells whoever gave it why, and what to do."""


@dataclass(frozen=True)
class Section:
    """A page, what stands under a heading, or some lines."""

    where: str
    text: str


class Sections:
    """Collects sections under their headings, up to a measure."""

    def __init__(self) -> None:
        self.all: list[Section] = []
        self._path: list[tuple[int, str]] = []
        self._lines: list[str] = []
        self._size = 0

    def heading(self, level: int, text: str) -> None:
        """Whatever comes now stands under this heading."""
        self.end()
        self._path = [*(each for each in self._path if each[0] < level), (level, " ".join(text.split())[:120])]
        self.line(text)

    def line(self, text: str) -> None:
        self._size += len(text) + 1
        require_bounded(self._size)
        self._lines.append(text)

    def end(self) -> None:
        if text := "\n".join(self._lines).strip():
            self.all.append(Section(" / ".join(title for _, title in self._path if title), text))
        self._lines = []


def require_bounded(characters: int) -> None:
    if characters > MOST_CHARACTERS:
        raise CannotRead(f"It has more than {MOST_CHARACTERS:,} characters of text. Split it into smaller files.")
