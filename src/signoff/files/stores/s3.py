"""A bucket of anything that speaks S3. The AWS_* variables say where it is and with which key."""

import logging
import re
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from signoff.files.stores.folder import written
from signoff.files.stores.port import CHUNK, NotStored, StoreRefuses, StoreUnavailable, not_stored
from signoff.kit.errors import CannotStart, SignoffError

log = logging.getLogger(__name__)

# A store that is away is tried again for so long; then whoever waits is told.
PATIENCE = timedelta(seconds=5)
# What the library says of the answer, if there was one.
_STATUS, _CODE = re.compile(r"status code: (\d{3})"), re.compile(r"<Code>(\w{1,60})</Code>")
# Too slow, too many requests: these pass.
_PASSES = ("408", "429")
# The bucket is in another region.
_ELSEWHERE = "redirect without LOCATION"


class BucketStore:
    """Files in a bucket, below a prefix. What is sent there is first put together in a folder of the data."""

    def __init__(self, bucket: str, prefix: str, folder: Path) -> None:
        try:
            import obstore
            from obstore.exceptions import BaseError
            from obstore.store import S3Store
        except ImportError as error:
            raise CannotStart("Files in S3 need one more package: pip install 'signoff[s3]'.") from error
        self._obstore: Any = obstore
        self._bucket: Any = S3Store(bucket, prefix=prefix or None, retry_config={"retry_timeout": PATIENCE})
        self._name = bucket
        self._folder = folder
        # Some of its failures have classes of Python.
        self._failures: tuple[type[Exception], ...] = (BaseError, OSError)
        self._logged = ""

    def check_at_start(self) -> None:
        """What is away comes back; what the settings have wrong does not."""
        try:
            next(iter(self._obstore.list(self._bucket, "at-start")), None)
        except self._failures as error:
            found = meaning(error, self._name)
            if isinstance(found, StoreRefuses):
                raise CannotStart(found.detail) from error
            log.warning("Signoff starts without its file store: %s", _beginning(error))

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
        with self._asked(key):
            for chunk in self._obstore.get(self._bucket, _place(key), options=options).stream(min_chunk_size=CHUNK):
                yield bytes(chunk)

    def older_than(self, moment: datetime) -> Iterator[str]:
        with self._asked():
            for some in self._obstore.list(self._bucket):
                for each in some:
                    if each["last_modified"] < moment:
                        yield each["path"].rpartition("/")[2]

    def delete_older(self, key: str, moment: datetime) -> None:
        try:
            with self._asked(key):
                if self._obstore.head(self._bucket, _place(key))["last_modified"] < moment:
                    self._obstore.delete(self._bucket, _place(key))
        except NotStored:
            return

    def _send(self, chunks: Iterable[bytes]) -> tuple[str, int]:
        part, key, size = written(self._folder, chunks)
        try:
            with self._asked():
                # Also where it is there already: then it is young again, and not cleared away before its row comes.
                self._obstore.put(self._bucket, _place(key), part)
        finally:
            part.unlink(missing_ok=True)
        return key, size

    @contextmanager
    def _asked(self, key: str = "") -> Generator[None]:
        """What fails in here, in our words. The library's go on for a page: their beginning is logged, once each time
        that the store goes away."""
        try:
            yield
        except self._failures as error:
            found = meaning(error, self._name, key)
            if not isinstance(found, NotStored) and found.detail != self._logged:
                self._logged = found.detail
                log.warning("%s (%s)", found.detail, _beginning(error))
            raise found from error
        self._logged = ""


def meaning(error: Exception, bucket: str, key: str = "") -> SignoffError:
    """What a failure means, as far as the library's text tells: for most it has one class."""
    said = str(error)
    status, code = _STATUS.search(said), _CODE.search(said)
    name = code[1] if code else status[1] if status else ""
    if name == "NoSuchBucket" or (name == "404" and not key):
        return StoreRefuses(
            f"The file store has no bucket {bucket!r}. "
            "Whoever runs the server has to make it, or to name another one in SIGNOFF_FILES."
        )
    if key and isinstance(error, FileNotFoundError):
        return not_stored(key)
    if _ELSEWHERE in said or (status and status[1].startswith("4") and status[1] not in _PASSES):
        because = f" ({name})" if name else ""
        return StoreRefuses(
            f"The file store does not let Signoff use its bucket {bucket!r}{because}. "
            "Whoever runs the server has to look at its AWS_* variables: the key, the region and the address."
        )
    return StoreUnavailable("The file store cannot be reached. Try again soon.")


def _beginning(error: Exception) -> str:
    return " ".join(str(error).partition("Debug source")[0].split())[:400]


def _place(key: str) -> str:
    return f"{key[:2]}/{key}"
