"""What we keep on disk is for the account that runs us alone: folders 0700, files 0600."""

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
# Windows keeps files in a person's folders from others by other means.
ENFORCED = os.name == "posix"


def from_now_on() -> None:
    """Whatever this process makes from here on is for its own account. For the start of a process."""
    os.umask(OTHERS)


def folder(path: Path) -> Path:
    """Make a folder of ours, or take the one that is there."""
    path.mkdir(mode=FOLDER, parents=True, exist_ok=True)
    return path


def put(path: Path, content: str) -> None:
    """Write a file that we alone can read, in place of the one that may be there."""
    _part(path, content).replace(path)


def put_once(path: Path, content: str) -> bool:
    """Write it only if there is none: of several processes at once one does, and all find the same whole file."""
    part = _part(path, content)
    try:
        os.link(part, path)
    except FileExistsError:
        return False
    except OSError:
        # A file system without links. Two processes that start for the first time at once are rarer still.
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
    """Close what others could read. Warn, with the command that mends it, about what is not ours to change."""
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
    """The path's kind and rights; nothing that is not there is open to anybody. A link is not followed."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return 0
    return 0 if stat.S_ISLNK(mode) else mode
