"""Archives in the run's own folder. What an archive says of itself is not believed: names, sizes and links are checked,
and what comes out is counted as it comes."""

import shutil
import stat
import unicodedata
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from signoff.files import quota
from signoff.files.names import FORBIDDEN, look
from signoff.files.quota import shown_size
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject
from signoff.kit.text.deceptive import without_hidden
from signoff.kit.text.fields import filled
from signoff.policy.impact import Impact, ImpactKind
from signoff.tools.builtin.files import known
from signoff.tools.builtin.run_folder import inside, require_room
from signoff.tools.registry import Tool, ToolContext, ToolFailed, tool

MOST_ENTRIES = 2_000
# Text shrinks to a twentieth; what shrinks to a hundredth and is large was made to fill disks.
MOST_RATIO, HARMLESS = 100, 1024 * 1024
DEEPEST, LONGEST = 20, 200
CHUNK = 256 * 1024
LISTED = 50


def unpack_archive(context: ToolContext, path: str, to: str = "") -> str:
    """Unpack a ZIP archive of the run's folder into a new folder there: `to`, or one named after the archive."""
    place = inside(context.folder, path)
    if not place.is_file():
        raise ToolFailed(f"There is no file {path!r}. Use list_files to see what is there.")
    target = inside(context.folder, to or str(PurePosixPath(path).with_suffix("")))
    if target.exists():
        raise ToolFailed(f"{to or target.name!r} exists already. Give another folder as `to`.")
    part = target.with_name(f".{new_id()}.part")
    try:
        with zipfile.ZipFile(place) as archive:
            entries = _checked(archive)
            size = sum(entry.file_size for entry in entries)
            require_room(context, size, files=len(entries))
            part.mkdir(parents=True)
            for entry in entries:
                _unpack(archive, entry, part)
        # All of it or nothing, also when the process dies in the middle.
        part.rename(target)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise ToolFailed(f"{path!r} cannot be unpacked: {error or type(error).__name__}.") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    names = [f"{entry.filename} ({entry.file_size} bytes)" for entry in entries[:LISTED]]
    more = [f"and {len(entries) - LISTED} more"] if len(entries) > LISTED else []
    shown = target.relative_to(context.folder.resolve())
    return "\n".join([f"Unpacked {len(entries)} files, {quota.shown_size(size)}, into {shown}:", *names, *more])


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
    return Impact((ImpactKind.STAYS_IN_FOLDER,), filled("Unpacks {path} in its own folder", arguments, "Unpacks files"))


ARCHIVES: list[Tool] = [
    # Into a new folder only: it changes nothing that is there, as reading does not.
    tool(operation_type="create", risk="low", source="builtin", title="Unpack {path}", impact=_unpacking)(
        known(unpack_archive)
    ),
]
