"""Open asks as groups of those that are alike, over all pages."""

import pytest

from signoff.kit.ids import new_id
from tests.contract.scenes import agent_that, problem
from tests.house import House
from tests.wire import call, says


def write(path: str, content: str):
    return call("write_file", {"path": path, "content": content})


@pytest.mark.both_databases
def test_asks_with_the_same_target_are_one_group_with_what_differs(house: House) -> None:
    calls = [write(f"drafts/{number}.md", f"Draft {number}") for number in range(4)]
    agent = agent_that(house, says("", *calls, write("final/report.md", "Done")), tools=("write_file",))
    run = house.start(agent)
    house.until(lambda: len(house.asks(run)) == 5 or None)
    first, second = house.get("/api/asks/groups", run=run)["items"]
    assert (first["count"], first["target"], first["tool"]) == (4, {"path": "drafts/"}, "write_file")
    assert {each["path"]: each["distinct"] for each in first["differs"]} == {"path": 4, "content": 4}
    assert first["differs"][1]["sample"] == ["Draft 0", "Draft 1", "Draft 2"]
    assert (first["together"], first["why_not"], first["looked_at"]) == (True, None, 4)
    assert first["oldest"] == first["first"]["created_at"]
    assert (second["count"], second["target"], second["differs"]) == (1, {"path": "final/"}, [])
    members = house.get("/api/asks", likeness=first["likeness"], status="pending")["items"]
    assert {each["id"] for each in members} == {ask["id"] for ask in house.asks(run)} - {second["first"]["id"]}


@pytest.mark.both_databases
@pytest.mark.parametrize("sort", ["oldest", "newest", "deadline", "risk"])
def test_groups_are_paged_in_any_order_without_loss(house: House, sort: str) -> None:
    calls = [write(f"{folder}/{number}.md", "x") for folder in ("a", "b", "c") for number in range(2)]
    run = house.start(agent_that(house, says("", *calls), tools=("write_file",)))
    house.until(lambda: len(house.asks(run)) == 6 or None)
    found, cursor = list[str](), None
    for _ in range(3):
        page = house.get("/api/asks/groups", run=run, sort=sort, limit=1, **({"cursor": cursor} if cursor else {}))
        assert page["total"] == 3
        found += [each["target"]["path"] for each in page["items"]]
        cursor = page["next_cursor"]
    assert cursor is None
    assert found == (["c/", "b/", "a/"] if sort == "newest" else ["a/", "b/", "c/"])


def test_a_question_of_one_wording_is_one_group_over_agents(house: House) -> None:
    asked = call("ask_question", {"question": f"Which {new_id()}?"})
    runs = [house.start(agent_that(house, says("", asked))) for _ in range(2)]
    first, _ = (house.ask(run) for run in runs)
    (group,) = [
        each
        for each in house.get("/api/asks/groups", kind="question", limit=50)["items"]
        if each["likeness"] == first["likeness"]
    ]
    assert (group["count"], group["together"], len(group["agents"])) == (2, True, 2)


def test_who_may_not_decide_is_told_so(house: House) -> None:
    run = house.start(agent_that(house, says("", write("a/1", "x"), write("a/2", "x")), tools=("write_file",)))
    house.until(lambda: len(house.asks(run)) == 2 or None)
    with house.member("viewer") as viewer:
        (group,) = viewer.get("/api/asks/groups", params={"run": run}).json()["items"]
    assert (group["together"], group["why_not"]) == (False, "You can't decide these")


def test_a_cursor_of_another_order_is_refused(house: House) -> None:
    run = house.start(agent_that(house, says("", write("a/1", "x"), write("b/2", "x")), tools=("write_file",)))
    house.until(lambda: len(house.asks(run)) == 2 or None)
    cursor = house.get("/api/asks/groups", run=run, limit=1, sort="risk")["next_cursor"]
    problem(house.client.get("/api/asks/groups", params={"run": run, "cursor": cursor}), 422)
