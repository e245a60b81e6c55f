"""Who changed a call is known when it is asked for again: they, whoever they decided for, and nobody else."""

import pytest

from tests.contract.asks.test_deputies import away
from tests.contract.ruling import look, people, put_rules, rule, somebody
from tests.contract.scenes import agent_that, problem
from tests.house import House
from tests.security.till import Till, a_till, pay, waits_for
from tests.wire import call, says

FOUR_EYES = {"four_eyes": True}


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


@pytest.fixture(scope="module")
def till(house: House) -> Till:
    return a_till(house)


def test_of_a_step_that_a_deputy_changed_neither_of_the_two_is_the_other_eye(house: House, till: Till) -> None:
    (ann, bob), carol = away(house), somebody(house)
    steps = [{"id": to, "tool": "pay", "arguments": {"to": to}, "purpose": "pay"} for to in ("a", "b")]
    agent = agent_that(house, says("", call("propose_plan", {"steps": steps})), tools=("pay",), mode="plan")
    put_rules(house, rule(agent, {"approvers": [ann.email]}, ask_kind="plan"))
    till.first["a"] = lambda: put_rules(house, rule(agent, FOUR_EYES))
    run = house.start(agent)
    changed = ["a", {"id": "b", "arguments": {"to": "z"}}]
    assert bob.answer(house.ask(run), steps=changed).json()["answer"]["on_behalf_of"] == ann.email
    again = waits_for(house, run, "approval")
    assert look(house, again)["edited_by"] == [bob.email]
    for party in (ann, bob):
        assert problem(party.answer(again), 403)["code"] == "four_eyes"
    assert carol.answer(again).status_code == 200
    house.ended(run)
    assert till.paid == ["a", "z"]


def test_who_only_signed_what_another_had_changed_is_an_other_eye(house: House, till: Till) -> None:
    till.paid.clear()
    agent = agent_that(house, says("", pay("a"), pay("b")), tools=("pay",))
    put_rules(house, rule(agent, {"require_approval_count": 2}))
    bob, carol = people(house, 2)
    gate = till.holds("a")
    run = house.start(agent)
    house.ask(run)
    first, second = sorted(house.asks(run), key=lambda ask: ask["arguments"]["to"])
    for person in (bob, carol):
        person.answer(first)
    # While the first is paid.
    house.until(lambda: "a" in till.begun)
    bob.answer(second, arguments={"to": "z"})
    assert carol.reads_and_answers(second).json()["status"] == "approved"
    put_rules(house, rule(agent, FOUR_EYES))
    gate.set()
    again = waits_for(house, run, "approval")
    problem(bob.answer(again), 403)
    assert carol.answer(again).status_code == 200
    house.ended(run)
    assert till.paid == ["a", "z"]


def test_what_runs_is_what_the_last_one_made_of_it(house: House, till: Till) -> None:
    """Bob's change calls for Carol, who changes it once more and approves."""
    till.paid.clear()
    bob, carol = people(house, 2)
    agent = agent_that(house, says("", pay("b")), tools=("pay",))
    put_rules(
        house, rule(agent, {"approvers": [carol.email]}, data_threshold={"field": "to", "operator": "!=", "value": "b"})
    )
    run = house.start(agent)
    ask = house.ask(run)
    assert bob.answer(ask, arguments={"to": "y"}).json()["status"] == "pending"
    shown = carol.reads_and_answers(ask, arguments={"to": "z"}).json()
    assert (shown["status"], shown["answer"]["arguments"]) == ("approved", {"to": "z"})
    assert shown["edited_by"] == [bob.email, carol.email]
    house.ended(run)
    assert till.paid == ["z"]
