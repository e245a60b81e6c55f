"""Files in the run's own folder. No path leads out of it: not by `..`, not absolute, not through a link."""

import os
from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import Any

from signoff.kit.jsons import JsonObject
from signoff.kit.text.fields import filled
from signoff.policy.impact import Impact, ImpactKind
from signoff.tools.registry import Tool, ToolContext, ToolFailed, tool

MAX_READ = 512 * 1024
MAX_LISTED = 1_000


def inside(folder: Path, path: str) -> Path:
    """The place that a path names, if it lies in the folder; links are followed before judging."""
    if "\x00" in path:
        raise ToolFailed("A path cannot contain NUL.")
    root = folder.resolve()
    place = (root / path).resolve() if not os.path.isabs(path) else Path(path)
    if os.path.isabs(path) or not place.is_relative_to(root):
        raise ToolFailed(f"{path!r} is outside this run's folder. Use a relative path such as notes/draft.md.")
    return place


def _known(function: Callable[..., Any]) -> Callable[..., Any]:
    """What the file system refuses did not happen: the agent reads why, and nobody needs to be asked."""

    @wraps(function)
    def call(*args: Any, **given: Any) -> Any:
        try:
            return function(*args, **given)
        except OSError as error:
            raise ToolFailed(f"{error.strerror or type(error).__name__}.") from error

    return call


def read_file(context: ToolContext, path: str) -> str:
    """Read a text file from the run's folder."""
    place = inside(context.folder, path)
    if not place.is_file():
        raise ToolFailed(f"There is no file {path!r}. Use list_files to see what is there.")
    with place.open("rb") as file:
        content = file.read(MAX_READ + 1)
    text = content[:MAX_READ].decode("utf-8", "replace")
    return text if len(content) <= MAX_READ else f"{text}\n[cut: the file is longer than {MAX_READ} bytes]"


def list_files(context: ToolContext, path: str = ".") -> list[str]:
    """List the files of the run's folder, with their sizes."""
    place, root = inside(context.folder, path), context.folder.resolve()
    if not place.exists():
        return []
    found = sorted(each for each in place.rglob("*") if each.is_file() and not each.is_symlink())
    return [f"{each.relative_to(root)} ({each.stat().st_size} bytes)" for each in found[:MAX_LISTED]]


def write_file(context: ToolContext, path: str, content: str) -> str:
    """Write a text file into the run's folder; an existing one is replaced."""
    place = inside(context.folder, path)
    if place.is_dir() or place == context.folder.resolve():
        raise ToolFailed(f"{path!r} is a folder.")
    place.parent.mkdir(parents=True, exist_ok=True)
    # Whole or not at all, also when the process dies in the middle.
    part = place.with_name(f".{place.name}.part")
    part.write_bytes(content.encode("utf-8", "replace"))
    part.replace(place)
    return f"Wrote {len(content.encode('utf-8', 'replace'))} bytes to {path}."


def delete_file(context: ToolContext, path: str) -> str:
    """Delete a file from the run's folder."""
    place = inside(context.folder, path)
    if not place.is_file():
        raise ToolFailed(f"There is no file {path!r}.")
    place.unlink()
    return f"Deleted {path}."


def move_file(context: ToolContext, path: str, to: str) -> str:
    """Move or rename a file within the run's folder."""
    source, target = inside(context.folder, path), inside(context.folder, to)
    if not source.is_file():
        raise ToolFailed(f"There is no file {path!r}.")
    if target.exists():
        raise ToolFailed(f"{to!r} exists already; delete it first or choose another name.")
    target.parent.mkdir(parents=True, exist_ok=True)
    source.rename(target)
    return f"Moved {path} to {to}."


def _writing(arguments: JsonObject, folder: Path) -> Impact:
    if inside(folder, arguments["path"]).exists():
        kinds = (ImpactKind.STAYS_IN_FOLDER, ImpactKind.OVERWRITES)
        return Impact(kinds, filled("Overwrites {path}", arguments, "Overwrites a file"))
    return Impact((ImpactKind.STAYS_IN_FOLDER,), "New file in its own folder")


def _deleting(arguments: JsonObject, folder: Path) -> Impact:
    inside(folder, arguments["path"])
    kinds = (ImpactKind.STAYS_IN_FOLDER, ImpactKind.CANNOT_BE_UNDONE)
    return Impact(kinds, filled("Deletes {path} from its own folder, cannot be undone", arguments, "Deletes a file"))


def _moving(arguments: JsonObject, folder: Path) -> Impact:
    inside(folder, arguments["path"])
    inside(folder, arguments["to"])
    return Impact((ImpactKind.STAYS_IN_FOLDER,), "Moves a file within its own folder")


_reading = tool(operation_type="read", risk="low", idempotent=True, source="builtin")
_acting = partial(tool, risk="high", source="builtin")
FILES: list[Tool] = [
    _reading(_known(read_file)),
    _reading(_known(list_files)),
    # Writing the same content twice is writing it once, so a crash needs nobody's decision.
    _acting(operation_type="create", idempotent=True, title="Write {path}", impact=_writing)(_known(write_file)),
    _acting(operation_type="delete", title="Delete {path}", impact=_deleting)(_known(delete_file)),
    _acting(operation_type="modify", title="Move {path} to {to}", impact=_moving)(_known(move_file)),
]
