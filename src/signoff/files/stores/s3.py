"""A bucket of anything that speaks S3. The AWS_* variables say where it is and with which key."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from signoff.files.stores.folder import written
from signoff.files.stores.port import CHUNK
from signoff.kit.errors import CannotStart


class BucketStore:
    """Files in a bucket, below a prefix. What is sent there is first put together in a folder of the data."""

    def __init__(self, bucket: str, prefix: str, folder: Path) -> None:
        try:
            import obstore
            from obstore.store import S3Store
        except ImportError as error:
            raise CannotStart("Files in S3 need one more package: pip install 'signoff[s3]'.") from error
        self._obstore: Any = obstore
        self._bucket: Any = S3Store(bucket, prefix=prefix or None)
        self._folder = folder

    def put(self, content: bytes) -> str:
        return self._send([content])[0]

    def put_file(self, source: Path) -> tuple[str, int]:
        with source.open("rb") as file:
            return self._send(iter(lambda: file.read(CHUNK), b""))

    def read(self, key: str, start: int = 0, length: int | None = None) -> Iterator[bytes]:
        if length == 0:
            return
        span = {"offset": start} if length is None else (start, start + length)
        # A range of an empty object is an error.
        options = {"range": span} if start or length is not None else None
        for chunk in self._obstore.get(self._bucket, _place(key), options=options).stream(min_chunk_size=CHUNK):
            yield bytes(chunk)

    def older_than(self, moment: datetime) -> Iterator[str]:
        for some in self._obstore.list(self._bucket):
            for each in some:
                if each["last_modified"] < moment:
                    yield each["path"].rpartition("/")[2]

    def delete_older(self, key: str, moment: datetime) -> None:
        try:
            if self._obstore.head(self._bucket, _place(key))["last_modified"] < moment:
                self._obstore.delete(self._bucket, _place(key))
        except FileNotFoundError:
            return

    def _send(self, chunks: Iterable[bytes]) -> tuple[str, int]:
        part, key, size = written(self._folder, chunks)
        try:
            # Also where it is there already: then it is young again, and not cleared away before its row comes.
            self._obstore.put(self._bucket, _place(key), part)
        finally:
            part.unlink(missing_ok=True)
        return key, size


def _place(key: str) -> str:
    return f"{key[:2]}/{key}"
