"""No archive writes outside its folder, makes a link, or grows without bounds."""

import io
import stat
import struct
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.kit.settings import Settings
from signoff.tools.builtin import archives
from signoff.tools.builtin.archives import MOST_ENTRIES
from signoff.tools.builtin.files import known
from signoff.tools.registry import ToolContext, ToolFailed

STEPS = st.one_of(
    st.sampled_from(["..", ".", "", "a", "b", "~", "C:", "con", "\\..\\x", "/", "\uff0e\uff0e", "x\u202e", "x" * 300]),
    st.text(min_size=1, max_size=8),
)
# As the agent calls it.
unpack_archive = known(archives.unpack_archive)
ENTRY_NAMES = st.lists(STEPS, min_size=1, max_size=5).map("/".join)


def context_of(folder: Path, **settings: Any) -> ToolContext:
    kept = Settings(data=folder, **settings)
    return ToolContext("w", "r", "a", "c", folder / "runs" / "r", kept, db=cast("Any", None))


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    made = context_of(tmp_path, max_folder_bytes=10_000_000, max_folder_files=50)
    made.folder.mkdir(parents=True)
    return made


def archive(context: ToolContext, *entries: tuple[zipfile.ZipInfo | str, bytes], name: str = "a.zip") -> Path:
    with zipfile.ZipFile(context.folder / name, "w", zipfile.ZIP_DEFLATED) as made:
        for entry, content in entries:
            made.writestr(entry, content)
    return context.folder / name


def everything(folder: Path) -> set[str]:
    return {str(each.relative_to(folder)) for each in folder.rglob("*")}


def test_files_and_folders_come_out_as_they_went_in(context: ToolContext) -> None:
    archive(context, ("one.txt", b"1"), ("deep/er/two.txt", b"2"), ("empty/", b""))
    assert "2 files" in unpack_archive(context, "a.zip")
    assert (context.folder / "a" / "one.txt").read_bytes() == b"1"
    assert (context.folder / "a" / "deep" / "er" / "two.txt").read_bytes() == b"2"
    with pytest.raises(ToolFailed, match="exists already"):
        unpack_archive(context, "a.zip")
    unpack_archive(context, "a.zip", "again")
    assert (context.folder / "again" / "one.txt").is_file()


@given(st.lists(ENTRY_NAMES, min_size=1, max_size=5))
def test_nothing_is_written_outside_whatever_the_names(names: list[str]) -> None:
    with TemporaryDirectory() as place:
        context = context_of(Path(place))
        context.folder.mkdir(parents=True)
        try:
            # What is written ends at a NUL, and a name stands in an archive once.
            apart = {zipfile.ZipInfo(each).filename: each for each in names}
            archive(context, *((each, b"x") for each in apart.values()))
        except (IndexError, ValueError, UnicodeError, struct.error):
            return
        try:
            unpack_archive(context, "a.zip", "out")
            there = {"runs", "runs/r", "runs/r/a.zip", "runs/r/out", "undo", "undo/r", "undo/r/c.json"}
        except ToolFailed:
            there = {"runs", "runs/r", "runs/r/a.zip"}
            assert everything(Path(place)) == there
        found = everything(Path(place))
        assert all(each in there or each.startswith("runs/r/out/") for each in found)
        assert not any(each.is_symlink() for each in Path(place).rglob("*"))


@pytest.mark.parametrize("to", ["../out", "/tmp/out", "..", ".", "a.zip"])
def test_it_goes_nowhere_but_into_a_new_folder(context: ToolContext, to: str) -> None:
    archive(context, ("one.txt", b"1"))
    before = everything(context.settings.data)
    with pytest.raises(ToolFailed):
        unpack_archive(context, "a.zip", to)
    assert everything(context.settings.data) == before


def linked(kind: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo("link")
    entry.create_system, entry.external_attr = 3, (kind | 0o777) << 16
    return entry


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_links_and_devices_are_refused(context: ToolContext, kind: int) -> None:
    archive(context, (linked(kind), b"/etc/passwd"), ("link/x", b"x"))
    with pytest.raises(ToolFailed, match="link or a device"):
        unpack_archive(context, "a.zip")
    assert everything(context.folder) == {"a.zip"}


def test_a_bomb_is_refused(context: ToolContext) -> None:
    archive(context, ("bomb.txt", b"0" * 5_000_000))
    with pytest.raises(ToolFailed, match="grow"):
        unpack_archive(context, "a.zip")


def test_many_small_bombs_do_not_fit(context: ToolContext) -> None:
    archive(context, *((f"{i}.txt", b"0" * 1_000_000) for i in range(20)))
    with pytest.raises(ToolFailed, match="left"):
        unpack_archive(context, "a.zip")
    archive(context, *((f"{i}.txt", b"0") for i in range(60)), name="b.zip")
    with pytest.raises(ToolFailed, match="at most 50 files"):
        unpack_archive(context, "b.zip")
    archive(context, *((f"{i}.txt", b"") for i in range(MOST_ENTRIES + 1)), name="c.zip")
    with pytest.raises(ToolFailed, match="entries"):
        unpack_archive(context, "c.zip")
    assert everything(context.folder) == {"a.zip", "b.zip", "c.zip"}


def test_an_archive_that_lies_about_its_size_is_refused(context: ToolContext) -> None:
    place = archive(context, ("a.txt", b"0" * 5_000_000))
    content = bytearray(place.read_bytes())
    # The size that the directory of the archive tells; the bytes themselves are the bomb.
    at = content.rindex(b"PK\x01\x02") + 24
    content[at : at + 4] = struct.pack("<I", 10)
    place.write_bytes(content)
    with pytest.raises(ToolFailed):
        unpack_archive(context, "a.zip")
    assert everything(context.folder) == {"a.zip"}


@given(st.binary(max_size=300), st.integers(0, 200))
def test_nonsense_is_no_crash(noise: bytes, at: int) -> None:
    with TemporaryDirectory() as place:
        context = context_of(Path(place))
        context.folder.mkdir(parents=True)
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as made:
            made.writestr("a.txt", b"x" * 50)
        whole = buffer.getvalue()
        (context.folder / "a.zip").write_bytes(whole[:at] + noise + whole[at + len(noise) :])
        try:
            unpack_archive(context, "a.zip", "out")
        except ToolFailed:
            assert everything(context.folder) == {"a.zip"}
