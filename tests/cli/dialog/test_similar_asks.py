from typing import Any

import pytest

from signoff.cli.api_client import Api
from signoff.cli.dialog.ask_dialog import Dialog
from signoff.cli.terminal import editor
from tests.cli.conftest import ASK_ID, Typed, Wire, an_ask, page, problem

ANSWER, PREVIEW, BATCH = f"/api/asks/{ASK_ID}/answer", f"/api/asks/{ASK_ID}/preview", "/api/asks/batch"
OTHERS = [an_ask(id=f"other-{n}", title=f"Write {n}.md", arguments={"path": f"{n}.md"}) for n in range(3)]


@pytest.fixture(autouse=True)
def _server(wire: Wire) -> None:
    wire.on("POST", ANSWER, an_ask(status="approved", settled_by="ada"))
    wire.on("GET", "/api/asks", page(an_ask(), *OTHERS))
    done = [{"id": each["id"], "status": "approved", "error": None} for each in OTHERS]
    done[1] = {"id": "other-1", "status": "denied", "error": "This ask was already denied by grace."}
    wire.on("POST", BATCH, {"results": done})


def attended(api: Api, keys: str, *lines: str, **fields: Any) -> set[str]:
    answered = set[str]()
    ask = an_ask(**({"similar": 3, "digest": "d"} | fields))
    assert Dialog(api, Typed(keys, lines), answered).attend(ask) == "answered"
    return answered


def batches(wire: Wire) -> int:
    return sum(request.url.path == BATCH for request in wire.requests)


def test_one_answer_is_given_to_all_that_are_alike(wire: Wire, api: Api, capsys: Any):
    assert attended(api, "ay") == {ASK_ID, "other-0", "other-2"}
    assert wire.body("POST", BATCH) == {"ids": ["other-0", "other-1", "other-2"], "decision": "approve"}
    asked = next(request for request in wire.requests if request.url.path == "/api/asks")
    assert dict(asked.url.params) == {"status": "pending", "alike": ASK_ID, "limit": "200"}
    said = capsys.readouterr().out
    # What each of them would do is seen before, and how each came out after.
    assert '2  Write 1.md path="1.md"' in said
    assert "✓ approved: Write 0.md" in said
    assert "✗ Write 1.md: This ask was already denied by grace." in said


def test_some_of_them_are_chosen(wire: Wire, api: Api):
    wire.on("POST", BATCH, {"results": [{"id": "other-0", "status": "denied"}, {"id": "other-2", "status": "pending"}]})
    attended(api, "dc", "no", "1,3")
    assert wire.body("POST", BATCH) == {"ids": ["other-0", "other-2"], "decision": "deny", "note": "no"}


def test_a_response_goes_to_alike_questions(wire: Wire, api: Api):
    attended(api, "yy", kind="question", arguments=None, response_type="boolean")
    assert wire.body("POST", BATCH)["value"] is True


@pytest.mark.parametrize("keys", ["an", "a\x04", "a"])
def test_nobody_is_answered_unasked(wire: Wire, api: Api, keys: str):
    assert attended(api, keys) == {ASK_ID}
    assert batches(wire) == 0


@pytest.mark.parametrize(
    ("keys", "lines", "fields"),
    [("a", [], {"similar": 0}), ("mu", [], {}), ("x", ["no"], {}), ("ey", [], {})],
)
def test_what_is_for_one_alone_is_not_offered(
    wire: Wire, api: Api, monkeypatch: pytest.MonkeyPatch, keys: str, lines: list[str], fields: dict[str, Any]
):
    monkeypatch.setattr(editor, "edit", lambda text: '{"path": "x"}')
    wire.on("GET", f"/api/asks/{ASK_ID}/remember", {"scopes": ["rule"], "choices": [], "why_not": None})
    wire.on(
        "POST", PREVIEW, {"diff": [{"path": "path", "original": 1, "modified": 2, "change": "changed"}], "errors": []}
    )
    assert attended(api, keys, *lines, **fields) == {ASK_ID}
    assert not [request for request in wire.requests if request.url.path == "/api/asks"]


def test_a_refused_batch_leaves_the_answer_as_it_is(wire: Wire, api: Api, capsys: Any):
    wire.on("POST", BATCH, problem(429, "Too many requests."))
    assert attended(api, "ay") == {ASK_ID}
    assert "Too many requests." in capsys.readouterr().err


def test_nothing_is_offered_when_they_were_settled_meanwhile(wire: Wire, api: Api, capsys: Any):
    wire.on("GET", "/api/asks", page(an_ask()))
    assert attended(api, "a") == {ASK_ID}
    assert "alike also wait" not in capsys.readouterr().out
