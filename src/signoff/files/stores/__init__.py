"""Where large deliverables are kept: a folder, or a bucket. Each under the hash of its content."""

from signoff.files.stores.folder import FolderStore
from signoff.files.stores.port import FileStore
from signoff.kit.errors import CannotStart
from signoff.kit.settings import Settings

S3 = "s3://"


def store_for(settings: Settings) -> FileStore:
    """The store that the settings name."""
    if not settings.files:
        return FolderStore(settings.files_folder)
    if not settings.files.startswith(S3):
        raise CannotStart(f"SIGNOFF_FILES must be empty or begin with {S3}, not {settings.files[:60]!r}.")
    bucket, _, prefix = settings.files.removeprefix(S3).partition("/")
    if not bucket:
        raise CannotStart(f"SIGNOFF_FILES names no bucket. Write it as {S3}bucket/prefix.")
    from signoff.files.stores.s3 import BucketStore

    return BucketStore(bucket, prefix.strip("/"), settings.files_folder)
