"""What can be decided where a message stands, and by which words."""

from typing import Any

import pytest

from signoff.asks.models import Ask
from signoff.channels.chats.as_shown import refuse_unshown
from signoff.channels.messages.choices import offered
from signoff.channels.messages.compose import view_of
from signoff.kit.errors import Forbidden

TURNED = [{"label": "Refuse", "value": True}, {"label": "Approve", "value": False}]


def an_ask(**fields: Any) -> Ask:
    known: dict[str, Any] = {"id": "a", "kind": "approval", "status": "pending", "title": "Write a file"}
    return Ask(**known | {"description": "Into the shared folder.", "sign_in": False} | fields)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"response_type": "boolean"}, ("Yes", "No")),
        ({"response_type": "boolean", "asks_approval": True}, ("Approve", "Refuse")),
        ({"response_type": "approval"}, ("Approve", "Refuse")),
    ],
)
def test_yes_and_no_have_our_words_whatever_an_agent_calls_them(fields: dict[str, Any], words: tuple[str, str]) -> None:
    found = offered(an_ask(kind="question", options=TURNED, **fields))
    assert [(choice.label, choice.number, value) for choice, value in found] == [
        (words[0], 0, True),
        (words[1], 1, False),
    ]


SECRET = "sk-ant-api03-" + "a1B2" * 12
NOT_WHOLE: list[dict[str, Any]] = [
    {"kind": "milestone", "description": "x" * 1_501},
    {"kind": "milestone", "title": "x" * 201},
    {"kind": "budget", "description": f"It needs {SECRET} to go on."},
    {"kind": "milestone", "description": "To the\u202eend"},
    {"kind": "plan"},
    {"arguments": {"content": "x" * 601}},
    {"arguments": {f"n{number}": number for number in range(21)}},
]


@pytest.mark.parametrize("fields", NOT_WHOLE)
def test_what_does_not_stand_in_the_message_in_full_is_not_approved_there(fields: dict[str, Any]) -> None:
    ask = an_ask(**fields)
    assert "approve" not in view_of(ask).decisions
    assert "deny" in view_of(ask).decisions
    refuse_unshown(ask, "deny")
    with pytest.raises(Forbidden, match="in the app"):
        refuse_unshown(ask, "approve")


@pytest.mark.parametrize("asked", ["approval", "milestone", "budget"])
def test_what_stands_there_is_approved_there(asked: str) -> None:
    ask = an_ask(kind=asked, title="Write  a file\n", description=" Into the folder.\n\nAll of it. ")
    assert "approve" in view_of(ask).decisions
    refuse_unshown(ask, "approve")
