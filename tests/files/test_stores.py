"""A file store gives back what was put in, wherever it keeps it."""

import errno
import os
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from obstore.store import S3Store

from signoff.files.stores import FileStore, store_for
from signoff.files.stores.port import CHUNK, NotStored
from signoff.kit import clock
from signoff.kit.db.unavailable import DiskFull
from signoff.kit.errors import CannotStart
from signoff.kit.settings import Settings
from tests.s3 import BUCKET, bucket_server


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    with bucket_server():
        yield f"s3://{BUCKET}/of/signoff"


@pytest.fixture(params=["folder", "bucket"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> FileStore:
    place = "" if request.param == "folder" else request.getfixturevalue("bucket")
    return store_for(Settings(data=tmp_path, files=place))


def whole(store: FileStore, key: str, start: int = 0, length: int | None = None) -> bytes:
    return b"".join(store.read(key, start, length))


def test_content_comes_back_whole_and_in_parts(store: FileStore, tmp_path: Path) -> None:
    content = os.urandom(CHUNK * 2 + 123)
    (tmp_path / "large.bin").write_bytes(content)
    key, size = store.put_file(tmp_path / "large.bin")
    assert (whole(store, key) == content, size) == (True, len(content))
    assert store.put(content) == key
    assert whole(store, key, CHUNK - 5, 10) == content[CHUNK - 5 : CHUNK + 5]
    assert whole(store, key, CHUNK * 2) == content[CHUNK * 2 :]
    assert max(map(len, store.read(key))) < 2 * CHUNK
    assert not list(tmp_path.rglob("*.part"))


def test_nothing_is_something_too(store: FileStore) -> None:
    assert whole(store, store.put(b""), 0, 0) == b""


def test_a_source_that_is_missing_is_no_failure_of_the_store(store: FileStore, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        store.put_file(tmp_path / "nothing.bin")
    with pytest.raises(NotStored):
        whole(store, "0" * 64)


def test_a_full_disk_is_the_stores_failure(store: FileStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskFull):
        store.put(b"some words")
    assert not list(tmp_path.rglob("*.part"))


def test_only_what_is_old_is_removed(store: FileStore) -> None:
    key, now = store.put(b"some words"), clock.now()
    before, after = now - timedelta(days=1), now + timedelta(days=1)
    assert key not in list(store.older_than(before))
    assert key in list(store.older_than(after))
    store.delete_older(key, before)
    assert whole(store, key) == b"some words"
    store.delete_older(key, after)
    store.delete_older(key, after)
    assert key not in list(store.older_than(after))


@pytest.mark.parametrize("place", ["gs://bucket", "s3://", "/tmp/files"])
def test_a_place_that_is_none_is_said_at_the_start(tmp_path: Path, place: str) -> None:
    with pytest.raises(CannotStart, match="SIGNOFF_FILES"):
        store_for(Settings(data=tmp_path, files=place))


def test_without_the_extra_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "obstore", None)
    with pytest.raises(CannotStart, match=r"signoff\[s3\]"):
        store_for(Settings(data=tmp_path, files="s3://bucket"))


def test_the_bucket_has_it_below_the_prefix(bucket: str, tmp_path: Path) -> None:
    store_for(Settings(data=tmp_path, files=bucket)).put(b"found")
    listed = [each["path"] for some in S3Store(BUCKET).list() for each in some]
    assert listed
    assert all(each.startswith("of/signoff/") for each in listed)
