"""What a call changes in its run's folder is kept aside first, so that it can be put back. No agent reaches it."""

import hashlib
import re
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from signoff.kit import jsons, private_files
from signoff.kit.jsons import digest
from signoff.tools.registry import ToolContext

MEGABYTE = 1024 * 1024
# Of one call, and of all calls of a run: what is larger cannot be undone, and says so before.
MOST_BYTES, MOST_OF_RUN = 10 * MEGABYTE, 200 * MEGABYTE
# A file that is larger is known by its size and time alone: to read it would take too long.
MOST_READ = 64 * MEGABYTE
_LINK = "link"
# An id of a call, and no path.
_ID = re.compile(r"[0-9A-Za-z-]{1,80}")


@dataclass(frozen=True)
class Kept:
    """What a call found and what it left, by fingerprint; None: no file."""

    before: str | None
    after: str | None


def fingerprint(place: Path) -> str | None:
    """The same for the same content; None: there is no file."""
    if not place.is_file():
        return None
    stat = place.stat()
    if stat.st_size > MOST_READ:
        return f"large:{stat.st_size}:{stat.st_mtime_ns}"
    with place.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fingerprint_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def tree_fingerprint(folder: Path) -> str:
    """The same for a folder with the same files in it; a link is never followed."""
    found = sorted(folder.rglob("*"))
    return digest({str(each.relative_to(folder)): _LINK if each.is_symlink() else fingerprint(each) for each in found})


def fits(folder: Path, place: Path) -> bool:
    """Whether what is there now can be kept."""
    size = place.stat().st_size if place.is_file() else 0
    if size > MOST_BYTES:
        return False
    kept = _aside(folder)
    return size + (sum(each.stat().st_size for each in kept.iterdir()) if kept.is_dir() else 0) <= MOST_OF_RUN


def keep(context: ToolContext, place: Path, after: str | None, *, content: bool = True) -> None:
    """Keep what is there before a call changes it. What is too large is not kept; nothing else is left out."""
    before, record = fingerprint(place), _record(context.folder, context.call_id)
    known = find(context.folder, context.call_id) if content else None
    if known is not None and before == known.after:
        # The call runs again after a crash, and had done its work: what it found then counts.
        private_files.put(record, jsons.dumps(asdict(Kept(known.before, after))))
        return
    record.unlink(missing_ok=True)
    if content and not fits(context.folder, place):
        return
    private_files.folder(record.parent)
    if content and before is not None:
        part = _content(context.folder, context.call_id).with_suffix(".part")
        shutil.copyfile(place, part)
        part.replace(_content(context.folder, context.call_id))
    private_files.put(record, jsons.dumps(asdict(Kept(before, after))))


def find(folder: Path, call_id: str) -> Kept | None:
    """What was kept of a call; None: nothing."""
    if not _ID.fullmatch(call_id):
        return None
    record = _record(folder, call_id)
    return Kept(**jsons.loads(record.read_text())) if record.is_file() else None


def content_of(folder: Path, call_id: str) -> Path | None:
    """Where the former content lies; None: nothing was there, or it was not kept."""
    if find(folder, call_id) is None:
        return None
    place = _content(folder, call_id)
    return place if place.is_file() else None


def _aside(folder: Path) -> Path:
    """Beside the folders of all runs: no path of a run leads there."""
    return folder.parent.parent / "undo" / folder.name


def _record(folder: Path, call_id: str) -> Path:
    return _aside(folder) / f"{call_id}.json"


def _content(folder: Path, call_id: str) -> Path:
    return _aside(folder) / f"{call_id}.content"
