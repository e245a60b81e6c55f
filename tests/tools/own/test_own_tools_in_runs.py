"""A tool of the user, in a run: previewed, approved, changed while the server runs, and undone."""

from pathlib import Path

import pytest

from signoff.kit.settings import Settings
from signoff.tools.own.starter import write_tool
from tests.contract.scenes import run_that
from tests.house import House
from tests.wire import call, says


@pytest.fixture
def kind() -> str:
    return "sqlite"


@pytest.fixture
def tools_folder(settings: Settings) -> Path:
    folder = settings.tools_folder
    write_tool(folder, "add_entry", {})
    return folder


def test_the_starter_works_in_a_run_from_preview_to_undo(tools_folder: Path, house: House) -> None:
    house.until(lambda: "add_entry" in _names(house))
    run = run_that(house, says("", call("add_entry", {"text": "Order paper"})), tools=("add_entry",))
    ask = house.ask(run)
    assert (ask["title"], ask["risk"]["level"], ask["reversible"]) == ("Add to the list: Order paper", "high", True)
    assert ask["preview"]["summary"] == "Adds an entry to add_entry.txt"
    house.answer(ask)
    house.ended(run)
    made = house.calls(run)[0]
    assert made["result"] == {"entries": 1}
    house.post(f"/api/runs/{run}/calls/{made['id']}/undo", status=201)
    house.until(lambda: _list_of(house, run) == "")


def test_an_approval_is_for_the_code_that_was_there_when_it_was_asked_for(tools_folder: Path, house: House) -> None:
    house.until(lambda: "add_entry" in _names(house))
    run = run_that(house, says("", call("add_entry", {"text": "Order paper"})), tools=("add_entry",))
    ask = house.ask(run)
    file = tools_folder / "add_entry.py"
    file.write_text(file.read_text().replace('    """', '    """Once more: '))
    house.until(lambda: "Once more" in str(house.get("/api/tools")))
    house.answer(ask, status=409)
    again = house.ask(run)
    house.answer(again, digest=again["digest"])
    house.ended(run)
    assert house.calls(run)[0]["status"] == "succeeded"


def test_a_broken_file_is_told_to_admins_alone_and_breaks_nothing(tools_folder: Path, house: House) -> None:
    (tools_folder / "add_entry.py").write_text("def add_entry(:\n")
    problem = house.until(lambda: house.get("/api/tools")["problems"])[0]
    assert (problem["file"], problem["line"], problem["kept"]) == ("add_entry.py", 1, True)
    assert house.member("admin").get("/api/tools").json()["problems"] == []
    assert "add_entry" in _names(house)


def _names(house: House) -> list[str]:
    return [each["name"] for each in house.get("/api/tools")["items"]]


def _list_of(house: House, run: str) -> str:
    return house.client.get(f"/api/runs/{run}/files/content", params={"path": "add_entry.txt"}).text
