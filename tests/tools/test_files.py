"""Files in the run's folder: what is too much, what is not there, and no way out of it."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.kit.settings import Settings
from signoff.tools.builtin import files
from signoff.tools.registry import ToolFailed
from tests.tools.using import use

STEPS = st.sampled_from(
    ["..", ".", "", "a", "b.txt", "link", "secret.txt", "inner", "~", "/", "a\x00", "\uff0e\uff0e", " "]
)
PATHS = st.lists(STEPS, min_size=1, max_size=6).map("/".join)


def everything(folder: Path) -> dict[str, str]:
    """All files and links but those of the run's own folder."""
    found = {each for each in folder.rglob("*") if not each.is_relative_to(folder / "runs" / "r")}
    return {str(each): each.read_text() if each.is_file() else "" for each in found if "undo" not in each.parts}


@given(PATHS, PATHS)
def test_no_path_or_link_leads_out_whatever_is_done(
    tmp_path_factory: pytest.TempPathFactory, path: str, to: str
) -> None:
    place = tmp_path_factory.mktemp("paths")
    run = place / "runs" / "r"
    (run / "a").mkdir(parents=True)
    (place / "secret.txt").write_text("gold")
    (run / "b.txt").write_text("own")
    (run / "link").symlink_to(place)
    (run / "a" / "link").symlink_to(place / "secret.txt")
    (run / "inner").symlink_to(run / "a")
    before, settings = everything(place), Settings(data=place)
    for name, more in (
        ("read_file", {}),
        ("list_files", {}),
        ("write_file", {"content": "!"}),
        ("move_file", {"to": to}),
        ("delete_file", {}),
        ("restore_file", {"call": to}),
        ("unpack_archive", {"to": to}),
    ):
        try:
            said = use(name, run, settings=settings, path=path, **more)
        except ToolFailed as refusal:
            said = str(refusal)
        assert "gold" not in str(said)
        assert "secret.txt (" not in str(said)
        assert str(place) not in str(said)
        assert everything(place) == before, name


def test_a_link_where_the_new_content_is_first_written_is_not_followed(tmp_path: Path) -> None:
    outside, run = tmp_path / "outside.txt", tmp_path / "runs" / "r"
    run.mkdir(parents=True)
    outside.write_text("gold")
    (run / ".a.txt.part").symlink_to(outside)
    use("write_file", run, path="a.txt", content="own")
    assert (outside.read_text(), (run / "a.txt").read_text()) == ("gold", "own")
    assert sorted(each.name for each in run.iterdir()) == ["a.txt"]


def test_what_is_long_is_cut_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "long.txt").write_text("x" * (files.MAX_READ + 1))
    text = use("read_file", tmp_path, path="long.txt")
    assert text.endswith(f"[cut: the file is longer than {files.MAX_READ} bytes]")
    assert text.count("x") == files.MAX_READ
    monkeypatch.setattr(files, "MAX_LISTED", 2)
    for name in "abc":
        (tmp_path / name).touch()
    assert use("list_files", tmp_path) == ["a (0 bytes)", "b (0 bytes)"]


def test_what_does_not_fit_is_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    run, settings = tmp_path / "runs" / "r", Settings(data=tmp_path, max_folder_bytes=10, max_folder_files=1)
    use("write_file", run, settings=settings, path="a.txt", content="12345")
    for path, content in (("a.txt", "12345678901"), ("b.txt", "1")):
        with pytest.raises(ToolFailed):
            use("write_file", run, settings=settings, path=path, content=content)
    assert {each.name: each.read_text() for each in run.iterdir()} == {"a.txt": "12345"}


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("read_file", {}),
        ("delete_file", {}),
        ("move_file", {"to": "b"}),
        ("unpack_archive", {}),
        ("restore_file", {"call": "c"}),
    ],
)
def test_what_is_not_there_is_a_clear_error(tmp_path: Path, name: str, more: dict[str, str]) -> None:
    with pytest.raises(ToolFailed, match=r"no file|Nothing was kept"):
        use(name, tmp_path, path="none.txt", **more)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ToolFailed):
        use(name, tmp_path, path="pipe", **more)
