"""Modals, within Slack's bounds and without secrets."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.asks.models import Ask
from signoff.channels.slack import views
from signoff.channels.slack.arguments import edited, written
from signoff.channels.slack.views import About
from signoff.kit.errors import FieldError, Invalid
from tests.channels.slack.receiver import words
from tests.channels.slack.test_blocks import HOSTILE

ABOUT = About("delivery-1", "edit", "d" * 64, "C1")


def ask_with(**fields: Any) -> Ask:
    return Ask(**({"id": "a", "kind": "approval", "title": "Write a file", "run_id": "r"} | fields))


def test_a_secret_or_a_long_text_is_not_shown_and_stays() -> None:
    ask = ask_with(arguments={"path": "a.txt", "password": "hunter2-and-more", "content": "x" * 4_000})
    view = views.edit_view(ABOUT, ask)
    assert view is not None
    assert views.inputs(ask) == {"argument:0": "path"}
    assert "hunter2" not in words(view["blocks"])
    assert "stay as they are: password, content" in words(view["blocks"])
    assert edited(ask.arguments or {}, {}, {"path": "b.txt"}) == (ask.arguments or {}) | {"path": "b.txt"}


def test_where_nothing_can_be_edited_there_is_no_modal() -> None:
    assert views.edit_view(ABOUT, ask_with(arguments={"content": "x" * 4_000})) is None
    assert views.respond_view(ABOUT, ask_with(kind="question", response_type="form")) is None


def test_a_problem_stands_at_its_input_or_at_the_first_one() -> None:
    ask = ask_with(arguments={"to": "a", "to.name": "b"})
    error = Invalid("no", errors=[FieldError("arguments.to.name", "too short"), FieldError("elsewhere", "wrong")])
    assert views.problems_at("edit", ask, error) == {"argument:0": "Too short"}
    assert views.problems_at("deny", ask, Invalid("Not now.")) == {"note": "Not now."}


KEPT = [1, 1.0, True, None, "text", "1", "line\r\nline", [1, {"a": None}], {"b": 2}, ""]


@pytest.mark.parametrize("value", KEPT, ids=repr)
def test_what_nobody_touched_stays_to_the_letter(value: Any) -> None:
    shown = written(value).replace("\r\n", "\n")
    found = edited({"it": value}, {"properties": {"it": {"type": ["string", "null"]}}}, {"it": shown})
    assert json.dumps(found) == json.dumps({"it": value})


@given(st.dictionaries(HOSTILE, HOSTILE, max_size=120), HOSTILE, st.integers(0, 12))
def test_a_modal_stays_within_slacks_bounds(arguments: dict[str, str], title: str, count: int) -> None:
    options = [{"label": title, "value": number, "description": title} for number in range(count)]
    ask = ask_with(title=title, arguments=arguments, response_type="choice", options=options)
    for view in (views.deny_view(ABOUT, ask), views.edit_view(ABOUT, ask), views.respond_view(ABOUT, ask)):
        if view is None:
            continue
        assert len(view["blocks"]) <= 100
        assert len(view["private_metadata"]) <= 3_000
        for block in view["blocks"]:
            assert len(block.get("label", {"text": "x"})["text"]) <= 2_000
            assert len(block.get("element", {}).get("initial_value", "")) <= 3_000
            for option in block.get("element", {}).get("options", []):
                assert 0 < len(option["text"]["text"]) <= 75
                assert 0 < len(option.get("description", {"text": "x"})["text"]) <= 75
