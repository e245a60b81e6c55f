"""Answers and moments at which a run once hung, looped or ended twice: it comes to one end."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from signoff.kit.settings import Settings
from tests.contract.asks.test_plans import ran, step
from tests.contract.ruling import audited, notices_to, put_rules, rule, somebody
from tests.contract.scenes import WRITE, agent_that, requests_of, run_that
from tests.house import House, until
from tests.wire import Model, call, fails, results, says

COMPLETES = call("complete_task", {"summary": "first"}, "c1")
COMPLETES_AGAIN = call("complete_task", {"summary": "second"}, "c2")
SIGNAL = '```workflow-signal\n{"type": "complete", "summary": "signalled"}\n```'


def proposes(call_id: str, *steps: dict[str, Any]) -> dict[str, Any]:
    return call("propose_plan", {"steps": list(steps)}, call_id)


class Moments:
    """What happens at named places between the engine's steps; each once."""

    def __init__(self) -> None:
        self.at: dict[str, Callable[[], object]] = {}

    async def __call__(self, place: str) -> None:
        do = self.at.pop(place, None)
        if do is not None:
            await asyncio.to_thread(do)


@pytest.fixture(scope="module")
def moments() -> Moments:
    return Moments()


@pytest.fixture(scope="module")
def house(settings: Settings, model: Model, moments: Moments) -> Iterator[House]:
    with House(settings, model, moments) as house:
        yield house


def cancelled_late(house: House, moments: Moments, answer: dict[str, Any], *tools: str) -> str:
    """A run that a person cancels after the model has answered and before that is stored; then it is stored."""
    started: list[str] = []
    stored = threading.Event()

    def cancel() -> None:
        until(lambda: started)
        house.post(f"/api/runs/{started[0]}/cancel")
        moments.at["stored"] = stored.set

    agent = agent_that(house, answer, tools=tools)
    moments.at["replied"] = cancel
    started.append(house.start(agent))
    assert stored.wait(30)
    return started[0]


@pytest.mark.parametrize(("does", "status"), [("cancel", "cancelled"), ("pause", "paused")])
def test_nobody_is_asked_about_the_model_of_a_run_that_a_person_stopped_meanwhile(
    house: House, moments: Moments, does: str, status: str
) -> None:
    started: list[str] = []

    def stop() -> None:
        until(lambda: started)
        house.post(f"/api/runs/{started[0]}/{does}")

    agent = agent_that(house, fails(401, "bad key"))
    moments.at["unanswered"] = stop
    started.append(house.start(agent))
    house.status(started[0], status)
    until(lambda: house.parts.engine.live == 0)
    assert house.get(f"/api/runs/{started[0]}/asks")["items"] == []
    if does == "pause":
        house.post(f"/api/runs/{started[0]}/resume")
        assert house.ended(started[0])["status"] == "completed"


# More than one end in one answer


def test_two_completions_in_one_answer_complete_the_run(house: House) -> None:
    ended = house.ended(run_that(house, says("", COMPLETES, COMPLETES_AGAIN)))
    assert (ended["status"], ended["completion_reason"]) == ("completed", "success")
    assert ended["summary"] == "second"


def test_a_completion_and_a_signal_in_one_answer_complete_the_run(house: House) -> None:
    ended = house.ended(run_that(house, says(SIGNAL, COMPLETES)))
    assert (ended["status"], ended["completion_reason"]) == ("completed", "success")
    # What a text signals is added behind the calls, and the last completion is the one that counts.
    assert ended["summary"] == "signalled"


def test_two_completions_beside_a_call_wait_for_it_and_complete_the_run(house: House) -> None:
    write = call("write_file", {"path": "a.txt", "content": "x"}, "c3")
    run = run_that(house, says("", COMPLETES, write, COMPLETES_AGAIN))
    house.answer(house.ask(run))
    assert house.ended(run)["status"] == "completed"
    assert ran(house, run) == ["a.txt"]


@pytest.mark.parametrize("first", [True, False], ids=["completion first", "plan first"])
def test_a_completion_with_a_plan_in_one_answer_comes_after_the_plan(house: House, first: bool) -> None:
    plan = proposes("c2", step(1), step(2))
    run = run_that(house, says("", *((COMPLETES, plan) if first else (plan, COMPLETES))), mode="plan")
    ask = house.ask(run)
    assert ask["kind"] == "plan"
    house.answer(ask)
    assert house.ended(run)["status"] == "completed"
    assert ran(house, run) == ["1.txt", "2.txt"]


def test_of_two_plans_in_one_answer_the_second_is_an_error_to_the_model_and_the_run_goes_on(house: House) -> None:
    run = run_that(house, says("", proposes("c1", step(1)), proposes("c2", step(2))), mode="plan")
    house.answer(house.ask(run))
    assert house.ended(run)["status"] == "completed"
    assert house.get(f"/api/runs/{run}/asks")["total"] == 1
    assert ran(house, run) == ["1.txt"]
    assert any("One plan at a time" in each for each in results(requests_of(house, run)[-1]))


# Limits


def test_a_limit_that_is_asked_about_does_not_flood_people_once_the_time_is_over(house: House) -> None:
    limits = {"max_cost_credits": 1, "ask_at_limit": True, "waiting_counts": True, "max_duration_hours": 0.0005}
    dear = says("", WRITE) | {"usage": {"prompt_tokens": 100_000, "completion_tokens": 10_000}}
    agent = house.agent("dear", house.model.script("gpt-4o", dear), "write_file", autonomy="full", limits=limits)
    run = house.start(agent)
    ended = house.ended(run)
    assert ended["status"] == "timeout"
    assert house.get(f"/api/runs/{run}/asks")["total"] <= 1
    assert house.asks(run) == []


# A person's cancel


@pytest.mark.both_databases
def test_a_late_completion_does_not_overwrite_a_persons_cancel(house: House, moments: Moments) -> None:
    run = cancelled_late(house, moments, says("", COMPLETES))
    ended = house.run(run)
    assert (ended["status"], ended["completion_reason"], ended["summary"]) == ("cancelled", "cancelled", None)
    assert audited(house, run, "run.ended") == []


@pytest.mark.both_databases
def test_a_cancel_leaves_no_ask_open_that_a_late_answer_brings(house: House, moments: Moments) -> None:
    late = says("", call("list_files", {}, "c1"), call("write_file", {"path": "a", "content": "b"}, "c2"))
    run = cancelled_late(house, moments, late, "write_file", "list_files")
    assert house.until(lambda: house.run(run)["status"] == "cancelled")
    assert house.asks(run) == []
    assert house.run(run)["open_asks"] == 0


# Steps and attempts


def test_a_refused_step_of_a_plan_stops_the_rest(house: House) -> None:
    ann = somebody(house)
    agent = agent_that(house, says("", proposes("c1", step(1), step(2))), tools=("write_file",), mode="plan")
    looks = {"field": "path", "operator": "==", "value": "1.txt"}
    put_rules(house, rule(agent, {"approvers": [ann.email]}, data_threshold=looks))
    run = house.start(agent)
    house.answer(house.ask(run))
    own = house.until(lambda: [each for each in house.asks(run) if each["kind"] == "approval"])[0]
    assert ann.answer(own, "deny", note="not this one").status_code == 200
    assert house.ended(run)["status"] == "completed"
    assert ran(house, run) == []
    steps = {each["arguments"]["path"]: each for each in house.calls(run) if each["tool"] == "write_file"}
    assert "not this one" in steps["1.txt"]["error"]
    assert "a step before it did not come to a good end" in steps["2.txt"]["error"]


def test_two_approved_calls_that_may_repeat_both_have_one_attempt_and_a_start(house: House) -> None:
    calls = [call("write_file", {"path": path, "content": "x"}, path) for path in ("a.txt", "b.txt")]
    run = run_that(house, says("", *calls))
    house.until(lambda: len(house.asks(run)) == 2)
    house.post("/api/asks/batch", {"ids": [each["id"] for each in house.asks(run)], "decision": "approve"})
    assert house.ended(run)["status"] == "completed"
    done = [each for each in house.calls(run) if each["tool"] == "write_file"]
    assert [(each["status"], each["attempt"]) for each in done] == [("succeeded", 1)] * 2
    assert all(each["started_at"] for each in done)


def test_the_second_of_two_approved_calls_may_be_tried_again_as_it_was(house: House) -> None:
    fails = {"path": ".", "content": "x"}
    both = (call("write_file", {"path": "a.txt", "content": "x"}, "c1"), call("write_file", fails, "c2"))
    run = run_that(house, says("", *both), says("", call("write_file", fails, "c3")))
    house.until(lambda: len(house.asks(run)) == 2)
    house.post("/api/asks/batch", {"ids": [each["id"] for each in house.asks(run)], "decision": "approve"})
    assert house.ended(run)["status"] == "completed"
    assert house.get(f"/api/runs/{run}/asks")["total"] == 2


def test_whoever_a_rule_tells_hears_of_a_batch_too(house: House) -> None:
    ann = somebody(house)
    calls = [call("write_file", {"path": path, "content": "x"}, path) for path in ("a.txt", "b.txt")]
    agent = agent_that(house, says("", *calls), tools=("write_file",))
    action = {"batch_alike": True, "notification": {"recipients": [ann.email]}}
    put_rules(house, rule(agent, action, tool="write_file"))
    ask = house.ask(house.start(agent))
    assert len(ask["arguments"]["calls"]) == 2
    assert house.until(lambda: notices_to(house, ask, ann.email))
