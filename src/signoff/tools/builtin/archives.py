"""Archives in the run's own folder. What an archive says of itself is not believed: names, sizes and links are checked,
and what comes out is counted as it comes."""

import shutil
import stat
import unicodedata
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import Any

from signoff.files import quota
from signoff.files.names import FORBIDDEN, look
from signoff.files.quota import shown_size
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject, clean_text
from signoff.kit.text.deceptive import without_hidden
from signoff.kit.text.fields import filled
from signoff.policy.impact import Impact, ImpactKind
from signoff.tools.builtin.files import known
from signoff.tools.builtin.kept_files import find, fingerprint, keep, tree_fingerprint
from signoff.tools.builtin.run_folder import inside, require_room
from signoff.tools.effects import CannotUndo, NoPreview, Preview, UndoCall
from signoff.tools.registry import Tool, ToolContext, ToolFailed, tool

MOST_ENTRIES = 2_000
# Text shrinks to a twentieth; what shrinks to a hundredth and is large was made to fill disks.
MOST_RATIO, HARMLESS = 100, 1024 * 1024
DEEPEST, LONGEST = 20, 200
CHUNK = 256 * 1024
LISTED = 50
# How the library says that it cannot read one.
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)


def unpack_archive(context: ToolContext, path: str, to: str = "") -> str:
    """Unpack a ZIP archive of the run's folder into a new folder there: `to`, or one named after the archive."""
    place = _archive(context.folder, path)
    target = _new_folder(context.folder, path, to)
    part = target.with_name(f".{new_id()}.part")
    try:
        with zipfile.ZipFile(place) as archive:
            entries = _checked(archive)
            size = sum(entry.file_size for entry in entries)
            require_room(context, size, files=len(entries))
            part.mkdir(parents=True)
            for entry in entries:
                _unpack(archive, entry, part)
        keep(context, target, tree_fingerprint(part), content=False)
        # All of it or nothing, also when the process dies in the middle.
        part.rename(target)
    except BROKEN as error:
        raise ToolFailed(f"{path!r} cannot be unpacked: {error or type(error).__name__}.") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    names = [f"{entry.filename} ({entry.file_size} bytes)" for entry in entries[:LISTED]]
    more = [f"and {len(entries) - LISTED} more"] if len(entries) > LISTED else []
    shown = target.relative_to(context.folder.resolve())
    return "\n".join([f"Unpacked {len(entries)} files, {quota.shown_size(size)}, into {shown}:", *names, *more])


def remove_unpacked(context: ToolContext, path: str, archive: str, call: str) -> str:
    """Take away the folder that a call unpacked an archive into, if everything in it is as it was then."""
    place, kept = inside(context.folder, path), find(context.folder, call)
    if not place.is_dir():
        raise ToolFailed(f"There is no folder {path!r}.")
    if kept is None or kept.after != tree_fingerprint(place):
        raise ToolFailed(f"{path!r} is not what that call unpacked any more, so it is left alone.")
    # All of it or nothing here, too.
    gone = place.with_name(f".{new_id()}.part")
    place.rename(gone)
    shutil.rmtree(gone, ignore_errors=True)
    return f"Took away {path}, which had been unpacked from {archive}."


def _archive(folder: Path, path: str) -> Path:
    place = inside(folder, path)
    if not place.is_file():
        raise ToolFailed(f"There is no file {path!r}. Use list_files to see what is there.")
    return place


def _new_folder(folder: Path, path: str, to: str) -> Path:
    target = inside(folder, to or str(PurePosixPath(path).with_suffix("")))
    if target.exists():
        raise ToolFailed(f"{to or target.name!r} exists already. Give another folder as `to`.")
    return target


def _checked(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """The files of an archive, if every entry is harmless; folders come by themselves."""
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES:
        raise ToolFailed(f"The archive has {len(entries)} entries; at most {MOST_ENTRIES} are unpacked.")
    files, seen = list[zipfile.ZipInfo](), set[str]()
    for entry in entries:
        _refuse_name(entry.orig_filename)
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise ToolFailed(f"The archive has a link or a device ({entry.filename[:100]!r}): it is not unpacked.")
        if entry.flag_bits & 0x1:
            raise ToolFailed("The archive is encrypted, and cannot be unpacked here.")
        if entry.is_dir():
            continue
        if entry.file_size > HARMLESS and entry.file_size > MOST_RATIO * max(1, entry.compress_size):
            raise ToolFailed(f"{entry.filename[:100]!r} would grow to {shown_size(entry.file_size)}: too much.")
        name = look(entry.filename)
        if name in seen:
            raise ToolFailed(f"The archive has {entry.filename[:100]!r} twice, or two names that look the same.")
        seen.add(name)
        files.append(entry)
    if not files:
        raise ToolFailed("The archive is empty.")
    return files


def _refuse_name(name: str) -> None:
    """A name that leads out, hides something, or means something else on another system."""
    plain = unicodedata.normalize("NFKC", name)
    steps = plain.removesuffix("/").split("/")
    wrong = (
        "\\" in plain
        or without_hidden(plain) != plain
        or FORBIDDEN.search(plain)
        or len(steps) > DEEPEST
        or any(step in ("", ".", "..") or len(step.encode()) > LONGEST for step in steps)
    )
    if wrong:
        raise ToolFailed(f"The archive has an unsafe name ({name[:100]!r}): nothing was unpacked.")


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path) -> None:
    """Write one file, and no more of it than the archive said."""
    place = folder.joinpath(*PurePosixPath(entry.filename).parts)
    place.parent.mkdir(parents=True, exist_ok=True)
    left = entry.file_size
    with archive.open(entry) as source, place.open("xb") as file:
        while chunk := source.read(CHUNK):
            left -= len(chunk)
            if left < 0:
                raise ToolFailed(f"{entry.filename[:100]!r} is larger than the archive says: nothing was unpacked.")
            file.write(chunk)


def _unpacking(arguments: JsonObject, folder: Path) -> Impact:
    inside(folder, arguments["path"])
    inside(folder, arguments.get("to") or "")
    words = filled("Unpacks {path} in its own folder", arguments, "Unpacks files")
    return Impact((ImpactKind.STAYS_IN_FOLDER,), words, reversible=True)


def _removing(arguments: JsonObject, folder: Path) -> Impact:
    words = filled("Deletes {path} from its own folder", arguments, "Deletes a folder")
    is_there = inside(folder, arguments["archive"]).is_file()
    return Impact((ImpactKind.STAYS_IN_FOLDER, ImpactKind.OVERWRITES), words, reversible=is_there)


def _would_unpack(context: ToolContext, arguments: JsonObject) -> Preview:
    place = _archive(context.folder, arguments["path"])
    target = _new_folder(context.folder, arguments["path"], arguments.get("to") or "")
    try:
        with zipfile.ZipFile(place) as archive:
            entries = _checked(archive)
    except BROKEN as error:
        raise NoPreview(f"{arguments['path']!r} cannot be unpacked.") from error
    into = str(target.relative_to(context.folder.resolve()))
    return _folder_preview(
        f"Creates {into} with", into, {each.filename: each.file_size for each in entries}, fingerprint(place)
    )


def _would_remove(context: ToolContext, arguments: JsonObject) -> Preview:
    place = inside(context.folder, arguments["path"])
    if not place.is_dir():
        raise NoPreview(f"There is no folder {arguments['path']!r}.")
    sizes = {str(each.relative_to(place)): each.stat().st_size for each in sorted(place.rglob("*")) if each.is_file()}
    return _folder_preview(f"Deletes {arguments['path']} with", arguments["path"], sizes, tree_fingerprint(place))


def _folder_preview(words: str, path: str, sizes: dict[str, int], mark: str | None) -> Preview:
    names = [f"{clean_text(name)} ({shown_size(size)})" for name, size in sizes.items()]
    more = [f"and {len(names) - LISTED} more"] if len(names) > LISTED else []
    fields = [
        {"label": "Folder", "value": clean_text(path)},
        {"label": "Files", "value": "\n".join([*names[:LISTED], *more])},
    ]
    count = f"{len(names)} file{'' if len(names) == 1 else 's'}, {shown_size(sum(sizes.values()))}"
    return Preview("fields", f"{clean_text(words)} {count}", {"fields": fields, "sha256": mark})


def _undo_unpack(context: ToolContext, arguments: JsonObject, _result: Any) -> UndoCall:
    path, kept = arguments["path"], find(context.folder, context.call_id)
    to: str = arguments.get("to") or str(PurePosixPath(path).with_suffix(""))
    if kept is None:
        raise CannotUndo(f"Nothing is known of what was unpacked into {to}.")
    place = inside(context.folder, to)
    if not context.looks_later and not place.is_dir():
        raise CannotUndo(f"{to} is no longer there.")
    if not context.looks_later and tree_fingerprint(place) != kept.after:
        raise CannotUndo(f"Something in {to} was changed since.")
    return UndoCall("remove_unpacked", {"path": to, "archive": path, "call": context.call_id})


def _undo_remove(context: ToolContext, arguments: JsonObject, _result: Any) -> UndoCall:
    path, archive = arguments["path"], arguments["archive"]
    if not context.looks_later and not inside(context.folder, archive).is_file():
        raise CannotUndo(f"{archive} is no longer there.")
    if not context.looks_later and inside(context.folder, path).exists():
        raise CannotUndo(f"There is another {path} by now.")
    return UndoCall("unpack_archive", {"path": archive, "to": path})


ARCHIVES: list[Tool] = [
    # Into a new folder only: it changes nothing that is there, as reading does not.
    tool(
        operation_type="create",
        risk="low",
        source="builtin",
        title="Unpack {path}",
        impact=_unpacking,
        preview=_would_unpack,
        undo=_undo_unpack,
    )(known(unpack_archive)),
    tool(
        operation_type="delete",
        risk="high",
        source="builtin",
        title="Delete the folder {path}",
        impact=_removing,
        preview=_would_remove,
        undo=_undo_remove,
    )(known(remove_unpacked)),
]
