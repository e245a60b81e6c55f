from typing import Any

import pytest

from signoff.cli.api_client import Api
from signoff.cli.dialog.ask_dialog import Dialog
from signoff.cli.terminal import editor
from tests.cli.conftest import ASK_ID, Typed, Wire, an_ask

ANSWER = f"/api/asks/{ASK_ID}/answer"
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
STEPS = [
    {"id": name, "tool": "write_file", "arguments": {"path": name}, "risk": "high", "schema": SCHEMA}
    for name in ("one", "two", "three")
]


def approved(wire: Wire, api: Api, keys: str, *lines: str, steps: Any = STEPS) -> Any:
    wire.on("POST", ANSWER, an_ask(status="approved"))
    ask = an_ask(kind="plan", arguments=None, tool=None, plan={"steps": steps})
    typed = Typed(keys, lines)
    assert Dialog(api, typed, set()).attend(ask) == "answered"
    assert (typed.keys, typed.lines) == ([], [])
    return wire.body("POST", ANSWER)


def editing(monkeypatch: pytest.MonkeyPatch, *texts: str) -> list[str]:
    """An editor that saves these texts one after another; what it was given."""
    given, left = list[str](), list(texts)
    monkeypatch.setattr(editor, "edit", lambda text: given.append(text) or left.pop(0))
    return given


def test_a_plan_is_approved_whole(wire: Wire, api: Api):
    assert approved(wire, api, "a") == {"decision": "approve"}


def test_some_steps_are_approved_and_the_rest_is_seen_to_be_left_out(wire: Wire, api: Api, capsys: Any):
    sent = approved(wire, api, "cy", "9", "x", "1,3")
    assert sent == {"decision": "approve", "steps": ["one", "three"]}
    assert "left out 2. write_file" in (said := capsys.readouterr()).out
    assert "9 is not between 1 and 3" in said.err


def test_choosing_can_be_taken_back(wire: Wire, api: Api):
    assert approved(wire, api, "ccba", "", "1") == {"decision": "approve"}


def test_a_step_is_changed_and_approved_with_the_plan(
    wire: Wire, api: Api, monkeypatch: pytest.MonkeyPatch, capsys: Any
):
    editing(monkeypatch, '{"path": "other"}')
    sent = approved(wire, api, "eya", "2")
    assert sent["steps"] == ["one", {"id": "two", "arguments": {"path": "other"}}, "three"]
    assert "    - two\n    + other\n" in capsys.readouterr().out


def test_a_changed_step_is_chosen_as_it_was_changed(wire: Wire, api: Api, monkeypatch: pytest.MonkeyPatch):
    editing(monkeypatch, '{"path": "other"}')
    assert approved(wire, api, "eycy", "2", "2")["steps"] == [{"id": "two", "arguments": {"path": "other"}}]


def test_a_change_that_does_not_fit_is_edited_again(wire: Wire, api: Api, monkeypatch: pytest.MonkeyPatch, capsys: Any):
    given = editing(monkeypatch, "{", '{"path": 5}', '{"path": "five"}')
    sent = approved(wire, api, "eeeya", steps=STEPS[:1])
    assert sent["steps"] == [{"id": "one", "arguments": {"path": "five"}}]
    # What was written is not lost, once it can be read.
    assert [text.split(":")[1].strip(" }\n") for text in given] == ['"one"', '"one"', "5"]
    assert "path: must be of type string" in capsys.readouterr().err


def test_no_change_is_no_change(wire: Wire, api: Api, monkeypatch: pytest.MonkeyPatch, capsys: Any):
    editing(monkeypatch, '{"path": "one"}', '{"path": "x"}', "{")
    assert approved(wire, api, "eebeba", "1", "1", "1") == {"decision": "approve"}
    assert "Nothing was changed." in capsys.readouterr().out


def test_one_step_is_edited_at_a_time(wire: Wire, api: Api, capsys: Any):
    assert approved(wire, api, "ea", "1,2") == {"decision": "approve"}
    assert "One step at a time." in capsys.readouterr().err


def test_a_plan_is_refused_with_a_reason_to_plan_again_or_for_good(wire: Wire, api: Api):
    assert approved(wire, api, "d", "shorter") == {"decision": "deny", "note": "shorter"}
    assert approved(wire, api, "x", "never") == {"decision": "deny", "note": "never", "end_run": True}
