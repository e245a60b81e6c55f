"""What an agent asks: blocking or not, from a template, following up, alike, answered before."""

import json
from typing import Any

import pytest

from signoff.kit.ids import new_id
from tests.contract.ruling import audited, look, settled, somebody, still
from tests.contract.scenes import agent_that, at_once, problem, requests_of, run_that, said_to_model, waiting
from tests.house import House
from tests.wire import call, results, says

HELD = call("write_file", {"path": "a", "content": "b"})


def question(text: str = "Which?", **fields: Any) -> dict[str, Any]:
    return call("ask_question", {"question": text, "type": "blocking", "responseType": "text", **fields})


def of_kind(house: House, run: str, kind: str) -> dict[str, Any]:
    return house.until(lambda: [ask for ask in house.asks(run) if ask["kind"] == kind])[0]


def test_a_question_that_does_not_block_gives_its_default_at_once(house: House) -> None:
    run = run_that(house, says("", question(type="non_blocking", defaultResponse="blue")))
    assert house.ended(run)["status"] == "completed"
    assert "blue" in results(requests_of(house, run)[1])[0]


def test_a_late_answer_to_a_question_that_did_not_block_reaches_the_agent(house: House) -> None:
    run, _ = waiting(house, question(type="non_blocking", defaultResponse="blue"), HELD)
    late, held = of_kind(house, run, "question"), of_kind(house, run, "approval")
    assert (late["blocking"], late["default"]) == (False, "blue")
    assert house.answer(late, "respond", value="red, please")["status"] == "answered"
    house.answer(held)
    house.ended(run)
    assert "blue" in results(requests_of(house, run)[-1])[0]
    assert any(each["role"] == "user" and "red, please" in each["text"] for each in house.messages(run))
    assert "red, please" in said_to_model(house, run)


def test_a_question_that_does_not_block_is_cancelled_with_its_run(house: House) -> None:
    run = run_that(house, says("", question(type="non_blocking", defaultResponse="blue")))
    house.ended(run)
    (ask,) = house.get(f"/api/runs/{run}/asks")["items"]
    assert ask["status"] == "cancelled"
    late = house.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "respond", "value": "red"})
    assert problem(late, 409)["state"]["status"] == "cancelled"


def test_the_context_of_a_question_is_shown(house: House) -> None:
    _, ask = waiting(house, question(context={"currentStep": "choosing a colour"}))
    assert "choosing a colour" in json.dumps([ask["context"], ask["supporting_data"]])


def test_an_option_is_shown_with_its_label_value_and_description(house: House) -> None:
    options = [{"label": "Blue", "value": "b", "description": "like the sea"}, {"label": "Red", "value": "r"}]
    _, ask = waiting(house, question(responseType="choice", options=options))
    assert [(each["label"], each["value"]) for each in ask["options"]] == [("Blue", "b"), ("Red", "r")]
    assert ask["options"][0]["description"] == "like the sea"
    assert len({each["id"] for each in ask["options"]}) == 2


def test_a_choice_without_options_goes_back_to_the_model(house: House) -> None:
    run = run_that(house, says("", question(responseType="choice")))
    house.ended(run)
    assert house.get(f"/api/runs/{run}/asks")["total"] == 0
    assert house.calls(run)[0]["status"] == "failed"


def test_a_template_fills_the_choices_with_the_members(house: House) -> None:
    ann = somebody(house, "viewer")
    run, ask = waiting(house, question("Who checks it?", responseType="choice", template="members"))
    assert ann.email in json.dumps(ask["options"])
    chosen = next(each["value"] for each in ask["options"] if ann.email in json.dumps(each))
    house.answer(ask, "respond", value=chosen)
    assert house.ended(run)["status"] == "completed"


def test_a_template_fills_the_choices_with_the_agents(house: House) -> None:
    other = agent_that(house)
    _, ask = waiting(house, question("Who goes on?", responseType="choice", template="agents"))
    assert other in json.dumps(ask["options"])


def test_a_follow_up_refers_to_the_question_before_and_shows_the_thread(house: House) -> None:
    run = run_that(house, says("", question("Which colour?")), says("", question("Which shade?", followUp=True)))
    first = house.ask(run)
    assert first["follows"] is None
    house.answer(first, "respond", value="blue")
    second = house.until(lambda: [ask for ask in house.asks(run) if ask["id"] != first["id"]])[0]
    assert second["follows"] == first["id"]
    thread = house.get(f"/api/asks/{second['id']}/thread")
    items = thread["items"] if isinstance(thread, dict) else thread
    assert [each["id"] for each in items] == [first["id"], second["id"]]
    assert items[0]["answer"]["value"] == "blue"


@pytest.mark.both_databases
def test_the_answer_given_most_often_before_is_offered_first(house: House) -> None:
    options = [{"label": name, "value": name} for name in ("blue", "green", "red")]
    agent = agent_that(house, says("", question(f"Which {new_id()}?", responseType="choice", options=options)))
    for value in ("red", "green", "red"):
        run = house.start(agent)
        house.answer(house.ask(run), "respond", value=value)
        house.ended(run)
    ask = house.ask(house.start(agent))
    assert ask["suggestion"] == {"value": "red", "times": 2, "of": 3}
    assert ask["options"][0]["value"] == "red"
    assert {each["value"] for each in ask["options"]} == {"blue", "green", "red"}


def test_a_question_never_asked_before_suggests_nothing(house: House) -> None:
    _, ask = waiting(house, question(f"Which {new_id()}?"))
    assert ask["suggestion"] is None


@pytest.mark.both_databases
def test_alike_questions_are_counted_found_and_answered_together(house: House) -> None:
    agent = agent_that(house, says("", question(f"Which {new_id()}?")))
    runs = [house.start(agent) for _ in range(4)]
    asks = [house.ask(run) for run in runs]
    _, other = waiting(house, question(f"Something {new_id()}?"))
    assert house.until(lambda: look(house, asks[0])["similar"] == 3)
    alike = {each["id"] for each in house.get("/api/asks", alike=asks[0]["id"], status="pending")["items"]}
    assert alike | {asks[0]["id"]} == {ask["id"] for ask in asks}
    body = {"ids": [ask["id"] for ask in asks], "decision": "respond", "value": "blue"}
    assert [each["status"] for each in house.post("/api/asks/batch", body)["results"]] == ["answered"] * 4
    for run in runs:
        house.ended(run)
        assert "blue" in json.dumps(house.calls(run)[0]["result"])
    assert look(house, other)["status"] == "pending"


def test_a_batch_value_that_does_not_fit_one_ask_leaves_that_one_open(house: House) -> None:
    (_, text), (_, number) = waiting(house, question()), waiting(house, question(responseType="number"))
    body = {"ids": [text["id"], number["id"]], "decision": "respond", "value": "blue"}
    first, second = house.post("/api/asks/batch", body)["results"]
    assert (first["status"], first.get("error")) == ("answered", None)
    assert second["error"]
    assert still(look(house, number)) == still(number)


def test_questions_of_several_runs_are_independent(house: House) -> None:
    several = [waiting(house, question(f"Question {number}?")) for number in range(4)]
    oldest = house.get("/api/asks", kind="question", status="pending", sort="oldest", limit=200)["items"]
    mine = [ask["id"] for ask in oldest if ask["id"] in {each["id"] for _, each in several}]
    assert mine == [ask["id"] for _, ask in several]
    for number in (2, 0):
        run, ask = several[number]
        house.answer(ask, "respond", value=f"answer {number}")
        house.ended(run)
        assert results(requests_of(house, run)[1]) == [f"answer {number}"]
    for number in (1, 3):
        assert house.run(several[number][0])["status"] == "waiting_input"


def test_several_questions_of_one_turn_are_answered_in_any_order(house: House) -> None:
    run, _ = waiting(house, question("First?"), question("Second?"))
    second, first = sorted(house.asks(run), key=lambda ask: ask["title"] + ask["description"], reverse=True)
    house.answer(second, "respond", value="two")
    assert house.run(run)["status"] == "waiting_input"
    house.answer(first, "respond", value="one")
    house.ended(run)
    assert results(requests_of(house, run)[1]) == ["one", "two"]


@pytest.mark.both_databases
def test_the_first_of_several_answers_at_once_wins(house: House) -> None:
    run, ask = waiting(house, question())
    one, two = somebody(house, "member"), somebody(house, "member")
    answers = at_once(6, lambda at: (one, two)[at % 2].answer(ask, "respond", value=f"answer {at}"))
    (won,) = [answer.json()["answer"]["value"] for answer in answers if answer.status_code == 200]
    assert sum(answer.status_code == 409 for answer in answers) == 5
    house.ended(run)
    assert results(requests_of(house, run)[1]) == [won]
    assert len(audited(house, ask["id"], "ask.answered")) == 1


def test_an_answer_to_a_question_that_expired_is_told_so(house: House) -> None:
    _, ask = waiting(house, question(defaultResponse="blue"))
    house.post("/api/asks/expire", {"older_than_seconds": 0})
    settled(house, ask)
    late = problem(somebody(house, "member").answer(ask, "respond", value="red"), 409)
    assert late["state"]["status"] == "expired"
    assert look(house, ask)["answer"]["value"] == "blue"


def test_a_run_that_a_question_failed_can_be_taken_up_with_the_answer(house: House) -> None:
    run, ask = waiting(house, question())
    house.post("/api/asks/expire", {"older_than_seconds": 0})
    assert house.ended(run)["completion_reason"] == "ask_expired"
    response = house.client.post(f"/api/runs/{run}/continue", json={"instructions": "The colour is red"})
    assert response.status_code == 201
    again = response.json()
    assert again["continues_id"] == run
    assert look(house, ask)["status"] == "expired"


def test_a_cancelled_question_is_read_as_such_by_the_agent(house: House) -> None:
    run, ask = waiting(house, question())
    assert house.post(f"/api/asks/{ask['id']}/cancel")["status"] == "cancelled"
    ended = house.ended(run)
    assert (ended["status"], ended["completion_reason"]) == ("completed", "success")
    assert "Nobody will answer: the ask is cancelled." in results(requests_of(house, run)[-1])[0]
    late = problem(somebody(house, "member").answer(ask, "respond", value="red"), 409)
    assert (late["code"], late["state"]["status"]) == ("ask_already_settled", "cancelled")
