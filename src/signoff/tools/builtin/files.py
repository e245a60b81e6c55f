"""Tools for the files of the run's own folder: read, list, write, delete, move, and put back."""

from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import Any

from signoff.files.quota import shown_size
from signoff.kit.jsons import JsonObject
from signoff.kit.text.fields import filled
from signoff.policy.impact import Impact, ImpactKind
from signoff.tools.builtin.file_previews import change_of, version_at, version_of
from signoff.tools.builtin.file_undo import see_unchanged, undo_file
from signoff.tools.builtin.kept_files import content_of, find, fingerprint, keep
from signoff.tools.builtin.run_folder import inside, losing, place_for, write_whole, writes
from signoff.tools.effects import CannotUndo, NoPreview, Preview, UndoCall
from signoff.tools.registry import Tool, ToolContext, ToolFailed, tool

MAX_READ = 512 * 1024
MAX_LISTED = 1_000


def known(function: Callable[..., Any]) -> Callable[..., Any]:
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
    written = content.encode("utf-8", "replace")
    write_whole(context, place_for(context.folder, path), written, keeps=True)
    return f"Wrote {len(written)} bytes to {path}."


def delete_file(context: ToolContext, path: str) -> str:
    """Delete a file from the run's folder."""
    place = _existing(context.folder, path)
    keep(context, place, None)
    place.unlink()
    return f"Deleted {path}."


def _existing(folder: Path, path: str) -> Path:
    place = inside(folder, path)
    if not place.is_file():
        raise ToolFailed(f"There is no file {path!r}.")
    return place


def move_file(context: ToolContext, path: str, to: str) -> str:
    """Move or rename a file within the run's folder."""
    source, target = _movable(context.folder, path, to)
    keep(context, source, fingerprint(source), content=False)
    target.parent.mkdir(parents=True, exist_ok=True)
    source.rename(target)
    return f"Moved {path} to {to}."


def _movable(folder: Path, path: str, to: str) -> tuple[Path, Path]:
    source, target = _existing(folder, path), inside(folder, to)
    if target.exists():
        raise ToolFailed(f"{to!r} exists already; delete it first or choose another name.")
    return source, target


def restore_file(context: ToolContext, path: str, call: str) -> str:
    """Put a file of the run's folder back as it was before a call changed it."""
    content = _kept_content(context.folder, path, call)
    write_whole(context, place_for(context.folder, path), content, keeps=True)
    return f"Restored {path}."


def _kept_content(folder: Path, path: str, call: str) -> bytes:
    kept = content_of(folder, call)
    if kept is None:
        raise ToolFailed(f"Nothing was kept of {path!r} before that call.")
    return kept.read_bytes()


def _would_write(context: ToolContext, arguments: JsonObject) -> Preview:
    place = place_for(context.folder, arguments["path"])
    content: str = arguments["content"]
    return change_of(arguments["path"], version_at(place), version_of(content.encode("utf-8", "replace")))


def _would_delete(context: ToolContext, arguments: JsonObject) -> Preview:
    return change_of(arguments["path"], version_at(_existing(context.folder, arguments["path"])), None)


def _would_move(context: ToolContext, arguments: JsonObject) -> Preview:
    source, _ = _movable(context.folder, arguments["path"], arguments["to"])
    moved = version_at(source)
    if moved is None:
        raise NoPreview(f"There is no file {arguments['path']!r}.")
    fields = [
        {"label": "From", "value": arguments["path"]},
        {"label": "To", "value": arguments["to"]},
        {"label": "Size", "value": shown_size(moved.size)},
    ]
    summary = f"Moves {arguments['path']} to {arguments['to']}; its content stays the same"
    return Preview("fields", summary, {"fields": fields, "before": moved.to_json()})


def _would_restore(context: ToolContext, arguments: JsonObject) -> Preview:
    path, content = arguments["path"], _kept_content(context.folder, arguments["path"], arguments["call"])
    return change_of(path, version_at(place_for(context.folder, path)), version_of(content))


def _undo_write(context: ToolContext, arguments: JsonObject, _result: Any) -> UndoCall:
    return undo_file(context, arguments["path"])


def _undo_move(context: ToolContext, arguments: JsonObject, _result: Any) -> UndoCall:
    path, to, kept = arguments["path"], arguments["to"], find(context.folder, context.call_id)
    if kept is None:
        raise CannotUndo(f"Nothing is known of {path} before it was moved.")
    see_unchanged(context, to, kept.after)
    if not context.looks_later and inside(context.folder, path).exists():
        raise CannotUndo(f"There is another {path} by now.")
    return UndoCall("move_file", {"path": to, "to": path})


def _deleting(arguments: JsonObject, folder: Path) -> Impact:
    words = filled("Deletes {path} from its own folder", arguments, "Deletes a file")
    return losing(folder, inside(folder, arguments["path"]), words)


def _moving(arguments: JsonObject, folder: Path) -> Impact:
    inside(folder, arguments["path"])
    inside(folder, arguments["to"])
    return Impact((ImpactKind.STAYS_IN_FOLDER,), "Moves a file within its own folder", reversible=True)


_reading = tool(operation_type="read", risk="low", idempotent=True, source="builtin")
_acting = partial(tool, risk="high", source="builtin")
FILES: list[Tool] = [
    _reading(known(read_file)),
    _reading(known(list_files)),
    # Writing the same content twice is writing it once, so a crash needs nobody's decision.
    _acting(
        operation_type="create",
        idempotent=True,
        title="Write {path}",
        impact=writes("path"),
        preview=_would_write,
        undo=_undo_write,
    )(known(write_file)),
    _acting(
        operation_type="delete",
        title="Delete {path}",
        impact=_deleting,
        preview=_would_delete,
        undo=_undo_write,
    )(known(delete_file)),
    _acting(
        operation_type="modify",
        title="Move {path} to {to}",
        impact=_moving,
        preview=_would_move,
        undo=_undo_move,
    )(known(move_file)),
    _acting(
        operation_type="modify",
        idempotent=True,
        title="Restore {path}",
        impact=writes("path"),
        preview=_would_restore,
        undo=_undo_write,
    )(known(restore_file)),
]
