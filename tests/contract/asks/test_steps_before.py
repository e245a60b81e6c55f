"""An ask lists what its run had done before it, with how long that took."""

from typing import Any

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
    before = steps(house, house.ask(run))
    assert [each["headline"] for each in before["items"]] == [str(n) for n in range(3, 13)]
    assert before["earlier"] == 3


def test_an_ask_of_another_workspace_has_no_steps(house: House) -> None:
    problem(house.client.get("/api/asks/none/steps-before"), 404)
