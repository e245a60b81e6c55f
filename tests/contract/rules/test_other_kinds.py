"""Plans, milestones, budgets and questions obey rules, too: who signs, by when, and what needs nobody."""

from typing import Any

import pytest

from tests.contract.ruling import audited, look, people, put_rules, rule, somebody, text_of
from tests.contract.scenes import WRITE, agent_that, problem
from tests.house import House
from tests.wire import call, says

STEPS = [
    {"id": "s1", "tool": "write_file", "arguments": {"path": "1.txt", "content": "one"}, "purpose": "first"},
    {"id": "s2", "tool": "write_file", "arguments": {"path": "2.txt", "content": "two"}, "purpose": "second"},
]
KINDS: dict[str, dict[str, Any]] = {
    "plan": call("propose_plan", {"steps": STEPS, "summary": "In two steps"}),
    "milestone": call("request_review", {"phase": "draft", "summary": "The draft is ready", "next": "Send it"}),
    "budget": call("request_budget", {"credits": 50, "why": "There is more to read"}),
    "question": call("ask_question", {"question": "Which one?", "type": "blocking", "responseType": "text"}),
}
APPROVALS = ["plan", "milestone", "budget"]
TWO = {"require_approval_count": 2}


def an_agent(house: House, kind: str, *more: dict[str, Any]) -> str:
    mode = {"mode": "plan"} if kind == "plan" else {}
    return agent_that(house, says("", KINDS[kind]), *more, tools=("write_file",), **mode)


def ruled(house: House, kind: str, action: Any, **trigger: Any) -> tuple[str, dict[str, Any]]:
    """A run that waits with such an ask, under one rule about its kind."""
    agent = an_agent(house, kind)
    put_rules(house, rule(agent, action, "by kind", ask_kind=kind, **trigger))
    run = house.start(agent)
    return run, house.ask(run)


@pytest.mark.parametrize("asked", APPROVALS)
def test_two_people_sign_what_a_rule_says_two_people_sign(house: House, asked: str) -> None:
    run, ask = ruled(house, asked, TWO)
    assert (ask["kind"], ask["rule"], ask["approvals_required"]) == (asked, "by kind", 2)
    ann, bob = people(house, 2)
    assert ann.answer(ask).json()["status"] == "pending"
    assert house.run(run)["status"] == "waiting_approval"
    assert bob.answer(ask).json()["status"] == "approved"
    assert house.ended(run)["status"] == "completed"


@pytest.mark.parametrize("asked", KINDS)
def test_only_those_whom_the_rule_names_decide(house: House, asked: str) -> None:
    ann, bob = people(house, 2)
    run, ask = ruled(house, asked, {"approvers": [ann.email]})
    answer = {"decision": "respond", "value": "this one"} if asked == "question" else {"decision": "approve"}
    problem(bob.answer(ask, **answer), 403)
    assert look(house, ask)["status"] == "pending"
    assert ann.answer(ask, **answer).json()["status"] in ("approved", "answered")
    assert house.ended(run)["status"] == "completed"


@pytest.mark.parametrize("asked", KINDS)
def test_a_rule_sets_the_time_of_other_kinds(house: House, asked: str) -> None:
    run, ask = ruled(house, asked, {"timeout_seconds": 1, "on_timeout": "cancel"})
    assert (ask["deadline"] is not None, ask["on_timeout"]) == (True, "cancel")
    ended = house.ended(run)
    assert (ended["status"], ended["completion_reason"]) == ("cancelled", "ask_expired")


@pytest.mark.parametrize("asked", APPROVALS)
def test_a_rule_approves_in_place_of_a_person(house: House, asked: str) -> None:
    agent = an_agent(house, asked)
    put_rules(house, rule(agent, "auto_approve", "small ones", ask_kind=asked), rule(agent, "auto_approve", "files"))
    run = house.ended(house.start(agent))
    assert run["status"] == "completed"
    (ask,) = house.get(f"/api/runs/{run['id']}/asks")["items"]
    assert (ask["status"], ask["settled_by"]) == ("auto_approved", "rule: small ones")
    (entry,) = audited(house, ask["id"], "ask.auto_approved")
    assert {"rule": "small ones", "kind": asked, "digest": ask["digest"]}.items() <= entry["data"].items()
    if asked == "plan":
        done = [each for each in house.calls(run["id"]) if each["tool"] == "write_file"]
        assert [each["status"] for each in done] == ["succeeded", "succeeded"]
    if asked == "budget":
        assert run["limits"]["max_cost_credits"] == 150


def test_a_plan_that_a_rule_approved_lets_no_step_pass_that_needs_a_person(house: House) -> None:
    agent = an_agent(house, "plan")
    put_rules(house, rule(agent, "auto_approve", "plans", ask_kind="plan"))
    run = house.start(agent)
    ask = house.ask(run)
    assert (ask["kind"], ask["tool"]) == ("approval", "write_file")
    assert house.calls(run)[-1]["started_at"] is None


@pytest.mark.parametrize("asked", APPROVALS)
def test_with_auto_approvals_stopped_a_person_decides(house: House, asked: str) -> None:
    agent = an_agent(house, asked)
    put_rules(house, auto=[{"name": "all", "conditions": {"ask_kind": asked, "agent": agent}}])
    house.post("/api/rules/emergency-stop", {"enabled": True})
    try:
        run = house.start(agent)
        assert house.ask(run)["kind"] == asked
    finally:
        house.post("/api/rules/emergency-stop", {"enabled": False})


@pytest.mark.parametrize("asked", KINDS)
def test_what_a_rule_denies_is_put_before_nobody(house: House, asked: str) -> None:
    agent = an_agent(house, asked)
    put_rules(house, rule(agent, {"deny": True, "reason": "not here"}, ask_kind=asked))
    run = house.ended(house.start(agent))
    assert house.get(f"/api/runs/{run['id']}/asks")["items"] == []
    (refused,) = [each for each in house.calls(run["id"]) if each["tool"] == KINDS[asked]["tool"]]
    assert refused["status"] == "denied"
    assert "not here" in refused["error"]


@pytest.mark.parametrize("asked", KINDS)
def test_a_rule_about_calls_says_nothing_about_other_kinds(house: House, asked: str) -> None:
    agent = an_agent(house, asked)
    put_rules(house, rule(agent, {"require_approval_count": 3}, "calls by three"))
    ask = house.ask(house.start(agent))
    assert (ask["kind"], ask["rule"]) == (asked, None)


def test_a_rule_about_plans_says_nothing_about_calls(house: House) -> None:
    agent = agent_that(house, says("", WRITE), tools=("write_file",), autonomy="full")
    put_rules(house, rule(agent, {"deny": True}, ask_kind="plan"))
    run = house.ended(house.start(agent))
    assert [each["status"] for each in house.calls(run["id"]) if each["tool"] == "write_file"] == ["succeeded"]


def test_a_rule_about_both_meets_both(house: House) -> None:
    agent = an_agent(house, "plan")
    put_rules(house, rule(agent, TWO, "both", ask_kind=["plan", "approval"]))
    run = house.start(agent)
    ask = house.ask(run)
    for person in people(house, 2):
        person.answer(ask)
    # The plan was signed by two, which covers its steps.
    assert house.ended(run)["status"] == "completed"


@pytest.mark.parametrize(("credits", "asks"), [(50, False), (500, True)])
def test_a_small_budget_is_granted_by_a_rule_and_a_large_one_asked_for(
    house: House, credits: float, asks: bool
) -> None:
    wanted = call("request_budget", {"credits": credits, "why": "There is more to read"})
    agent = agent_that(house, says("", wanted))
    put_rules(house, rule(agent, "auto_approve", "small", ask_kind="budget", cost="<= 100"))
    run = house.start(agent)
    if asks:
        assert house.ask(run)["rule"] is None
    else:
        assert house.ended(run)["limits"]["max_cost_credits"] == 150


def test_two_signers_of_a_plan_sign_the_same_steps(house: House) -> None:
    run, ask = ruled(house, "plan", TWO)
    ann, bob = people(house, 2)
    ann.answer(ask)
    edited = [STEPS[0] | {"arguments": {"path": "1.txt", "content": "other"}}, STEPS[1]]
    for steps in (["s1"], edited):
        assert "as it is" in problem(bob.answer(ask, steps=steps), 422)["detail"]
    assert house.run(run)["status"] == "waiting_approval"
    assert bob.answer(ask, steps=["s1", "s2"]).json()["status"] == "approved"


def test_two_signers_of_a_budget_sign_the_same_amount(house: House) -> None:
    _, ask = ruled(house, "budget", TWO)
    ann, bob = people(house, 2)
    ann.answer(ask)
    problem(bob.answer(ask, value={"credits": 5_000}), 422)
    assert look(house, ask)["status"] == "pending"


def test_under_four_eyes_nobody_approves_a_plan_that_they_changed(house: House) -> None:
    _, ask = ruled(house, "plan", {"four_eyes": True})
    edited = [STEPS[0] | {"arguments": {"path": "1.txt", "content": "other"}}, STEPS[1]]
    problem(somebody(house).answer(ask, steps=edited), 422)
    assert look(house, ask)["status"] == "pending"


@pytest.mark.parametrize(
    "action", ["auto_approve", TWO, {"four_eyes": True}, {"stages": [{"approvers": ["role:admin"]}]}]
)
def test_nobody_signs_a_question(house: House, action: Any) -> None:
    checked = house.post("/api/rules/check", {"yaml": text_of(rule("a", action, ask_kind="question"))})
    assert not checked["ok"]
    assert "a question needs an answer, not an approval" in checked["errors"][0]["message"]


def test_an_unknown_kind_is_named_with_those_that_there_are(house: House) -> None:
    checked = house.post("/api/rules/check", {"yaml": text_of(rule("a", "ask", ask_kind="plans"))})
    assert not checked["ok"]
    assert "plan" in checked["errors"][0]["message"]


def test_a_question_that_asks_for_approval_waits_for_an_approver(house: House) -> None:
    asked = call("ask_question", {"question": "May I?", "type": "blocking", "responseType": "approval"})
    run = house.start(agent_that(house, says("", asked)))
    ask = house.ask(run)
    assert house.status(run, "waiting_approval")
    problem(somebody(house, "member").answer(ask, "respond", value=True), 403)
    assert somebody(house).answer(ask, "respond", value=True).json()["status"] == "answered"
    assert house.ended(run)["status"] == "completed"


def test_a_rule_without_a_word_about_people_leaves_such_a_question_to_approvers(house: House) -> None:
    asked = call("ask_question", {"question": "May I?", "type": "blocking", "responseType": "approval"})
    agent = agent_that(house, says("", asked))
    put_rules(house, rule(agent, {"timeout_seconds": 600}, "in time", ask_kind="question"))
    ask = house.ask(house.start(agent))
    assert ask["rule"] == "in time"
    problem(somebody(house, "member").answer(ask, "respond", value=True), 403)
