"""Filters on deliverables take away, whoever spells them; none that is unknown hands over everything."""

import io
import zipfile
from typing import Any

import httpx
import pytest

from tests.contract.scenes import DELIVERABLE, Abroad, free_run, problem
from tests.house import House
from tests.wire import call, says


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


def report(name: str) -> dict[str, Any]:
    return call("create_deliverable", {"name": name, "type": "markdown", "content": name}, name)


def zipped(response: httpx.Response) -> list[str]:
    assert response.status_code == 200, response.text
    return sorted(zipfile.ZipFile(io.BytesIO(response.content)).namelist())


def names(page: dict[str, Any]) -> list[str]:
    return [item["name"] for item in page["items"]]


def test_an_execution_and_an_agent_narrow_the_list_and_the_download(house: House) -> None:
    one, two = (free_run(house, says("", report(name))) for name in ("one.md", "two.md"))
    assert names(house.get("/api/deliverables", execution_id=one["id"])) == ["one.md"]
    assert names(house.get("/api/deliverables", agent_id=two["agent"])) == ["two.md"]
    download = "/api/deliverables/download"
    assert zipped(house.client.get(download, params={"execution_id": one["id"]})) == ["one.md"]
    assert zipped(house.client.get(download, params={"agent_id": two["agent"]})) == ["two.md"]
    assert zipped(house.client.get(download, params={"agent": two["agent"], "type": "markdown"})) == ["two.md"]


def test_a_project_narrows_the_list_and_the_download(house: House) -> None:
    agent = free_run(house, says("", report("none.md")), says("", report("atlas.md")))["agent"]
    run = house.ended(house.start(agent, project_id="atlas"))
    assert run["status"] == "completed"
    made = names(house.get("/api/deliverables", run=run["id"]))
    for name in ("project_id", "projectId"):
        assert names(house.get("/api/deliverables", **{name: "atlas"})) == made != []
        assert zipped(house.client.get("/api/deliverables/download", params={name: "atlas"})) == made
        problem(house.client.get("/api/deliverables/download", params={name: "nothing"}), 404)


def test_filters_that_contradict_each_other_find_nothing(house: House) -> None:
    one, two = (free_run(house, says("", report(name))) for name in ("one.md", "two.md"))
    both = {"run": one["id"], "execution_id": two["id"]}
    assert house.get("/api/deliverables", **both)["total"] == 0
    problem(house.client.get("/api/deliverables/download", params=both), 404)


@pytest.mark.parametrize("name", ["execution_id", "agent_id", "run"])
def test_an_unknown_or_foreign_id_finds_nothing(house: House, abroad: Abroad, name: str) -> None:
    free_run(house, says("", DELIVERABLE))
    for value in ("nothing", "", abroad.ids["slug" if name == "agent_id" else "run_id"]):
        assert house.get("/api/deliverables", **{name: value})["items"] == []
        problem(house.client.get("/api/deliverables/download", params={name: value}), 404)


def test_a_download_refuses_a_filter_that_it_does_not_know(house: House) -> None:
    run = free_run(house, says("", DELIVERABLE))["id"]
    for wrong in ({"executionId": run}, {"run_id": run}, {"run": run, "nonsense": "x"}):
        refused = problem(house.client.get("/api/deliverables/download", params=wrong), 422)
        assert [each["path"] for each in refused["errors"]] == [list(wrong)[-1]]


@pytest.mark.both_databases
def test_an_offset_leaves_the_first_ones_out(house: House) -> None:
    run = free_run(house, *(says("", report(f"{number}.md")) for number in range(4)))["id"]
    page = house.get("/api/deliverables", execution_id=run, offset=1, limit=2)
    assert (names(page), page["total"]) == (["2.md", "1.md"], 4)
    rest = house.get("/api/deliverables", execution_id=run, offset=1, limit=2, cursor=page["next_cursor"])
    assert names(rest) == ["0.md"]
    problem(house.client.get("/api/deliverables", params={"offset": -1}), 422)
