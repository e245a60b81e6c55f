"""Files: the world equals the preview afterwards, and is what it was before after the undo."""

import asyncio
import hashlib
import io
import os
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from signoff.kit.ids import new_id
from signoff.kit.settings import Settings
from signoff.sandbox.run import Answer
from signoff.tools.builtin import builtin_registry, kept_files
from signoff.tools.builtin.web import browse
from signoff.tools.effects import CannotUndo
from signoff.tools.previews import make_preview
from signoff.tools.registry import Tool, ToolContext, ToolFailed

REGISTRY = builtin_registry()


class Desk:
    """A run's folder with tools that work in it."""

    def __init__(self, place: Path) -> None:
        self.settings = Settings(data=place)
        self.folder = self.settings.runs_folder / "r"
        self.folder.mkdir(parents=True)

    def context(self, call: str = "") -> ToolContext:
        return ToolContext("w", "r", "agent", call or new_id(), self.folder, self.settings, SimpleNamespace())

    def put(self, path: str, content: bytes) -> None:
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)

    def world(self) -> dict[str, bytes]:
        return {
            str(each.relative_to(self.folder)): each.read_bytes() for each in self.folder.rglob("*") if each.is_file()
        }

    def shown(self, name: str, /, **arguments: Any) -> Any:
        before = self.world(), sorted(os.walk(self.settings.data))
        found = make_preview(tool(name), self.context(), arguments)
        assert (self.world(), sorted(os.walk(self.settings.data))) == before, "a preview has no effect of its own"
        return found

    def act(self, name: str, /, **arguments: Any) -> tuple[ToolContext, str, dict[str, Any]]:
        context = self.context()
        asyncio.run(tool(name).run(context, arguments))
        return context, name, arguments

    def shown_undo(self, made: tuple[ToolContext, str, dict[str, Any]]) -> Any:
        """What the call would change that takes another one back."""
        context, name, arguments = made
        back = tool(name).undo
        assert back is not None
        wanted = back(context, arguments, None)
        return self.shown(wanted.tool, **wanted.arguments)

    def undo(self, made: tuple[ToolContext, str, dict[str, Any]]) -> tuple[ToolContext, str, dict[str, Any]]:
        context, name, arguments = made
        back = tool(name).undo
        assert back is not None
        wanted = back(context, arguments, None)
        return self.act(wanted.tool, **wanted.arguments)


def tool(name: str) -> Tool:
    found = REGISTRY.get(name)
    assert found is not None
    return found


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


CASES = [
    ("write_file", {"path": "new/a.md", "content": "one\ntwo\n"}),
    ("write_file", {"path": "old.md", "content": "one\n2\nthree\n"}),
    ("write_file", {"path": "old.md", "content": "one\ntwo\nthree\n"}),
    ("write_file", {"path": "photo.bin", "content": "text now"}),
    ("write_file", {"path": "long.md", "content": "x\n" * 9_000}),
    ("delete_file", {"path": "old.md"}),
    ("delete_file", {"path": "photo.bin"}),
    ("move_file", {"path": "old.md", "to": "sub/new.md"}),
]


@pytest.mark.parametrize(("name", "arguments"), CASES)
def test_the_world_equals_the_preview_and_the_undo_brings_back_what_was(
    desk: Desk, name: str, arguments: dict[str, str]
) -> None:
    desk.put("old.md", b"one\ntwo\nthree\n")
    desk.put("photo.bin", b"\x00\xff" * 100)
    before = desk.world()
    shown = desk.shown(name, **arguments)
    made = desk.act(name, **arguments)
    after, detail = desk.world(), shown["detail"]
    if name == "move_file":
        assert after == {**{k: v for k, v in before.items() if k != "old.md"}, "sub/new.md": before["old.md"]}
        assert [each["value"] for each in detail["fields"][:2]] == ["old.md", "sub/new.md"]
    else:
        path = arguments["path"]
        was, now = before.get(path), after.get(path)
        assert detail["before"] == (None if was is None else {**detail["before"], "sha256": sha(was), "size": len(was)})
        assert detail["after"] == (None if now is None else {**detail["after"], "sha256": sha(now), "size": len(now)})
        others = {each: content for each, content in before.items() if each != path}
        assert {each: content for each, content in after.items() if each != path} == others
    back = desk.shown_undo(made)
    undone = desk.undo(made)
    assert desk.world() == before
    if back["kind"] == "diff":
        kept = desk.world().get(back["detail"]["path"])
        assert (back["detail"]["after"] or {}).get("sha256") == (None if kept is None else sha(kept))
    desk.undo(undone)
    assert desk.world() == after, "an undo is a call as any other, and can be taken back"


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=12), max_size=12), st.lists(st.text(max_size=12), max_size=12))
def test_whatever_is_written_the_preview_never_fails_and_the_undo_is_exact(
    tmp_path_factory: pytest.TempPathFactory, old: list[str], new: list[str]
) -> None:
    desk = Desk(tmp_path_factory.mktemp("desk"))
    desk.put("a.txt", "\n".join(old).encode("utf-8", "replace"))
    before, content = desk.world(), "\n".join(new)
    shown = desk.shown("write_file", path="a.txt", content=content)
    assert shown["kind"] == "diff"
    made = desk.act("write_file", path="a.txt", content=content)
    assert shown["detail"]["after"]["sha256"] == sha(desk.world()["a.txt"])
    desk.undo(made)
    assert desk.world() == before


def test_what_changed_is_shown_line_by_line_with_sizes(desk: Desk) -> None:
    desk.put("a.md", b"one\ntwo\n")
    shown = desk.shown("write_file", path="a.md", content="one\n2\n")
    assert shown["summary"] == "Changes a.md: 1 line added, 1 removed (8 bytes → 6 bytes)"
    assert "-two\n+2" in shown["detail"]["diff"]
    same = desk.shown("write_file", path="a.md", content="one\ntwo\n")
    assert same["summary"] == "Leaves a.md as it is: the content is the same"


def test_what_cannot_be_shown_line_by_line_says_why(desk: Desk) -> None:
    desk.put("photo.bin", b"\x00\x01")
    assert desk.shown("delete_file", path="photo.bin")["detail"]["no_diff"] == "It is not text."
    shown = desk.shown("write_file", path="a.md", content="x\n" * 200_000)
    assert shown["detail"]["diff"] is None
    assert "too long" in shown["detail"]["no_diff"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("write_file", {"path": "../out.md", "content": "x"}),
        ("write_file", {"path": "sub", "content": "x"}),
        ("delete_file", {"path": "missing.md"}),
        ("delete_file", {"path": "/etc/passwd"}),
        ("move_file", {"path": "a.md", "to": "sub/b.md"}),
        ("restore_file", {"path": "a.md", "call": "../../runs/r/a"}),
    ],
)
def test_what_would_fail_has_no_preview_and_says_why(desk: Desk, name: str, arguments: dict[str, str]) -> None:
    desk.put("a.md", b"a")
    desk.put("sub/b.md", b"b")
    shown = desk.shown(name, **arguments)
    assert shown["kind"] == "none"
    assert str(desk.settings.data) not in shown["why"]
    with pytest.raises(ToolFailed):
        desk.act(name, **arguments)


def test_a_link_out_of_the_folder_is_neither_shown_nor_written(desk: Desk, tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("secret")
    (desk.folder / "link.txt").symlink_to(outside)
    assert desk.shown("write_file", path="link.txt", content="x")["kind"] == "none"
    assert desk.shown("delete_file", path="link.txt")["kind"] == "none"
    assert outside.read_text() == "secret"


@pytest.mark.parametrize(
    ("name", "arguments", "then", "why"),
    [
        ("write_file", {"path": "a.md", "content": "new"}, b"newer", "changed again"),
        ("write_file", {"path": "a.md", "content": "new"}, None, "no longer there"),
        ("delete_file", {"path": "a.md"}, b"again", "another a.md"),
        ("move_file", {"path": "a.md", "to": "b.md"}, b"again", "another a.md"),
    ],
)
def test_an_undo_is_refused_where_the_world_has_moved_on(
    desk: Desk, name: str, arguments: dict[str, str], then: bytes | None, why: str
) -> None:
    desk.put("a.md", b"old")
    made = desk.act(name, **arguments)
    if then is None:
        (desk.folder / "a.md").unlink()
    else:
        desk.put("a.md", then)
    left = desk.world()
    with pytest.raises(CannotUndo, match=why):
        desk.undo(made)
    assert desk.world() == left


def test_what_is_too_large_to_keep_says_so_before(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_files, "MOST_BYTES", 10)
    desk.put("a.md", b"x" * 11)
    stated: Any = tool("delete_file").impact
    impact = stated({"path": "a.md"}, desk.folder)
    assert (impact.reversible, impact.text) == (False, "Deletes a.md from its own folder, too large to be undone")
    made = desk.act("delete_file", path="a.md")
    with pytest.raises(CannotUndo, match="could not be kept"):
        desk.undo(made)


def test_a_call_that_runs_again_after_a_crash_keeps_what_it_found_first(desk: Desk) -> None:
    desk.put("a.md", b"old")
    context, name, arguments = desk.act("write_file", path="a.md", content="new")
    asyncio.run(tool(name).run(replace(context), arguments))
    desk.undo((context, name, arguments))
    assert desk.world() == {"a.md": b"old"}


def test_what_is_kept_lies_where_no_path_of_the_run_leads(desk: Desk) -> None:
    desk.put("a.md", b"old")
    desk.act("delete_file", path="a.md")
    assert desk.world() == {}
    assert [each.read_bytes() for each in desk.settings.undo_folder.rglob("*.content")] == [b"old"]
    with pytest.raises(ToolFailed):
        desk.act("read_file", path="../../undo/r")


def test_a_message_is_shown_as_it_will_be_read(desk: Desk) -> None:
    shown = desk.shown("send_message", channel="#sales", text="Hello\nthere")
    assert {each["label"]: each["value"] for each in shown["detail"]["fields"]} == {
        "To": "#sales",
        "Message": "Hello\nthere",
    }


BARS = {"mark": "bar", "encoding": {"x": {"field": "region"}, "y": {"field": "amount", "type": "quantitative"}}}
MADE = [
    ("make_chart", {"spec": BARS, "data_path": "sales.csv", "name": "new"}, "new.svg"),
    ("make_chart", {"spec": BARS, "data_path": "sales.csv", "name": "old.svg"}, "old.svg"),
    ("save_query", {"sql": "SELECT 1 AS n", "path": "sub/new.csv"}, "sub/new.csv"),
    ("save_query", {"sql": "SELECT 1 AS n", "path": "old.csv"}, "old.csv"),
    ("screenshot_page", {"url": "https://example.org/", "path": "new.png"}, "new.png"),
    ("screenshot_page", {"url": "https://example.org/", "path": "old.png"}, "old.png"),
]


@pytest.mark.parametrize(("name", "arguments", "path"), MADE)
def test_a_file_that_is_made_is_shown_with_what_it_replaces_and_taken_back(
    desk: Desk, name: str, arguments: dict[str, Any], path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def opened(*_: Any, **__: Any) -> Answer:
        return Answer({"url": "https://example.org/", "title": "A page", "status": 200}, b"a picture")

    monkeypatch.setattr(browse, "_opened", opened)
    desk.put("sales.csv", b"region,amount\nnorth,1\n")
    desk.put("old.svg", b"drawn before")
    desk.put("old.csv", b"n\n0\n")
    desk.put("old.png", b"taken before")
    before = desk.world()
    shown = desk.shown(name, **arguments)
    assert shown["summary"].startswith(f"Overwrites {path}" if path in before else f"Creates {path}")
    assert (shown["detail"]["before"] or {}).get("sha256") == (sha(before[path]) if path in before else None)
    made = desk.act(name, **arguments)
    after = desk.world()
    assert {each for each in after if after[each] != before.get(each)} == {path}
    desk.undo(desk.undo(desk.undo(made)))
    assert desk.world() == before


def test_what_comes_out_otherwise_the_second_time_is_taken_back_to_what_was_found_first(desk: Desk) -> None:
    desk.put("old.csv", b"n\n0\n")
    context, name, arguments = desk.act("save_query", sql="SELECT random() AS n", path="old.csv")
    asyncio.run(tool(name).run(replace(context), arguments))
    desk.undo((context, name, arguments))
    assert desk.world() == {"old.csv": b"n\n0\n"}


def zipped(**contents: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in contents.items():
            archive.writestr(f"deep/{name}.txt", content)
    return made.getvalue()


def test_what_an_archive_brings_is_shown_and_taken_back(desk: Desk) -> None:
    desk.put("a.zip", zipped(one="11", two="22"))
    before = desk.world()
    shown = desk.shown("unpack_archive", path="a.zip")
    assert shown["summary"] == "Creates a with 2 files, 4 bytes"
    assert shown["detail"]["fields"][1]["value"] == "deep/one.txt (2 bytes)\ndeep/two.txt (2 bytes)"
    made = desk.act("unpack_archive", path="a.zip")
    after = desk.world()
    assert after == before | {"a/deep/one.txt": b"11", "a/deep/two.txt": b"22"}
    assert desk.shown_undo(made)["summary"] == "Deletes a with 2 files, 4 bytes"
    undone = desk.undo(made)
    assert desk.world() == before
    desk.undo(undone)
    assert desk.world() == after


@pytest.mark.parametrize("change", ["changed", "added", "link", "gone"])
def test_what_was_unpacked_and_touched_since_is_left_alone(desk: Desk, change: str) -> None:
    desk.put("a.zip", zipped(one="1"))
    made = desk.act("unpack_archive", path="a.zip")
    match change:
        case "changed":
            desk.put("a/deep/one.txt", b"2")
        case "added":
            desk.put("a/more.txt", b"")
        case "link":
            (desk.folder / "a" / "link").symlink_to("/etc/passwd")
        case _:
            shutil.rmtree(desk.folder / "a")
    left = desk.world()
    with pytest.raises(CannotUndo, match=r"changed since|no longer there"):
        desk.undo(made)
    with pytest.raises(ToolFailed):
        desk.act("remove_unpacked", path="a", archive="a.zip", call=made[0].call_id)
    assert desk.world() == left


def test_no_folder_is_taken_away_that_the_call_did_not_unpack(desk: Desk) -> None:
    desk.put("a.zip", zipped(one="1"))
    desk.put("mine/one.txt", b"1")
    made = desk.act("unpack_archive", path="a.zip")
    for path in (".", "mine", "../r", "/"):
        with pytest.raises(ToolFailed):
            desk.act("remove_unpacked", path=path, archive="a.zip", call=made[0].call_id)
    assert "mine/one.txt" in desk.world()
