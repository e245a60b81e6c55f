"""Files that a tool makes from its work: into the run's folder, whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path

from signoff.kit.text.fields import filled
from signoff.policy.impact import Impact, ImpactKind
from signoff.tools.builtin.files import inside, require_room
from signoff.tools.impact_statements import ImpactFunction
from signoff.tools.registry import ToolContext, ToolFailed


def place_for(folder: Path, path: str, *endings: str) -> Path:
    """Where a new file of this kind goes. Raises before there is any work."""
    place = inside(folder, path)
    if place == folder.resolve() or place.is_dir():
        raise ToolFailed(f"{path!r} is a folder.")
    if endings and not path.lower().endswith(endings):
        raise ToolFailed(f"{path!r} has to end in {' or '.join(endings)}.")
    return place


def write_whole(context: ToolContext, place: Path, content: bytes) -> None:
    """If there is room for it. Also when the process dies in the middle there is the old file or the new one."""
    require_room(context, len(content), replaces=place)
    part = place.with_name(f".{place.name[:200]}.part")
    try:
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
    if inside(folder, path).exists():
        kinds = (ImpactKind.STAYS_IN_FOLDER, ImpactKind.OVERWRITES)
        return Impact(kinds, filled("Overwrites {path}", {"path": path}, "Overwrites a file"))
    return Impact((ImpactKind.STAYS_IN_FOLDER,), "New file in its own folder")
