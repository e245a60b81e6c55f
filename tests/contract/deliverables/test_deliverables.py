"""What a run hands over comes back exactly."""

import io
import zipfile
from base64 import b64encode
from typing import Any

import pytest

from signoff.kit.settings import Settings
from tests.contract.scenes import DELIVERABLE, free_run, problem, run_that, waiting
from tests.house import House
from tests.wire import call, says


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


@pytest.fixture(scope="module")
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"max_arguments_bytes": 8 * 1024 * 1024})


def hand_over(house: House, *deliverables: tuple[str, str, str]) -> list[dict[str, Any]]:
    """One turn for each (name, type, content)."""
    calls = [
        call("create_deliverable", {"name": name, "type": kind, "content": content})
        for name, kind, content in deliverables
    ]
    run = free_run(house, *(says("", each) for each in calls))
    items = house.get(f"/api/runs/{run['id']}/deliverables", limit=200)["items"]
    return sorted(items, key=lambda each: each["created_at"])


def content(house: House, deliverable: dict[str, Any]) -> bytes:
    response = house.client.get(f"/api/deliverables/{deliverable['id']}/content")
    assert response.status_code == 200
    assert response.headers["content-type"].startswith(deliverable["mime_type"])
    return response.content


@pytest.mark.parametrize("size", [0, 1, 1024 * 1024, 1024 * 1024 + 1, 3_000_000])
def test_any_size_comes_back_exactly(house: House, size: int) -> None:
    text = ("0123456789 äöü €\r\n" * (size // 16 + 1))[:size]
    (deliverable,) = hand_over(house, ("big.md", "markdown", text))
    assert content(house, deliverable) == text.encode()
    assert deliverable["size_bytes"] == len(text.encode())
    assert deliverable["storage"] == ("inline" if len(text.encode()) <= 1024 * 1024 else "file")


@pytest.mark.parametrize(
    ("form", "mime"),
    [
        ("markdown", "text/markdown"),
        ("csv", "text/csv"),
        ("json", "application/json"),
        ("html", "text/html"),
        ("code", "text/"),
        ("patch", "text/"),
    ],
)
def test_a_type_has_its_mime_type(house: House, form: str, mime: str) -> None:
    (deliverable,) = hand_over(house, ("x", form, "{}"))
    assert deliverable["mime_type"].startswith(mime)
    assert content(house, deliverable) == b"{}"


def test_html_content_cannot_run_in_our_page(house: House) -> None:
    (deliverable,) = hand_over(house, ("x.html", "html", "<script>alert(1)</script>"))
    response = house.client.get(f"/api/deliverables/{deliverable['id']}/content")
    policy = response.headers.get("content-security-policy", "")
    attached = response.headers.get("content-disposition", "").startswith("attachment")
    assert attached or "sandbox" in policy
    assert response.headers["x-content-type-options"] == "nosniff"


def test_an_unknown_type_goes_back_to_the_model(house: House) -> None:
    run = free_run(house, says("", call("create_deliverable", {"name": "x", "type": "sculpture", "content": "x"})))
    assert run["status"] == "completed"
    assert house.calls(run["id"])[0]["status"] == "failed"


def test_a_download_is_named_after_the_deliverable(house: House) -> None:
    (deliverable,) = hand_over(house, ("report.md", "markdown", "x"))
    response = house.client.get(f"/api/deliverables/{deliverable['id']}/content", params={"download": "true"})
    assert response.headers["content-disposition"].startswith("attachment")
    assert "report.md" in response.headers["content-disposition"]


@pytest.mark.parametrize(
    "name", ['a"b.md', "a\r\nSet-Cookie: x=1", "../../etc/passwd", "ü😀.md", "a;b=c.md", "x" * 300]
)
def test_a_strange_name_is_no_danger(house: House, name: str) -> None:
    for deliverable in hand_over(house, (name, "markdown", "x")):
        response = house.client.get(f"/api/deliverables/{deliverable['id']}/content", params={"download": "true"})
        assert response.status_code == 200
        assert "set-cookie" not in response.headers
        run = deliverable["run_id"]
        archive = zipfile.ZipFile(io.BytesIO(house.client.get(f"/api/deliverables/download?run={run}").content))
        for entry in archive.namelist():
            assert not entry.startswith("/")
            assert ".." not in entry.split("/")


def test_the_same_name_again_is_a_new_version(house: House) -> None:
    items = hand_over(house, ("a.md", "markdown", "first"), ("a.md", "markdown", "second"))
    latest = max(items, key=lambda each: each["version"])
    assert latest["version"] == 2
    assert content(house, latest) == b"second"
    versions = house.get(f"/api/deliverables/{latest['id']}/versions")["items"]
    assert {each["version"]: content(house, each) for each in versions} == {1: b"first", 2: b"second"}


def test_a_zip_has_every_deliverable_of_the_run(house: House) -> None:
    items = hand_over(house, ("a.md", "markdown", "A"), ("b.csv", "csv", "b,c\n"), ("c.md", "markdown", "C"))
    response = house.client.get("/api/deliverables/download", params={"run": items[0]["run_id"]})
    assert response.headers["content-type"] == "application/zip"
    archive = zipfile.ZipFile(io.BytesIO(response.content))
    assert archive.testzip() is None
    assert sorted(archive.read(name) for name in archive.namelist()) == [b"A", b"C", b"b,c\n"]
    assert "a.md" in archive.namelist()


def test_a_zip_keeps_names_apart_and_the_latest_version(house: House) -> None:
    items = hand_over(house, ("a.md", "markdown", "old"), ("a.md", "markdown", "new"), ("A.md", "markdown", "other"))
    response = house.client.get("/api/deliverables/download", params={"run": items[0]["run_id"]})
    archive = zipfile.ZipFile(io.BytesIO(response.content))
    assert len(archive.namelist()) == len(set(archive.namelist()))
    assert b"new" in [archive.read(name) for name in archive.namelist()]


def test_a_zip_of_nothing_is_not_there(house: House) -> None:
    problem(house.client.get("/api/deliverables/download", params={"run": "nothing"}), 404)
    run = free_run(house)["id"]
    problem(house.client.get("/api/deliverables/download", params={"run": run}), 404)


def test_a_draft_becomes_final_when_the_run_completes(house: House) -> None:
    run, ask = waiting(house, DELIVERABLE, call("write_file", {"path": "a", "content": "x"}))
    assert house.get("/api/deliverables", run=run)["items"][0]["status"] == "draft"
    house.answer(ask)
    house.ended(run)
    assert house.get("/api/deliverables", run=run)["items"][0]["status"] == "final"


def test_a_deliverable_is_archived_and_deleted(house: House) -> None:
    (deliverable,) = hand_over(house, ("a.md", "markdown", "x"))
    path = f"/api/deliverables/{deliverable['id']}"
    assert house.client.patch(path, json={"status": "archived"}).json()["status"] == "archived"
    problem(house.client.patch(path, json={"status": "burnt"}), 422)
    assert house.client.delete(path).status_code == 204
    problem(house.client.get(path), 404)
    problem(house.client.get(f"{path}/content"), 404)


def test_filters_find_deliverables(house: House) -> None:
    one, two = hand_over(house, ("a.md", "markdown", "x"), ("b.csv", "csv", "x"))
    found = house.get("/api/deliverables", run=one["run_id"], type="csv")["items"]
    assert [each["id"] for each in found] == [two["id"]]
    assert house.get("/api/deliverables", agent=one["agent"])["total"] == 2
    assert house.get("/api/deliverables", agent=one["agent"], status="draft")["total"] == 0
    assert house.get("/api/deliverables", agent=one["agent"], since=two["created_at"])["total"] == 1


def test_a_real_pdf_may_be_shown_and_nothing_that_only_says_so(house: House) -> None:
    contents = {"real.pdf": b"%PDF-1.4\n%%EOF", "fake.pdf": b"<script>alert(1)</script>"}
    made = [
        call("create_deliverable", {"name": name, "type": "pdf", "content": b64encode(content).decode()}, name)
        for name, content in contents.items()
    ]
    run = run_that(house, says("", *made))
    house.ended(run)
    listed = house.get(f"/api/runs/{run}/deliverables")["items"]
    assert {shown["name"] for shown in listed} == set(contents)
    for shown in listed:
        policy = house.client.get(f"/api/deliverables/{shown['id']}/content").headers["content-security-policy"]
        assert ("sandbox" in policy) == (shown["name"] == "fake.pdf")
        assert "default-src 'none'" in policy
