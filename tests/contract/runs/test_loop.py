"""A model may say anything; a run ends clearly."""

import json
import time
from datetime import datetime
from typing import Any

import pytest

from signoff.kit.ids import new_id
from tests.contract.scenes import QUESTION, WRITE, agent_that, free_run, requests_of, run_that, said_to_model, stream
from tests.contract.scenes import read_until as until_event
from tests.house import House
from tests.wire import DONE, call, fails, results, says


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


MISSING = call("read_file", {"path": "missing.txt"})


def heard(house: House, run: dict[str, Any], turn: int) -> list[str]:
    """What the model was told about its calls before this turn."""
    return results(requests_of(house, run["id"])[turn])


@pytest.mark.parametrize("text", ["{", '{"path": "a.txt"', "not json", "[]", "1", "null", '"x"', "{'path': 'a'}", ""])
def test_broken_arguments_go_back_to_the_model(house: House, text: str) -> None:
    run = free_run(house, says("", call("write_file", text)), tools=("write_file",))
    assert run["status"] == "completed"
    assert heard(house, run, 1)[0]
    (failed,) = [each for each in house.calls(run["id"]) if each["tool"] == "write_file"]
    assert failed["status"] == "failed"
    assert failed["error"]


def test_an_unknown_tool_goes_back_to_the_model(house: House) -> None:
    run = free_run(house, says("", call("fly_to_moon", {"speed": 1})))
    assert run["status"] == "completed"
    assert "fly_to_moon" in heard(house, run, 1)[0]


def test_a_tool_that_the_agent_does_not_have_is_unknown(house: House) -> None:
    run = free_run(house, says("", WRITE))
    assert run["status"] == "completed"
    assert [each["status"] for each in house.calls(run["id"]) if each["tool"] == "write_file"] == ["failed"]


@pytest.mark.parametrize(
    ("arguments", "name"), [({"path": "a"}, "content"), ({"path": 1, "content": "x"}, "path"), ({"x": 1}, "x")]
)
def test_bad_arguments_go_back_and_name_the_field(house: House, arguments: dict[str, Any], name: str) -> None:
    run = run_that(house, says("", call("write_file", arguments)))
    ended = house.ended(run)
    assert ended["status"] == "completed"
    assert name in heard(house, ended, 1)[0]
    assert house.get(f"/api/runs/{run}/asks")["total"] == 0


def test_a_tool_that_raises_goes_back_to_the_model(house: House) -> None:
    run = free_run(house, says("", MISSING), tools=("read_file",))
    failed = house.calls(run["id"])[0]
    assert (run["status"], failed["status"]) == ("completed", "failed")
    assert failed["error"]
    assert "missing.txt" in heard(house, run, 1)[0]


def test_an_argument_of_twenty_megabytes_goes_back_as_an_error(house: House) -> None:
    huge = call("write_file", {"path": "a.txt", "content": "a" * 20_000_000})
    run = free_run(house, says("", huge), tools=("write_file",))
    assert run["status"] == "completed"
    (sent_back, *_) = heard(house, run, 1)
    assert len(sent_back) < 10_000
    assert len(json.dumps(requests_of(house, run["id"])[1])) < 5_000_000
    calls = house.calls(run["id"])
    assert [each["status"] for each in calls if each["tool"] == "write_file"] == ["failed"]
    assert len(json.dumps(calls)) < 5_000_000


def test_a_text_of_five_megabytes_does_not_kill_the_run(house: House) -> None:
    run = free_run(house, says("a" * 5_000_000), says("", WRITE), tools=("write_file",))
    assert (run["status"], run["error"]) == ("completed", None)
    assert len(house.client.get(f"/api/runs/{run['id']}/messages").content) < 10_000_000


def test_three_failures_in_a_row_take_the_tool_away_with_three_messages(house: House) -> None:
    run = free_run(house, *(says("", MISSING) for _ in range(4)), tools=("read_file",))
    assert run["status"] == "completed"
    messages = heard(house, run, 4)
    assert len(messages) == 4
    assert len(set(messages[:3])) == 3
    offered = [{tool["function"]["name"] for tool in each["tools"]} for each in requests_of(house, run["id"])]
    assert ["read_file" in names for names in offered[:4]] == [True, True, True, False]


def test_a_success_between_failures_keeps_the_tool(house: House) -> None:
    good = call("read_file", {"path": "a.txt"})
    turns = [says("", WRITE), *(says("", each) for each in (MISSING, MISSING, good, MISSING, MISSING, good))]
    run = free_run(house, *turns, tools=("read_file", "write_file"))
    assert house.calls(run["id"])[6]["status"] == "succeeded"


def test_three_silent_answers_complete_the_run_after_reminders(house: House) -> None:
    run = free_run(house, says("Hm."), says("Hmm."), says("Hmmm."), says("never asked"))
    assert (run["status"], run["completion_reason"]) == ("completed", "success")
    asked = requests_of(house, run["id"])
    assert len(asked) == 3
    for before, after in ((0, 1), (1, 2)):
        assert asked[after]["messages"][-1]["role"] != "assistant"
        assert len(asked[after]["messages"]) == len(asked[before]["messages"]) + 2


def test_a_call_between_silent_answers_starts_the_count_again(house: House) -> None:
    work = says("", call("report_progress", {"current_step": "on"}))
    run = free_run(house, says("Hm."), says("Hm."), work, says("Hm."), says("Hm."))
    assert run["iterations"] == 6
    assert run["output"]["summary"] == "done"


def test_a_model_that_says_nothing_at_all_completes_nothing(house: House) -> None:
    run = run_that(house, says(""), says(""), says(""), autonomy="full")
    ask = house.ask(run)
    assert (ask["kind"], house.run(run)["status"]) == ("recovery", "waiting_input")
    assert "empty" in ask["description"]


def test_a_model_that_never_stops_reaches_its_iterations(house: House) -> None:
    busy = says("", call("report_progress", {"current_step": "on"}))
    agent = agent_that(house, *[busy] * 20, limits={"max_iterations": 5})
    run = house.ended(house.start(agent))
    assert (run["status"], run["completion_reason"], run["iterations"]) == ("timeout", "max_iterations", 5)
    assert len(house.model.asked(agent)) == 5


def test_a_run_may_have_tighter_limits_than_its_agent(house: House) -> None:
    busy = says("", call("report_progress", {"current_step": "on"}))
    run = house.ended(house.start(agent_that(house, *[busy] * 9), limits={"max_iterations": 2}))
    assert (run["status"], run["completion_reason"], run["iterations"]) == ("timeout", "max_iterations", 2)
    assert run["limits"]["max_cost_credits"] == 100


def test_a_warning_comes_at_eighty_percent_as_an_event_and_as_a_note(house: House) -> None:
    busy = says("", call("report_progress", {"current_step": "on"}))
    run = house.ended(house.start(agent_that(house, *[busy] * 20, limits={"max_iterations": 10})))
    activity = house.get(f"/api/runs/{run['id']}/activity", limit=200)["items"]
    assert len([event for event in activity if event["type"] == "limit.warning"]) == 1
    asked = requests_of(house, run["id"])
    assert ["Come to an end soon" in str(request["messages"]) for request in asked] == [False] * 8 + [True] * 2


def test_a_run_at_its_limit_can_be_continued(house: House) -> None:
    busy = says("", call("report_progress", {"current_step": "on"}))
    run = house.ended(house.start(agent_that(house, *[busy] * 3), limits={"max_iterations": 2}))
    new = house.post(f"/api/runs/{run['id']}/continue", {"instructions": "go on"}, 201)
    again = house.ended(new["id"])
    # Its limits are those of the first, and counted from the start: it did not end before it began.
    assert (again["status"], again["completion_reason"], again["iterations"]) == ("timeout", "max_iterations", 2)
    assert new["continues_id"] == run["id"]


def reading(tokens: int) -> dict[str, Any]:
    usage = {"prompt_tokens": tokens, "completion_tokens": 10, "total_tokens": tokens + 10}
    return {**says("", call("report_progress", {"current_step": "on"})), "usage": usage}


def priced(house: House, *answers: dict[str, Any], **limits: float) -> dict[str, Any]:
    """A run of a model that has a price: a hundred thousand tokens read cost 25 credits."""
    model = house.model.script("gpt-4o", *answers)
    return house.ended(house.start(house.agent(f"a{new_id()}", model, limits=limits)))


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server signs as gpt-4o, as the real one does."""

    def event(self: Any, chunk: dict[str, Any]) -> None:
        frame = {"id": "chat-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-4o", **chunk}
        self.wfile.write(f"data: {json.dumps(frame)}\n\n".encode())

    monkeypatch.setattr("tests.wire._Handler._event", event)


@pytest.mark.usefixtures("named")
def test_a_run_stops_at_its_cost(house: House) -> None:
    run = priced(house, *[reading(100_000)] * 20, max_cost_credits=100)
    assert (run["status"], run["completion_reason"], run["iterations"]) == ("timeout", "max_cost", 4)
    assert run["cost_credits"] == pytest.approx(100, abs=2)


@pytest.mark.usefixtures("named")
def test_eighty_percent_of_the_cost_warns(house: House) -> None:
    run = priced(house, *[reading(50_000)] * 20, max_cost_credits=100)
    activity = house.get(f"/api/runs/{run['id']}/activity", limit=200)["items"]
    assert [event["type"] for event in activity].count("limit.warning") == 1


@pytest.mark.usefixtures("named")
def test_a_small_cost_is_counted(house: House) -> None:
    run = priced(house, reading(1000))
    assert run["status"] == "completed"
    assert 0 < run["cost_credits"] < 5


def test_a_model_is_priced_by_the_name_it_was_asked_by(house: House) -> None:
    """Gateways sign with names of their own."""
    assert priced(house, reading(100_000))["cost_credits"] > 20


def test_an_unknown_price_counts_tokens_only(house: House) -> None:
    run = free_run(house)
    assert run["cost_credits"] == 0
    assert run["tokens"]["input"] > 0


def test_working_time_has_a_limit(house: House) -> None:
    def slow(request: dict[str, Any]) -> dict[str, Any]:
        return says("", call("report_progress", {"current_step": "on"}))

    house.agent("endless", house.model.play("endless", slow), limits={"max_duration_hours": 0.0002})
    run = house.ended(house.start("endless"))
    assert (run["status"], run["completion_reason"]) == ("timeout", "max_duration")


def test_waiting_is_no_working_time(house: House) -> None:
    run = run_that(house, says("", WRITE))
    ask = house.ask(run)
    time.sleep(1)
    house.answer(ask)
    ended = house.ended(run)
    begun, over = (datetime.fromisoformat(ended[name]) for name in ("started_at", "ended_at"))
    assert 0 < ended["working_seconds"] <= (over - begun).total_seconds() - 1


def test_a_model_that_fails_for_a_while_is_asked_again(house: House) -> None:
    run = free_run(house, fails(500), fails(429), fails(503))
    assert run["status"] == "completed"


def test_a_model_that_fails_for_good_fails_the_run_with_the_reason(house: House) -> None:
    run = free_run(house, *[fails(404, "no such luck")] * 9)
    assert (run["status"], run["completion_reason"]) == ("failed", "error")
    assert "no such luck" in str(run["error"])


def test_a_model_without_a_key_asks_a_person_who_may_try_again(house: House) -> None:
    run = run_that(house, fails(401, "bad key"))
    ask = house.ask(run)
    assert (ask["kind"], house.run(run)["status"]) == ("recovery", "waiting_input")
    house.answer(ask, "respond", value="retry")
    assert house.ended(run)["status"] == "completed"


def test_a_model_without_a_key_asks_a_person_who_may_give_up(house: House) -> None:
    run = run_that(house, fails(401, "bad key"))
    house.answer(house.ask(run), "respond", value="skip")
    assert house.ended(run)["status"] == "failed"


def test_a_fallback_model_takes_over(house: House) -> None:
    other = house.model.script("fallback-of-a-test", DONE)
    agent = agent_that(house, *[fails(500)] * 20, fallback_models=[other])
    assert house.ended(house.start(agent))["status"] == "completed"
    assert house.model.asked("fallback-of-a-test")


def test_safe_calls_of_one_turn_all_run_and_come_back_in_order(house: House) -> None:
    calls = [call("write_file", {"path": f"{number}.txt", "content": str(number)}) for number in range(4)]
    reads = [call("read_file", {"path": f"{number}.txt"}) for number in (3, 1, 2, 0)]
    run = free_run(house, says("", *calls), says("", *reads), tools=("read_file", "write_file"))
    assert heard(house, run, 2)[-4:] == ["3", "1", "2", "0"]


def test_calls_with_the_same_id_are_told_apart(house: House) -> None:
    one, two = (call("write_file", {"path": path, "content": "x"}, call_id="same") for path in ("a", "b"))
    run = free_run(house, says("", one, two), tools=("write_file",))
    assert run["status"] == "completed"
    assert [each["status"] for each in house.calls(run["id"])[:2]] == ["succeeded", "succeeded"]


def test_completion_beside_other_calls_still_runs_them(house: House) -> None:
    done = call("complete_task", {"summary": "both"})
    run = free_run(house, says("", WRITE, done), tools=("write_file",))
    assert run["status"] == "completed"
    assert house.calls(run["id"])[0]["status"] == "succeeded"


def test_completion_beside_a_call_that_asks_waits_for_the_answer(house: House) -> None:
    run = run_that(house, says("", WRITE, call("complete_task", {"summary": "both"})))
    house.answer(house.ask(run))
    ended = house.ended(run)
    assert (ended["status"], ended["open_asks"]) == ("completed", 0)


def test_the_output_is_what_the_model_handed_in(house: House) -> None:
    done = call("complete_task", {"summary": "s", "output": {"n": [1, {"m": None}]}, "key_findings": ["k"]})
    run = free_run(house, says("", done))
    assert "[1, {'m': None}]" in str(run["output"])


def test_the_task_the_context_and_the_input_reach_the_model(house: House) -> None:
    agent = agent_that(house, instructions="Speak like a pirate.")
    run = house.start(agent, "Find the treasure", context="Ships sail at dawn", input={"island": 7})
    house.ended(run)
    heard = said_to_model(house, run)
    for text in ("Speak like a pirate.", "Find the treasure", "Ships sail at dawn", "island"):
        assert text in heard


def test_text_streams_as_it_is_written(house: House) -> None:
    agent = agent_that(house, says("one two three", QUESTION))
    with stream(house, "/api/events") as events:
        run = house.start(agent)
        seen = until_event(events, "ask.created")
    written = "".join(str(event["data"]) for event in seen if event["type"] == "run.delta")
    assert "one" in written
    stored = house.get(f"/api/runs/{run}/activity", limit=200)["items"]
    assert not [event for event in stored if event["type"] == "run.delta"]
