"""`python -m signoff.knowledge.reading.child pdf`: reads a file from its input, within bounds, and knows no secrets."""

import json
import sys

from signoff.knowledge.reading import formats
from signoff.knowledge.reading.sections import CannotRead, Section

READERS = {"pdf": formats.read_pdf, "docx": formats.read_docx, "html": formats.read_html}
MOST_MEMORY, CPU_SECONDS = 1024**3, 25


def main(kind: str) -> None:
    _bound()
    answer: dict[str, object]
    try:
        answer = {"sections": [[each.where, each.text] for each in _read(kind, sys.stdin.buffer.read())]}
    except CannotRead as refusal:
        answer = {"refusal": str(refusal)}
    except (MemoryError, RecursionError):
        answer = {"refusal": "It needs too much memory to be read. Split it, or save it in a simpler form."}
    sys.stdout.buffer.write(json.dumps(answer).encode())


def _read(kind: str, content: bytes) -> list[Section]:
    return READERS[kind](content)


def _bound() -> None:
    """So much memory and time, and no file written. Where there are no such bounds, the parent's clock is left."""
    if sys.platform == "win32":
        return
    import resource

    for what, most in (
        (resource.RLIMIT_AS, MOST_MEMORY),
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    main(sys.argv[1])
