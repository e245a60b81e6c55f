"""A run hands over files of its folder, of any size, and links to what lies elsewhere."""

import io
import os
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from signoff.deliverables.orphans import OrphanFiles
from signoff.kit import clock
from signoff.kit.settings import Settings
from tests.contract.scenes import problem, run_that
from tests.house import House
from tests.wire import call, says

MEGABYTE = 1024 * 1024


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


@pytest.fixture(scope="module")
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"max_workspace_bytes": 14 * MEGABYTE})


def handed_over(house: House, *given: dict[str, Any], files: dict[str, bytes] | None = None) -> list[dict[str, Any]]:
    """A run with these files that hands over all this, and its calls."""
    ids = list[str]()
    if files:
        sent = house.client.post("/api/files", files=[("files", each) for each in files.items()])
        ids = [each["id"] for each in sent.json()["items"]]
    name = f"m{os.urandom(6).hex()}"
    house.agent(name, house.model.script(name, *(says("", call("create_deliverable", each)) for each in given)))
    run = house.ended(house.start(name, files=ids))
    return house.calls(run["id"])[: len(given)]


def deliverables(house: House, calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return house.get(f"/api/runs/{calls[0]['run_id']}/deliverables")["items"]


def content(house: House, made: dict[str, Any], **headers: str) -> httpx.Response:
    return house.client.get(f"/api/deliverables/{made['id']}/content", headers=headers, follow_redirects=False)


def test_a_file_of_any_size_is_handed_over_as_it_lies(house: House) -> None:
    large = os.urandom(3 * MEGABYTE)
    calls = handed_over(
        house,
        {"name": "large.bin", "path": "input/large.bin"},
        {"name": "small.csv", "path": "input/small.csv"},
        files={"large.bin": large, "small.csv": b"a,b\n1,2\n"},
    )
    one, two = deliverables(house, calls)
    assert (one["type"], one["storage"], one["size_bytes"]) == ("file", "file", len(large))
    assert (two["type"], two["storage"], two["mime_type"]) == ("csv", "inline", "text/csv")
    assert content(house, one).content == large
    part = content(house, one, Range="bytes=2000000-2000009")
    assert (part.status_code, part.content) == (206, large[2_000_000:2_000_010])
    assert part.headers["content-range"] == f"bytes 2000000-2000009/{len(large)}"
    assert content(house, two, Range="bytes=-4").content == b"1,2\n"
    assert content(house, two, Range="bytes=99-").status_code == 416
    zipped = house.client.get("/api/deliverables/download", params={"run": one["run_id"]}).content
    archive = zipfile.ZipFile(io.BytesIO(zipped))
    assert archive.read("large.bin") == large


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"path": "input/nothing.csv"}, "There is no file"),
        ({"path": "../../signoff.db"}, "outside"),
        ({"path": "/etc/passwd"}, "outside"),
        ({"path": "."}, "There is no file"),
        ({}, "Give one of"),
        ({"content": "x", "path": "a"}, "Give one of"),
        ({"url": "javascript:alert(1)"}, "http or https"),
    ],
)
def test_what_cannot_be_handed_over_goes_back_to_the_model(house: House, given: dict[str, Any], word: str) -> None:
    (refused,) = handed_over(house, {"name": "x", **given})
    assert refused["status"] == "failed"
    assert word in refused["error"]


def test_a_link_is_shown_and_leads_there(house: House) -> None:
    link = "https://example.org/report?q=1"
    (made,) = deliverables(house, handed_over(house, {"name": "Report", "type": "html", "url": link}))
    assert (made["storage"], made["external_url"], made["size_bytes"]) == ("external", link, 0)
    answer = content(house, made)
    assert (answer.status_code, answer.headers["location"]) == (302, link)
    assert answer.headers["referrer-policy"] == "no-referrer"
    problem(house.client.get("/api/deliverables/download", params={"run": made["run_id"]}), 404)


def test_a_deliverable_is_draft_then_final_then_archived(house: House) -> None:
    (made,) = deliverables(house, handed_over(house, {"name": "a.md", "content": "x"}))
    place = f"/api/deliverables/{made['id']}"
    refused = problem(house.client.patch(place, json={"status": "draft"}), 409)
    assert (refused["code"], refused["state"]) == ("illegal_status", {"status": "final"})
    assert house.client.patch(place, json={"status": "archived"}).json()["status"] == "archived"
    run = made["run_id"]
    assert house.get("/api/deliverables", run=run)["items"] == []
    assert house.get(f"/api/runs/{run}/deliverables")["items"] == []
    for status in ("archived", "all"):
        assert len(house.get("/api/deliverables", run=run, status=status)["items"]) == 1
    assert house.client.patch(place, json={"status": "final"}).json()["status"] == "final"


def test_stored_files_that_no_row_has_are_cleared_away(house: House, folder: Path) -> None:
    (made,) = deliverables(
        house, handed_over(house, {"name": "b.bin", "path": "input/b.bin"}, files={"b.bin": os.urandom(MEGABYTE + 1)})
    )
    lost = house.parts.context.store.put(b"its row never came")
    orphans, at = OrphanFiles(house.parts.context.store), clock.now() + timedelta(days=2)
    found = house.parts.db.read(lambda session: orphans.due(session, at, 200))
    assert list(found) == [lost]
    for each in found:
        house.parts.db.write(lambda session, each=each: orphans.run_due(session, each, at))
    assert not list((folder / "files").rglob(lost))
    assert content(house, made).status_code == 200
    assert house.parts.db.read(lambda session: orphans.due(session, at, 200)) == []


def test_a_file_written_in_the_same_answer_is_handed_over_in_the_next(house: House) -> None:
    both = [
        call("write_file", {"path": "a.md", "content": "# A"}),
        call("create_deliverable", {"name": "a.md", "path": "a.md"}, "d"),
    ]
    again = call("create_deliverable", {"name": "a.md", "path": "a.md"})
    run = house.ended(run_that(house, says("", *both), says("", again), autonomy="full"))
    (made,) = house.get(f"/api/runs/{run['id']}/deliverables")["items"]
    assert (made["type"], content(house, made).content) == ("markdown", b"# A")


def test_what_the_workspace_has_no_room_for_is_not_handed_over(house: House) -> None:
    limits = house.get("/api/files/limits")
    left = limits["max_workspace_bytes"] - limits["workspace_bytes"]
    large = os.urandom(left * 2 // 3)
    (refused,) = handed_over(house, {"name": "l.bin", "path": "input/l.bin"}, files={"l.bin": large})
    assert refused["status"] == "failed"
    assert "are left" in refused["error"]
    full = house.client.post("/api/files", files={"files": ("more.bin", large)})
    assert problem(full, 413)["code"] == "workspace_full"
