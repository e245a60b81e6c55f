"""A decision of the inbox waits a moment before it is sent, and can be taken back until then."""

from typing import Any

import pytest

from signoff.cli.api_client import Api
from signoff.cli.dialog.ask_dialog import Dialog
from signoff.cli.dialog.pending_decision import UNDO_SECONDS, PendingDecision, can_wait
from tests.cli.conftest import Typed, Wire, an_ask, problem

ANSWER = "/api/asks/{}/answer"
APPROVE = {"decision": "approve"}


@pytest.fixture
def clock() -> list[float]:
    return [0.0]


@pytest.fixture
def answered() -> set[str]:
    return set()


@pytest.fixture
def pending(api: Api, answered: set[str], clock: list[float]) -> PendingDecision:
    return PendingDecision(api, answered, lambda: clock[0])


def test_it_is_sent_when_its_time_is_over_and_not_before(wire: Wire, pending: PendingDecision, clock: list[float]):
    wire.on("POST", ANSWER.format("a"), an_ask(id="a", status="approved"))
    pending.hold(an_ask(id="a"), APPROVE, [])
    assert (pending.is_due, wire.requests) == (False, [])
    clock[0] += UNDO_SECONDS
    assert pending.is_due
    pending.send()
    pending.send()
    assert [request.method for request in wire.requests] == ["POST"]


def test_what_is_taken_back_is_never_sent_and_comes_again(wire: Wire, pending: PendingDecision, answered: set[str]):
    pending.hold(an_ask(id="a"), APPROVE, [an_ask(id="b")])
    assert answered == {"a", "b"}
    taken = pending.take_back()
    pending.send()
    assert (taken and taken.ids, answered, wire.requests) == ({"a", "b"}, set(), [])
    assert pending.take_back() is None


def test_the_next_decision_sends_the_one_before(wire: Wire, pending: PendingDecision):
    wire.on("POST", ANSWER.format("a"), an_ask(id="a", status="approved"))
    pending.hold(an_ask(id="a"), APPROVE, [])
    pending.hold(an_ask(id="b"), APPROVE, [])
    assert [request.url.path for request in wire.requests] == [ANSWER.format("a")]


def test_what_the_server_does_not_take_is_told_and_comes_again(
    wire: Wire, pending: PendingDecision, answered: set[str], capsys: Any
):
    wire.on("POST", ANSWER.format("a"), an_ask(id="a", status="approved"))
    results = [{"id": "b", "status": "approved"}, {"id": "c", "status": None, "error": "It was changed."}]
    wire.on("POST", "/api/asks/batch", {"results": results})
    pending.hold(an_ask(id="a"), APPROVE, [an_ask(id="b"), an_ask(id="c", title="The third")])
    pending.send()
    pending.tell()
    assert "The third: It was changed." in capsys.readouterr().out
    assert answered == {"a", "b"}
    wire.on("POST", ANSWER.format("d"), problem(409, "Somebody was faster."))
    pending.hold(an_ask(id="d", title="The fourth"), APPROVE, [])
    pending.send()
    pending.tell()
    assert "Not accepted: The fourth: Somebody was faster." in capsys.readouterr().out
    assert answered == {"a", "b"}


def test_undo_is_a_key_only_while_one_is_pending(wire: Wire, api: Api, pending: PendingDecision, answered: set[str]):
    dialog = Dialog(api, Typed("a"), answered, inbox=True, pending=pending)
    assert dialog.attend(an_ask(id="a")) == "answered"
    assert wire.requests == [each for each in wire.requests if each.method == "GET"]
    assert Dialog(api, Typed("u"), answered, inbox=True, pending=pending).attend(an_ask(id="b")) == "undone"
    pending.take_back()
    assert Dialog(api, Typed("us"), answered, inbox=True, pending=pending).attend(an_ask(id="b")) == "skipped"


@pytest.mark.parametrize(
    ("ask", "body", "waits"),
    [
        ({}, APPROVE, True),
        ({}, {"decision": "deny", "note": "no", "digest": "d"}, True),
        ({}, APPROVE | {"arguments": {}}, False),
        ({}, APPROVE | {"remember": "agent"}, False),
        ({"response_type": "form"}, {"decision": "respond", "value": {}}, False),
    ],
)
def test_what_the_server_must_check_is_sent_at_once(ask: dict[str, Any], body: dict[str, Any], waits: bool):
    assert can_wait(an_ask(**ask), body) is waits
