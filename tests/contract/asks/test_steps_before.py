"""An ask lists what its run had done before it, with how long that took."""

from typing import Any

from bench.measure import statements
from tests.contract.scenes import WRITE, agent_that, problem, run_that
from tests.house import House
from tests.wire import call, says

PROGRESS = call("report_progress", {"current_step": "Drafting"})


def steps(house: House, ask: dict[str, Any]) -> dict[str, Any]:
    return house.get(f"/api/asks/{ask['id']}/steps-before")


def test_an_ask_lists_the_steps_before_it_and_none_after(house: House) -> None:
    listing = call("list_files", {})
    later = call("write_file", {"path": "b.txt", "content": "two"})
    agent = agent_that(
        house,
        says("", PROGRESS),
        says("", listing),
        says("", WRITE),
        says("", later),
        tools=("write_file", "list_files"),
    )
    run = house.start(agent)
    first = house.ask(run)
    before = steps(house, first)
    assert [(each["tool"], each["headline"], each["status"]) for each in before["items"]] == [
        ("report_progress", "Drafting", "succeeded"),
        ("list_files", "Call list_files", "succeeded"),
    ]
    assert before["earlier"] == 0
    assert 0 <= sum(each["seconds"] for each in before["items"]) <= before["seconds"]
    house.answer(first)
    second = house.until(lambda: next((each for each in house.asks(run) if each["id"] != first["id"]), None))
    assert [each["headline"] for each in steps(house, second)["items"]] == [
        "Drafting",
        "Call list_files",
        "Write a.txt",
    ]
    assert steps(house, first) == before


def test_the_last_ten_are_listed_and_the_rest_is_counted(house: House) -> None:
    run = run_that(
        house, *(says("", call("report_progress", {"current_step": str(n)})) for n in range(13)), says("", WRITE)
    )
    ask = house.ask(run)
    with statements(house.parts.db) as sent:
        before = steps(house, ask)
    assert [each["headline"] for each in before["items"]] == [str(n) for n in range(3, 13)]
    assert before["earlier"] == 3
    read = [each for each in sent.texts if "FROM calls" in each]
    assert read
    assert not any("calls.result" in each or "OVER" in each for each in read), "the whole history is read"


def test_an_ask_of_another_workspace_has_no_steps(house: House) -> None:
    problem(house.client.get("/api/asks/none/steps-before"), 404)
