"""Messages that tests of several chats show."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from signoff.channels.port import AskView, Choice, Fact, Message
from signoff.kit.ids import new_id

ASK = AskView(
    id="ask-1",
    kind="approval",
    digest="0123456789abcdef" * 4,
    decisions=("approve", "deny", "respond"),
    needs_sign_in=False,
    tool="send_email",
    arguments=(Fact("to", "ana@example.org"), Fact("text", "Hello\nworld")),
    editable=True,
    response_type="text",
)
MESSAGE = Message(
    id=new_id(),
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
LONG = replace(MESSAGE, ask=replace(ASK, arguments=tuple(Fact(f"part {at}", "x" * 600) for at in range(20))))


def asking(*labels: str, **fields: Any) -> Message:
    """A question with these answers to choose from."""
    choices = tuple(Choice(number, label) for number, label in enumerate(labels))
    kind = "choice" if labels else "text"
    return replace(MESSAGE, ask=replace(QUESTION, response_type=kind, choices=choices, **fields))


HOSTILE = st.one_of(
    st.text(max_size=300),
    st.text("<>&@*_~`|\\[]()#-\n :/", max_size=300),
    st.sampled_from(
        [
            "@everyone <@1> <#2> <@&3> <:a:4>",
            "<b>bold</b> &lt;script&gt; </pre>",
            "**a** __b__ ~~c~~ ||d|| `e` ```f```",
            "# Title\n> quote\n- item\n1. one",
            "[good](https://evil.example) https://evil.example @ana /start #tag",
            "😀" * 400,
            "x" * 5_000,
            " ",
            "",
        ]
    ),
)
FACTS = st.lists(st.builds(Fact, HOSTILE, HOSTILE), max_size=21).map(tuple)
ASKS = st.builds(
    AskView,
    id=st.just("ask-1"),
    kind=st.just("approval"),
    digest=st.one_of(st.none(), st.just("ab" * 32)),
    decisions=st.sampled_from([(), ("approve", "deny", "respond"), ("respond",)]),
    needs_sign_in=st.booleans(),
    arguments=FACTS,
    response_type=st.sampled_from([None, "text", "choice"]),
    choices=st.lists(HOSTILE, max_size=12).map(
        lambda labels: tuple(Choice(number, label, label) for number, label in enumerate(labels))
    ),
)
MESSAGES = st.builds(
    Message,
    id=st.just(MESSAGE.id),
    kind=st.sampled_from(["ask", "test", "failed"]),
    title=HOSTILE,
    text=HOSTILE,
    facts=FACTS,
    detail=HOSTILE,
    urgent=st.booleans(),
    risk=st.sampled_from([None, "low", "critical"]),
    ask=st.one_of(st.none(), ASKS),
    open_url=st.sampled_from(["", "https://signoff.example.org/asks/1", "http://localhost:8400/asks/1"]),
    outcome=st.sampled_from([None, "Approved by <b>*Ana*</b>"]),
    repeated=st.booleans(),
)
