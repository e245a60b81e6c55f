"""The edge cases of seed 000, one by one, as PRODUCT decides them."""

from collections.abc import Iterator
from typing import Any

import pytest

from signoff.kit.ids import new_id
from tests.contract.ruling import audited, look, put_rules, ruled, settled
from tests.contract.scenes import (
    DELIVERABLE,
    QUESTION,
    WRITE,
    problem,
    read_until,
    requests_of,
    run_that,
    said_to_model,
    stream,
    waiting,
)
from tests.fresh import fresh_database, settings_for
from tests.house import House, until
from tests.wire import Model, call, results, says

PRICED = {"prompt_tokens": 100_000, "completion_tokens": 10_000, "total_tokens": 110_000}


def write(path: str) -> dict[str, Any]:
    return call("write_file", {"path": path, "content": "x"})


def events(house: House, run: str) -> list[str]:
    return [event["type"] for event in house.get(f"/api/runs/{run}/activity", limit=200)["items"]]


@pytest.fixture(scope="module")
def strict(kind: str, model: Model, tmp_path_factory: pytest.TempPathFactory, request: Any) -> Iterator[House]:
    """A house whose runs may ask four times an hour."""
    folder = tmp_path_factory.mktemp("strict")
    with fresh_database(kind, folder, request) as url:
        settings = settings_for(url, folder).model_copy(update={"max_asks_per_hour": 4})
        with House(settings, model) as strict:
            yield strict


def test_1_an_approval_does_not_expire_by_itself(house: House) -> None:
    run, ask = waiting(house)
    assert (ask["deadline"], ask["status"]) == (None, "pending")
    assert house.run(run)["status"] == "waiting_approval"


def test_1_a_rule_may_deny_after_some_time(house: House) -> None:
    run, ask = ruled(house, {"timeout_seconds": 1, "on_timeout": "deny"})
    assert house.ended(run)["status"] == "completed"
    assert (look(house, ask)["status"], house.calls(run)[0]["status"]) == ("expired", "denied")


def test_1_how_long_it_waits_is_shown(house: House) -> None:
    _, ask = waiting(house)
    assert until(lambda: look(house, ask)["waiting_seconds"] > ask["waiting_seconds"])


def test_2_cancelling_while_an_approval_waits_keeps_drafts_and_closes_the_ask(house: House) -> None:
    run = run_that(house, says("", DELIVERABLE), says("", WRITE))
    ask = house.ask(run)
    house.post(f"/api/runs/{run}/cancel")
    ended = house.ended(run)
    assert (ended["status"], ended["completion_reason"], ended["open_asks"]) == ("cancelled", "cancelled", 0)
    assert look(house, ask)["status"] == "cancelled"
    assert house.get(f"/api/runs/{run}/deliverables")["total"] == 1
    assert house.calls(run)[-1]["started_at"] is None
    late = house.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"})
    assert problem(late, 409)["state"]["status"] == "cancelled"


def test_2_every_open_ask_of_an_ended_run_is_closed(house: House) -> None:
    run, _ = waiting(house, write("a"), write("b"), QUESTION)
    asks = house.asks(run)
    assert len(asks) == 3
    house.post(f"/api/runs/{run}/complete")
    house.ended(run)
    assert {look(house, ask)["status"] for ask in asks} == {"cancelled"}


def test_3_waiting_does_not_count_towards_the_duration(house: House) -> None:
    run = run_that(house, says("", WRITE), limits={"max_duration_hours": 0.0005})
    ask = house.ask(run)
    until(lambda: look(house, ask)["waiting_seconds"] > 2.5)
    assert house.run(run)["status"] == "waiting_approval"
    house.answer(ask)
    assert house.ended(run)["status"] == "completed"


def test_3_waiting_counts_when_the_limits_say_so(house: House) -> None:
    limits = {"max_duration_hours": 0.0005, "waiting_counts": True}
    run = run_that(house, says("", DELIVERABLE), says("", WRITE), limits=limits)
    ask = house.ask(run)
    ended = house.ended(run)
    assert (ended["status"], ended["completion_reason"]) == ("timeout", "max_duration")
    assert settled(house, ask)["status"] == "cancelled"
    assert house.get(f"/api/runs/{run}/deliverables")["total"] == 1


def costly(house: House, *answers: dict[str, Any], **limits: Any) -> str:
    """A run of a model that has a price: each answer costs some 35 credits."""
    slug = f"dear-{new_id()}"
    model = house.model.script("gpt-4o", *(answer | {"usage": PRICED} for answer in answers))
    house.agent(slug, model, "write_file", autonomy="full", limits=limits)
    return house.start(slug)


STEPS = [says("", call("report_progress", {"current_step": str(number)})) for number in range(9)]


def test_4_near_the_cost_limit_people_and_the_agent_are_warned(house: House) -> None:
    run = costly(house, *STEPS[:3], max_cost_credits=125)
    assert house.ended(run)["status"] == "completed"
    assert events(house, run).count("limit.warning") == 1
    asked = [str(request["messages"]) for request in house.model.asked("gpt-4o")[-4:]]
    assert "cost" not in asked[1].lower()
    assert "cost" in asked[3].lower()


def test_4_at_the_cost_limit_it_stops_and_keeps_everything(house: House) -> None:
    run = costly(house, says("", DELIVERABLE), *STEPS, max_cost_credits=100)
    ended = house.ended(run)
    assert (ended["status"], ended["completion_reason"]) == ("timeout", "max_cost")
    assert house.get(f"/api/runs/{run}/deliverables")["total"] == 1
    assert ended["iterations"] == 3


def test_4_at_the_cost_limit_it_asks_instead_when_told_so(house: House) -> None:
    run = costly(house, *STEPS[:4], max_cost_credits=100, ask_at_limit=True)
    ask = house.ask(run)
    assert (ask["kind"], house.run(run)["status"]) == ("budget", "waiting_approval")
    house.answer(ask, value={"credits": 500})
    ended = house.ended(run)
    assert (ended["status"], ended["limits"]["max_cost_credits"]) == ("completed", 600)


def test_4_a_refusal_at_the_cost_limit_ends_the_run_as_the_limit_does(house: House) -> None:
    run = costly(house, says("", DELIVERABLE), *STEPS, max_cost_credits=100, ask_at_limit=True)
    house.answer(house.ask(run), "deny", note="enough")
    ended = house.ended(run)
    assert (ended["status"], ended["completion_reason"]) == ("timeout", "max_cost")
    assert house.get(f"/api/runs/{run}/deliverables")["total"] == 1


@pytest.mark.parametrize(
    ("action", "status", "most"), [("auto_approve", "completed", 200), ({"deny": True}, "timeout", 100)]
)
def test_4_a_rule_decides_at_the_cost_limit(house: House, action: Any, status: str, most: float) -> None:
    put_rules(house, {"name": "money", "trigger": {"ask_kind": "budget"}, "action": action})
    run = costly(house, *STEPS[:4], max_cost_credits=100, ask_at_limit=True)
    ended = house.ended(run)
    assert (ended["status"], ended["limits"]["max_cost_credits"]) == (status, most)
    assert [each["status"] for each in house.get(f"/api/runs/{run}/asks")["items"]] == (
        ["auto_approved"] if status == "completed" else []
    )
    put_rules(house)


def test_4_an_agent_may_ask_for_more_and_then_has_it(house: House) -> None:
    more = call("request_budget", {"credits": 30, "why": "Two more chapters"})
    run = run_that(house, says("", more), limits={"max_cost_credits": 10})
    ask = house.ask(run)
    assert (ask["kind"], house.run(run)["status"]) == ("budget", "waiting_approval")
    assert "Two more chapters" in str(ask)
    house.answer(ask)
    assert house.ended(run)["limits"]["max_cost_credits"] == 40


def test_4_at_the_last_iteration_everything_is_kept(house: House) -> None:
    run = run_that(house, says("", DELIVERABLE), *STEPS, limits={"max_iterations": 5})
    ended = house.ended(run)
    assert (ended["status"], ended["completion_reason"]) == ("timeout", "max_iterations")
    assert house.get(f"/api/runs/{run}/deliverables")["total"] == 1
    assert "limit.warning" in events(house, run)
    assert len(requests_of(house, run)) == 5


def test_4_a_budget_given_in_time_carries_the_run_beyond_its_limit(house: House) -> None:
    more = call("request_budget", {"iterations": 5, "why": "more to do"})
    run = run_that(house, *STEPS[:2], says("", more), *STEPS[2:4], limits={"max_iterations": 4})
    house.answer(house.ask(run))
    assert house.ended(run)["status"] == "completed"
    assert house.run(run)["iterations"] > 4


def test_5_three_calls_make_three_asks_and_the_run_waits_for_all(house: House) -> None:
    run, _ = waiting(house, write("a"), write("b"), write("c"))
    asks = sorted(house.asks(run), key=lambda ask: ask["arguments"]["path"])
    assert len(asks) == 3
    house.answer(asks[0])
    house.answer(asks[1], "deny", note="not this one")
    assert house.status(run, "waiting_approval")["open_asks"] == 1
    assert len(requests_of(house, run)) == 1
    house.answer(asks[2])
    house.ended(run)
    assert [each["status"] for each in house.calls(run)[:3]] == ["succeeded", "denied", "succeeded"]
    heard = results(requests_of(house, run)[1])
    assert len(heard) == 3
    assert "not this one" in heard[1]


def test_5_the_three_can_be_decided_in_one_batch(house: House) -> None:
    run, _ = waiting(house, write("a"), write("b"), write("c"))
    ids = [ask["id"] for ask in house.asks(run)]
    done = house.post("/api/asks/batch", {"ids": ids, "decision": "approve", "note": "all"})["results"]
    assert [each["status"] for each in done] == ["approved"] * 3
    house.ended(run)
    assert [each["status"] for each in house.calls(run)[:3]] == ["succeeded"] * 3
    assert all(len(audited(house, ask_id, "ask.answered")) == 1 for ask_id in ids)


def test_6_a_failure_after_approval_is_told_and_the_same_call_needs_no_new_approval(house: House) -> None:
    bad = call("move_file", {"path": "missing", "to": "b"})
    run = run_that(house, says("", bad), says("", bad), tools=("move_file",))
    house.answer(house.ask(run))
    assert house.ended(run)["status"] == "completed"
    assert [each["status"] for each in house.calls(run)[:2]] == ["failed", "failed"]
    assert house.get(f"/api/runs/{run}/asks")["total"] == 1
    assert "missing" in results(requests_of(house, run)[1])[0]


def test_6_another_approach_needs_a_new_approval(house: House) -> None:
    bad, other = call("move_file", {"path": "missing", "to": "b"}), call("move_file", {"path": "missing", "to": "c"})
    run = run_that(house, says("", bad), says("", other), tools=("move_file",))
    first = house.ask(run)
    house.answer(first)
    second = house.until(lambda: [ask for ask in house.asks(run) if ask["id"] != first["id"]])[0]
    assert second["arguments"]["to"] == "c"


def test_6_a_call_that_succeeded_needs_a_new_approval_to_happen_again(house: House) -> None:
    run = run_that(house, says("", write("a")), says("", write("a")))
    first = house.ask(run)
    house.answer(first)
    assert house.until(lambda: [ask for ask in house.asks(run) if ask["id"] != first["id"]])


def test_7_a_message_while_it_waits_is_read_at_the_next_iteration(house: House) -> None:
    run, ask = waiting(house)
    house.post(f"/api/runs/{run}/messages", {"text": "Mind the gap"}, 201)
    assert look(house, ask)["status"] == "pending"
    house.answer(ask)
    house.ended(run)
    assert "Mind the gap" in said_to_model(house, run)


@pytest.mark.both_databases
def test_8_who_comes_back_sees_the_open_ask_and_every_event_since(house: House) -> None:
    run = run_that(house, says("", WRITE))
    with stream(house, f"/api/runs/{run}/events") as first:
        seen = read_until(first, "ask.created")
    ask = house.ask(run)
    house.answer(ask)
    house.ended(run)
    with stream(house, f"/api/runs/{run}/events", last_event_id=seen[-1]["position"]) as again:
        later = read_until(again, "run.ended")
    types = [event["type"] for event in later]
    assert types.count("ask.settled") == 1
    assert not {event["position"] for event in seen} & {event["position"] for event in later}


@pytest.mark.both_databases
def test_an_agent_that_asks_too_often_in_an_hour_gets_an_error(strict: House) -> None:
    run = run_that(strict, *(says("", write(str(number))) for number in range(6)))
    seen: set[str] = set()
    for _ in range(4):
        ask = strict.until(lambda: [each for each in strict.asks(run) if each["id"] not in seen])[0]
        seen.add(ask["id"])
        strict.answer(ask)
    assert strict.ended(run)["status"] == "completed"
    assert strict.get(f"/api/runs/{run}/asks")["total"] == 4
    fifth = strict.calls(run)[4]
    assert (fifth["status"], fifth["ask_id"]) == ("failed", None)
    assert fifth["error"]
    assert fifth["error"] in results(requests_of(strict, run)[5])[4]


def test_the_hourly_limit_of_one_run_does_not_touch_another(strict: House) -> None:
    run, _ = waiting(strict, *(write(str(number)) for number in range(5)))
    assert len(strict.asks(run)) == 4
    _, other = waiting(strict)
    assert other["status"] == "pending"
