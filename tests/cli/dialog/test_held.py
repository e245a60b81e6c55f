"""A decision of the inbox is held for a moment, and can be taken back as long as it is."""

from typing import Any

import pytest

from signoff.cli.api_client import Api
from signoff.cli.dialog.ask_dialog import Dialog
from signoff.cli.dialog.held import HELD_SECONDS, HeldDecision, can_wait
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
def held(api: Api, answered: set[str], clock: list[float]) -> HeldDecision:
    return HeldDecision(api, answered, lambda: clock[0])


def test_it_is_sent_when_its_time_is_over_and_not_before(wire: Wire, held: HeldDecision, clock: list[float]):
    wire.on("POST", ANSWER.format("a"), an_ask(id="a", status="approved"))
    held.hold(an_ask(id="a"), APPROVE, [])
    assert (held.is_due, wire.requests) == (False, [])
    clock[0] += HELD_SECONDS
    assert held.is_due
    held.send()
    held.send()
    assert [request.method for request in wire.requests] == ["POST"]


def test_what_is_taken_back_is_never_sent_and_comes_again(wire: Wire, held: HeldDecision, answered: set[str]):
    held.hold(an_ask(id="a"), APPROVE, [an_ask(id="b")])
    assert answered == {"a", "b"}
    taken = held.take_back()
    held.send()
    assert (taken and taken.ids, answered, wire.requests) == ({"a", "b"}, set(), [])
    assert held.take_back() is None


def test_the_next_decision_sends_the_one_before(wire: Wire, held: HeldDecision):
    wire.on("POST", ANSWER.format("a"), an_ask(id="a", status="approved"))
    held.hold(an_ask(id="a"), APPROVE, [])
    held.hold(an_ask(id="b"), APPROVE, [])
    assert [request.url.path for request in wire.requests] == [ANSWER.format("a")]


def test_what_the_server_does_not_take_is_told_and_comes_again(
    wire: Wire, held: HeldDecision, answered: set[str], capsys: Any
):
    wire.on("POST", ANSWER.format("a"), an_ask(id="a", status="approved"))
    results = [{"id": "b", "status": "approved"}, {"id": "c", "status": None, "error": "It was changed."}]
    wire.on("POST", "/api/asks/batch", {"results": results})
    held.hold(an_ask(id="a"), APPROVE, [an_ask(id="b"), an_ask(id="c", title="The third")])
    held.send()
    held.tell()
    assert "The third: It was changed." in capsys.readouterr().out
    assert answered == {"a", "b"}
    wire.on("POST", ANSWER.format("d"), problem(409, "Somebody was faster."))
    held.hold(an_ask(id="d", title="The fourth"), APPROVE, [])
    held.send()
    held.tell()
    assert "Not taken: The fourth: Somebody was faster." in capsys.readouterr().out
    assert answered == {"a", "b"}


def test_undo_is_a_key_only_while_something_is_held(wire: Wire, api: Api, held: HeldDecision, answered: set[str]):
    dialog = Dialog(api, Typed("a"), answered, inbox=True, held=held)
    assert dialog.attend(an_ask(id="a")) == "answered"
    assert wire.requests == [each for each in wire.requests if each.method == "GET"]
    assert Dialog(api, Typed("u"), answered, inbox=True, held=held).attend(an_ask(id="b")) == "undone"
    held.take_back()
    assert Dialog(api, Typed("us"), answered, inbox=True, held=held).attend(an_ask(id="b")) == "skipped"


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
