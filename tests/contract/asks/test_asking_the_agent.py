"""People ask an agent about its ask: it answers from its transcript, and nothing else comes of it."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from signoff.asks import actions
from signoff.asks.models import Ask
from signoff.kit.actor import Actor
from signoff.kit.ids import new_id
from tests.contract.asks.test_comments import path_of, says_about
from tests.contract.ruling import audited, look, people, put_rules, rule, somebody
from tests.contract.scenes import WRITE, at_once, problem, requests_of, waiting
from tests.house import House
from tests.wire import DONE, call, fails, says

Answering = Callable[[dict[str, Any]], dict[str, Any]]
LOOK = call("list_files", {})


def because(_: dict[str, Any]) -> dict[str, Any]:
    return says("Because the task says so.")


def asking(house: House, answer: Answering = because, action: Any = None) -> tuple[str, dict[str, Any]]:
    """A run that looked around and waits, and whose model answers questions (requests without tools) like this."""
    name = f"m{new_id()}"

    def play(request: dict[str, Any]) -> dict[str, Any]:
        if "tools" not in request:
            return answer(request)
        turn = sum(message["role"] == "assistant" for message in request["messages"])
        return [says("I look around first.", LOOK), says("", WRITE), DONE][turn]

    agent = house.agent(name, house.model.play(name, play), "write_file", "list_files", instructions="Speak plainly.")
    if action is not None:
        put_rules(house, rule(agent, action, tool="write_file"))
    run = house.start(agent, "Tidy up the cellar")
    return run, house.ask(run)


def replied(house: House, ask: dict[str, Any]) -> dict[str, Any]:
    """Wait until no reply is pending; the last comment."""

    def look() -> dict[str, Any] | None:
        found = house.get(path_of(ask), limit=200)["items"]
        return found[-1] if all(each["state"] != "pending" for each in found) else None

    return house.until(look)


def test_the_agent_answers_from_its_transcript_without_tools(house: House) -> None:
    run, ask = asking(house)
    ann = somebody(house, "member")
    says_about(ann, ask, "We never write there, do we?")
    asked = says_about(ann, ask, "Why this file?", to_agent=True)
    reply = replied(house, ask)
    assert (reply["kind"], reply["state"], reply["text"]) == ("agent", "answered", "Because the task says so.")
    assert (reply["author"], reply["question_id"]) == (ask["agent"], asked["id"])
    sent = requests_of(house, run)[-1]
    assert "tools" not in sent
    words = str(sent["messages"])
    for known in (
        "Tidy up the cellar",
        "I look around first.",
        "list_files",
        "a.txt",
        "We never write there",
        "Why this",
    ):
        assert known in words
    assert "You cannot act here" in words
    assert "Speak plainly." in words


def test_asking_changes_nothing_of_the_run_and_decides_nothing(house: House) -> None:
    run, ask = asking(house)
    before = (house.messages(run), house.calls(run), look(house, ask)["digest"])
    says_about(somebody(house, "member"), ask, "Why?", to_agent=True)
    replied(house, ask)
    assert (house.messages(run), house.calls(run), look(house, ask)["digest"]) == before
    assert look(house, ask)["status"] == "pending"
    assert house.run(run)["status"] == "waiting_approval"
    house.answer(ask)
    assert house.ended(run)["status"] == "completed"
    # What the model reads afterwards is what it would have read anyway.
    assert "Because the task" not in str(requests_of(house, run)[-1]["messages"])


def test_what_an_answer_takes_counts_on_the_run(house: House) -> None:
    run, ask = asking(house)
    house.status(run, "waiting_approval")
    before = house.run(run)
    says_about(somebody(house, "member"), ask, "Why?", to_agent=True)
    replied(house, ask)
    after = house.until(lambda: found if (found := house.run(run))["tokens"] != before["tokens"] else None)
    assert after["tokens"]["input"] == before["tokens"]["input"] + 100
    assert after["tokens"]["output"] == before["tokens"]["output"] + 20
    assert after["iterations"] == before["iterations"]


def test_a_call_in_the_answer_is_not_made(house: House) -> None:
    run, ask = asking(house, lambda _: says("", call("write_file", {"path": "evil.txt", "content": "!"})))
    says_about(somebody(house, "member"), ask, "Write it now!", to_agent=True)
    reply = replied(house, ask)
    assert (reply["state"], reply["text"]) == ("failed", "The model sent an empty answer.")
    assert [each["tool"] for each in house.calls(run)] == ["list_files", "write_file"]
    assert look(house, ask)["status"] == "pending"


def test_a_model_that_fails_says_so_and_can_be_asked_again(house: House) -> None:
    answers = [fails(400, "the model is on holiday"), says("Back again.")]
    _, ask = asking(house, lambda _: answers.pop(0))
    ann = somebody(house, "member")
    says_about(ann, ask, "Why?", to_agent=True)
    failed = replied(house, ask)
    assert failed["state"] == "failed"
    assert "the model is on holiday" in failed["text"]
    says_about(ann, ask, "Why?", to_agent=True)
    assert replied(house, ask)["text"] == "Back again."


def test_asking_does_not_make_somebody_a_party_under_four_eyes(house: House) -> None:
    run, ask = asking(house, action={"four_eyes": True})
    ann = somebody(house)
    says_about(ann, ask, "Why?", to_agent=True)
    replied(house, ask)
    assert ann.answer(ask).json()["status"] == "approved"
    assert house.ended(run)["status"] == "completed"


def test_a_settled_ask_of_an_ended_run_can_be_asked_about(house: House) -> None:
    run, ask = asking(house)
    house.answer(ask)
    house.ended(run)
    says_about(somebody(house, "member"), ask, "Why?", to_agent=True)
    assert replied(house, ask)["state"] == "answered"
    assert house.run(run)["status"] == "completed"


@pytest.mark.both_databases
def test_of_many_questions_at_once_one_is_asked(house: House) -> None:
    free = threading.Event()

    def slowly(request: dict[str, Any]) -> dict[str, Any]:
        free.wait(30)
        return because(request)

    _, ask = asking(house, slowly)
    asked = at_once(4, lambda _: house.client.post(path_of(ask), json={"text": "Why?", "to_agent": True}))
    assert sorted(each.status_code for each in asked) == [201, 409, 409, 409]
    refused = next(each for each in asked if each.status_code == 409)
    assert problem(refused, 409)["code"] == "agent_is_answering"
    # Others go on talking meanwhile.
    house.post(path_of(ask), {"text": "Let us wait."}, 201)
    free.set()
    house.until(lambda: "answered" in [each["state"] for each in house.get(path_of(ask))["items"]])
    assert house.get(path_of(ask))["total"] == 3


def test_nobody_asks_without_end(house: House) -> None:
    _, ask = asking(house)
    for _ in range(20):
        house.post(path_of(ask), {"text": "Why?", "to_agent": True}, 201)
        replied(house, ask)
    again = house.client.post(path_of(ask), json={"text": "Why?", "to_agent": True})
    assert problem(again, 409)["code"] == "too_many_questions"
    house.post(path_of(ask), {"text": "Then we decide."}, 201)


def test_an_ask_without_a_run_has_no_agent_to_ask(house: House) -> None:
    _, known = waiting(house)
    workspace = house.parts.db.read(lambda s: s.get_one(Ask, known["id"]).workspace_id)
    gated = Ask(
        id=new_id(), workspace_id=workspace, kind="approval", agent="outside", run_title="", title="From outside"
    )
    house.parts.db.write(lambda s: actions.open_ask(s, Actor.system(workspace), gated))
    asked = house.client.post(path_of({"id": gated.id}), json={"text": "Why?", "to_agent": True})
    assert problem(asked, 409)["code"] == "no_agent_to_ask"
    house.post(path_of({"id": gated.id}), {"text": "Whose is this?"}, 201)


def test_question_and_answer_are_on_the_record(house: House) -> None:
    _, ask = asking(house)
    (ann,) = people(house, 1)
    says_about(ann, ask, "Why?", to_agent=True)
    replied(house, ask)
    first, second = audited(house, ask["id"], "ask.commented")
    assert (first["actor"], first["data"]["to_agent"]) == (ann.email, True)
    assert second["actor"] == f"agent:{ask['agent']}"
    assert second["data"]["state"] == "answered"
