"""The part of a file that somebody asks for. Pure."""

import re

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


class OutOfRange(ValueError):
    """There is no such part."""


def wanted_part(header: str | None, size: int) -> tuple[int, int] | None:
    """Start and length of the one part that a Range header names; None for the whole, also where it is not plain."""
    found = _RANGE.fullmatch(header.strip()) if header else None
    if found is None or not (found[1] or found[2]):
        return None
    if not found[1]:
        # The last so many.
        length = min(int(found[2]), size)
        start = size - length
    else:
        start = int(found[1])
        length = min(int(found[2]) + 1 if found[2] else size, size) - start
    if length <= 0 or start >= size:
        raise OutOfRange
    return start, length
