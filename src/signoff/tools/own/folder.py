"""The folder of the user's tools. Its code runs as the server does, so nobody else may be able to write there."""

import os
import shlex
import stat
from pathlib import Path

from signoff.kit.errors import CannotStart
from signoff.kit.private_files import ENFORCED
from signoff.kit.settings import Settings

WRITABLE = stat.S_IWGRP | stat.S_IWOTH


class NotTrusted(Exception):
    """Somebody else could have written it; the message says how to mend that."""


def own_tools_folder(settings: Settings) -> Path:
    """Where the tools are, which may not exist. Refuses a place that agents or uploads reach."""
    place = settings.tools_folder.resolve()
    reached = (settings.runs_folder, settings.undo_folder, settings.files_folder, settings.uploads_folder)
    for each in (folder.resolve() for folder in reached):
        if place.is_relative_to(each) or each.is_relative_to(place):
            raise CannotStart(
                f"Your tools cannot be in {place}: agents write files to {each}, and would write tools. "
                "Name another folder by SIGNOFF_TOOLS."
            )
    return place


def tool_files(folder: Path) -> list[Path]:
    """Every file that may have tools, by name. Tests and what begins with _ or . are left alone."""
    found = (each for each in folder.iterdir() if each.suffix == ".py" and (each.is_file() or each.is_symlink()))
    return sorted(each for each in found if not each.name.startswith(("_", ".", "test_", "conftest.")))


def read_trusted(folder: Path, place: Path) -> bytes:
    """The content of a file that only the server's account and root can have written. Raises NotTrusted."""
    real = place.resolve()
    if not real.is_relative_to(folder):
        raise NotTrusted(f"it is a link to {real}, outside the folder of your tools. Put the file itself there")
    # What is judged is what is read, whatever is put in its place meanwhile.
    with os.fdopen(os.open(real, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as file:
        require_trusted(real, os.fstat(file.fileno()))
        return file.read()


def require_trusted(place: Path, state: os.stat_result) -> None:
    """Refuse what other accounts can change."""
    if not ENFORCED:
        return
    quoted = shlex.quote(str(place))
    if state.st_uid not in (os.geteuid(), 0):
        raise NotTrusted(f"it belongs to another account. If you trust it: chown {os.geteuid()} {quoted}")
    if state.st_mode & WRITABLE:
        raise NotTrusted(f"other accounts on this machine can change it. Close it: chmod go-w {quoted}")
