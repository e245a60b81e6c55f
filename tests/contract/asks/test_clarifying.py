"""Clarifying: a few questions before the work begins."""

import json
from typing import Any

import pytest

from tests.contract.ruling import audited, look, settled
from tests.contract.scenes import WRITE, agent_that, problem, requests_of, run_that, said_to_model
from tests.house import House
from tests.wire import call, says

COMPLETE = says("", call("clarification_complete", {"summary": "It is about the north", "key_requirements": ["map"]}))


def question(text: str) -> dict[str, Any]:
    return says("", call("ask_question", {"question": text, "type": "blocking", "responseType": "text"}))


def clarifying(house: House, *answers: dict[str, Any], **fields: Any) -> tuple[str, dict[str, Any]]:
    run = run_that(house, *(answers or (question("Which region?"),)), clarify=True, **fields)
    return run, house.ask(run)


def following(house: House, run: str, *before: dict[str, Any]) -> dict[str, Any]:
    """The next open ask of a run."""
    known = {ask["id"] for ask in before}
    return house.until(lambda: [ask for ask in house.asks(run) if ask["id"] not in known])[0]


def test_a_question_leaves_the_run_clarifying(house: House) -> None:
    run, ask = clarifying(house)
    assert (ask["kind"], ask["status"]) == ("clarification", "pending")
    assert "Which region?" in json.dumps([ask["title"], ask["description"]])
    assert house.run(run)["status"] == "clarifying"


def test_an_answer_reaches_the_model_and_the_work_begins(house: House) -> None:
    run, ask = clarifying(house, question("Which region?"), COMPLETE)
    house.answer(ask, "respond", value="The north")
    assert house.ended(run)["status"] == "completed"
    assert "The north" in json.dumps(requests_of(house, run)[1]["messages"])


def test_a_message_answers_it_too(house: House) -> None:
    run, ask = clarifying(house, question("Which region?"), COMPLETE)
    house.post(f"/api/runs/{run}/messages", {"text": "The south"}, 201)
    found = settled(house, ask)
    assert (found["status"], found["answer"]["value"]) == ("answered", "The south")
    house.ended(run)
    assert "The south" in json.dumps(requests_of(house, run)[1]["messages"])
    assert len(audited(house, ask["id"], "ask.answered")) == 1


def test_a_question_in_plain_text_is_asked_too(house: House) -> None:
    run, ask = clarifying(house, says("Which region do you mean?"), COMPLETE)
    assert ask["kind"] == "clarification"
    assert "Which region do you mean?" in json.dumps([ask["title"], ask["description"]])
    house.answer(ask, "respond", value="The west")
    assert house.ended(run)["status"] == "completed"
    assert "The west" in said_to_model(house, run)


def test_after_the_agent_has_understood_it_acts(house: House) -> None:
    run, ask = clarifying(house, question("Which region?"), COMPLETE, says("", WRITE))
    house.answer(ask, "respond", value="The north")
    second = following(house, run, ask)
    assert (second["kind"], house.run(run)["status"]) == ("approval", "waiting_approval")


def test_nothing_acts_while_it_clarifies(house: House) -> None:
    run, ask = clarifying(house, says("", WRITE), question("Which region?"), autonomy="full")
    assert ask["kind"] == "clarification"
    assert [each["status"] for each in house.calls(run) if each["tool"] == "write_file"] == ["failed"]


def test_an_agent_that_understands_at_once_asks_nothing(house: House) -> None:
    run = run_that(house, COMPLETE, clarify=True)
    assert house.ended(run)["status"] == "completed"
    assert house.get(f"/api/runs/{run}/asks")["total"] == 0


@pytest.mark.parametrize("most", [1, 2])
def test_after_so_many_exchanges_it_starts_anyway(house: House, most: int) -> None:
    rounds = [question(f"Question {number}?") for number in range(most)]
    run = run_that(house, *rounds, says("", WRITE), clarify=True, clarification_max_exchanges=most)
    asked: list[dict[str, Any]] = []
    for number in range(most):
        asked.append(following(house, run, *asked))
        house.answer(asked[-1], "respond", value=f"answer {number}")
    last = following(house, run, *asked)
    assert [ask["kind"] for ask in [*asked, last]] == ["clarification"] * most + ["approval"]


def test_a_question_beyond_the_exchanges_is_an_ordinary_one_or_none(house: House) -> None:
    rounds = [question(f"Question {number}?") for number in range(4)]
    run = run_that(house, *rounds, clarify=True, clarification_max_exchanges=2)
    asked: list[dict[str, Any]] = []
    for number in range(2):
        asked.append(following(house, run, *asked))
        house.answer(asked[-1], "respond", value=f"answer {number}")
    house.until(lambda: house.run(run)["status"] not in {"clarifying", "queued"})
    kinds = [ask["kind"] for ask in house.get(f"/api/runs/{run}/asks")["items"]]
    assert kinds.count("clarification") == 2


def test_it_can_be_skipped_while_it_waits(house: House) -> None:
    run, ask = clarifying(house, question("Which region?"), says("", WRITE))
    house.post(f"/api/runs/{run}/skip-clarification")
    assert look(house, ask)["status"] != "pending"
    assert following(house, run, ask)["kind"] == "approval"


def test_it_can_be_skipped_at_the_start(house: House) -> None:
    agent = agent_that(house, says("", WRITE), tools=("write_file",), clarify=True)
    run = house.start(agent, skip_clarification=True)
    assert house.ask(run)["kind"] == "approval"


def test_only_a_clarifying_run_skips(house: House) -> None:
    run = run_that(house, says("", WRITE))
    house.ask(run)
    problem(house.client.post(f"/api/runs/{run}/skip-clarification"), 409)
    assert house.run(run)["status"] == "waiting_approval"


def test_a_run_that_clarifies_may_then_plan(house: House) -> None:
    steps = [{"id": "s1", "tool": "write_file", "arguments": {"path": "1", "content": "1"}, "purpose": "one"}]
    plan = says("", call("propose_plan", {"steps": steps}))
    run, ask = clarifying(house, question("Which region?"), COMPLETE, plan, mode="plan")
    house.answer(ask, "respond", value="The north")
    second = following(house, run, ask)
    assert (second["kind"], house.run(run)["status"]) == ("plan", "waiting_approval")
    house.answer(second)
    assert house.ended(run)["status"] == "completed"


def test_cancelling_while_it_clarifies_cancels_the_question(house: House) -> None:
    run, ask = clarifying(house)
    house.post(f"/api/runs/{run}/cancel")
    assert house.ended(run)["status"] == "cancelled"
    assert look(house, ask)["status"] == "cancelled"


def test_what_was_clarified_is_still_known_while_it_works(house: House) -> None:
    run, ask = clarifying(house, question("Which region?"), COMPLETE)
    house.answer(ask, "respond", value="The north")
    house.ended(run)
    last = json.dumps(requests_of(house, run)[-1]["messages"])
    assert "Which region?" in last
    assert "The north" in last
