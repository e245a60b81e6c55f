"""The file store: a folder, each file under the hash of its content, so storing twice is storing once."""

import hashlib
import os
from pathlib import Path

from signoff.kit.ids import new_id


class FileStore:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, content: bytes) -> str:
        """Keep the content and return its key. Whole or not at all, also in a crash."""
        key = hashlib.sha256(content).hexdigest()
        path = self._path(key)
        if path.exists():
            return key
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{new_id()}.part")
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        return key

    def get(self, key: str) -> bytes:
        return self._path(key).read_bytes()

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / key
