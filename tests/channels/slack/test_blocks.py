"""A message as Block Kit: what agents wrote means nothing to Slack, and all of it stays within Slack's bounds."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.channels.port import AskView, Choice, Fact, Link, Message
from signoff.channels.slack.blocks import blocks, summary
from tests.channels.slack.receiver import buttons, words

ASK = AskView(
    id="ask-1",
    kind="approval",
    digest="d" * 64,
    decisions=("approve", "deny", "respond"),
    needs_sign_in=False,
    tool="send_email",
    arguments=(Fact("to", "ana@example.org"), Fact("text", "Hello\nworld")),
    editable=True,
    response_type="text",
)
MESSAGE = Message(
    id="delivery-1",
    kind="ask",
    title="Approve: Send a mail",
    text="To a customer.",
    facts=(Fact("Agent", "Support"), Fact("Run", "Refunds")),
    detail="The customer asked for it.",
    risk="high",
    ask=ASK,
    open_url="https://signoff.example.org/asks/ask-1",
)
QUESTION = replace(ASK, kind="question", decisions=("respond",), arguments=(), editable=False)


def asking(**fields: Any) -> Message:
    return replace(MESSAGE, ask=replace(QUESTION, **fields))


def test_an_approval_shows_what_it_is_about_and_has_a_button_for_each_decision() -> None:
    made = blocks(MESSAGE)
    for part in (
        "Approve: Send a mail",
        "Support",
        "ana@example.org",
        "Hello",
        "The customer asked for it.",
        "High risk",
    ):
        assert part in words(made), part
    assert list(buttons(made)) == ["approve", "deny", "edit", "respond", "link:1"]
    assert (buttons(made)["approve"]["style"], buttons(made)["deny"]["style"]) == ("primary", "danger")
    assert buttons(made)["link:1"]["url"] == MESSAGE.open_url


def test_a_button_carries_the_delivery_and_the_digest_that_was_shown() -> None:
    for button in buttons(blocks(MESSAGE)).values():
        assert json.loads(button["value"]) == {"d": "delivery-1", "g": "d" * 64}


def test_what_needs_signing_in_can_only_be_opened() -> None:
    made = blocks(replace(MESSAGE, ask=replace(ASK, needs_sign_in=True)))
    assert list(buttons(made)) == ["link:1"]
    assert "signs in" in words(made)


def test_a_settled_ask_says_how_it_ended_and_has_no_buttons() -> None:
    made = blocks(replace(MESSAGE, outcome="Approved by Ana"))
    assert not buttons(made)
    assert made[-1] == {
        "type": "context",
        "elements": [{"type": "plain_text", "text": "Approved by Ana", "emoji": False}],
    }
    assert summary(replace(MESSAGE, outcome="Approved by Ana")) == "Approved by Ana: Approve: Send a mail"


def test_few_choices_are_buttons_and_many_are_behind_one() -> None:
    few = tuple(Choice(number, f"Colour {number}", "like the sea" if number else "") for number in range(3))
    made = blocks(asking(response_type="choice", choices=few))
    assert [name for name in buttons(made) if name.startswith("choice")] == ["choice:0", "choice:1", "choice:2"]
    assert "like the sea" in words(made)
    many = tuple(Choice(number, f"Colour {number}") for number in range(6))
    assert list(buttons(blocks(asking(response_type="choice", choices=many)))) == ["respond", "link:1"]


def test_a_form_is_answered_in_the_app() -> None:
    made = blocks(asking(response_type="form"))
    assert list(buttons(made)) == ["link:1"]
    assert "form" in words(made)


def test_a_repeat_says_so() -> None:
    assert "may be a repeat" in words(blocks(replace(MESSAGE, repeated=True)))


def test_approving_what_is_not_shown_in_full_is_confirmed_first() -> None:
    long = replace(MESSAGE, ask=replace(ASK, arguments=(Fact("text", "x" * 5_000),)))
    assert "confirm" in buttons(blocks(long))["approve"]
    assert "Not all of it is shown" in words(blocks(long))
    assert "confirm" not in buttons(blocks(MESSAGE))["approve"]


def test_a_digest_lists_what_it_gathers_with_links() -> None:
    items = tuple(replace(MESSAGE, title=f"Thing {number}", open_url=f"https://x/{number}") for number in range(30))
    made = blocks(Message(id="d", kind="digest", title="30 things", items=items))
    assert "Thing 3" in words(made)
    assert "15 more" in words(made)
    assert buttons(made)["link:item:4"]["url"] == "https://x/3"


def test_links_and_the_answer_page_are_buttons() -> None:
    made = replace(MESSAGE, answer_url="https://x/a/ans_1", links=(Link("Retry", "https://x/retry"),))
    urls = [each["url"] for each in buttons(blocks(made)).values() if "url" in each]
    assert urls == [MESSAGE.open_url, "https://x/a/ans_1", "https://x/retry"]


HOSTILE = st.one_of(
    st.text(max_size=200),
    st.sampled_from(["<!channel>", "<!here|now>", "<@U1> & <https://evil|good>", "&lt;!channel&gt;", "*_~`", " ", ""]),
    st.builds(lambda text, times: text * times, st.sampled_from(["<", "&", "😀", "x\n", "<!"]), st.integers(1, 4_000)),
)
FACTS = st.lists(st.builds(Fact, HOSTILE, HOSTILE), max_size=25).map(tuple)
LIMITS = {"header": 150, "section": 3_000, "context": 2_000}


@st.composite
def messages(draw: st.DrawFn) -> Message:
    choices = tuple(Choice(number, draw(HOSTILE), draw(HOSTILE)) for number in range(draw(st.integers(0, 8))))
    ask = replace(ASK, arguments=draw(FACTS), choices=choices, response_type=draw(st.sampled_from(["text", "choice"])))
    texts = {name: draw(HOSTILE) for name in ("title", "text", "detail")}
    more = {"outcome": draw(st.one_of(st.none(), HOSTILE)), "risk": draw(st.sampled_from([None, "low", "critical"]))}
    items = tuple(replace(MESSAGE, title=draw(HOSTILE)) for _ in range(draw(st.integers(0, 20))))
    return replace(MESSAGE, ask=ask, facts=draw(FACTS), items=items, repeated=True, urgent=True, **texts, **more)


@given(messages())
def test_whatever_an_agent_writes_slack_takes_it_and_reads_no_command_in_it(message: Message) -> None:
    made = blocks(message)
    assert len(made) <= 50
    assert "<" not in json.dumps(made) + summary(message)
    for block in made:
        _within(block)
        assert block["type"] != "actions" or 0 < len(block["elements"]) <= 25


def _within(block: dict[str, Any]) -> None:
    if block["type"] == "section":
        assert len(block.get("fields", ())) <= 10
        assert all(0 < _length(each["text"]) <= 2_000 for each in block.get("fields", ()))
    if "text" in block:
        assert 0 < _length(block["text"]["text"]) <= LIMITS[block["type"]]
    for each in block.get("elements", ()):
        text = each["text"]["text"] if block["type"] == "actions" else each["text"]
        assert 0 < _length(text) <= (75 if block["type"] == "actions" else 2_000)
        assert len(each.get("value", "")) <= 2_000


def _length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@pytest.mark.parametrize("text", ["<!channel>", "<@U123>", "a & b < c"])
def test_control_characters_are_shown_and_not_obeyed(text: str) -> None:
    made = blocks(replace(MESSAGE, title=text, text=text, detail=text))
    assert "<" not in json.dumps(made)
    assert words(made).count(text) == 3
