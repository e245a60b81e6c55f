"""One approval, one payment: what may have happened is never repeated without a fresh signature."""

import threading
from pathlib import Path
from typing import Any

import pytest

from signoff.kit.settings import Settings
from signoff.tools.registry import tool
from tests.contract.ruling import audited, look, people, put_rules, rule, somebody
from tests.contract.scenes import agent_that, problem, said_to_model
from tests.fresh import settings_for
from tests.house import House, until
from tests.security.till import FEE, Till, a_till, pay, statuses, waits_for
from tests.wire import fails, says

TWO = {"require_approval_count": 2}


@pytest.fixture(scope="module")
def settings(database_url: str, folder: Path) -> Settings:
    return settings_for(database_url, folder).model_copy(update={"tool_timeout_seconds": 0.3})


@pytest.fixture(scope="module")
def till(house: House) -> Till:
    return a_till(house)


@pytest.fixture(autouse=True)
def clean(house: House, till: Till) -> None:
    till.first.clear()
    put_rules(house)


def payer(house: House, *answers: dict[str, Any]) -> str:
    """An agent who pays, and tries the same again as often as it is told to."""
    return agent_that(house, *answers, tools=("pay", "pay_again"))


def begun(house: House, agent: str) -> str:
    """A run whose payment was approved by one person and hangs by now."""
    run = house.start(agent)
    house.answer(waits_for(house, run, "approval"))
    return run


def the_call(house: House, run: str) -> dict[str, Any]:
    return next(each for each in house.calls(run) if each["tool"].startswith("pay"))


def cost(house: House, run: str) -> tuple[float, float]:
    """What the payment cost, and what the run cost; the model's words are free here."""
    return the_call(house, run)["cost_credits"], house.run(run)["cost_credits"]


def test_a_payment_that_takes_too_long_is_unknown_and_asks(house: House, till: Till) -> None:
    gate = till.holds("slow")
    run = begun(house, payer(house, says("", pay("slow")), says("", pay("slow")), says("", pay("slow"))))
    ask = waits_for(house, run, "recovery")
    assert statuses(house, run) == {"slow": "unknown"}
    assert house.status(run, "waiting_input")
    assert "had not ended after" in ask["description"]
    assert [option["value"] for option in ask["options"]] == ["retry", "skip", "done"]
    assert audited(house, the_call(house, run)["id"], "call.unknown")
    house.answer(ask, "respond", value="skip")
    # The model tries the same once more: nobody's earlier word covers it.
    again = waits_for(house, run, "approval")
    assert till.times("slow") == 0
    gate.set()
    until(lambda: till.times("slow") == 1)
    house.answer(again, "deny", note="enough")
    assert "Nobody knows whether it happened" in said_to_model(house, run)


@pytest.mark.both_databases
def test_the_end_that_comes_late_settles_what_was_asked(house: House, till: Till) -> None:
    gate = till.holds("late")
    run = begun(house, payer(house, says("", pay("late"))))
    ask = waits_for(house, run, "recovery")
    gate.set()
    assert house.ended(run)["status"] == "completed"
    call = the_call(house, run)
    assert (call["status"], call["result"], call["attempt"]) == ("succeeded", "paid late", 1)
    assert cost(house, run) == (FEE, FEE)
    assert call["late_result"]["status"] == "succeeded"
    assert look(house, ask)["status"] == "cancelled"
    assert audited(house, call["id"], "call.late_result")
    assert (till.times("late"), "paid late" in said_to_model(house, run)) == (1, True)


def test_an_end_that_comes_after_the_decision_stands_beside_it(house: House, till: Till) -> None:
    gate = till.holds("skipped")
    run = begun(house, payer(house, says("", pay("skipped"))))
    house.answer(waits_for(house, run, "recovery"), "respond", value="skip")
    house.ended(run)
    gate.set()
    call = house.until(lambda: found if (found := the_call(house, run))["late_result"] else None)
    assert (call["status"], call["result"]) == ("failed", "paid skipped")
    assert cost(house, run) == (FEE, FEE)
    assert "did happen" in call["error"]
    assert any("did happen" in line["text"] for line in house.messages(run))


def test_an_end_that_comes_after_the_run_is_recorded_on_the_call(house: House, till: Till) -> None:
    gate = till.holds("cancelled")
    run = begun(house, payer(house, says("", pay("cancelled"))))
    waits_for(house, run, "recovery")
    house.post(f"/api/runs/{run}/cancel")
    assert statuses(house, run) == {"cancelled": "unknown"}
    gate.set()
    house.until(lambda: statuses(house, run) == {"cancelled": "succeeded"})
    assert the_call(house, run)["result"] == "paid cancelled"
    assert cost(house, run) == (FEE, FEE)
    assert house.run(run)["status"] == "cancelled"


@pytest.mark.both_databases
def test_the_end_of_an_earlier_attempt_does_not_touch_the_later_one(house: House, till: Till) -> None:
    first = till.holds("twice")
    run = begun(house, payer(house, says("", pay("twice"))))
    ask = waits_for(house, run, "recovery")
    second = till.holds("twice")
    house.answer(ask, "respond", value="retry")
    house.until(lambda: look(house, ask)["status"] == "answered" and the_call(house, run)["attempt"] == 2)
    waits_for(house, run, "recovery")
    first.set()
    house.until(lambda: audited(house, the_call(house, run)["id"], "call.late_result"))
    assert (statuses(house, run), the_call(house, run)["late_result"]) == ({"twice": "unknown"}, None)
    second.set()
    house.ended(run)
    assert (the_call(house, run)["status"], till.times("twice")) == ("succeeded", 2)


def test_an_error_that_says_nothing_of_the_effect_is_unknown_too(house: House, till: Till) -> None:
    till.fails("broken", ConnectionError("reset by peer"))
    run = begun(house, payer(house, says("", pay("broken"))))
    ask = waits_for(house, run, "recovery")
    assert "reset by peer" in ask["description"]
    house.answer(ask, "respond", value="retry")
    house.ended(run)
    assert till.times("broken") == 1


def test_a_known_failure_is_retried_once_under_its_approval(house: House, till: Till) -> None:
    till.fails("ann")
    run = begun(house, payer(house, says("", pay("ann")), says("", pay("ann")), says("", pay("ann"))))
    again = waits_for(house, run, "approval")
    assert till.times("ann") == 1
    assert [each["status"] for each in house.calls(run)] == ["failed", "succeeded", "waiting"]
    house.answer(again, "deny", note="once is enough")


def test_two_retries_in_one_answer_are_not_both_covered(house: House, till: Till) -> None:
    till.fails("bob")
    run = begun(house, payer(house, says("", pay("bob")), says("", pay("bob"), pay("bob"))))
    waits_for(house, run, "approval")
    until(lambda: till.times("bob"))
    assert till.times("bob") == 1


def test_an_idempotent_call_that_took_too_long_is_retried_without_a_new_approval(house: House, till: Till) -> None:
    gate = till.holds("idem")
    run = house.start(payer(house, says("", pay("idem", "pay_again")), says("", pay("idem", "pay_again"))))
    house.answer(waits_for(house, run, "approval"))
    house.until(lambda: len(house.calls(run)) == 2)
    gate.set()
    house.ended(run)
    assert "It may still take effect" in said_to_model(house, run)
    assert len(house.get(f"/api/runs/{run}/asks")["items"]) == 1


def test_an_approval_does_not_reach_into_another_run(house: House, till: Till) -> None:
    till.fails("eve")
    agent = payer(house, says("", pay("eve")), fails(400, "broken"))
    run = begun(house, agent)
    assert house.ended(run)["status"] == "failed"
    house.model.script(agent, says("", pay("eve")), says("", pay("eve")))
    again = house.post(f"/api/runs/{run}/retry", {"from": "last_good"}, 201)["id"]
    waits_for(house, again, "approval")
    assert till.times("eve") == 0


def test_an_approval_by_one_does_not_satisfy_a_later_rule_for_two(house: House, till: Till) -> None:
    till.fails("dan")
    agent = payer(house, says("", pay("dan")), says("", pay("dan")))
    till_failed = till.first["dan"]

    def stricter() -> None:
        put_rules(house, rule(agent, TWO))
        till_failed()

    till.first["dan"] = stricter
    run = begun(house, agent)
    assert waits_for(house, run, "approval")["approvals_required"] == 2
    assert till.times("dan") == 0


def test_to_run_it_again_takes_as_many_signatures_as_the_call(house: House, till: Till) -> None:
    gate = till.holds("pair")
    agent = payer(house, says("", pay("pair")))
    put_rules(house, rule(agent, TWO))
    run = house.start(agent)
    ask = waits_for(house, run, "approval")
    ann, bob = people(house, 2)
    assert (ann.answer(ask).status_code, bob.answer(ask).status_code) == (200, 200)
    recovery = waits_for(house, run, "recovery")
    assert (recovery["approvals_required"], recovery["follows"]) == (2, ask["id"])
    till.gates.pop("pair")
    assert ann.answer(recovery, "respond", value="retry").json()["status"] == "pending"
    assert problem(ann.answer(recovery, "respond", value="retry"), 409)["code"] == "already_signed"
    assert till.times("pair") == 0
    assert bob.answer(recovery, "respond", value="retry").json()["status"] == "answered"
    house.ended(run)
    assert till.times("pair") == 1
    gate.set()


def test_who_may_not_approve_the_call_may_not_have_it_run_again(house: House, till: Till) -> None:
    gate = till.holds("named")
    agent = payer(house, says("", pay("named")))
    ann, bob = people(house, 2)
    put_rules(house, rule(agent, {"approvers": [ann.email], "four_eyes": True}))
    run = house.start(agent)
    assert ann.answer(waits_for(house, run, "approval")).status_code == 200
    recovery = waits_for(house, run, "recovery")
    problem(bob.answer(recovery, "respond", value="retry"), 403)
    problem(somebody(house, "member").answer(recovery, "respond", value="done"), 403)
    # What became of it, any approver may say.
    assert bob.answer(recovery, "respond", value="done").status_code == 200
    house.ended(run)
    gate.set()


def test_a_rule_made_since_stops_what_a_person_wants_to_run_again(house: House, till: Till) -> None:
    till.fails("fay", ConnectionError("gone"))
    agent = payer(house, says("", pay("fay")))
    run = begun(house, agent)
    ask = waits_for(house, run, "recovery")
    put_rules(house, rule(agent, {"deny": True, "reason": "closed"}))
    house.answer(ask, "respond", value="retry")
    house.ended(run)
    assert (statuses(house, run), till.times("fay")) == ({"fay": "denied"}, 0)


def test_tools_that_hang_leave_room_for_others(house: House) -> None:
    gate = threading.Event()

    @tool(idempotent=True, operation_type="read", risk="low")
    def hang(number: int) -> str:
        """Hang until the test is over."""
        gate.wait(30)
        return f"{number}"

    house.parts.context.registry.register(hang)
    many = [{"tool": "hang", "arguments": f'{{"number": {n}}}', "id": f"h{n}"} for n in range(40)]
    run = house.start(agent_that(house, says("", *many), tools=("hang",)))
    house.ended(run)
    assert house.get(f"/api/runs/{run}")["status"] == "completed"
    gate.set()
