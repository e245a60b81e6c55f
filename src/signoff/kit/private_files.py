"""Our files on disk are readable only by the account that runs Signoff: folders 0700, files 0600."""

import logging
import os
import shlex
import stat
from collections.abc import Iterable
from pathlib import Path

from signoff.kit.ids import new_id

log = logging.getLogger(__name__)

FOLDER, FILE = 0o700, 0o600
OTHERS = 0o077
# Windows protects a user's folders with access lists instead of modes.
ENFORCED = os.name == "posix"


def restrict_new_files() -> None:
    """Set the umask at process start, so that every file made later is private."""
    os.umask(OTHERS)


def folder(path: Path) -> Path:
    """Create a private folder if it does not exist."""
    path.mkdir(mode=FOLDER, parents=True, exist_ok=True)
    return path


def put(path: Path, content: str) -> None:
    """Write a private file; an existing one is replaced in one step."""
    _part(path, content).replace(path)


def put_once(path: Path, content: str) -> bool:
    """Write the file only if it does not exist. When several processes try, one wins and all read its whole file."""
    part = _part(path, content)
    try:
        os.link(part, path)
    except FileExistsError:
        return False
    except OSError:
        # No hard links on this file system: then two processes at the very first start could race.
        if path.exists():
            return False
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return True


def _part(path: Path, content: str) -> Path:
    part = path.with_name(f".{path.name}.{new_id()}")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE), "w") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    return part


def guard(data: Path, ours: Iterable[Path]) -> None:
    """Make our files private. What we may not change is logged with the command that does it."""
    if not ENFORCED:
        return
    folder(data)
    for path in ours:
        _close(path)
    if _mode(data) & OTHERS:
        log.warning(
            "Other accounts on this machine can look into %s, where Signoff keeps its data. Close it: chmod 700 %s",
            data,
            shlex.quote(str(data.absolute())),
        )


def _close(path: Path) -> None:
    mode = _mode(path)
    if not mode & OTHERS:
        return
    wanted = FOLDER if stat.S_ISDIR(mode) else FILE
    try:
        path.chmod(wanted)
    except OSError:
        log.warning(
            "Other accounts on this machine can read %s. As its owner, close it: chmod %o %s",
            path,
            wanted,
            shlex.quote(str(path.absolute())),
        )


def _mode(path: Path) -> int:
    """The path's type and mode; 0 if it does not exist or is a link, which is never followed."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return 0
    return 0 if stat.S_ISLNK(mode) else mode
