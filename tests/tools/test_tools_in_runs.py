"""The tools for data and the web, in runs: what asks, what does not, and what comes of it."""

import pytest

from signoff.kit.settings import Settings
from tests.contract.scenes import run_that
from tests.house import House
from tests.wire import call, says


@pytest.fixture
def kind() -> str:
    return "sqlite"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"allow_private_addresses": False})


def test_a_run_asks_its_data_freely_and_saves_after_an_approval(house: House) -> None:
    sql = "SELECT 6 * 7 AS answer"
    calls = call("query_data", {"sql": sql}), call("save_query", {"sql": sql, "path": "answer.csv"})
    run = run_that(house, *(says("", each) for each in calls), tools=("query_data", "save_query"))
    ask = house.ask(run)
    assert (ask["tool"], ask["title"], ask["risk"]["level"]) == ("save_query", "Save a query as answer.csv", "high")
    house.answer(ask)
    assert house.ended(run)["status"] == "completed"
    queried, saved = house.calls(run)[:2]
    assert (queried["result"]["rows"], saved["status"]) == ([[42]], "succeeded")
    assert house.client.get(f"/api/runs/{run}/files/content", params={"path": "answer.csv"}).text == "answer\n42\n"


def test_a_request_that_changes_something_asks_and_reaches_no_private_address(house: House) -> None:
    post = call("http_request", {"method": "POST", "url": "http://127.0.0.1:1/", "json": {"a": 1}})
    get = call("http_request", {"method": "GET", "url": "http://127.0.0.1:1/"})
    run = run_that(house, says("", get), says("", post), tools=("http_request",))
    ask = house.ask(run)
    assert (ask["tool"], ask["risk"]["level"], ask["action_type"]) == ("http_request", "high", "external_api")
    house.answer(ask)
    house.ended(run)
    read, sent = house.calls(run)[:2]
    assert (read["status"], sent["status"]) == ("failed", "failed")
    assert "private network" in read["error"]
    assert "private network" in sent["error"]


def test_the_list_of_tools_says_what_is_missing(house: House) -> None:
    tools = {each["name"]: each["missing"] for each in house.get("/api/tools")["items"]}
    assert "SIGNOFF_SEARCH_PROVIDER" in tools["web_search"]
    assert tools["read_file"] is None
