"""A message as an Adaptive Card: valid, within Teams' bounds, and nothing that agents wrote formats it."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import hatch_build
from signoff.channels.port import Fact, Link, Message
from signoff.channels.teams.card import payload
from signoff.channels.teams.markdown import escaped
from tests.channels.slack.test_blocks import ASK, MESSAGE, messages

VALIDATE = Path(__file__).with_name("validate.cjs")
FAILURE = Message(
    id="d1",
    kind="failed",
    title="IT: Server Health Check failed",
    text="Partial results saved: Ticket Analyzer completed. Its results are kept.",
    facts=(
        Fact("Workflow", "IT: Server Health Check"),
        Fact("Run id", "exec-20251118-789"),
        Fact("Agent", "Database Query Agent"),
        Fact("Step", "2 of 5"),
        Fact("Error", "Connection timeout to SQL Server (10.0.0.50:1433)"),
        Fact("Time", "2025-11-18 14:32:15 UTC"),
        Fact("Duration", "12.5 seconds"),
    ),
    open_url="https://signoff.example.org/runs/1",
    links=(Link("Retry", "https://signoff.example.org/runs/1?action=retry"), Link("Debug", "https://x/debug")),
)
CARDS = {
    "a failure": FAILURE,
    "an approval": replace(MESSAGE, urgent=True, repeated=True),
    "a question": replace(MESSAGE, ask=replace(ASK, decisions=("respond",), response_type="text")),
    "what needs signing in": replace(MESSAGE, risk="critical", ask=replace(ASK, needs_sign_in=True)),
    "an outcome": replace(MESSAGE, outcome="Approved by Ana"),
    "a digest": Message(id="d", kind="digest", title="30 things", items=(MESSAGE,) * 30),
    "a test": Message(id="d", kind="test", title="Signoff can reach you here"),
    "a long one": replace(MESSAGE, ask=replace(ASK, arguments=(Fact("content", "x\n" * 50_000),) * 30)),
}


def card_of(message: Message, **given: Any) -> dict[str, Any]:
    (attachment,) = payload(message, **given)["attachments"]
    assert attachment["contentType"] == "application/vnd.microsoft.card.adaptive"
    return attachment["content"]


def texts(found: Any) -> list[str]:
    """All that people read on a card."""
    if isinstance(found, dict):
        own = [found[name] for name in ("text", "title", "value") if isinstance(found.get(name), str)]
        return own + [text for each in found.values() for text in texts(each)]
    return [text for each in found for text in texts(each)] if isinstance(found, list) else []


def problems(*cards: dict[str, Any]) -> list[list[str]]:
    """What the library that shows cards says about each."""
    hatch_build.install()
    library = hatch_build.WEB / "node_modules/adaptivecards/dist/adaptivecards.js"
    node = hatch_build.node_home() / "bin/node"
    command = [str(node), str(VALIDATE), str(library)]
    done = subprocess.run(command, input=json.dumps(cards), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_every_kind_of_card_passes_the_library_s_own_validation() -> None:
    assert problems(*(card_of(each, takes_answers=True) for each in CARDS.values())) == [[]] * len(CARDS)


def test_the_validation_finds_what_is_wrong() -> None:
    broken = {"type": "TextBlock", "text": "x", "size": "enormous"}, {"type": "Nonsense"}
    card = {"type": "AdaptiveCard", "version": "1.5", "body": list(broken), "actions": [{"type": "Action.OpenUrl"}]}
    (found,) = problems(card)
    assert len(found) >= 3, found


def test_a_failure_has_seed_001_s_facts_and_buttons() -> None:
    card = card_of(FAILURE)
    assert (card["type"], card["version"]) == ("AdaptiveCard", "1.5")
    headline = card["body"][0]
    assert (headline["type"], headline["style"]) == ("Container", "attention")
    assert headline["items"][0]["text"].endswith("failed")
    (facts,) = (each["facts"] for each in card["body"] if each["type"] == "FactSet")
    assert [each["title"] for each in facts] == ["Workflow", "Run id", "Agent", "Step", "Error", "Time", "Duration"]
    assert [each["title"] for each in card["actions"]] == ["View details", "Retry", "Debug"]
    assert {each["type"] for each in card["actions"]} == {"Action.OpenUrl"}
    assert any("Partial results" in text for text in texts(card))


def test_an_ask_can_be_opened_and_is_named_where_answers_are_taken() -> None:
    named = replace(MESSAGE, ask=replace(ASK, id="01a1ec38-2590-74e5-ada6-707620fc347c"))
    assert not any("approve 20fc347c" in text for text in texts(card_of(named)))
    assert any("approve 20fc347c" in text for text in texts(card_of(named, takes_answers=True)))
    assert card_of(named)["actions"] == [{"type": "Action.OpenUrl", "title": "Open", "url": MESSAGE.open_url}]


ACTIVE = ["**bold**", "[click](https://evil)", "![x](https://evil)", "# big", "- a list", "1. a list", "1) a list"]
ACTIVE += ["`code`", "<b>tag</b>", "a\n===", "{{DATE(2017-02-14T06:08:39Z,SHORT)}}", "\\*", "> quoted", "~~gone~~"]


@pytest.mark.parametrize("text", ACTIVE)
def test_markdown_of_an_agent_is_shown_and_not_obeyed(text: str) -> None:
    """A reader of Markdown that takes the backslashes away gets the text back, and finds nothing else to do."""
    written = escaped(text)
    for at, character in enumerate(written):
        if character in "`*_~[](){}<>#|!":
            assert written[at - 1] == "\\", written
    assert not written.startswith(("-", "1.", "1)"))
    assert _unescaped(written) == text.replace("\n", "\n\n")


def _unescaped(text: str) -> str:
    found, escape = list[str](), False
    for each in text:
        if each == "\\" and not escape:
            escape = True
            continue
        found.append(each)
        escape = False
    return "".join(found)


@given(messages())
def test_whatever_an_agent_writes_the_card_is_small_enough(message: Message) -> None:
    assert len(json.dumps(payload(message, takes_answers=True), ensure_ascii=False).encode()) <= 28 * 1024


@pytest.mark.slow
@given(messages())
def test_whatever_an_agent_writes_the_card_is_valid(message: Message) -> None:
    assert problems(card_of(message)) == [[]]


LONG = "ж\u4e00*" * 200
SHOWN = {
    "ten arguments": (tuple(Fact(f"n{number}", "v") for number in range(10)), True),
    "one more": (tuple(Fact(f"n{number}", "v") for number in range(11)), False),
    "a long name": ((Fact("n" * 41, "v"),), False),
    "long values": ((Fact("content", LONG),) * 3, True),
    "too much of them": ((Fact("content", LONG),) * 10, False),
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_card_can_be_approved_only_if_it_shows_all_arguments(name: str) -> None:
    arguments, is_whole = SHOWN[name]
    message = replace(MESSAGE, detail=LONG * 10, ask=replace(ASK, arguments=arguments))
    seen = texts(card_of(message, takes_answers=True))
    short = ASK.id[-8:]
    assert any(f"approve {short}" in text for text in (each.replace("\\", "") for each in seen)) == is_whole
    assert any(f"deny {short}" in text for text in (each.replace("\\", "") for each in seen))
    if is_whole:
        assert {escaped(each.value) for each in arguments} <= set(seen)
