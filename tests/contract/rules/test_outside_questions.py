"""A question from outside obeys the rules and settings that an agent's question obeys, and never speaks for it."""

from datetime import datetime
from typing import Any

import pytest

from signoff.kit.ids import new_id
from tests.contract.ruling import audited, put_rules, rule, somebody
from tests.contract.scenes import QUESTION, WRITE, agent_that, problem
from tests.house import House
from tests.wire import says

ASKED = {"question": "Which one?", "type": "blocking", "responseType": "text"}


def a_run(house: House, **agent: Any) -> tuple[str, str]:
    """A run that waits for its own question, and its agent."""
    slug = agent_that(house, says("", QUESTION), **agent)
    run = house.start(slug)
    house.ask(run)
    return run, slug


def ask_about(house: House, run: str, **changed: Any) -> dict[str, Any]:
    return house.post(f"/api/jobs/{run}/questions", ASKED | changed, 201)


def minutes(ask: dict[str, Any]) -> float | None:
    if ask["deadline"] is None:
        return None
    return round(
        (datetime.fromisoformat(ask["deadline"]) - datetime.fromisoformat(ask["created_at"])).total_seconds() / 60
    )


def test_it_waits_for_those_whom_a_rule_names_as_long_as_the_rule_says(house: House) -> None:
    run, agent = a_run(house)
    ann, bob = somebody(house, "member"), somebody(house, "member")
    escalation = [{"after_seconds": 600, "escalate_to": [bob.email]}]
    action = {"approvers": [ann.email], "timeout_seconds": 7_200, "on_timeout": "cancel", "escalation": escalation}
    put_rules(house, rule(agent, action, "by ann", ask_kind="question"))
    ask = ask_about(house, run)
    assert (ask["rule"], ask["approvers"], minutes(ask)) == ("by ann", [ann.email], 120)
    problem(bob.answer(ask, "respond", value="this one"), 403)
    house.post("/api/asks/expire", {"older_than_seconds": 0})
    # The rule cancels a run whose own question nobody answers. Nobody's silence ends a run that does not wait.
    (expired,) = audited(house, ask["id"], "ask.expired")
    assert expired["data"]["then"] == "deny"


def test_what_a_rule_denies_is_put_before_nobody(house: House) -> None:
    run, agent = a_run(house)
    put_rules(house, rule(agent, {"deny": True, "reason": "not here"}, ask_kind="question"))
    refused = problem(house.client.post(f"/api/jobs/{run}/questions", json=ASKED), 403)
    assert "not here" in refused["detail"]
    assert len(house.asks(run)) == 1


def test_a_rule_reads_its_words_as_it_reads_an_agents(house: House) -> None:
    run, agent = a_run(house)
    where = {"field": "question", "operator": "contains", "value": "secret"}
    put_rules(house, rule(agent, {"deny": True}, ask_kind="question", tool="ask_question", data_threshold=where))
    problem(house.client.post(f"/api/jobs/{run}/questions", json=ASKED | {"question": "What is the secret?"}), 403)
    assert ask_about(house, run)["rule"] is None


@pytest.mark.parametrize(("given", "waits"), [({}, None), ({"timeoutMinutes": 10}, 10)])
def test_it_waits_as_long_as_the_agents_settings_say(house: House, given: dict[str, Any], waits: float | None) -> None:
    run, _ = a_run(house, question_timeout_minutes="none")
    assert minutes(ask_about(house, run, **given)) == waits


def test_it_waits_as_long_as_the_workspaces_settings_say(house: House) -> None:
    run, _ = a_run(house)
    house.client.patch("/api/settings", json={"question_timeout_minutes": 90})
    try:
        assert minutes(ask_about(house, run)) == 90
    finally:
        house.client.patch("/api/settings", json={"question_timeout_minutes": None})
    assert minutes(ask_about(house, run)) == 30


def test_who_started_the_run_is_told_of_what_others_ask(house: House) -> None:
    run, _ = a_run(house)
    ann = somebody(house, "member")
    question = f"Which one, {new_id()}?"
    asked = ann.post(f"/api/jobs/{run}/questions", ASKED | {"question": question})
    assert asked.status_code == 201
    notices = house.get("/api/notifications", limit=200)["items"]
    assert [(each["kind"], each["sender"]) for each in notices if each["text"] == question] == [("ask", ann.email)]


def test_it_says_who_asks(house: House) -> None:
    run, _ = a_run(house)
    bob = somebody(house, "member")
    asked = bob.post(f"/api/jobs/{run}/questions", ASKED).json()
    # The agent asks the same by itself.
    assert {ask["asked_by"] for ask in house.asks(run) if ask["id"] != asked["id"]} == {None}
    assert house.get(f"/api/asks/{asked['id']}")["asked_by"] == asked["asked_by"] == bob.email


def test_who_answers_it_has_not_steered_the_run(house: House) -> None:
    agent = agent_that(house, says("", WRITE), tools=("write_file",))
    put_rules(house, rule(agent, {"four_eyes": True, "require_approval_count": 2}, tool="write_file"))
    ann, bob, member = somebody(house), somebody(house), somebody(house, "member")
    run = house.start(agent)
    ask = house.ask(run)
    ann.answer(ask)
    asked = member.post(f"/api/jobs/{run}/questions", ASKED).json()
    assert ann.answer(asked, "respond", value="blue").json()["status"] == "answered"
    assert bob.answer(ask).json()["status"] == "approved"


@pytest.mark.parametrize(
    "wanted", [{"type": "approval", "responseType": "approval"}, {"type": "error_recovery", "responseType": "choice"}]
)
def test_who_asks_for_an_approval_does_not_give_it(house: House, wanted: dict[str, Any]) -> None:
    run, _ = a_run(house)
    ann, bob = somebody(house), somebody(house)
    asked = ann.post(f"/api/jobs/{run}/questions", ASKED | wanted).json()
    assert (asked["may_decide"], asked["may_refuse"]) == (False, False)
    assert "You asked this" in asked["barred"]
    value = asked["options"][0]["value"]
    assert problem(ann.answer(asked, "respond", value=value), 403)["code"] == "own_question"
    assert bob.answer(asked, "respond", value=value).json()["status"] == "answered"


def test_what_the_operators_program_asks_for_is_approved_by_those_who_came_by_the_operators_link(house: House) -> None:
    run, _ = a_run(house)
    asked = ask_about(house, run, type="approval", responseType="approval")
    assert somebody(house).answer(asked, "respond", value=True).json()["status"] == "answered"
