"""Server-sent events, parsed as the standard says. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class ServerEvent:
    id: str
    data: str


def parse(chunks: Iterable[bytes]) -> Iterator[ServerEvent]:
    """The events in a stream of bytes, however it is cut. An event that was not finished is dropped."""
    last_id, data = "", list[str]()
    for line in _lines(chunks):
        if not line:
            if data:
                yield ServerEvent(last_id, "\n".join(data))
            data = []
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            data.append(value)
        elif name == "id" and "\0" not in value:
            last_id = value


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Lines ended by LF, CR or CRLF, and by nothing else that Unicode calls a line."""
    rest, first = b"", True
    for chunk in chunks:
        rest += chunk
        # A CR at the very end may be half of a CRLF: wait for the other half.
        held = rest.endswith(b"\r")
        *lines, rest = (rest[:-1] if held else rest).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        rest += b"\r" if held else b""
        for line in lines:
            text = line.decode("utf-8", "replace")
            yield text.removeprefix("\ufeff") if first else text
            first = False
