"""What a run asks, and what an answer does."""

import threading
import time
from typing import Any

import pytest

from tests.contract.scenes import QUESTION, WRITE, problem, requests_of, run_that, waiting
from tests.house import House
from tests.wire import call, results, says


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


def write(path: str, content: str = "one", **extra: Any) -> dict[str, Any]:
    return call("write_file", {"path": path, "content": content, **extra})


def last_results(house: House, run: str) -> list[str]:
    return results(requests_of(house, run)[-1])


def test_an_approved_call_runs_as_proposed(house: House) -> None:
    run, ask = waiting(house)
    assert house.run(run)["status"] == "waiting_approval"
    assert house.run(run)["open_asks"] == 1
    assert house.answer(ask)["status"] == "approved"
    assert house.ended(run)["open_asks"] == 0
    ran = house.calls(run)[0]
    assert (ran["status"], ran["ask_id"], ran["verdict"]["verdict"]) == ("succeeded", ask["id"], "ask")
    assert ran["arguments"] == ran["proposed_arguments"] == {"path": "a.txt", "content": "one"}


def test_an_edited_call_runs_with_exactly_the_edited_arguments(house: House) -> None:
    run, ask = waiting(house, write("a.txt"), call("read_file", {"path": "a.txt"}))
    edited = {"path": "b.txt", "content": "two"}
    answered = house.answer(ask, arguments=edited, note="better there")
    assert answered["answer"]["arguments"] == edited
    assert answered["arguments"] == {"path": "a.txt", "content": "one"}
    house.ended(run)
    ran = house.calls(run)[0]
    assert ran["arguments"] == edited
    assert ran["proposed_arguments"] == {"path": "a.txt", "content": "one"}


def test_the_model_is_told_of_the_edit(house: House) -> None:
    run, ask = waiting(house)
    house.answer(ask, arguments={"path": "b.txt", "content": "two"})
    house.ended(run)
    assert "b.txt" in last_results(house, run)[0]


def test_edited_arguments_replace_and_are_not_merged(house: House) -> None:
    _, ask = waiting(house)
    problem(
        house.client.post(
            f"/api/asks/{ask['id']}/answer", json={"decision": "approve", "arguments": {"content": "two"}}
        ),
        422,
    )


def test_an_edit_cannot_bring_reasoning_back(house: House) -> None:
    run, ask = waiting(house)
    edited = {"path": "a.txt", "content": "x", "_reasoning": "mine"}
    problem(house.client.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve", "arguments": edited}), 422)
    assert "_reasoning" not in str(house.calls(run))


def test_a_denied_call_reaches_the_model_as_an_error_with_the_reason(house: House) -> None:
    run, ask = waiting(house)
    assert house.answer(ask, "deny", note="not on a Friday")["status"] == "denied"
    assert house.ended(run)["completion_reason"] == "success"
    refused = house.calls(run)[0]
    assert (refused["status"], refused["started_at"]) == ("denied", None)
    assert "not on a Friday" in last_results(house, run)[0]


def test_a_response_goes_to_the_agent_instead_of_the_call(house: House) -> None:
    run, ask = waiting(house)
    house.answer(ask, "respond", value="Use the wiki instead")
    assert house.ended(run)["status"] == "completed"
    assert house.calls(run)[0]["status"] != "succeeded"
    assert "Use the wiki instead" in last_results(house, run)[0]


def test_a_refusal_for_good_ends_the_run(house: House) -> None:
    run, ask = waiting(house)
    house.answer(ask, "deny", note="stop it", end_run=True)
    ended = house.ended(run)
    assert (ended["status"], ended["completion_reason"]) == ("cancelled", "rejected")
    assert len(requests_of(house, run)) == 1


def test_reasoning_and_confidence_are_shown_on_the_ask_and_never_reach_the_tool(house: House) -> None:
    run, ask = waiting(house, write("a.txt", _reasoning="it is time", _confidence=0.7))
    assert (ask["reasoning"], ask["confidence"]) == ("it is time", 0.7)
    assert ask["arguments"] == {"path": "a.txt", "content": "one"}
    house.answer(ask)
    house.ended(run)
    (ran, *_) = house.calls(run)
    assert ran["status"] == "succeeded"
    assert ran["arguments"] == ran["proposed_arguments"] == {"path": "a.txt", "content": "one"}


@pytest.mark.parametrize("confidence", [7, -1, "sure", None, [1]])
def test_a_strange_confidence_does_not_stop_the_ask(house: House, confidence: Any) -> None:
    run = run_that(house, says("", write("a.txt", _confidence=confidence, _reasoning={"why": 1})))
    first = house.until(lambda: house.asks(run) or (house.run(run)["status"] == "completed" and ["over"]))[0]
    if first != "over":
        assert first["confidence"] is None or 0 <= first["confidence"] <= 1
        assert set(first["arguments"]) == {"path", "content"}


def test_several_calls_make_several_asks_decided_separately(house: House) -> None:
    run, _ = waiting(house, write("a"), write("b"), write("c"))
    first, second, third = sorted(house.asks(run), key=lambda ask: ask["arguments"]["path"])
    assert house.run(run)["open_asks"] == 3
    house.answer(first)
    house.answer(second, "deny", note="not b")
    assert house.status(run, "waiting_approval")["open_asks"] == 1
    assert len(requests_of(house, run)) == 1
    house.answer(third, arguments={"path": "d", "content": "x"})
    house.ended(run)
    assert [each["status"] for each in house.calls(run)[:3]] == ["succeeded", "denied", "succeeded"]
    heard = last_results(house, run)
    assert "not b" in heard[1]
    assert "d" in heard[2]


def test_safe_calls_run_beside_one_that_waits(house: House) -> None:
    run, ask = waiting(house, call("list_files", {}), write("a"))
    assert ask["arguments"]["path"] == "a"
    assert len(house.asks(run)) == 1


def test_a_batch_answers_many_with_a_result_each(house: House) -> None:
    (_, one), (_, two), (_, three) = waiting(house), waiting(house), waiting(house)
    house.answer(three)
    ids = [one["id"], two["id"], three["id"], "nothing"]
    body = house.post("/api/asks/batch", {"ids": ids, "decision": "deny", "note": "all no"})
    assert [result["id"] for result in body["results"]] == ids
    assert [result["status"] for result in body["results"][:2]] == ["denied", "denied"]
    assert [bool(result.get("error")) for result in body["results"]] == [False, False, True, True]
    assert house.get(f"/api/asks/{three['id']}")["status"] == "approved"
    assert house.get(f"/api/asks/{one['id']}")["answer"]["note"] == "all no"


def test_an_ask_twice_in_a_batch_is_answered_once(house: House) -> None:
    _, ask = waiting(house)
    house.post("/api/asks/batch", {"ids": [ask["id"], ask["id"]], "decision": "approve"})
    assert house.get("/api/audit", subject=ask["id"], action="ask.answered")["total"] == 1


def test_a_batch_does_not_approve_a_question(house: House) -> None:
    _, ask = waiting(house, QUESTION)
    (result,) = house.post("/api/asks/batch", {"ids": [ask["id"]], "decision": "approve"})["results"]
    assert result["error"]
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "pending"


def test_a_cancelled_ask_lets_the_run_go_on(house: House) -> None:
    run, ask = waiting(house)
    assert house.post(f"/api/asks/{ask['id']}/cancel")["status"] == "cancelled"
    ended = house.ended(run)
    assert (ended["status"], ended["completion_reason"]) == ("completed", "success")
    assert house.calls(run)[0]["status"] == "denied"
    assert "Nobody will answer: the ask is cancelled." in last_results(house, run)[0]
    again = problem(house.client.post(f"/api/asks/{ask['id']}/cancel"), 409)
    assert (again["code"], again["state"]["status"]) == ("ask_already_settled", "cancelled")


def test_a_preview_shows_the_difference_and_decides_nothing(house: House) -> None:
    _, ask = waiting(house)
    body = house.post(f"/api/asks/{ask['id']}/preview", {"arguments": {"path": "a.txt", "content": "two"}})
    assert body["diff"] == [{"path": "content", "original": "one", "modified": "two", "change": "changed"}]
    assert (body["errors"], body["impact"]["text"]) == ([], "New file in its own folder")
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "pending"


def test_a_preview_shows_what_is_wrong(house: House) -> None:
    _, ask = waiting(house)
    body = house.post(f"/api/asks/{ask['id']}/preview", {"arguments": {"path": 3, "extra": 1}})
    assert {"path", "message"} <= body["errors"][0].keys()
    assert {change["path"] for change in body["diff"]} == {"path", "content", "extra"}


def test_a_question_waits_for_input_and_its_answer_reaches_the_model(house: House) -> None:
    run, ask = waiting(house, QUESTION)
    assert house.run(run)["status"] == "waiting_input"
    assert house.answer(ask, "respond", value="the blue one")["status"] == "answered"
    assert house.ended(run)["status"] == "completed"
    assert last_results(house, run) == ["the blue one"]


@pytest.mark.parametrize(
    "body", [{"decision": "approve"}, {"decision": "respond"}, {"decision": "respond", "value": 5}]
)
def test_a_text_question_takes_a_text(house: House, body: dict[str, Any]) -> None:
    _, ask = waiting(house, QUESTION)
    problem(house.client.post(f"/api/asks/{ask['id']}/answer", json=body), 422)
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "pending"


def test_with_both_open_the_run_waits_for_approval(house: House) -> None:
    run, _ = waiting(house, QUESTION, WRITE)
    assert len(house.asks(run)) == 2
    question, approval = sorted(house.asks(run), key=lambda ask: ask["kind"], reverse=True)
    assert house.run(run)["status"] == "waiting_approval"
    house.answer(approval)
    assert house.status(run, "waiting_input")["open_asks"] == 1
    house.answer(question, "respond", value="yes")
    assert house.ended(run)["status"] == "completed"


def test_a_long_poll_returns_when_the_ask_is_settled(house: House) -> None:
    _, ask = waiting(house)
    timer = threading.Timer(0.4, house.answer, [ask])
    timer.start()
    began = time.monotonic()
    assert house.get(f"/api/asks/{ask['id']}", wait=20)["status"] == "approved"
    assert 0.2 < time.monotonic() - began < 10
    timer.join()


def test_a_long_poll_returns_the_open_ask_when_time_is_up(house: House) -> None:
    _, ask = waiting(house)
    began = time.monotonic()
    assert house.get(f"/api/asks/{ask['id']}", wait=1)["status"] == "pending"
    assert 0.8 < time.monotonic() - began < 5


def test_a_long_poll_of_a_settled_ask_returns_at_once(house: House) -> None:
    _, ask = waiting(house)
    house.answer(ask)
    began = time.monotonic()
    assert house.get(f"/api/asks/{ask['id']}", wait=20)["status"] == "approved"
    assert time.monotonic() - began < 5


def test_the_same_call_with_other_arguments_needs_a_new_approval(house: House) -> None:
    run = run_that(house, says("", write("a")), says("", write("b")))
    house.answer(house.ask(run))
    second = house.until(lambda: [ask for ask in house.asks(run) if ask["arguments"]["path"] == "b"])[0]
    assert second["status"] == "pending"


def test_a_retry_of_a_call_that_failed_after_approval_needs_no_new_approval(house: House) -> None:
    bad = call("move_file", {"path": "missing", "to": "b"})
    run = run_that(house, says("", bad), says("", bad), tools=("move_file",))
    first = house.ask(run)
    house.answer(first)
    house.until(lambda: len(house.calls(run)) > 1)
    house.until(
        lambda: house.run(run)["status"] in {"completed", "waiting_approval"} and house.calls(run)[1]["ended_at"], 5
    )
    assert [each["status"] for each in house.calls(run)[:2]] == ["failed", "failed"]


def test_at_most_twenty_asks_of_a_run_are_open(house: House) -> None:
    run, _ = waiting(house, *(write(str(number)) for number in range(25)))
    assert house.run(run)["open_asks"] == len(house.asks(run)) == 20
    refused = [each for each in house.calls(run) if each["status"] == "failed"]
    assert len(refused) == 5
    assert all(each["error"] for each in refused)


@pytest.mark.parametrize(
    ("autonomy", "asks"), [("full", 0), ("approve_high_risk", 1), ("approve_milestones", 0), ("approve_all", 2)]
)
def test_autonomy_decides_what_asks(house: House, autonomy: str, asks: int) -> None:
    calls = says("", call("list_files", {}), write("a"))
    run = run_that(house, calls, tools=("write_file", "list_files"), autonomy=autonomy)
    house.until(lambda: house.run(run)["status"] in {"completed", "waiting_approval"})
    if autonomy != "approve_milestones":
        assert len(house.asks(run)) == asks


@pytest.mark.parametrize(("override", "asks"), [("low", 0), ("safe", 0), ("approval_required", 1), ("critical", 1)])
def test_an_override_decides_about_its_tool(house: House, override: str, asks: int) -> None:
    run = run_that(house, says("", write("a")), risk_overrides={"write_file": override})
    house.until(lambda: house.run(run)["status"] in {"completed", "waiting_approval"})
    assert len(house.asks(run)) == asks


def test_the_agents_own_means_never_ask(house: House) -> None:
    own = says("", call("report_progress", {"current_step": "x"}))
    run = run_that(house, own, autonomy="approve_all")
    assert house.ended(run)["status"] == "completed"
    assert house.get(f"/api/runs/{run}/asks")["total"] == 0


def test_a_run_may_be_stricter_than_its_agent(house: House) -> None:
    agent = house.run(run_that(house, says("", write("a")), autonomy="full"))["agent"]
    run = house.start(agent, autonomy="approve_all")
    assert house.ask(run)["tool"] == "write_file"


def test_the_reason_of_a_verdict_names_the_risk(house: House) -> None:
    run, ask = waiting(house)
    verdict = house.calls(run)[0]["verdict"]
    assert verdict["risk"] == ask["risk"]["level"] == "high"
    assert verdict["reasons"]
    assert verdict["rule"] is None


def test_counts_follow_the_inbox(house: House) -> None:
    before = house.get("/api/asks/count")["pending"]
    _, ask = waiting(house)
    assert house.get("/api/asks/count")["pending"] == before + 1
    house.answer(ask)
    assert house.get("/api/asks/count")["pending"] == before


def test_an_agent_gives_its_alternatives_and_facts_with_a_call(house: House) -> None:
    grounds = {"_alternatives": "Send it by post", "_supporting_data": {"seen": ["page 3"], "price": 12.5}}
    arguments = {"path": "a.txt", "content": "one"}
    run = run_that(house, says("", call("write_file", arguments | grounds)))
    ask = house.ask(run)
    assert ask["arguments"] == arguments
    assert ask["supporting_data"] == grounds["_supporting_data"]
    assert ask["alternatives"].startswith("Send it by post")
    house.answer(ask)
    assert house.ended(run)["status"] == "completed"


@pytest.mark.parametrize("odd", [{"_alternatives": 7}, {"_supporting_data": "x" * 30_000}, {"_alternatives": " "}])
def test_odd_grounds_of_a_call_are_dropped(house: House, odd: dict[str, Any]) -> None:
    arguments = {"path": "a.txt", "content": "one"}
    ask = house.ask(run_that(house, says("", call("write_file", arguments | odd))))
    assert (ask["arguments"], ask["supporting_data"]) == (arguments, None)
    assert ask["alternatives"].startswith("The agent reads your reason")
