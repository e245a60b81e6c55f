"""Sections cut into passages: short enough to be read at once, and never in the middle of a word. Pure."""

from collections.abc import Iterable, Iterator

from signoff.knowledge.reading.sections import Section

LONGEST = 1_500
# Rather there than anywhere else, in this order.
ENDS = ("\n\n", "\n", ". ", "; ", " ")


def split(sections: Iterable[Section]) -> list[Section]:
    """Passages in their order; each bears the place of its section."""
    return [Section(each.where, text) for each in sections for text in _pieces(each.text)]


def _pieces(text: str) -> Iterator[str]:
    rest = text.strip()
    while len(rest) > LONGEST:
        end = _end(rest)
        if piece := rest[:end].strip():
            yield piece
        rest = rest[end:].lstrip()
    if rest:
        yield rest


def _end(text: str) -> int:
    """Where the first piece ends: in its second half, at the best place there."""
    for mark in ENDS:
        at = text.rfind(mark, LONGEST // 2, LONGEST)
        if at > 0:
            return at + len(mark)
    return LONGEST
