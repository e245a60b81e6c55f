from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Protocol

from signoff.kit.db.unavailable import Unavailable
from signoff.kit.errors import NotFound

# So much is in memory at a time.
CHUNK = 1024 * 1024


class StoreUnavailable(Unavailable):
    """It does not answer. It comes back by itself, or whoever runs the server brings it back."""

    code = "file_store_unavailable"
    title = "The file store is not responding"


class StoreRefuses(StoreUnavailable):
    """It answers, but not to us: there is no such bucket, or the key is wrong. Only the settings mend that."""

    code = "file_store_refuses"
    title = "The file store refuses"


class NotStored(NotFound):
    """It answers, and does not have the file."""

    code = "file_not_stored"
    title = "The file is not in the file store"


class FileStore(Protocol):
    """Keeps content under its hash: storing it twice is storing it once. Whole or not at all, also in a crash.

    What goes wrong in it is Unavailable: not an OSError, which is the source's."""

    def check_at_start(self) -> None:
        """Raise CannotStart if it can never work with these settings."""
        ...

    def put(self, content: bytes) -> str:
        """Keep it and return its key."""
        ...

    def put_file(self, source: Path) -> tuple[str, int]:
        """Keep the file as it is now and return its key and size; it is never whole in memory."""
        ...

    def read(self, key: str, start: int = 0, length: int | None = None) -> Iterator[bytes]:
        """The content, or a part of it, piece by piece; NotStored where it is not."""
        ...

    def older_than(self, moment: datetime) -> Iterator[str]:
        """The keys of what was last stored before then."""
        ...

    def delete_older(self, key: str, moment: datetime) -> None:
        """Remove it, unless it was stored again since then."""
        ...


def not_stored(key: str) -> NotStored:
    return NotStored(f"The file store does not have this file any more. Its name there: {key}")
