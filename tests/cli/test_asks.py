from typing import Any

import pytest
from rich.markup import render

from signoff.cli.asks import describe, key_line, keys, value_of
from signoff.cli.client import Failure
from tests.cli.conftest import an_ask


def shown(ask: dict[str, Any], **how: Any) -> str:
    return "\n".join(render(line, emoji=False).plain for line in describe(ask, **how))


def test_an_approval_shows_what_and_why():
    text = shown(an_ask())
    for part in (
        "Approval needed · high risk · write_file",
        "Write report.md",
        "writer · Write a report",
        "path  report.md",
        "content  bees",
        "Why it stopped: it writes a file",
        "The agent's reason: the report is ready",
        "Confidence: 80%",
    ):
        assert part in text


def test_a_long_argument_is_cut_and_can_be_seen_whole():
    ask = an_ask(arguments={"content": "\n".join(f"line {n}" for n in range(100))})
    assert "… 81 more lines" in shown(ask)
    assert "line 99" not in shown(ask)
    assert "line 99" in shown(ask, whole=True)
    assert "v" in keys(ask, inbox=False)


def test_arguments_hide_nothing():
    ask = an_ask(arguments={"command": "ls\x1b[2K\x1b[1Grm -rf \u202e/", "[red]k": "[/]"})
    text = shown(ask)
    assert "ls\\u001b[2K\\u001b[1Grm -rf \\u202e/" in text
    assert "[red]k  [/]" in text


@pytest.mark.parametrize(
    ("ask", "expected"),
    [
        (an_ask(), "aedrs"),
        (an_ask(arguments=None), "adrs"),
        (an_ask(kind="plan", arguments=None), "ads"),
        (an_ask(kind="question", arguments=None, response_type="text"), "rs"),
        (an_ask(kind="question", arguments=None, response_type="boolean"), "yns"),
        (
            an_ask(kind="question", arguments=None, response_type="choice", options=[{"value": "x"}, {"value": "y"}]),
            "12s",
        ),
        (an_ask(kind="recovery", arguments=None), "123s"),
    ],
)
def test_each_kind_has_its_keys(ask: dict[str, Any], expected: str):
    assert "".join(keys(ask, inbox=False)) == expected
    assert "".join(keys(ask, inbox=True)) == expected + "q"


def test_the_keys_explain_themselves():
    assert render(key_line(keys(an_ask(), inbox=True))).plain == "[a]pprove  [e]dit  [d]eny  [r]espond  [s]kip  [q]uit"
    choice = an_ask(kind="question", arguments=None, options=[{"value": n} for n in range(3)])
    assert render(key_line(keys(choice, inbox=False))).plain == "1-3 choose  [s]kip"


OPTIONS = [{"id": "eu", "label": "Europe", "value": "EU"}, {"id": "us", "label": "America", "value": "US"}]


@pytest.mark.parametrize(
    ("kind", "typed", "value"),
    [
        ("text", "yes", "yes"),
        ("boolean", "Yes", True),
        ("boolean", "n", False),
        ("number", "3", 3),
        ("number", "2,5", 2.5),
        ("form", '{"a": 1}', {"a": 1}),
        ("choice", "2", "US"),
        ("choice", "Europe", "EU"),
        ("choice", "EU", "EU"),
        ("choice", "us", "US"),
    ],
)
def test_what_was_typed_becomes_the_value(kind: str, typed: str, value: object):
    ask = an_ask(kind="question", response_type=kind, options=OPTIONS if kind == "choice" else None)
    assert value_of(ask, typed) == value


@pytest.mark.parametrize(
    ("kind", "typed"), [("boolean", "perhaps"), ("number", "many"), ("number", "nan"), ("form", "[1]"), ("choice", "3")]
)
def test_what_does_not_fit_is_refused(kind: str, typed: str):
    ask = an_ask(kind="question", response_type=kind, options=OPTIONS if kind == "choice" else None)
    with pytest.raises(Failure):
        value_of(ask, typed)
