"""Many files as one ZIP, made while it is sent: nothing is whole in memory."""

import io
import zipfile
from collections.abc import Iterable, Iterator

from signoff.files.names import look

Entry = tuple[str, Iterable[bytes]]


class _Outgoing(io.RawIOBase):
    """Gathers what the archive writes until it is sent."""

    def __init__(self) -> None:
        self._waiting = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: "memoryview | bytes", /) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        self._waiting += data
        return len(data)

    def take(self) -> bytes:
        taken, self._waiting = bytes(self._waiting), bytearray()
        return taken


def zipped(entries: Iterable[Entry]) -> Iterator[bytes]:
    """The pieces of a ZIP with these files."""
    outgoing = _Outgoing()
    with zipfile.ZipFile(outgoing, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, chunks in entries:
            with archive.open(zipfile.ZipInfo(name), "w", force_zip64=True) as file:
                for chunk in chunks:
                    file.write(chunk)
                    if piece := outgoing.take():
                        yield piece
            yield outgoing.take()
    yield outgoing.take()


def apart(names: Iterable[str]) -> list[str]:
    """The same names, with a number before each that looks like an earlier one."""
    seen, unique = dict[str, int](), list[str]()
    for name in names:
        count = seen[look(name)] = seen.get(look(name), 0) + 1
        unique.append(name if count == 1 else f"{count}-{name}")
    return unique
