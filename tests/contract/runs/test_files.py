"""A run's files stay in its own folder."""

from pathlib import Path
from typing import Any

import pytest

from signoff.kit.ids import new_id
from tests.contract.scenes import QUESTION, free_run, run_that
from tests.house import House
from tests.wire import call, says

FILES = ("read_file", "list_files", "write_file", "delete_file", "move_file")


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


def does(house: House, *calls: dict[str, Any]) -> list[dict[str, Any]]:
    """One call after the other, all allowed."""
    run = free_run(house, *(says("", each) for each in calls), tools=FILES)
    return house.calls(run["id"])[: len(calls)]


def write(path: str, content: str = "text") -> dict[str, Any]:
    return call("write_file", {"path": path, "content": content})


def test_a_written_file_is_read_listed_moved_and_deleted(house: House) -> None:
    ran = does(
        house,
        write("notes/one.txt", "line\nline"),
        call("read_file", {"path": "notes/one.txt"}),
        call("move_file", {"path": "notes/one.txt", "to": "two.txt"}),
        call("list_files", {}),
        call("delete_file", {"path": "two.txt"}),
        call("read_file", {"path": "two.txt"}),
    )
    assert [each["status"] for each in ran] == ["succeeded"] * 5 + ["failed"]
    assert ran[1]["result"] == "line\nline"
    assert "two.txt" in str(ran[3]["result"])
    assert "one.txt" not in str(ran[3]["result"])


def test_one_run_does_not_see_anothers_files(house: House) -> None:
    does(house, write("secret.txt"))
    listed, read = does(house, call("list_files", {}), call("read_file", {"path": "secret.txt"}))
    assert "secret.txt" not in str(listed["result"])
    assert read["status"] == "failed"


OUTSIDE = ["../x", "a/../../x", "/tmp/signoff-escape", "..", "./../x", "a/b/../../../x", "..\\x\\..\\..\\x", "~/x"]


@pytest.mark.parametrize("path", OUTSIDE)
def test_no_path_leads_out_of_the_folder(house: House, folder: Path, path: str) -> None:
    before = {*folder.parent.iterdir(), *folder.iterdir()}
    ran = does(
        house,
        write("a.txt"),
        write(path),
        call("read_file", {"path": path}),
        call("list_files", {"path": path}),
        call("move_file", {"path": "a.txt", "to": path}),
        call("delete_file", {"path": path}),
    )
    harmless = path.startswith(("..\\", "~"))
    assert harmless or {each["status"] for each in ran[1:]} == {"failed"}, [each["status"] for each in ran]
    assert not Path("/tmp/signoff-escape").exists()
    after = {*folder.parent.iterdir(), *folder.iterdir()}
    assert {each.name for each in after - before} <= {"runs", "files", "deliverables", "workspaces", "audit.anchor"}


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../signoff.db", "../../signoff.db", "../../../signoff.db", "/proc/self/environ"]
)
def test_nothing_outside_is_read(house: House, path: str) -> None:
    (read,) = does(house, call("read_file", {"path": path}))
    assert (read["status"], read["result"]) == ("failed", None)


@pytest.mark.parametrize("path", ["", ".", "/", "a/", "x" * 300, "a\x00b", "con/../a\n.txt", "a/./b"])
def test_a_strange_path_is_no_crash(house: House, path: str) -> None:
    ran = does(house, write(path), call("read_file", {"path": path}), call("delete_file", {"path": path}))
    assert {each["status"] for each in ran} <= {"failed", "succeeded"}


def test_the_folder_itself_is_not_deleted(house: House) -> None:
    ran = does(house, write("a.txt"), call("delete_file", {"path": "."}), call("read_file", {"path": "a.txt"}))
    assert ran[2]["status"] == "succeeded"


@pytest.mark.parametrize("target", ["file", "folder"])
def test_a_link_does_not_lead_out(house: House, folder: Path, tmp_path: Path, target: str) -> None:
    (tmp_path / "treasure.txt").write_text("gold")
    mark = f"{new_id()}.txt"
    path = "link" if target == "file" else "link/treasure.txt"
    turns = [write(mark), QUESTION, call("read_file", {"path": path}), write(path, "stolen")]
    turns += [call("move_file", {"path": path, "to": "mine.txt"}), call("delete_file", {"path": path})]
    run = run_that(house, *(says("", each) for each in turns), tools=FILES, autonomy="full")
    ask = house.ask(run)
    (written,) = folder.rglob(mark)
    (written.parent / "link").symlink_to(tmp_path / "treasure.txt" if target == "file" else tmp_path)
    house.answer(ask, "respond", value="go on")
    house.ended(run)
    ran = house.calls(run)
    assert (tmp_path / "treasure.txt").read_text() == "gold"
    assert "gold" not in str([each["result"] for each in ran])
    assert ran[2]["status"] == ran[3]["status"] == "failed"


def test_a_move_does_not_overwrite_what_was_approved_elsewhere(house: House) -> None:
    ran = does(
        house,
        write("a.txt", "one"),
        write("b.txt", "two"),
        call("move_file", {"path": "a.txt", "to": "b.txt"}),
        call("read_file", {"path": "b.txt"}),
    )
    assert ran[3]["result"] == ("one" if ran[2]["status"] == "succeeded" else "two")


def test_a_file_that_is_no_text_is_no_crash(house: House, folder: Path) -> None:
    mark = f"{new_id()}.txt"
    turns = [write(mark), QUESTION, call("read_file", {"path": "image.bin"})]
    run = run_that(house, *(says("", each) for each in turns), tools=FILES, autonomy="full")
    ask = house.ask(run)
    (written,) = folder.rglob(mark)
    (written.parent / "image.bin").write_bytes(bytes(range(256)) * 10)
    house.answer(ask, "respond", value="go on")
    assert house.ended(run)["status"] == "completed"
    house.calls(run)


def test_a_fetch_reads_a_page(house: House) -> None:
    run = free_run(house, says("", call("web_fetch", {"url": f"{house.url}/healthz"})), tools=("web_fetch",))
    fetched = house.calls(run["id"])[0]
    assert fetched["status"] == "succeeded"
    assert "ok" in str(fetched["result"])


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://example.org", "nothing", "", "http://", "http://[::1"])
def test_a_fetch_takes_web_addresses_only(house: House, url: str) -> None:
    run = free_run(house, says("", call("web_fetch", {"url": url})), tools=("web_fetch",))
    fetched = house.calls(run["id"])[0]
    assert (run["status"], fetched["status"]) == ("completed", "failed")
    assert "root:" not in str(fetched)
