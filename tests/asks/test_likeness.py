"""Which asks are alike, which stand apart, and what differs between those that are alike."""

from typing import Any

import pytest

from signoff.asks.groups.differences import differences
from signoff.asks.likeness import apart, likeness
from signoff.asks.models import Ask
from signoff.asks.signatures.conditions import change_arguments

POST: dict[str, Any] = {
    **{"kind": "approval", "agent": "support", "tool": "send_message", "rule": "r", "risk_level": "high"},
    **{"arguments": {"channel": "#ops", "text": "one"}, "approvals_required": 1, "approvers": [], "four_eyes": False},
    **{"title": "Post", "description": ""},
}


def test_approvals_of_one_agent_tool_and_target_are_alike_whatever_they_say() -> None:
    assert likeness(Ask(**POST)) == likeness(Ask(**POST | {"arguments": {"channel": "#ops", "text": "two"}}))


@pytest.mark.parametrize(
    "other",
    [
        {"agent": "sales"},
        {"tool": "post"},
        {"arguments": {"channel": "#all", "text": "one"}},
        {"arguments": {"channel": "#ops", "text": "@everyone one"}},
        {"arguments": {"channel": "#ops", "text": "one", "bcc": "eve@evil.com"}},
        {"risk_level": "critical"},
        {"impact": {"kinds": ["reaches_customers"], "text": "Reaches 1 customer"}},
        {"rule": None},
        {"approvals_required": 2},
        {"stages": [{"name": "a", "approvers": [], "count": 1}]},
        {"approvers": ["group:finance"]},
        {"four_eyes": True},
        {"call_ids": ["c"]},
    ],
)
def test_what_goes_elsewhere_or_needs_others_is_not_alike(other: dict[str, Any]) -> None:
    assert likeness(Ask(**POST)) != likeness(Ask(**POST | other))


def test_an_ask_that_somebody_edited_is_alike_to_others_by_what_it_says_now() -> None:
    ask, there = Ask(**POST), {"channel": "#all", "text": "one"}
    change_arguments(ask, there, None)
    assert ask.likeness == likeness(Ask(**POST | {"arguments": there}))


@pytest.mark.parametrize(
    ("ask", "alone"),
    [
        ({}, False),
        ({"kind": "question", "response_type": "choice"}, False),
        ({"kind": "question", "response_type": "form"}, True),
        ({"kind": "recovery"}, True),
        ({"kind": "plan"}, True),
        ({"kind": "milestone"}, True),
        ({"kind": "budget"}, True),
        ({"approvals_required": 2}, True),
        ({"stages": [{"name": "a", "approvers": [], "count": 1}]}, True),
        ({"four_eyes": True}, True),
        ({"call_ids": ["c"]}, True),
    ],
)
def test_what_cannot_be_decided_together_says_why(ask: dict[str, Any], alone: bool) -> None:
    assert (apart(Ask(**POST | ask)) is not None) is alone


def test_only_what_is_not_the_same_in_all_differs() -> None:
    calls = [{"a": 1, "b": {"c": "x" * 200, "d": [1]}}, {"a": 1, "b": {"c": "y", "d": [1]}, "e": None}, {"a": 1.0}]
    found = {each.path: (each.distinct, each.sample) for each in differences(calls)}
    assert found == {
        "a": (2, ["1", "1.0"]),
        "b.c": (3, ["x" * 80 + "…", "y"]),
        "b.d": (2, ["[1]"]),
        "e": (2, ["null"]),
    }


def test_one_call_differs_from_nothing() -> None:
    assert differences([{"a": 1}]) == []
