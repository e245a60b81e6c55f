"""Files that people give to runs arrive whole, under safe names, within bounds, or not at all."""

import io
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from signoff.files.actions import KEPT, forget_old
from signoff.kit import clock
from signoff.kit.settings import Settings
from tests.contract.scenes import QUESTION, Abroad, agent_that, at_once, free_run, problem, run_that, said_to_model
from tests.house import House
from tests.wire import call, says

ONE = {"files": ("a.csv", b"x,y\n1,2\n")}


@pytest.fixture(scope="module")
def settings(settings: Settings) -> Settings:
    small = {"max_file_bytes": 20_000, "max_folder_bytes": 50_000, "max_folder_files": 8, "max_files_at_once": 4}
    return settings.model_copy(update=small)


def upload(client: httpx.Client, *files: tuple[str, bytes]) -> list[dict[str, Any]]:
    response = client.post("/api/files", files=[("files", each) for each in files])
    assert response.status_code == 201, response.text
    return response.json()["items"]


def listed(house: House, run: str) -> dict[str, dict[str, Any]]:
    return {each["path"]: each for each in house.get(f"/api/runs/{run}/files")["items"]}


def waiting_files(folder: Path) -> list[Path]:
    place = folder / "uploads"
    return sorted(place.iterdir()) if place.is_dir() else []


def asking_run(house: House, **fields: Any) -> str:
    """A run that waits for an answer."""
    run = run_that(house, says("", QUESTION), **fields)
    house.ask(run)
    return run


@pytest.mark.both_databases
def test_a_run_starts_with_files_and_its_agent_is_told(house: House, folder: Path) -> None:
    one, two = upload(house.client, ("data.csv", b"x,y\n1,2\n"), ("data.csv", b"other"))
    agent = agent_that(house, says("", call("read_file", {"path": "input/data.csv"})), tools=("read_file",))
    run = house.start(agent, files=[one["id"], two["id"]])
    house.ended(run)
    assert house.calls(run)[0]["result"] == "x,y\n1,2\n"
    assert {path: each["given_by"] is not None for path, each in listed(house, run).items()} == {
        "input/data.csv": True,
        "input/data-2.csv": True,
    }
    assert "input/data-2.csv (5 bytes)" in said_to_model(house, run)
    assert waiting_files(folder) == []


def test_files_are_taken_once_by_whoever_brought_them(house: House, member: httpx.Client, abroad: Abroad) -> None:
    agent = agent_that(house)
    (mine,) = upload(house.client, ("mine.txt", b"x"))
    for other in (member, abroad.client):
        problem(other.delete(f"/api/files/{mine['id']}"), 404)
    body = {"agent": agent, "task": "x", "files": [mine["id"]]}
    problem(member.post("/api/runs", json=body), 404)
    house.post("/api/runs", body, 201)
    assert problem(house.client.post("/api/runs", json=body), 404)["code"] == "unknown_file"


def test_a_start_that_fails_leaves_the_files_where_they_were(house: House, folder: Path) -> None:
    others = waiting_files(folder)
    (one,) = upload(house.client, ("a.txt", b"x"))
    before = sorted((folder / "runs").glob("*"))
    body = {"agent": agent_that(house), "task": "x", "files": [one["id"], "nothing"]}
    problem(house.client.post("/api/runs", json=body), 404)
    assert sorted((folder / "runs").glob("*")) == before
    assert [each.name for each in waiting_files(folder) if each not in others] == [one["id"]]
    assert house.client.delete(f"/api/files/{one['id']}").status_code == 204
    assert waiting_files(folder) == others


def test_a_run_at_work_gets_more_files_and_reads_of_them(house: House) -> None:
    run = asking_run(house)
    response = house.client.post(f"/api/runs/{run}/files", files=ONE)
    assert (response.status_code, response.json()["items"][0]["path"]) == (201, "input/a.csv")
    house.answer(house.ask(run), "respond", value="go on")
    house.ended(run)
    assert "input/a.csv (8 bytes)" in said_to_model(house, run)
    refused = problem(house.client.post(f"/api/runs/{run}/files", files=ONE), 409)
    assert "ended" in refused["detail"] or "completed" in refused["detail"]
    actions = {each["action"] for each in house.get("/api/audit", run=run)["items"]}
    assert "file.given" in actions


def test_viewers_and_neighbours_give_nothing(house: House, viewer: httpx.Client, abroad: Abroad) -> None:
    run = asking_run(house)
    problem(viewer.post("/api/files", files=ONE), 403)
    problem(viewer.post(f"/api/runs/{run}/files", files=ONE), 403)
    problem(abroad.client.post(f"/api/runs/{run}/files", files=ONE), 404)
    assert listed(house, run) == {}


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\x\\a.txt", "a.txt"),
        ("/etc/cron.d/x", "x"),
        ("con.txt", "_con.txt"),
        (".bashrc", "bashrc"),
        ("gpj\u202e.exe", "gpj_.exe"),
        ("..", "file"),
        ("\uff0e\uff0e\uff0fx.txt", "x.txt"),
        ("a" * 300 + ".csv", "a" * 116 + ".csv"),
    ],
)
def test_a_strange_name_becomes_a_plain_one(house: House, name: str, kept: str) -> None:
    (made,) = upload(house.client, (name, b"x"))
    assert made["name"] == kept
    house.client.delete(f"/api/files/{made['id']}")


@pytest.mark.parametrize(
    ("files", "status", "word"),
    [
        ([("files", ("big.bin", b"x" * 20_001))], 413, "at most"),
        ([("files", (f"{i}.txt", b"x")) for i in range(5)], 413, "At most 4 files"),
        ([("files", ("a.bin", b"x" * 60_000))], 413, "at most 48.8 KB together"),
    ],
)
def test_too_much_is_refused_and_nothing_stays(
    house: House, folder: Path, files: list[Any], status: int, word: str
) -> None:
    before = waiting_files(folder)
    assert word in problem(house.client.post("/api/files", files=files), status)["detail"]
    assert waiting_files(folder) == before


@pytest.mark.parametrize(
    ("body", "media"),
    [
        (b"--x\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--x--\r\n", "multipart/form-data; boundary=x"),
        (b"--x\r\nContent-Disposition: form-data; filename=a\r\n\r\nhalf", "multipart/form-data; boundary=x"),
        (b"--x--\r\n", "multipart/form-data; boundary=x"),
        (b"nonsense", "multipart/form-data; boundary=x"),
        (b"x", "multipart/form-data"),
    ],
)
def test_a_broken_upload_says_what_is_wrong(house: House, folder: Path, body: bytes, media: str) -> None:
    before = waiting_files(folder)
    problem(house.client.post("/api/files", content=body, headers={"Content-Type": media}), 422)
    assert waiting_files(folder) == before


def test_a_body_of_unknown_length_has_the_same_bounds(house: House, folder: Path) -> None:
    before, head = waiting_files(folder), b"--x\r\nContent-Disposition: form-data; filename=a\r\n\r\n1\r\n--x--\r\n"
    pieces = iter([head, *([b"y" * 1_000] * 60)])
    answer = house.client.post(
        "/api/files", content=pieces, headers={"Content-Type": "multipart/form-data; boundary=x"}
    )
    problem(answer, 413)
    assert waiting_files(folder) == before


def test_anything_but_files_is_another_type(house: House) -> None:
    problem(house.client.post("/api/files", content=b"x", headers={"Content-Type": "text/plain"}), 415)
    problem(house.client.post("/api/files", json={}), 415)


def test_the_same_key_uploads_once(house: House, folder: Path) -> None:
    before, key = len(waiting_files(folder)), {"Idempotency-Key": "once-upload"}
    first = house.client.post("/api/files", files=ONE, headers=key).json()
    assert house.client.post("/api/files", files=ONE, headers=key).json() == first
    assert len(waiting_files(folder)) == before + 1
    problem(house.client.post("/api/files", files={"files": ("a.csv", b"other")}, headers=key), 422)
    house.client.delete(f"/api/files/{first['items'][0]['id']}")


@pytest.mark.both_databases
def test_two_who_upload_at_once_stay_within_the_folder(house: House) -> None:
    run = asking_run(house)

    def give(index: int) -> int:
        files = [("files", (f"{index}-{part}.bin", b"x" * 15_000)) for part in range(2)]
        with house.client_for(house.settings.token) as client:
            return client.post(f"/api/runs/{run}/files", files=files).status_code

    assert sorted(at_once(3, give)) == [201, 413, 413]
    assert len(listed(house, run)) == 2


def test_a_tool_cannot_write_more_than_the_folder_holds(house: House) -> None:
    writes = [call("write_file", {"path": f"{i}.txt", "content": "x" * 20_000}) for i in range(3)]
    again = call("write_file", {"path": "0.txt", "content": "y" * 20_000})
    run = free_run(house, *(says("", each) for each in [*writes, again]), tools=("write_file",))
    ran = house.calls(run["id"])[:4]
    assert [each["status"] for each in ran] == ["succeeded", "succeeded", "failed", "succeeded"]
    assert "left" in ran[2]["error"]


def test_a_retry_has_the_files_that_were_given(house: House) -> None:
    (one,) = upload(house.client, ("a.csv", b"x"))
    run = house.start(agent_that(house), files=[one["id"]])
    house.ended(run)
    again = house.post(f"/api/runs/{run}/retry", {"from": "start"}, 201)["id"]
    house.ended(again)
    assert list(listed(house, again)) == ["input/a.csv"]
    assert "input/a.csv" in said_to_model(house, again)


@pytest.mark.both_databases
def test_what_nobody_came_back_for_is_forgotten(house: House, folder: Path) -> None:
    (one,) = upload(house.client, ("a.csv", b"x"))
    left, begun = folder / "uploads" / ".dead.part", folder / "runs" / "never-begun"
    left.write_bytes(b"half")
    (begun / "input").mkdir(parents=True)
    later = clock.now() + KEPT + timedelta(minutes=5)
    house.parts.db.write(lambda session: forget_old(session, later, house.settings))
    assert not left.exists()
    assert not begun.exists()
    problem(house.client.delete(f"/api/files/{one['id']}"), 404)
    assert waiting_files(folder) == []


def test_the_folder_is_listed_opened_and_downloaded(house: House) -> None:
    run = asking_run(house)
    files = {
        "table.csv": b"a,b\n1,2\n",
        "page.txt": b"<html><script>alert(1)</script></html>",
        "drawing.svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        "paper.pdf": b"%PDF-1.4\n%%EOF",
    }
    house.client.post(f"/api/runs/{run}/files", files=[("files", each) for each in files.items()])
    found = house.get(f"/api/runs/{run}/files")
    assert found["used_bytes"] == sum(map(len, files.values()))
    assert (found["max_bytes"], found["max_files"]) == (50_000, 8)
    kinds = {each["path"]: each["kind"] for each in found["items"]}
    assert kinds["input/table.csv"] == "csv"
    raw = f"/api/runs/{run}/files/raw"
    for name, media in {"page.txt": "text/html", "drawing.svg": "image/svg+xml", "table.csv": "text/csv"}.items():
        response = house.client.get(raw, params={"path": f"input/{name}"})
        assert response.headers["content-type"].startswith(media)
        assert response.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in response.headers["content-security-policy"]
        assert response.content == files[name]
    pdf = house.client.get(raw, params={"path": "input/paper.pdf", "download": True})
    assert pdf.headers["content-disposition"].startswith("attachment")
    part = house.client.get(raw, params={"path": "input/table.csv"}, headers={"Range": "bytes=0-2"})
    assert (part.status_code, part.content) == (206, b"a,b")
    problem(house.client.get(raw, params={"path": "input"}), 404)
    problem(house.client.get(raw, params={"path": "../../signoff.db"}), 422)
    archive = zipfile.ZipFile(io.BytesIO(house.client.get(f"/api/runs/{run}/files/download").content))
    assert {name: archive.read(name) for name in archive.namelist()} == {
        f"input/{name}": content for name, content in files.items()
    }


def test_an_empty_folder_is_nothing_to_download(house: House) -> None:
    run = asking_run(house)
    problem(house.client.get(f"/api/runs/{run}/files/download"), 404)
