from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from signoff.cli import dialog
from signoff.cli.client import Api
from signoff.cli.dialog import Dialog
from signoff.cli.keyboard import GivenUp
from tests.cli.conftest import ASK_ID, Wire, an_ask, problem

ANSWER = f"/api/asks/{ASK_ID}/answer"
PREVIEW = f"/api/asks/{ASK_ID}/preview"


class Typed:
    """Fingers that type what the test says."""

    def __init__(self, keys: str = "", lines: Sequence[str] = ()) -> None:
        self.keys, self.lines = list(keys), list(lines)

    def key(self) -> str:
        if not self.keys:
            raise GivenUp
        return self.keys.pop(0)

    def line(self, prompt: str) -> str:
        return self.lines.pop(0)


@pytest.fixture(autouse=True)
def _server_that_agrees(wire: Wire):
    wire.on("POST", ANSWER, an_ask(status="approved", settled_by="ada"))


@pytest.mark.parametrize(
    ("keys", "lines", "sent"),
    [
        ("a", [], {"decision": "approve"}),
        ("xz?a", [], {"decision": "approve"}),
        ("d", ["too long"], {"decision": "deny", "note": "too long"}),
        ("d", [""], {"decision": "deny"}),
        ("r", ["make it a table"], {"decision": "respond", "value": "make it a table"}),
    ],
)
def test_a_key_decides(wire: Wire, api: Api, keys: str, lines: list[str], sent: dict[str, Any]):
    assert Dialog(api, Typed(keys, lines)).attend(an_ask()) == "answered"
    assert wire.body("POST", ANSWER) == sent


@pytest.mark.parametrize(("keys", "ending"), [("s", "skipped"), ("q", "quit"), ("", "settled")])
def test_leaving_sends_nothing(wire: Wire, api: Api, keys: str, ending: str):
    assert Dialog(api, Typed(keys), inbox=True).attend(an_ask()) == ending
    assert wire.requests == []


@pytest.mark.parametrize(
    ("question", "keys", "lines", "value"),
    [
        ({"response_type": "text"}, "", ["bees"], "bees"),
        ({"response_type": "number"}, "", ["many", "12"], 12),
        ({"response_type": "boolean"}, "y", [], True),
        ({"response_type": "choice", "options": [{"value": "a"}, {"value": "b"}]}, "92", [], "b"),
    ],
)
def test_questions_are_answered_in_their_own_way(
    wire: Wire, api: Api, question: dict[str, Any], keys: str, lines: list[str], value: object
):
    ask = an_ask(kind="question", arguments=None, **question)
    assert Dialog(api, Typed(keys, lines)).attend(ask) == "answered"
    assert wire.body("POST", ANSWER) == {"decision": "respond", "value": value}


def test_an_empty_line_skips_a_question(wire: Wire, api: Api):
    ask = an_ask(kind="question", arguments=None, response_type="text")
    assert Dialog(api, Typed(lines=[""])).attend(ask) == "skipped"
    assert wire.requests == []


def test_arguments_are_edited_checked_and_agreed_to(wire: Wire, api: Api, monkeypatch: pytest.MonkeyPatch, capsys: Any):
    monkeypatch.setenv("EDITOR", "sed -i s/bees/wasps/")
    monkeypatch.delenv("VISUAL", raising=False)
    changed = [{"path": "content", "original": "bees", "modified": "wasps", "change": "changed"}]
    wire.on("POST", PREVIEW, {"diff": changed, "errors": []})
    assert Dialog(api, Typed("ey")).attend(an_ask()) == "answered"
    edited = {"path": "report.md", "content": "wasps"}
    assert wire.body("POST", PREVIEW) == {"arguments": edited}
    assert wire.body("POST", ANSWER) == {"decision": "approve", "arguments": edited}
    assert "- bees" in (said := capsys.readouterr().out)
    assert "+ wasps" in said


def test_what_does_not_fit_the_tool_cannot_be_approved(
    wire: Wire, api: Api, monkeypatch: pytest.MonkeyPatch, capsys: Any
):
    monkeypatch.setattr(dialog, "edit", lambda text: '{"path": 1}')
    wrong = [{"path": "arguments.path", "message": "1 is not of type 'string'"}]
    diff = [{"path": "path", "original": "report.md", "modified": 1, "change": "changed"}]
    wire.on("POST", PREVIEW, {"diff": diff, "errors": wrong})
    assert Dialog(api, Typed("eybs")).attend(an_ask()) == "skipped"
    assert not [r for r in wire.requests if r.url.path == ANSWER]
    assert "arguments.path: 1 is not of type 'string'" in capsys.readouterr().err


def test_broken_json_leads_back(api: Api, monkeypatch: pytest.MonkeyPatch, capsys: Any):
    monkeypatch.setattr(dialog, "edit", lambda text: '{"path": ')
    assert Dialog(api, Typed("ebs")).attend(an_ask()) == "skipped"
    assert "not valid JSON" in capsys.readouterr().err


def test_who_comes_too_late_is_told_who_was_first(wire: Wire, api: Api, capsys: Any):
    wire.on("POST", ANSWER, problem(409, "This ask is denied already by grace."))
    assert Dialog(api, Typed("a")).attend(an_ask()) == "settled"
    assert "denied already by grace" in capsys.readouterr().err


def test_a_lost_answer_is_sent_again_under_the_same_key(wire: Wire, api: Api):
    approved = an_ask(status="approved")
    wire.on("POST", ANSWER, httpx.ConnectError("down"), approved)
    assert Dialog(api, Typed("aa")).attend(an_ask()) == "answered"
    first, second = [r.headers["Idempotency-Key"] for r in wire.requests]
    assert first == second


def test_another_decision_gets_another_key(wire: Wire, api: Api):
    wire.on("POST", ANSWER, httpx.ConnectError("down"), an_ask(status="denied"))
    assert Dialog(api, Typed("ad", [""])).attend(an_ask()) == "answered"
    first, second = [r.headers["Idempotency-Key"] for r in wire.requests]
    assert first != second
