"""A scripted conversation through API.md: proposed, parked, edited, run, told."""

from tests.house import House
from tests.wire import call, results, says


def test_an_edited_call_runs_with_exactly_the_approved_arguments(house: House) -> None:
    why = {"_reasoning": "the report is due", "_confidence": 0.7}
    model = house.model.script(
        "writer", says("Writing.", call("write_file", {"path": "a.md", "content": "draft", **why}))
    )
    run = house.start(house.agent("writer", model, "write_file", "read_file"))
    ask = house.ask(run)
    assert ask["kind"] == "approval"
    assert ask["tool"] == "write_file"
    assert ask["arguments"] == {"path": "a.md", "content": "draft"}
    assert ask["arguments_schema"]["required"] == ["path", "content"]
    assert ask["risk"]["level"] == "high"
    assert ask["risk"]["reasons"]
    assert (ask["reasoning"], ask["confidence"]) == ("the report is due", 0.7)
    assert house.run(run)["status"] == "waiting_approval"
    house.answer(ask, arguments={"path": "a.md", "content": "final"})
    assert house.ended(run)["status"] == "completed"
    written = house.calls(run)[0]
    assert written["arguments"] == {"path": "a.md", "content": "final"}
    assert written["proposed_arguments"] == {"path": "a.md", "content": "draft"}
    assert (house.settings.runs_folder / run / "a.md").read_text() == "final"
    result = results(house.model.asked("writer")[-1])[0]
    assert "changed the arguments" in result
    assert "final" in result


def test_a_denied_call_reaches_the_model_as_an_error_with_the_reason(house: House) -> None:
    model = house.model.script("sender", says("", call("send_message", {"channel": "#all", "text": "hi"})))
    run = house.start(house.agent("sender", model, "send_message"))
    house.answer(house.ask(run), "deny", note="not before Monday")
    assert house.ended(run)["status"] == "completed"
    assert "not before Monday" in results(house.model.asked("sender")[-1])[0]
    assert house.calls(run)[0]["status"] == "denied"
    assert not [each for each in house.get("/api/notifications")["items"] if each["kind"] == "message"]
