"""The knowledge base over the API: given, found, read, deleted."""

from typing import Any

import httpx
import pytest

from signoff.kit.settings import Settings
from tests.contract.scenes import Abroad, problem
from tests.house import House
from tests.knowledge import samples

REFUNDS = b"# Refunds\nEnterprise customers are paid back within 30 days.\n"


@pytest.fixture(scope="module")
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"max_document_bytes": 100_000})


def upload(client: httpx.Client, *files: tuple[str, bytes], **headers: str) -> httpx.Response:
    return client.post("/api/documents", files=[("files", each) for each in files], headers=headers)


def added(house: House, name: str, content: bytes) -> dict[str, Any]:
    response = upload(house.client, (name, content))
    assert response.status_code == 201, response.text
    (item,) = response.json()["items"]
    return item


@pytest.mark.both_databases
def test_what_is_given_is_listed_found_read_and_deleted(house: House) -> None:
    document = added(house, "refunds.md", REFUNDS)["document"]
    assert (document["name"], document["kind"], document["passage_count"]) == ("refunds.md", "markdown", 1)
    assert document["id"] in [each["id"] for each in house.get("/api/documents")["items"]]
    (found,) = house.get("/api/documents", q="enterprise refund")["items"]
    (match,) = found["matches"]
    assert match["where"] == "Refunds"
    assert [match["snippet"][hit["start"] : hit["end"]] for hit in match["hits"]] == ["Refunds", "Enterprise"]
    page = house.get(f"/api/documents/{document['id']}/passages")
    assert page["items"] == [{"position": 1, "where": "Refunds", "text": REFUNDS.decode().strip("# \n")}]
    assert house.client.delete(f"/api/documents/{document['id']}").status_code == 204
    problem(house.client.get(f"/api/documents/{document['id']}"), 404)
    assert house.get("/api/documents", q="enterprise refund")["items"] == []
    entries = house.get("/api/audit", limit=200)["items"]
    assert {"document.added", "document.deleted"} <= {
        each["action"] for each in entries if each["subject"] == document["id"]
    }


def test_the_same_content_is_kept_once_whatever_its_name(house: House) -> None:
    first, second = added(house, "one.txt", b"the same content"), added(house, "two.txt", b"the same content")
    assert (first["status"], second["status"]) == ("added", "known")
    assert second["document"] == first["document"]


def test_of_several_files_each_says_what_became_of_it(house: House) -> None:
    files = [("a.pdf", samples.pdf(["One page of it"])), ("b.docx", b"PKbroken"), ("../c.txt", b"plain words")]
    response = upload(house.client, *files)
    assert response.status_code == 201
    items = response.json()["items"]
    assert [(each["name"], each["status"]) for each in items] == [
        ("a.pdf", "added"),
        ("b.docx", "refused"),
        ("c.txt", "added"),
    ]
    assert "damaged" in items[1]["error"]


def test_when_no_file_can_be_taken_the_answer_is_an_error_for_each(house: House) -> None:
    found = problem(upload(house.client, ("a.exe", b"MZ"), ("large.txt", b"x " * 50_001)), 422)
    assert [each["path"] for each in found["errors"]] == ["a.exe", "large.txt"]
    assert "larger than" in found["errors"][1]["message"]


@pytest.mark.parametrize(
    "request_",
    [
        {"files": [("files", (f"{number}.txt", b"x")) for number in range(21)]},
        {"data": {"files": "text"}, "files": {}},
        {"content": b"nonsense", "headers": {"Content-Type": "multipart/form-data; boundary=x"}},
        {"content": b"nonsense", "headers": {"Content-Type": "multipart/form-data"}},
        {"json": {"files": []}},
    ],
    ids=["too many", "no file", "broken", "no boundary", "JSON"],
)
def test_a_bad_form_is_a_clear_error(house: House, request_: dict[str, Any]) -> None:
    assert house.client.post("/api/documents", **request_).status_code in (413, 415, 422)


def test_a_form_is_taken_nowhere_else(house: House) -> None:
    problem(house.client.post("/api/agents", files={"files": ("a.txt", b"x")}), 415)


def test_a_request_with_a_key_counts_once(house: House) -> None:
    request = house.client.build_request(
        "POST", "/api/documents", files={"files": ("k.txt", b"with a key")}, headers={"Idempotency-Key": "documents-1"}
    )
    request.read()
    first, second = house.client.send(request), house.client.send(request)
    assert first.json() == second.json()
    assert second.headers["Idempotent-Replay"] == "true"
    assert first.json()["items"][0]["status"] == "added"
    problem(upload(house.client, ("other.txt", b"something else"), **{"Idempotency-Key": "documents-1"}), 422)


def test_nothing_of_an_upload_stays_behind_but_its_text(house: House) -> None:
    added(house, "gone.txt", b"words that are kept")
    upload(house.client, ("gone.exe", b"MZ"))
    assert list(house.settings.uploads_folder.iterdir()) == []


def test_members_read_and_only_admins_give_and_delete(
    house: House, viewer: httpx.Client, approver: httpx.Client
) -> None:
    document = added(house, "roles.txt", b"who may what")["document"]
    assert viewer.get("/api/documents", params={"q": "roles"}).status_code == 200
    assert viewer.get(f"/api/documents/{document['id']}/passages").status_code == 200
    problem(upload(approver, ("x.txt", b"more")), 403)
    problem(approver.delete(f"/api/documents/{document['id']}"), 403)


def test_another_workspace_sees_nothing_of_it(house: House, abroad: Abroad) -> None:
    document = added(house, "ours.txt", b"confidential words")["document"]
    assert abroad.client.get("/api/documents", params={"q": "confidential"}).json()["items"] == []
    for path in (f"/api/documents/{document['id']}", f"/api/documents/{document['id']}/passages"):
        problem(abroad.client.get(path), 404)
    problem(abroad.client.delete(f"/api/documents/{document['id']}"), 404)


def test_a_form_of_another_page_is_refused_although_the_cookie_comes_along(house: House) -> None:
    link = house.post("/api/auth/links")["url"]
    with httpx.Client(base_url=house.url) as browser:
        signed_in = browser.post("/api/auth/sign-in", json={"token": link.partition("token=")[2]})
        assert signed_in.status_code == 200, signed_in.text
        for headers in ({"Origin": house.url}, {"Origin": "https://evil.example.org", "X-Signoff": "1"}):
            problem(upload(browser, ("x.txt", b"forged"), **headers), 403)
        ours = {"Origin": house.url, "X-Signoff": "1"}
        assert upload(browser, ("x.txt", b"our own page"), **ours).status_code == 201
