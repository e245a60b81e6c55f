"""What happens when the model does not answer: try later, another model, a person, or an honest failure."""

import threading

import pytest

from tests.house import House, until
from tests.wire import DONE, call, fails, results, says


def test_an_overloaded_model_is_tried_again(house: House) -> None:
    model = house.model.script("busy", fails(503), fails(429, retry_after="0"), DONE)
    run = house.start(house.agent("busy", model))
    assert house.ended(run)["status"] == "completed"
    assert len(house.model.asked("busy")) == 3


@pytest.mark.both_databases
def test_a_run_waits_for_a_model_that_is_down_and_goes_on_where_it_stopped(house: House) -> None:
    write = says("", call("write_file", {"path": "a", "content": "1"}))
    tries = 1 + house.settings.retry_attempts
    model = house.model.script("down", write, *[fails(503, "on fire")] * tries, DONE)
    run = house.start(house.agent("down", model, "write_file", autonomy="full"))
    ask = house.ask(run)
    assert (ask["kind"], house.run(run)["status"]) == ("recovery", "waiting_input")
    assert ask["title"] == "down can't reach its model"
    assert ask["description"].startswith(f"{ask['title']}. Check that the model's provider works, then retry.")
    assert "on fire" in ask["description"]
    assert (ask["deadline"], [option["value"] for option in ask["options"]]) == (None, ["retry", "skip"])
    house.answer(ask, "respond", value="retry")
    ended = house.ended(run)
    assert (ended["status"], ended["error"]) == ("completed", None)
    assert [each["tool"] for each in house.calls(run)] == ["write_file", "complete_task"]
    # The first turn, then every try of the second, then the one that was let through.
    assert len(house.model.asked("down")) == 1 + tries + 1


def test_a_model_that_stays_down_is_asked_about_once_each_time(house: House) -> None:
    model = house.model.script("still", *[fails(503)] * 14, DONE)
    run = house.start(house.agent("still", model))
    first = house.ask(run)
    house.answer(first, "respond", value="retry")
    second = house.until(lambda: next((each for each in house.asks(run) if each["id"] != first["id"]), None))
    house.answer(second, "respond", value="retry")
    assert house.ended(run)["status"] == "completed"
    assert house.get(f"/api/runs/{run}/asks")["total"] == 2


def test_giving_up_on_a_model_that_is_down_keeps_its_error(house: House) -> None:
    run = house.start(house.agent("gone", house.model.script("gone", *[fails(503, "on fire")] * 20)))
    house.answer(house.ask(run), "respond", value="skip")
    ended = house.ended(run)
    assert (ended["status"], ended["completion_reason"]) == ("failed", "error")
    assert "on fire" in ended["error"]["message"]
    assert "gave up" in ended["error"]["message"]


def test_a_key_that_is_missing_is_asked_for_although_the_fallback_is_broken(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    broken = house.model.script("broken", fails(400, "Too many tools."))
    run = house.start(house.agent("keyless", "anthropic:claude-sonnet-5", fallback_models=[broken]))
    ask = house.ask(run)
    words = "keyless can't reach its model. Set ANTHROPIC_API_KEY, restart the server, then retry."
    assert ask["description"].startswith(words)


def test_a_refused_request_fails_with_the_providers_own_sentence(house: House) -> None:
    run = house.start(house.agent("picky", house.model.script("picky", fails(400, "Too many tools."))))
    assert house.ended(run)["error"]["message"] == "The model picky answered with the error 400: Too many tools."


def test_a_fallback_model_answers_at_once(house: House) -> None:
    house.model.script("first", *[fails(503)] * 20)
    second = house.model.script("second", DONE)
    run = house.start(house.agent("falls", "openai-chat:first", fallback_models=[second]))
    assert house.ended(run)["status"] == "completed"


def test_bad_credentials_ask_a_person_and_retry_goes_on(house: House) -> None:
    model = house.model.script("locked", fails(401, "bad key", "invalid_api_key"), DONE)
    run = house.start(house.agent("locked", model))
    ask = house.ask(run)
    assert ask["kind"] == "recovery"
    assert house.run(run)["status"] == "waiting_input"
    house.answer(ask, "respond", value="retry")
    assert house.ended(run)["status"] == "completed"


def test_giving_up_on_the_model_fails_the_run(house: House) -> None:
    model = house.model.script("broke", fails(429, "no money", "insufficient_quota"))
    run = house.start(house.agent("broke", model))
    house.answer(house.ask(run), "respond", value="skip")
    assert house.ended(run)["status"] == "failed"


def test_an_unknown_provider_fails_the_run_with_a_clear_word(house: House) -> None:
    run = house.start(house.agent("odd", "nosuch:model"))
    ended = house.ended(run)
    assert ended["status"] == "failed"
    assert "nosuch" in ended["error"]["message"]


@pytest.mark.parametrize("action", ["pause", "cancel"])
def test_a_person_does_not_wait_for_a_slow_model(house: House, action: str) -> None:
    asked, answer = threading.Event(), threading.Event()

    def slow(request: object) -> dict[str, object]:
        asked.set()
        answer.wait(20)
        return DONE

    run = house.start(house.agent("slow", house.model.play("slow", slow)))
    assert asked.wait(20)
    house.post(f"/api/runs/{run}/{action}")
    until(lambda: house.parts.engine.live == 0)
    answer.set()
    assert house.run(run)["status"] == {"pause": "paused", "cancel": "cancelled"}[action]
    assert [message["role"] for message in house.messages(run)] == ["user"]


def test_a_paused_run_goes_on_where_it_was(house: House) -> None:
    house.model.script("p", says("", call("write_file", {"path": "a", "content": "1"})))
    run = house.start(house.agent("p", "openai-chat:p", "write_file"))
    ask = house.ask(run)
    house.post(f"/api/runs/{run}/pause")
    house.answer(ask)
    house.post(f"/api/runs/{run}/messages", {"text": "be brief"}, 201)
    assert house.run(run)["status"] == "paused"
    house.post(f"/api/runs/{run}/resume")
    assert house.ended(run)["status"] == "completed"
    last = house.model.asked("p")[-1]
    assert "Wrote 1 bytes" in results(last)[0]
    assert any("be brief" in str(message["content"]) for message in last["messages"] if message["role"] == "user")


def test_completion_waits_for_the_other_calls_of_the_same_answer(house: House) -> None:
    both = says("", call("write_file", {"path": "a", "content": "1"}), call("complete_task", {"summary": "ok"}, "c2"))
    house.model.script("both", both)
    run = house.start(house.agent("both", "openai-chat:both", "write_file"))
    house.answer(house.ask(run))
    assert house.ended(run)["output"]["summary"] == "ok"
    assert len(house.model.asked("both")) == 1


def test_completion_is_refused_when_another_call_of_the_same_answer_was_denied(house: House) -> None:
    both = says("", call("write_file", {"path": "a", "content": "1"}), call("complete_task", {"summary": "ok"}, "c2"))
    house.model.script("both", both)
    run = house.start(house.agent("both", "openai-chat:both", "write_file"))
    house.answer(house.ask(run), "deny", note="no")
    assert house.ended(run)["output"]["summary"] == "done"
    sent_back = results(house.model.asked("both")[-1])
    assert "Denied" in sent_back[0]
    assert "Not completed" in sent_back[1]


def test_waiting_counts_where_the_limits_say_so(house: House) -> None:
    house.model.script("late", says("", call("write_file", {"path": "a", "content": "1"})))
    limits = {"max_duration_hours": 0.0003, "waiting_counts": True}
    run = house.start(house.agent("late", "openai-chat:late", "write_file", limits=limits))
    ended = house.ended(run)
    assert (ended["status"], ended["completion_reason"]) == ("timeout", "max_duration")
    assert house.get("/api/asks", run=run)["items"][0]["status"] == "cancelled"
