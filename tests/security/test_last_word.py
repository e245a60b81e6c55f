"""The rules of the moment have the last word before every start, whoever let a call through before."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.contract.ruling import audited, people, put_rules, rule
from tests.contract.scenes import agent_that, problem, said_to_model
from tests.house import House
from tests.security.till import Till, a_till, pay, statuses, waits_for
from tests.wire import call, says

FIVE = ("a", "b", "c", "d", "e")
TWO = {"require_approval_count": 2}


@pytest.fixture(scope="module")
def till(house: House) -> Till:
    return a_till(house)


@pytest.fixture(autouse=True)
def clean(house: House, till: Till) -> None:
    till.paid.clear()
    till.first.clear()
    house.post("/api/rules/emergency-stop", {"enabled": False})
    put_rules(house)


def payer(house: House, *recipients: str, by: str = "pay", **fields: Any) -> str:
    """An agent who pays all of them in one turn."""
    return agent_that(house, says("", *(pay(to, by) for to in recipients)), tools=("pay", "pay_again"), **fields)


def free(agent: str) -> dict[str, Any]:
    return rule(agent, "auto_approve", "free payments")


def stop(house: House) -> Callable[[], None]:
    return lambda: house.post("/api/rules/emergency-stop", {"enabled": True})


@pytest.mark.both_databases
@pytest.mark.parametrize("by", ["pay", "pay_again"])
def test_the_emergency_stop_reaches_what_a_rule_let_through_and_has_not_begun(
    house: House, till: Till, by: str
) -> None:
    agent = payer(house, *FIVE, by=by)
    put_rules(house, free(agent))
    till.first["a"] = stop(house)
    run = house.start(agent)
    waits_for(house, run, "approval")
    assert till.paid == ["a"]
    assert statuses(house, run) == {"a": "succeeded", "b": "waiting", "c": "waiting", "d": "waiting", "e": "waiting"}


@pytest.mark.parametrize("by", ["pay", "pay_again"])
def test_a_deny_rule_reaches_what_a_rule_let_through_and_has_not_begun(house: House, till: Till, by: str) -> None:
    agent = payer(house, *FIVE, by=by)
    put_rules(house, free(agent))
    till.first["a"] = lambda: put_rules(house, rule(agent, {"deny": True, "reason": "the account is closed"}))
    run = house.start(agent)
    house.ended(run)
    assert till.paid == ["a"]
    assert statuses(house, run) == {"a": "succeeded", "b": "denied", "c": "denied", "d": "denied", "e": "denied"}
    assert "the account is closed" in said_to_model(house, run)
    denied = [each["id"] for each in house.calls(run) if each["status"] == "denied"]
    assert all(audited(house, each, "call.denied") for each in denied)


def test_new_rules_reach_what_autonomy_let_through_and_the_stop_does_not(house: House, till: Till) -> None:
    agent = payer(house, "a", "b", "c", autonomy="full")

    def ask_about_c() -> None:
        stop(house)()
        put_rules(house, rule(agent, "ask", data_threshold={"field": "to", "operator": "==", "value": "c"}))

    till.first["a"] = ask_about_c
    run = house.start(agent)
    waits_for(house, run, "approval")
    assert (till.paid, statuses(house, run)["c"]) == (["a", "b"], "waiting")


def test_an_allowance_taken_back_no_longer_lets_queued_calls_through(house: House, till: Till) -> None:
    agent = payer(house, "x")
    first = house.start(agent)
    anybody = [{"field": "to", "operator": "exists", "value": True}]
    house.answer(house.ask(first), remember={"scope": "agent", "where": anybody})
    house.ended(first)
    house.model.script(agent, says("", pay("a"), pay("b")))

    def take_back() -> None:
        for each in house.get("/api/rules/allowances")["items"]:
            if each["agent"] == agent:
                assert house.client.delete(f"/api/rules/allowances/{each['id']}").status_code == 204

    till.first["a"] = take_back
    run = house.start(agent)
    waits_for(house, run, "approval")
    assert till.paid == ["x", "a"]


def test_a_stricter_rule_asks_again_for_what_was_approved_and_waits_in_the_queue(house: House, till: Till) -> None:
    agent = payer(house, "a", "b")
    run = house.start(agent)
    ann, bob = people(house, 2)
    house.ask(run)
    first, second = sorted(house.asks(run), key=lambda ask: ask["arguments"]["to"])
    till.first["a"] = lambda: put_rules(house, rule(agent, TWO))
    # Both approvals come in one moment, so that b waits behind a.
    batch = house.post("/api/asks/batch", {"ids": [first["id"], second["id"]], "decision": "approve"})
    assert [each["status"] for each in batch["results"]] == ["approved", "approved"]
    again = waits_for(house, run, "approval")
    assert (till.paid, again["approvals_required"], again["arguments"]) == (["a"], 2, {"to": "b"})
    assert ann.answer(again).status_code == 200
    assert till.paid == ["a"]
    assert bob.answer(again).status_code == 200
    house.ended(run)
    assert till.paid == ["a", "b"]


def planner(house: House, *recipients: str) -> str:
    steps = [{"id": to, "tool": "pay", "arguments": {"to": to}, "purpose": "pay"} for to in recipients]
    return agent_that(house, says("", call("propose_plan", {"steps": steps})), tools=("pay",), mode="plan")


def test_a_call_that_is_asked_for_again_runs_with_what_the_person_made_of_it(house: House, till: Till) -> None:
    agent = planner(house, "a", "b")
    till.first["a"] = lambda: put_rules(house, rule(agent, {"approvers": ["role:admin"]}))
    run = house.start(agent)
    house.answer(house.ask(run), steps=["a", {"id": "b", "arguments": {"to": "z"}}])
    again = waits_for(house, run, "approval")
    assert again["arguments"] == {"to": "z"}
    house.answer(again)
    house.ended(run)
    assert till.paid == ["a", "z"]


def test_who_changed_the_arguments_is_no_other_eye_when_the_call_is_asked_for_again(house: House, till: Till) -> None:
    agent = planner(house, "a", "b")
    till.first["a"] = lambda: put_rules(house, rule(agent, {"four_eyes": True}))
    ann, bob = people(house, 2)
    run = house.start(agent)
    assert ann.answer(house.ask(run), steps=["a", {"id": "b", "arguments": {"to": "z"}}]).status_code == 200
    again = waits_for(house, run, "approval")
    problem(ann.answer(again), 403)
    assert bob.answer(again).status_code == 200
    house.ended(run)
    assert till.paid == ["a", "z"]


def test_a_planned_step_is_judged_again_before_it_starts(house: House, till: Till) -> None:
    agent = planner(house, "a", "b", "c")
    till.first["a"] = lambda: put_rules(house, rule(agent, TWO))
    run = house.start(agent)
    house.answer(house.ask(run))
    again = waits_for(house, run, "approval")
    assert (till.paid, again["arguments"], again["approvals_required"]) == (["a"], {"to": "b"}, 2)


def test_what_the_rules_still_allow_runs_without_another_word(house: House, till: Till) -> None:
    agent = payer(house, "a", "b")
    put_rules(house, free(agent))
    till.first["a"] = lambda: put_rules(house, rule("somebody else", "ask"), free(agent))
    run = house.start(agent)
    assert house.ended(run)["status"] == "completed"
    assert till.paid == ["a", "b"]
