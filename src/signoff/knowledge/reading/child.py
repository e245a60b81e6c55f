"""`python -m signoff.knowledge.reading.child pdf`: reads a file from its input, within bounds, and knows no secrets."""

import json
import sys

from signoff.knowledge.reading import formats
from signoff.knowledge.reading.sections import CannotRead, Section
from signoff.sandbox.limits import confine

READERS = {"pdf": formats.read_pdf, "docx": formats.read_docx, "html": formats.read_html}
MOST_MEMORY, CPU_SECONDS = 1024**3, 25


def main(kind: str) -> None:
    confine(cpu_seconds=CPU_SECONDS, memory_bytes=MOST_MEMORY)
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


if __name__ == "__main__":
    main(sys.argv[1])
