from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Protocol

# So much is in memory at a time.
CHUNK = 1024 * 1024


class FileStore(Protocol):
    """Keeps content under its hash: storing it twice is storing it once. Whole or not at all, also in a crash."""

    def put(self, content: bytes) -> str:
        """Keep it and return its key."""
        ...

    def put_file(self, source: Path) -> tuple[str, int]:
        """Keep the file as it is now and return its key and size; it is never whole in memory."""
        ...

    def read(self, key: str, start: int = 0, length: int | None = None) -> Iterator[bytes]:
        """The content, or a part of it, piece by piece."""
        ...

    def older_than(self, moment: datetime) -> Iterator[str]:
        """The keys of what was last stored before then."""
        ...

    def delete_older(self, key: str, moment: datetime) -> None:
        """Remove it, unless it was stored again since then."""
        ...
