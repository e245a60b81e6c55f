import hashlib
import logging
import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from signoff.files.stores.port import CHUNK, StoreUnavailable, not_stored
from signoff.kit import private_files
from signoff.kit.db.unavailable import unavailable
from signoff.kit.ids import new_id

log = logging.getLogger(__name__)


class FolderStore:
    """Files in a folder of the data."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def check_at_start(self) -> None:
        """The folder is made with its first file."""

    def put(self, content: bytes) -> str:
        return self._keep([content])[0]

    def put_file(self, source: Path) -> tuple[str, int]:
        with source.open("rb") as file:
            return self._keep(iter(lambda: file.read(CHUNK), b""))

    def read(self, key: str, start: int = 0, length: int | None = None) -> Iterator[bytes]:
        with on_disk():
            if not self._path(key).is_file():
                raise not_stored(key)
            yield from self._pieces(key, start, length)

    def _pieces(self, key: str, start: int, length: int | None) -> Iterator[bytes]:
        with self._path(key).open("rb") as file:
            file.seek(start)
            left = length
            while left is None or left > 0:
                chunk = file.read(CHUNK if left is None else min(CHUNK, left))
                if not chunk:
                    return
                left = None if left is None else left - len(chunk)
                yield chunk

    def older_than(self, moment: datetime) -> Iterator[str]:
        old = moment.timestamp()
        for each in self._folder.glob("??/*"):
            if each.is_file() and each.stat().st_mtime < old:
                yield each.name

    def delete_older(self, key: str, moment: datetime) -> None:
        path = self._path(key)
        if path.is_file() and path.stat().st_mtime < moment.timestamp():
            path.unlink(missing_ok=True)

    def _keep(self, chunks: Iterable[bytes]) -> tuple[str, int]:
        part, key, size = written(self._folder, chunks)
        path = self._path(key)
        with on_disk():
            private_files.folder(path.parent)
            # Also where it is there already: then it is young again, and not cleared away before its row comes.
            part.replace(path)
        return key, size

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / key


@contextmanager
def on_disk() -> Generator[None]:
    """What the disk refuses here is the store's failure: whoever hands over a file must not take it for theirs."""
    try:
        yield
    except OSError as error:
        log.error("the disk of the file store: %s", error)
        told = StoreUnavailable("The folder of the file store cannot be read or written. Try again soon.")
        raise unavailable(error) or told from error


@on_disk()
def written(folder: Path, chunks: Iterable[bytes]) -> tuple[Path, str, int]:
    """A new file with this content, safe on the disk, its hash and its size."""
    part, digest, size = private_files.folder(folder) / f".{new_id()}.part", hashlib.sha256(), 0
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, private_files.FILE), "wb") as file:
            for chunk in chunks:
                digest.update(chunk)
                size += len(chunk)
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return part, digest.hexdigest(), size
