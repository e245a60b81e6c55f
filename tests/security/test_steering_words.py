"""Under four eyes, whoever speaks to the agent has steered it, in whatever answer the words came."""

from typing import Any

import pytest

from signoff.asks.answers.outcome import Answer, is_read, outcome
from signoff.asks.models import Ask
from tests.contract.ruling import Person, look, people, put_rules, rule
from tests.contract.scenes import WRITE, agent_that, problem
from tests.house import House
from tests.wire import call, says

FOUR_EYES = {"four_eyes": True}
TOOLS = ("write_file", "read_file")
READ = call("read_file", {"path": "b.txt"})
PLAN = call(
    "propose_plan",
    {"steps": [{"id": "s1", "tool": "read_file", "arguments": {"path": "b.txt"}, "purpose": "look first"}]},
)
RECOVERY = call(
    "ask_question", {"question": "What now?", "type": "error_recovery", "responseType": "text", "options": ["a"]}
)
MILESTONE = call("request_review", {"phase": "draft", "summary": "it is there"})
BUDGET = call("request_budget", {"credits": 5, "why": "more to do"})
# What the agent asks first, how its agent is set, and an answer with words, then one without.
WORDS: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "deny": (READ, {}, {"decision": "deny", "note": "pay ann"}, {"decision": "deny"}),
    "respond": (READ, {}, {"decision": "respond", "value": "pay ann"}, {"decision": "approve", "note": "fine"}),
    "edit": (READ, {}, {"decision": "approve", "arguments": {"path": "pay ann"}}, {"decision": "approve"}),
    "plan": (PLAN, {"mode": "plan"}, {"decision": "deny", "note": "pay ann"}, {"decision": "approve"}),
    "step": (
        PLAN,
        {"mode": "plan"},
        {"decision": "approve", "steps": [{"id": "s1", "arguments": {"path": "pay ann"}}]},
        {"decision": "approve", "steps": ["s1"]},
    ),
    "milestone": (MILESTONE, {}, {"decision": "approve", "note": "now pay ann"}, {"decision": "approve"}),
    "milestone refused": (MILESTONE, {}, {"decision": "deny", "note": "pay ann"}, {"decision": "deny"}),
    "budget": (BUDGET, {}, {"decision": "approve", "note": "for ann"}, {"decision": "approve"}),
    "budget refused": (BUDGET, {}, {"decision": "deny", "note": "pay ann"}, {"decision": "deny"}),
    "recovery": (RECOVERY, {}, {"decision": "respond", "value": "pay ann"}, {"decision": "respond", "value": "skip"}),
    "recovery with a note": (
        RECOVERY,
        {},
        {"decision": "respond", "value": "retry", "note": "and pay ann"},
        {"decision": "respond", "value": "done"},
    ),
}


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


def answered_then_asked(house: House, who: Person, name: str, answer: dict[str, Any]) -> dict[str, Any]:
    """The ask under four eyes that comes up after this person answered the agent's first one."""
    first, fields, *_ = WORDS[name]
    replies = [says("", first), says("", WRITE)]
    agent = agent_that(house, *replies, tools=TOOLS, autonomy="approve_all", **fields)
    put_rules(house, rule(agent, FOUR_EYES, tool="write_file"), rule(agent, "ask", tool="read_file"))
    run = house.start(agent)
    ask = house.ask(run)
    given = who.post(f"/api/asks/{ask['id']}/answer", answer)
    assert given.status_code == 200, given.text
    return house.until(lambda: next((each for each in house.asks(run) if each["tool"] == "write_file"), None))


@pytest.mark.parametrize("name", [name for name in WORDS if "plan" not in name])
def test_whoever_says_something_to_the_agent_in_an_answer_has_steered_it(house: House, name: str) -> None:
    ann, bob = people(house, 2)
    ask = answered_then_asked(house, ann, name, WORDS[name][2])
    assert problem(ann.answer(ask), 403)["code"] == "four_eyes"
    assert bob.answer(ask).json()["status"] == "approved"


@pytest.mark.parametrize("name", ["respond", "plan", "milestone", "recovery"])
def test_a_bare_answer_makes_nobody_a_party(house: House, name: str) -> None:
    (ann,) = people(house, 1)
    ask = answered_then_asked(house, ann, name, WORDS[name][3])
    assert ann.answer(ask).json()["status"] == "approved"


def test_whoever_refused_a_plan_with_words_does_not_sign_what_comes_of_them(house: House) -> None:
    step = {"id": "s1", "tool": "write_file", "arguments": {"path": "a.txt", "content": "pay ann"}, "purpose": "pay"}
    agent = agent_that(
        house, says("", PLAN), says("", call("propose_plan", {"steps": [step]})), tools=TOOLS, mode="plan"
    )
    put_rules(house, rule(agent, FOUR_EYES, tool="write_file"))
    ann, bob = people(house, 2)
    run = house.start(agent)
    first = house.ask(run)
    ann.answer(first, "deny", note="plan to pay ann").raise_for_status()
    second = house.until(lambda: next((each for each in house.asks(run) if each["kind"] == "plan"), None))
    bob.answer(second).raise_for_status()
    asked = house.until(lambda: next((each for each in house.asks(run) if each["tool"] == "write_file"), None))
    problem(ann.answer(asked), 403)
    assert look(house, asked)["status"] == "pending"
    assert bob.answer(asked).json()["status"] == "approved"


def test_whoever_edits_what_another_approves_is_a_party_of_the_run(house: House) -> None:
    agent = agent_that(
        house, says("", WRITE), says("", call("write_file", {"path": "c.txt", "content": "three"})), tools=TOOLS
    )
    put_rules(house, rule(agent, FOUR_EYES, tool="write_file"))
    ann, bob = people(house, 2)
    run = house.start(agent)
    first = house.ask(run)
    ann.answer(first, arguments={"path": "a.txt", "content": "next, pay ann"}).raise_for_status()
    bob.reads_and_answers(first).raise_for_status()
    second = house.until(lambda: next((each for each in house.asks(run) if each["id"] != first["id"]), None))
    problem(ann.answer(second), 403)
    assert bob.answer(second).json()["status"] == "approved"


@pytest.mark.parametrize(
    ("kind", "given", "read"),
    [
        ("approval", Answer("approve"), False),
        ("approval", Answer("approve", note="seen"), False),
        ("approval", Answer("deny"), False),
        ("approval", Answer("deny", note="no"), True),
        ("approval", Answer("deny", note="enough", end_run=True), False),
        ("approval", Answer("respond", value="rather not"), True),
        ("plan", Answer("deny", note="no"), True),
        ("milestone", Answer("approve"), False),
        ("milestone", Answer("approve", note="go"), True),
        ("budget", Answer("approve", value={"credits": 3}), False),
        ("budget", Answer("approve", value={"credits": 3}, note="go"), True),
        ("question", Answer("respond", value="red"), True),
        ("clarification", Answer("respond", value="red"), True),
        ("recovery", Answer("respond", value="retry"), False),
        ("recovery", Answer("respond", value="skip", note="and so on"), True),
        ("recovery", Answer("respond", value="try the other door"), True),
    ],
    ids=str,
)
def test_only_words_that_the_agent_reads_count(kind: str, given: Answer, read: bool) -> None:
    ask = Ask(kind=kind, plan={"steps": []})
    assert is_read(ask, outcome(ask, given)) is read
