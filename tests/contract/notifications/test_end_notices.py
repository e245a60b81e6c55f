"""Who started a run is told how it ended: once, and by nobody's doing but their own not at all."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.contract.ruling import Person, people, put_rules, rule, somebody
from tests.contract.scenes import DELIVERABLE, WRITE, agent_that
from tests.house import House
from tests.wire import call, fails, says

BUSY = says("", call("report_progress", {"current_step": "x"}))


def started(house: House, by: Person, *answers: dict[str, Any], **fields: Any) -> str:
    agent = agent_that(house, *answers, tools=("write_file",), **fields)
    return by.post("/api/runs", {"agent": agent, "task": "the task"}).json()["id"]


def ends(of: Person, run: str) -> list[tuple[str, str]]:
    found = of.get("/api/notifications", run=run).json()["items"]
    return [(each["kind"], each["text"]) for each in found if each["kind"] != "ask"]


def completes(house: House, ann: Person, _: Person) -> str:
    return started(house, ann, says("", DELIVERABLE))


def is_completed_by_another(house: House, ann: Person, bob: Person) -> str:
    run = started(house, ann, says("", WRITE))
    house.ask(run)
    assert bob.post(f"/api/runs/{run}/complete").status_code == 200
    return run


def fails_for_good(house: House, ann: Person, _: Person) -> str:
    return started(house, ann, fails(400, "Too many tools."))


def is_rejected(house: House, ann: Person, bob: Person) -> str:
    run = started(house, ann, says("", WRITE))
    assert bob.answer(house.ask(run), "deny", note="not this", end_run=True).status_code == 200
    return run


def is_cancelled(house: House, ann: Person, bob: Person) -> str:
    run = started(house, ann, says("", WRITE))
    house.ask(run)
    assert bob.post(f"/api/runs/{run}/cancel").status_code == 200
    assert bob.post(f"/api/runs/{run}/cancel").status_code == 409
    return run


def reaches_a_limit(house: House, ann: Person, _: Person) -> str:
    return started(house, ann, *[BUSY] * 9, limits={"max_iterations": 3})


def nobody_answers(house: House, ann: Person, _: Person) -> str:
    agent = agent_that(house, says("", WRITE), tools=("write_file",))
    put_rules(house, rule(agent, {"timeout_seconds": 1, "on_timeout": "cancel"}, tool="write_file"))
    return ann.post("/api/runs", {"agent": agent, "task": "the task"}).json()["id"]


@pytest.mark.parametrize(
    ("way", "told", "words"),
    [
        (completes, "completed", "Completed: the task"),
        (is_completed_by_another, "completed", "Completed by {bob}: the task"),
        (fails_for_good, "failed", "Too many tools."),
        (is_rejected, "rejected", "not this"),
        (is_cancelled, "cancelled", "Cancelled by {bob}: the task"),
        (reaches_a_limit, "timeout", "limit of 3 steps"),
        (nobody_answers, "expiry", "nobody answered"),
    ],
)
def test_who_started_a_run_is_told_its_end_once_and_nobody_else(
    house: House, way: Callable[[House, Person, Person], str], told: str, words: str
) -> None:
    ann, bob = people(house, 2)
    run = way(house, ann, bob)
    house.ended(run)
    ((found, text),) = ends(ann, run)
    assert found == told
    assert words.format(bob=bob.email) in text
    assert ends(bob, run) == []


def test_nobody_is_told_of_an_end_that_they_made_themselves(house: House) -> None:
    ann = somebody(house)
    cancelled, rejected = started(house, ann, says("", WRITE)), started(house, ann, says("", WRITE))
    house.ask(cancelled)
    assert ann.post(f"/api/runs/{cancelled}/cancel").status_code == 200
    assert ann.answer(house.ask(rejected), "deny", note="no", end_run=True).status_code == 200
    assert house.ended(rejected)["completion_reason"] == "rejected"
    assert ends(ann, cancelled) == ends(ann, rejected) == []


def test_a_token_that_somebody_else_made_ends_nothing_as_the_person(house: House) -> None:
    ann = somebody(house)
    run = started(house, ann, says("", WRITE))
    house.ask(run)
    made = house.post("/api/tokens", {"name": "theirs", "user": ann.email}, 201)["token"]
    assert Person(house.url, made, ann.email).post(f"/api/runs/{run}/cancel").status_code == 200
    assert [kind for kind, _ in ends(ann, run)] == ["cancelled"]
