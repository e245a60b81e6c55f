"""The run's own folder: no path leads out of it, nothing goes beyond its quota, no file is ever half written."""

import os
from contextlib import suppress
from pathlib import Path

from signoff.files import quota
from signoff.kit.text.fields import filled
from signoff.policy.impact import Impact, ImpactKind
from signoff.tools.builtin.kept_files import fingerprint_of, fits, keep
from signoff.tools.impact_statements import ImpactFunction
from signoff.tools.registry import ToolContext, ToolFailed


def inside(folder: Path, path: str) -> Path:
    """The place that a path names, if it lies in the folder; links are followed before judging."""
    if "\x00" in path:
        raise ToolFailed("A path cannot contain NUL.")
    root = folder.resolve()
    place = (root / path).resolve() if not os.path.isabs(path) else Path(path)
    if os.path.isabs(path) or not place.is_relative_to(root):
        raise ToolFailed(f"{path!r} is outside this run's folder. Use a relative path such as notes/draft.md.")
    return place


def place_for(folder: Path, path: str, *endings: str) -> Path:
    """Where a file of this kind goes. Raises before there is any work."""
    place = inside(folder, path)
    if place == folder.resolve() or place.is_dir():
        raise ToolFailed(f"{path!r} is a folder.")
    if endings and not path.lower().endswith(endings):
        raise ToolFailed(f"{path!r} has to end in {' or '.join(endings)}.")
    return place


def require_room(context: ToolContext, size: int, *, files: int = 1, replaces: Path | None = None) -> None:
    """Refuse what does not fit into the run's folder."""
    try:
        quota.require_room(context.folder, context.settings, size, files=files, replaces=replaces)
    except quota.FolderFull as error:
        raise ToolFailed(error.detail) from error


def write_whole(context: ToolContext, place: Path, content: bytes, *, keeps: bool = False) -> None:
    """Write a file for which there is room. Also when the process dies in the middle there is the old one or the new.

    `keeps` puts what is there aside first, for an undo.
    """
    require_room(context, len(content), replaces=place)
    part = place.with_name(f".{place.name[:200]}.part")
    try:
        if keeps:
            keep(context, place, fingerprint_of(content))
        place.parent.mkdir(parents=True, exist_ok=True)
        # What lies there by this name may be a link.
        part.unlink(missing_ok=True)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        part.replace(place)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise ToolFailed(f"The file could not be written: {error.strerror or type(error).__name__}.") from error


def writes(argument: str) -> ImpactFunction:
    """What a call does whose argument of this name is the path of the file that it makes."""

    return lambda arguments, folder: writing(str(arguments[argument]), folder)


def writing(path: str, folder: Path) -> Impact:
    """What it does to write a file there."""
    place = inside(folder, path)
    if place.exists():
        return losing(folder, place, filled("Overwrites {path}", {"path": path}, "Overwrites a file"))
    return Impact((ImpactKind.STAYS_IN_FOLDER,), "New file in its own folder", reversible=True)


def losing(folder: Path, place: Path, words: str) -> Impact:
    """What is there is kept aside, unless it is too large."""
    kinds = (ImpactKind.STAYS_IN_FOLDER, ImpactKind.OVERWRITES)
    if fits(folder, place):
        return Impact(kinds, words, reversible=True)
    return Impact((*kinds, ImpactKind.CANNOT_BE_UNDONE), f"{words}, too large to be undone")
