"""Uploads as they come in: written to disk piece by piece, counted, and gone again if anything is wrong."""

import asyncio
import hashlib
import os
from collections.abc import AsyncGenerator, AsyncIterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from signoff.files.names import clean_name
from signoff.files.quota import shown_size
from signoff.kit import private_files
from signoff.kit.errors import Invalid, TooLarge
from signoff.kit.ids import new_id
from signoff.kit.settings import Settings

# So much is gathered before the disk is touched.
AT_ONCE = 1024 * 1024


@dataclass
class Received:
    """One file, whole on disk."""

    id: str
    name: str
    path: Path
    size_bytes: int
    sha256: str


@asynccontextmanager
async def received(
    chunks: AsyncIterable[bytes], content_type: str, settings: Settings, most_files: int
) -> AsyncGenerator[list[Received]]:
    """The files of a multipart body, in the folder of uploads. Those that nobody keeps are gone afterwards."""
    parts = _Parts(private_files.folder(settings.uploads_folder), settings, most_files)
    try:
        yield await _read(chunks, content_type, parts)
    except BaseException:
        await asyncio.to_thread(parts.discard)
        raise


async def _read(chunks: AsyncIterable[bytes], content_type: str, parts: "_Parts") -> list[Received]:
    kind, options = parse_options_header(content_type)
    boundary = options.get(b"boundary")
    if kind.lower() != b"multipart/form-data" or not boundary:
        raise Invalid("Send the files as multipart/form-data, with a boundary.")
    try:
        parser = MultipartParser(
            boundary,
            {
                "on_part_begin": parts.begin,
                "on_header_field": parts.header_field,
                "on_header_value": parts.header_value,
                "on_header_end": parts.header_end,
                "on_headers_finished": parts.open,
                "on_part_data": parts.data,
                "on_part_end": parts.close,
                "on_end": parts.end,
            },
        )
        gathered, size = list[bytes](), 0
        async for chunk in chunks:
            gathered.append(chunk)
            size += len(chunk)
            if size >= AT_ONCE:
                await asyncio.to_thread(parser.write, b"".join(gathered))
                gathered, size = [], 0
        await asyncio.to_thread(parser.write, b"".join(gathered))
    except FormParserError as error:
        raise Invalid(f"The body is not valid multipart/form-data: {error}") from None
    if not parts.ended:
        raise Invalid("The upload ended too early. Send it again.")
    if not parts.files:
        raise Invalid("There is no file in the body. Send at least one part with a file name.")
    return parts.files


@dataclass
class _Open:
    """A file that is being written."""

    id: str
    name: str
    path: Path
    file: BinaryIO
    digest: Any = field(default_factory=hashlib.sha256)
    size: int = 0


class _Parts:
    """What the parser calls while it reads."""

    def __init__(self, folder: Path, settings: Settings, most_files: int) -> None:
        self.files = list[Received]()
        self.ended = False
        self._folder = folder
        self._settings = settings
        self._most_files = most_files
        self._headers = dict[bytes, bytes]()
        self._field = self._value = b""
        self._open: _Open | None = None

    def begin(self) -> None:
        self._headers = {}

    def header_field(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def header_end(self) -> None:
        self._headers[self._field.lower()] = self._value
        self._field = self._value = b""

    def open(self) -> None:
        _, options = parse_options_header(self._headers.get(b"content-disposition", b""))
        given = options.get(b"filename")
        if given is None:
            raise Invalid("Send files only: a part of the body has no file name.")
        if len(self.files) >= self._most_files:
            raise TooLarge(f"At most {self._most_files} files can be sent at once.")
        new = new_id()
        path = self._folder / f".{new}.part"
        file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, private_files.FILE), "wb")
        self._open = _Open(new, clean_name(given.decode("utf-8", "replace")), path, file)

    def data(self, data: bytes, start: int, end: int) -> None:
        assert self._open is not None
        self._open.size += end - start
        most = self._settings.max_file_bytes
        if self._open.size > most:
            raise TooLarge(f"{self._open.name!r} is too large: a file can have at most {shown_size(most)}.")
        piece = memoryview(data)[start:end]
        self._open.digest.update(piece)
        self._open.file.write(piece)

    def close(self) -> None:
        """Whole, and on the disk."""
        assert self._open is not None
        done = self._open
        with done.file:
            done.file.flush()
            os.fsync(done.file.fileno())
        place = self._folder / done.id
        done.path.rename(place)
        self._open = None
        self.files.append(Received(done.id, done.name, place, done.size, done.digest.hexdigest()))

    def end(self) -> None:
        self.ended = True

    def discard(self) -> None:
        if self._open is not None:
            # A full disk takes nothing of what is still to be written.
            with suppress(OSError):
                self._open.file.close()
            self._open.path.unlink(missing_ok=True)
        for each in self.files:
            each.path.unlink(missing_ok=True)
