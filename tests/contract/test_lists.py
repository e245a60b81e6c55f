"""A list is {items, next_cursor, total}; its cursors walk everything once."""

from typing import Any

import pytest

from tests.contract.scenes import DELIVERABLE, WRITE, agent_that, problem, run_that, waiting
from tests.house import House
from tests.wire import call, says


@pytest.fixture(scope="module")
def run(house: House) -> str:
    """Enough of everything for several pages."""
    steps = [says("", call("report_progress", {"current_step": str(step)}), DELIVERABLE) for step in range(6)]
    agent = agent_that(house, *steps)
    waiters = [run_that(house, says("", WRITE)) for _ in range(23)]
    for waiter in waiters:
        house.ask(waiter)
    for number in range(3):
        house.client.patch(f"/api/agents/{agent}", json={"title": str(number)})
        house.member("member").close()
    run = house.start(agent)
    house.ended(run)
    return run


LISTS = ["/api/runs", "/api/asks", "/api/agents", "/api/members", "/api/tokens", "/api/audit", "/api/deliverables"]
OF_A_RUN = ["messages", "calls", "activity", "deliverables", "asks"]


def walk(house: House, path: str, **params: Any) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    page = house.get(path, **params)
    items += page["items"]
    while page["next_cursor"]:
        assert len(items) <= page["total"]
        page = house.get(path, cursor=page["next_cursor"], **params)
        items += page["items"]
    return items


def keys(items: list[dict[str, Any]]) -> list[str]:
    return [str(item.get("id") or item.get("slug") or item.get("revision")) for item in items]


@pytest.mark.parametrize("path", [*LISTS, "/api/notifications", "/api/tools"])
def test_a_list_has_items_next_cursor_and_total(house: House, run: str, path: str) -> None:
    page = house.get(path)
    # Tools also say what is wrong with files of the user's own.
    assert page.keys() - {"problems"} == {"items", "next_cursor", "total"}
    assert page["total"] >= len(page["items"])


@pytest.mark.parametrize("path", ["/api/runs", "/api/asks", "/api/agents", "/api/audit"])
def test_a_page_has_twenty_items_by_default(house: House, run: str, path: str) -> None:
    page = house.get(path)
    assert len(page["items"]) == 20
    assert page["total"] > 20
    assert page["next_cursor"]


@pytest.mark.parametrize("path", [*LISTS, "/api/notifications"])
@pytest.mark.parametrize("limit", [0, 201, -1, "many"])
def test_a_limit_is_from_one_to_two_hundred(house: House, path: str, limit: Any) -> None:
    body = problem(house.client.get(path, params={"limit": limit}), 422)
    assert any("limit" in error["path"] for error in body["errors"])


@pytest.mark.parametrize("path", [*LISTS, "/api/notifications"])
def test_two_hundred_items_are_allowed(house: House, path: str) -> None:
    house.get(path, limit=200)


@pytest.mark.both_databases
@pytest.mark.parametrize("path", LISTS)
def test_cursors_walk_everything_exactly_once(house: House, run: str, path: str) -> None:
    walked = keys(walk(house, path, limit=3))
    assert walked == keys(house.get(path, limit=200)["items"])
    assert len(walked) == len(set(walked)) == house.get(path, limit=1)["total"]


@pytest.mark.both_databases
@pytest.mark.parametrize("part", OF_A_RUN)
def test_the_lists_of_a_run_walk_everything_exactly_once(house: House, run: str, part: str) -> None:
    path = f"/api/runs/{run}/{part}"
    walked = keys(walk(house, path, limit=2))
    assert walked == keys(house.get(path, limit=200)["items"])
    assert len(walked) == len(set(walked)) == house.get(path)["total"]


@pytest.mark.both_databases
def test_revisions_walk_everything_exactly_once(house: House, run: str) -> None:
    path = f"/api/agents/{house.run(run)['agent']}/revisions"
    assert sorted(keys(walk(house, path, limit=1))) == ["1", "2", "3", "4"]


@pytest.mark.both_databases
@pytest.mark.parametrize("sort", ["oldest", "newest", "deadline", "risk"])
def test_every_order_of_the_inbox_walks_everything_once(house: House, run: str, sort: str) -> None:
    walked = keys(walk(house, "/api/asks", status="pending", sort=sort, limit=4))
    assert len(walked) == len(set(walked)) == 23


@pytest.mark.both_databases
def test_the_inbox_comes_oldest_or_newest_first(house: House, run: str) -> None:
    oldest = [ask["created_at"] for ask in house.get("/api/asks", sort="oldest", limit=200)["items"]]
    newest = [ask["created_at"] for ask in house.get("/api/asks", sort="newest", limit=200)["items"]]
    assert oldest == sorted(oldest)
    assert newest == sorted(newest, reverse=True)


@pytest.mark.both_databases
def test_a_total_counts_what_the_filter_lets_through(house: House, run: str) -> None:
    assert house.get("/api/runs", status="completed")["total"] == 1
    assert house.get("/api/runs", status="waiting_approval", limit=5)["total"] == 23
    assert house.get("/api/runs", agent=house.run(run)["agent"])["total"] == 1
    assert house.get("/api/asks", status="pending", kind="approval", limit=1)["total"] == 23
    assert house.get("/api/asks", kind="question")["total"] == 0
    assert house.get("/api/asks", risk="high")["total"] == 23
    assert house.get("/api/asks", risk="low")["total"] == 0


@pytest.mark.both_databases
def test_runs_are_found_by_words_and_by_time(house: House, run: str) -> None:
    named = house.start(house.run(run)["agent"], title="Quarterly 100% review_1")
    assert keys(house.get("/api/runs", q="quarterly")["items"]) == [named]
    assert keys(house.get("/api/runs", q="100% review_1")["items"]) == [named]
    assert house.get("/api/runs", q="%")["total"] == 1
    since = house.run(named)["created_at"]
    assert keys(house.get("/api/runs", since=since)["items"]) == [named]


@pytest.mark.both_databases
def test_a_cursor_that_nobody_gave_is_invalid(house: House) -> None:
    for path in LISTS:
        for cursor in ("nonsense", "e30=", "bnVsbA==", "😀", "\x00"):
            problem(house.client.get(path, params={"cursor": cursor}), 422)


def test_an_unknown_order_is_invalid(house: House) -> None:
    problem(house.client.get("/api/asks", params={"sort": "sideways"}), 422)


def test_a_time_that_is_none_is_invalid(house: House) -> None:
    for path in ("/api/runs", "/api/audit", "/api/deliverables"):
        problem(house.client.get(path, params={"since": "yesterday"}), 422)


@pytest.mark.both_databases
def test_a_walk_survives_new_things(house: House, run: str) -> None:
    before = set(keys(house.get("/api/asks", status="pending", limit=200)["items"]))
    page = house.get("/api/asks", status="pending", limit=10)
    waiting(house)
    seen = keys(page["items"])
    while page["next_cursor"]:
        page = house.get("/api/asks", status="pending", limit=10, cursor=page["next_cursor"])
        seen += keys(page["items"])
    assert before <= set(seen)
    assert len(seen) == len(set(seen))


@pytest.mark.both_databases
def test_ids_of_any_text_are_just_not_there(house: House) -> None:
    for strange in ("%00", "..", "%2e%2e%2f", "😀", "a" * 3000, "' or 1=1 --", "%ff"):
        for kind in ("runs", "asks", "agents", "deliverables"):
            problem(house.client.get(f"/api/{kind}/{strange}"), 404)


@pytest.mark.both_databases
def test_strange_query_texts_are_no_crash(house: House) -> None:
    strange = ["\x00", "😀", "'", "%", "\\", "a" * 5000]
    for value in strange:
        for path, name in (("runs", "q"), ("runs", "agent"), ("asks", "run"), ("audit", "actor"), ("asks", "agent")):
            assert house.client.get(f"/api/{path}", params={name: value}).status_code < 500, (path, name, value)
