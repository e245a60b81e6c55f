"""Again from the start or from the last good step; a run's files; a person's preferences."""

import pytest

from signoff.tools.registry import tool
from tests.contract.scenes import problem
from tests.house import House
from tests.wire import call, fails, results, says
from tests.workflows.script import Script, done

WRITE = call("write_file", {"path": "notes/a.txt", "content": "kept"})


def failed_run(house: House, name: str) -> str:
    model = house.model.script(name, says("", WRITE), fails(400, "broken"))
    house.agent(name, model, "write_file", "read_file", autonomy="full")
    run = house.start(name)
    assert house.ended(run)["status"] == "failed"
    return run


def test_a_retry_from_the_start_begins_with_the_task_alone(house: House) -> None:
    run = failed_run(house, "again-start")
    house.model.script("again-start")
    again = house.post(f"/api/runs/{run}/retry", {}, 201)
    assert (again["retries_id"], again["continues_id"], again["parent_id"]) == (run, None, None)
    assert house.ended(again["id"])["status"] == "completed"
    last = house.model.asked("again-start")[-1]
    assert [message["role"] for message in last["messages"]].count("assistant") == 0


def test_a_retry_from_the_last_good_step_repeats_nothing_that_was_done(house: House) -> None:
    run = failed_run(house, "again-good")
    house.model.script("again-good", says("", WRITE))
    again = house.post(f"/api/runs/{run}/retry", {"from": "last_good"}, 201)["id"]
    assert house.ended(again)["status"] == "completed"
    last = house.model.asked("again-good")[-1]
    assert results(last) == ["Wrote 4 bytes to notes/a.txt."]
    assert [each["tool"] for each in house.calls(again)] == ["write_file", "complete_task"]
    (kept,) = house.get(f"/api/runs/{again}/files")["items"]
    assert (kept["path"], kept["size_bytes"]) == ("notes/a.txt", 4)


def test_what_was_done_before_a_retry_is_neither_paid_nor_counted_again(house: House) -> None:
    def dear() -> str:
        """Cost something."""
        return "done"

    house.parts.context.registry.register(tool(estimated_cost_credits=5, risk="low")(dear))
    model = house.model.script("again-dear", says("", call("dear", {})), fails(400, "broken"))
    house.agent("again-dear", model, "dear", autonomy="full")
    run = house.start("again-dear")
    assert house.ended(run)["cost_credits"] == 5
    house.model.script("again-dear", says("", call("dear", {})))
    again = house.post(f"/api/runs/{run}/retry", {"from": "last_good"}, 201)["id"]
    assert house.ended(again)["cost_credits"] == 0
    (copied, _) = house.calls(again)
    assert (copied["tool"], copied["result"], copied["cost_credits"]) == ("dear", "done", 0)


def test_a_call_that_waited_when_its_run_was_cancelled_is_proposed_anew(house: House) -> None:
    look = call("list_files", {})
    house.agent("again-asked", house.model.script("again-asked", says("", look), says("", WRITE)), "write_file")
    run = house.start("again-asked")
    house.ask(run)
    house.post(f"/api/runs/{run}/cancel")
    house.model.script("again-asked", says("", look), says("", WRITE))
    again = house.post(f"/api/runs/{run}/retry", {"from": "last_good"}, 201)["id"]
    assert house.ask(again)["tool"] == "write_file"
    assert [each["status"] for each in house.calls(again)] == [house.calls(run)[0]["status"], "waiting"]


def said(house: House, name: str) -> str:
    """What the model of an agent was told by people and by Signoff, when it was last requested."""
    told = house.model.asked(name)[-1]["messages"]
    return "\n".join(str(message["content"]) for message in told if message["role"] == "user")


def again_from_last_good(house: House, run: str) -> str:
    again = house.post(f"/api/runs/{run}/retry", {"from": "last_good"}, 201)["id"]
    assert house.ended(again)["status"] == "completed"
    return again


@pytest.mark.both_databases
def test_a_run_cancelled_in_its_first_reply_is_tried_again_with_its_task(house: House) -> None:
    house.agent("again-first", house.model.script("again-first", says("", WRITE)), "write_file")
    run = house.start("again-first", "Write the notes.", context="For the board.", input={"about": "June"})
    house.ask(run)
    house.post(f"/api/runs/{run}/messages", {"text": "Keep them short."}, 201)
    house.post(f"/api/runs/{run}/cancel")
    house.model.script("again-first")
    again = again_from_last_good(house, run)
    for words in ("Write the notes.", "For the board.", "June", "Keep them short."):
        assert said(house, "again-first").count(words) == 1
    assert [each["tool"] for each in house.calls(again)] == ["complete_task"]


def test_a_run_that_failed_before_its_first_reply_is_tried_again_with_its_task(house: House) -> None:
    house.agent("again-unread", house.model.script("again-unread", fails(400, "broken")))
    run = house.start("again-unread", "Write the notes.")
    assert house.ended(run)["status"] == "failed"
    house.model.script("again-unread")
    again_from_last_good(house, run)
    assert "Write the notes." in said(house, "again-unread")


def test_a_step_that_failed_before_its_first_reply_is_tried_again_with_its_input(house: House) -> None:
    script = Script(house)
    agent = script.saying("a", fails(400, "broken"))
    step = {"id": "a", "agent": agent, "task": "Sum it up.", "input": {"text": "text"}}
    run = house.ended(script.start(script.workflow(step), {"text": "all of June"}))
    (child,) = script.children(run["id"])
    house.model.script(agent)
    again_from_last_good(house, child["id"])
    assert "Sum it up." in said(house, agent)
    assert "all of June" in said(house, agent)


def test_a_continued_run_cancelled_in_its_first_reply_is_tried_again_with_what_was_before(house: House) -> None:
    run = failed_run(house, "again-further")
    house.model.script("again-further", fails(400, "broken"))
    broken = house.post(f"/api/runs/{run}/continue", {"instructions": "Once more."}, 201)["id"]
    assert house.ended(broken)["status"] == "failed"
    house.model.script("again-further")
    again_from_last_good(house, broken)
    assert "Once more." in said(house, "again-further")
    assert "> Call of write_file" in said(house, "again-further")


def test_what_was_said_before_the_reply_that_is_left_out_is_still_known(house: House) -> None:
    ask = call("ask_question", {"question": "Which one?", "type": "blocking", "responseType": "text"})
    house.agent("again-said", house.model.script("again-said", says("", ask), says("", WRITE)), "write_file")
    run = house.start("again-said", "Write the notes.")
    question = house.ask(run)
    house.post(f"/api/runs/{run}/messages", {"text": "And keep them short."}, 201)
    house.answer(question, "respond", value="The blue one.")
    house.until(lambda: [each for each in house.asks(run) if each["tool"] == "write_file"])
    house.post(f"/api/runs/{run}/cancel")
    house.model.script("again-said", says("", ask))
    again_from_last_good(house, run)
    assert results(house.model.asked("again-said")[-1]) == ["The blue one."]
    assert said(house, "again-said").count("And keep them short.") == 1


def test_a_run_at_work_is_not_tried_again(house: House) -> None:
    model = house.model.script("again-busy", says("", WRITE))
    house.agent("again-busy", model, "write_file")
    run = house.start("again-busy")
    house.ask(run)
    assert problem(house.client.post(f"/api/runs/{run}/retry", json={}), 409)["state"] == {"status": "waiting_approval"}


def test_a_file_of_a_run_can_be_read_and_nothing_outside(house: House) -> None:
    run = failed_run(house, "files")
    read = house.client.get(f"/api/runs/{run}/files/content", params={"path": "notes/a.txt"})
    assert (read.status_code, read.text) == (200, "kept")
    problem(house.client.get(f"/api/runs/{run}/files/content", params={"path": "../../signoff.db"}), 422)
    problem(house.client.get(f"/api/runs/{run}/files/content", params={"path": "nothing.txt"}), 404)


def test_preferences_are_a_persons_own(house: House) -> None:
    wanted = {
        "channels": {"email": False},
        "quiet_hours": {"start": "22:00", "end": "07:00", "timezone": "Europe/Paris"},
    }
    put = house.client.put("/api/me/preferences", json=wanted)
    assert put.status_code == 200
    assert house.get("/api/me/preferences")["quiet_hours"]["timezone"] == "Europe/Paris"
    with house.member("viewer") as other:
        assert other.get("/api/me/preferences").json()["channels"] == {}
    bad = {"quiet_hours": {"start": "22:00", "end": "07:00", "timezone": "Europe/Pariss"}}
    assert "Europe/Berlin" in problem(house.client.put("/api/me/preferences", json=bad), 422)["detail"]


@pytest.mark.both_databases
def test_what_was_too_long_for_a_prompt_does_not_stand_in_the_next_one(house: House) -> None:
    script, text = Script(house), "x" * 150_000
    replies = [says("", call("read_file", {"path": "input.json"})), done({"said": text})]
    agent = house.agent(name := script.name("long"), house.model.script(name, *replies), "read_file")
    run = house.ended(
        script.start(script.workflow({"id": "a", "agent": agent, "input": {"text": "text"}}), {"text": text})
    )
    first = script.children(run["id"])[0]["id"]
    again = house.post(f"/api/runs/{first}/retry", {"from": "start"}, 201)["id"]
    assert house.ended(again)["input"] == {"text": text}
    further = house.post(f"/api/runs/{again}/continue", {"instructions": "Once more."}, 201)["id"]
    assert house.ended(further)["status"] == "completed"
    for each in (again, further):
        told = house.get(f"/api/runs/{each}/messages")["items"][0]["text"]
        assert "input.json" in told
        assert text not in told
        assert text[:1000] in str(house.calls(each)[0]["result"])
