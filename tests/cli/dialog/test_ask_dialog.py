from typing import Any

import httpx
import pytest

from signoff.cli.api_client import Api
from signoff.cli.dialog.ask_dialog import Dialog, Ending
from signoff.cli.dialog.remember import end_keys, past_words
from signoff.cli.terminal import editor
from tests.cli.conftest import ASK_ID, Typed, Wire, an_ask, page, problem

ANSWER = f"/api/asks/{ASK_ID}/answer"
PREVIEW = f"/api/asks/{ASK_ID}/preview"
ASK = f"/api/asks/{ASK_ID}"


def attend(api: Api, typed: Typed, ask: dict[str, Any], *, inbox: bool = False) -> Ending:
    return Dialog(api, typed, set(), inbox=inbox).attend(ask)


OFFERS = f"/api/asks/{ASK_ID}/remember"
WHERE = [{"field": "path", "operator": "like", "value": "*.md"}]


def offers(**given: Any) -> dict[str, Any]:
    """As the server offers to remember an approval to an admin."""
    exact = {"name": "exact", "label": "Exactly this", "sentence": "writer may write report.md.", "where": []}
    exact |= {"is_default": True, "approved": 2, "edited": 0, "refused": 0, "let_through": []}
    alike = {"name": "alike", "label": "The same kind", "sentence": "writer may write *.md.", "where": WHERE}
    alike |= {"is_default": False, "approved": 5, "edited": 0, "refused": 1}
    alike |= {"let_through": [{"ask_id": "x", "title": "Write secrets.md", "by": "bob", "fate": "refused"}]}
    known = {"why_not": None, "scopes": ["run", "agent", "rule"], "hours": [24, 168, 720], "default_hours": 168}
    return known | {"choices": [exact, alike], "looked_at": 9} | given


@pytest.fixture(autouse=True)
def _server_that_agrees(wire: Wire):
    wire.on("POST", ANSWER, an_ask(status="approved", settled_by="ada"))
    wire.on("GET", OFFERS, offers())


@pytest.mark.parametrize(
    ("keys", "lines", "sent"),
    [
        ("a", [], {"decision": "approve"}),
        ("zq?a", [], {"decision": "approve"}),
        ("d", ["too long"], {"decision": "deny", "note": "too long"}),
        ("d", [""], {"decision": "deny"}),
        ("x", ["no more"], {"decision": "deny", "note": "no more", "end_run": True}),
        # Ending the run needs a reason: without one it leads back.
        ("xd", ["", "no"], {"decision": "deny", "note": "no"}),
        ("r", ["make it a table"], {"decision": "respond", "value": "make it a table"}),
        ("m1r", [], {"decision": "approve", "remember": {"scope": "run", "where": []}}),
        ("m2w", [], {"decision": "approve", "remember": {"scope": "agent", "where": WHERE, "expires_in_hours": 168}}),
        ("mu", [], {"decision": "approve", "remember": "rule"}),
        ("mba", [], {"decision": "approve"}),
        ("m1ba", [], {"decision": "approve"}),
        # Ctrl-D in the middle of a line goes back to the keys.
        ("da", [None], {"decision": "approve"}),
    ],
)
def test_a_key_decides(wire: Wire, api: Api, keys: str, lines: list[Any], sent: dict[str, Any]):
    assert attend(api, Typed(keys, lines), an_ask()) == "answered"
    assert wire.body("POST", ANSWER) == sent


@pytest.mark.parametrize(("keys", "ending"), [("s", "skipped"), ("q", "quit"), ("", "settled")])
def test_leaving_sends_nothing(wire: Wire, api: Api, keys: str, ending: str):
    assert attend(api, Typed(keys), an_ask(), inbox=True) == ending
    assert not [request for request in wire.requests if request.method == "POST"]


@pytest.mark.parametrize(
    ("question", "keys", "lines", "value"),
    [
        ({"response_type": "text"}, "", ["bees"], "bees"),
        ({"response_type": "number"}, "", ["many", "12"], 12),
        ({"response_type": "boolean"}, "y", [], True),
        ({"response_type": "choice", "options": [{"value": "a"}, {"value": "b"}]}, "92", [], "b"),
        ({"response_type": "choice", "options": [{"value": n} for n in range(12)]}, "r", ["11"], 10),
        ({"response_type": "boolean", "options": [{"value": True}, {"value": False}]}, "2", [], False),
        ({"response_type": "text", "default": "EU"}, "f", [], "EU"),
        ({"response_type": "text", "default": "EU"}, "r", ["US"], "US"),
        ({"response_type": "number", "suggestion": {"value": 7, "times": 2, "of": 3}}, "u", [], 7),
        ({"kind": "clarification"}, "", ["for sales"], "for sales"),
        ({"kind": "recovery"}, "2", [], "skip"),
        ({"kind": "recovery", "options": [{"value": "mirror"}]}, "1", [], "mirror"),
    ],
)
def test_questions_are_answered_in_their_own_way(
    wire: Wire, api: Api, question: dict[str, Any], keys: str, lines: list[str], value: object
):
    ask = an_ask(arguments=None, **({"kind": "question"} | question))
    assert attend(api, Typed(keys, lines), ask) == "answered"
    assert wire.body("POST", ANSWER) == {"decision": "respond", "value": value}


def test_an_empty_line_skips_a_question(wire: Wire, api: Api):
    ask = an_ask(kind="question", arguments=None, response_type="text")
    assert attend(api, Typed(lines=[""]), ask) == "skipped"
    assert not [request for request in wire.requests if request.method == "POST"]


def test_arguments_are_edited_checked_and_agreed_to(wire: Wire, api: Api, monkeypatch: pytest.MonkeyPatch, capsys: Any):
    monkeypatch.setenv("EDITOR", "sed -i s/bees/wasps/")
    monkeypatch.delenv("VISUAL", raising=False)
    changed = [{"path": "content", "original": "bees", "modified": "wasps", "change": "changed"}]
    wire.on("POST", PREVIEW, {"diff": changed, "errors": []})
    assert attend(api, Typed("ey"), an_ask()) == "answered"
    edited = {"path": "report.md", "content": "wasps"}
    assert wire.body("POST", PREVIEW) == {"arguments": edited}
    assert wire.body("POST", ANSWER) == {"decision": "approve", "arguments": edited}
    assert "- bees" in (said := capsys.readouterr().out)
    assert "+ wasps" in said


def test_what_does_not_fit_the_tool_cannot_be_approved(
    wire: Wire, api: Api, monkeypatch: pytest.MonkeyPatch, capsys: Any
):
    monkeypatch.setattr(editor, "edit", lambda text: '{"path": 1}')
    wrong = [{"path": "arguments.path", "message": "1 is not of type 'string'"}]
    diff = [{"path": "path", "original": "report.md", "modified": 1, "change": "changed"}]
    wire.on("POST", PREVIEW, {"diff": diff, "errors": wrong})
    assert attend(api, Typed("eybs"), an_ask()) == "skipped"
    assert not [r for r in wire.requests if r.url.path == ANSWER]
    assert "arguments.path: 1 is not of type 'string'" in capsys.readouterr().err


def test_broken_json_leads_back(api: Api, monkeypatch: pytest.MonkeyPatch, capsys: Any):
    monkeypatch.setattr(editor, "edit", lambda text: '{"path": ')
    assert attend(api, Typed("ebs"), an_ask()) == "skipped"
    assert "not valid JSON" in capsys.readouterr().err


def test_who_comes_too_late_is_told_who_was_first_and_how(wire: Wire, api: Api, capsys: Any):
    late = problem(409, "This ask was already denied by grace.", code="ask_already_settled")
    wire.on("POST", ANSWER, late)
    wire.on("GET", ASK, an_ask(status="denied", settled_by="grace", answer={"decision": "deny", "note": "too long"}))
    assert attend(api, Typed("a"), an_ask(), inbox=True) == "settled"
    assert "Already settled: denied by grace: too long." in capsys.readouterr().out


def test_what_is_settled_while_it_is_looked_at_is_told_in_the_inbox(wire: Wire, api: Api, capsys: Any):
    wire.on("GET", ASK, an_ask(status="approved", settled_by="grace"))
    assert attend(api, Typed(), an_ask(), inbox=True) == "settled"
    assert "Already settled: approved by grace." in capsys.readouterr().out
    # Where a run is watched, its own events say it.
    assert attend(api, Typed(), an_ask()) == "settled"
    assert "Settled" not in capsys.readouterr().out


def test_what_was_seen_is_what_is_signed(wire: Wire, api: Api):
    assert attend(api, Typed("a"), an_ask(digest="d1")) == "answered"
    assert wire.body("POST", ANSWER) == {"decision": "approve", "digest": "d1"}


def test_an_ask_that_was_changed_meanwhile_is_shown_again(wire: Wire, api: Api, capsys: Any):
    wire.on("POST", ANSWER, problem(409, "It was changed.", code="ask_changed"), an_ask(status="approved"))
    wire.on("GET", ASK, an_ask(digest="d2", arguments={"path": "other.md"}))
    assert attend(api, Typed("aa"), an_ask(digest="d1")) == "answered"
    assert wire.body("POST", ANSWER) == {"decision": "approve", "digest": "d2"}
    assert "other.md" in capsys.readouterr().out


def test_one_of_several_signatures_says_how_far_it_is(wire: Wire, api: Api, capsys: Any):
    wire.on("POST", ANSWER, an_ask(approvals_required=2, approvals=[{"by": "ada", "decision": "approve"}]))
    assert attend(api, Typed("a"), an_ask()) == "answered"
    assert "1 of 2 signed: ada; more signatures are needed" in capsys.readouterr().out


def test_who_has_signed_already_goes_on(wire: Wire, api: Api, capsys: Any):
    wire.on("POST", ANSWER, problem(409, "You have signed this already.", code="already_signed"))
    assert attend(api, Typed("a"), an_ask(), inbox=True) == "settled"
    assert "You have signed this already." in capsys.readouterr().err


@pytest.mark.parametrize(("keys", "ending"), [("a", "skipped"), ("m1ds", "skipped"), ("m1dd", "answered")])
def test_what_is_not_ones_own_to_decide_is_left_and_what_may_not_be_remembered_asked_again(
    wire: Wire, api: Api, keys: str, ending: str
):
    wire.on("POST", ANSWER, problem(403, "This needs the role admin."), an_ask(status="denied"))
    assert attend(api, Typed(keys, [""]), an_ask()) == ending


def test_what_is_remembered_is_said_in_sentences_and_offered_as_far_as_one_may(
    wire: Wire, api: Api, capsys: pytest.CaptureFixture[str]
):
    attend(api, Typed("m1r"), an_ask())
    shown = capsys.readouterr().out
    assert "1  Exactly this (suggested)" in shown
    assert "writer may write report.md." in shown
    assert "It would have saved 2 asks so far." in shown
    assert "also have let through 1 that someone denied or changed: Write secrets.md." in shown
    assert "Only up to high risk. Anything else still asks." in shown
    wire.on("GET", OFFERS, offers(scopes=["rule"], choices=[], why_not="the rule 'By two' requires a person"))
    attend(api, Typed("m1u"), an_ask())
    assert wire.body("POST", ANSWER)["remember"] == "rule"
    assert "No allowance is possible: the rule 'By two' requires a person." in capsys.readouterr().out
    wire.on("GET", OFFERS, problem(500, "No."))
    assert attend(api, Typed("ma"), an_ask()) == "answered"


@pytest.mark.parametrize(
    ("scopes", "keys"), [(["run", "agent", "rule"], "rdwm"), (["run", "rule"], "r"), (["agent", "rule"], "dwm")]
)
def test_how_long_it_lasts_is_for_admins_to_say(scopes: list[str], keys: str):
    assert "".join(end_keys(offers(scopes=scopes))) == keys


@pytest.mark.parametrize(
    ("approved", "looked_at", "words"),
    [(0, 0, "The first call of this kind."), (0, 4, "no asks so far."), (1, 4, "saved 1 ask so far.")],
)
def test_the_past_is_said_in_one_sentence(approved: int, looked_at: int, words: str):
    assert past_words(approved, looked_at).endswith(words)


def test_a_milestone_takes_a_note(wire: Wire, api: Api):
    ask = an_ask(kind="milestone", arguments=None)
    assert attend(api, Typed("n", ["well done"]), ask) == "answered"
    assert wire.body("POST", ANSWER) == {"decision": "approve", "note": "well done"}


BUDGET = {
    "type": "object",
    "properties": {"credits": {"type": "number", "exclusiveMinimum": 0}, "iterations": {"type": "integer"}},
    "minProperties": 1,
}


@pytest.mark.parametrize(
    ("keys", "lines", "sent"),
    [
        ("a", [], {"decision": "approve"}),
        ("cy", ["0", "12.5", "-"], {"decision": "approve", "value": {"credits": 12.5}}),
        ("cba", ["", ""], {"decision": "approve"}),
    ],
)
def test_a_budget_is_approved_as_asked_or_with_other_amounts(
    wire: Wire, api: Api, keys: str, lines: list[str], sent: dict[str, Any]
):
    ask = an_ask(kind="budget", arguments=None, default={"credits": 50, "iterations": 7}, schema=BUDGET)
    assert attend(api, Typed(keys, lines), ask) == "answered"
    assert wire.body("POST", ANSWER) == sent


def test_a_form_is_asked_field_by_field_and_shown_before_it_goes_out(wire: Wire, api: Api, capsys: Any):
    schema = {"type": "object", "properties": {"days": {"type": "integer"}}, "required": ["days"]}
    ask = an_ask(kind="question", arguments=None, response_type="form", schema=schema, default={"days": 3})
    assert attend(api, Typed("rry", ["5", "6"]), ask) == "answered"
    assert wire.body("POST", ANSWER) == {"decision": "respond", "value": {"days": 6}}
    assert "days  5" in capsys.readouterr().out


def test_a_form_may_be_filled_in_as_json(wire: Wire, api: Api, monkeypatch: pytest.MonkeyPatch):
    given = list[str]()
    monkeypatch.setattr(editor, "edit", lambda text: given.append(text) or '{"days": 4}')
    schema = {"type": "object", "properties": {"days": {"type": ["null", "integer"]}, "why": True}}
    ask = an_ask(kind="question", arguments=None, response_type="form", schema=schema)
    assert attend(api, Typed("e"), ask) == "answered"
    assert given == ['{\n  "days": 0,\n  "why": null\n}\n']
    assert wire.body("POST", ANSWER) == {"decision": "respond", "value": {"days": 4}}


def test_a_follow_up_shows_what_went_before(wire: Wire, api: Api, capsys: Any):
    before = an_ask(
        id="1", title="Which region?", status="answered", answer={"value": "north"}, created_at="2025-01-01"
    )
    ask = an_ask(kind="question", arguments=None, response_type="text", follows="1")
    wire.on("GET", f"{ASK}/thread", page(before, ask))
    assert attend(api, Typed(lines=[""]), ask) == "skipped"
    assert "before: Which region? → answered: north" in capsys.readouterr().out


def test_the_end_of_the_input_skips(api: Api):
    assert attend(api, Typed("\x04"), an_ask()) == "skipped"
    assert attend(api, Typed("\x04"), an_ask(), inbox=True) == "quit"
    question = an_ask(kind="question", arguments=None, response_type="text")
    assert attend(api, Typed(lines=[None]), question) == "skipped"


def test_a_lost_answer_is_sent_again_under_the_same_key(wire: Wire, api: Api):
    approved = an_ask(status="approved")
    wire.on("POST", ANSWER, httpx.ConnectError("down"), approved)
    assert attend(api, Typed("aa"), an_ask()) == "answered"
    first, second = [r.headers["Idempotency-Key"] for r in wire.requests if r.method == "POST"]
    assert first == second


def test_another_decision_gets_another_key(wire: Wire, api: Api):
    wire.on("POST", ANSWER, httpx.ConnectError("down"), an_ask(status="denied"))
    assert attend(api, Typed("ad", [""]), an_ask()) == "answered"
    first, second = [r.headers["Idempotency-Key"] for r in wire.requests if r.method == "POST"]
    assert first != second
