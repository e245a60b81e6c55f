"""What a chat shows: what is signed comes before what explains it, and who cannot see all of it cannot approve."""

from dataclasses import replace

from hypothesis import given

from signoff.channels.chats.layout import NOT_ALL, laid_out
from signoff.channels.chats.offered import decision_buttons, link_buttons
from signoff.channels.port import Choice, Fact, Link, Message
from tests.channels.chats.samples import ASK, LONG, MESSAGE, MESSAGES, asking

ROOM = 4_000


def labels(message: Message, room: int = ROOM, *, takes_text: bool = False) -> list[str]:
    shows_all = laid_out(message, room, len).shows_all
    return [each.label for each in decision_buttons(message, shows_all=shows_all, takes_text=takes_text)]


def test_all_of_a_short_message_is_there_in_the_order_that_it_is_read() -> None:
    made = laid_out(MESSAGE, ROOM, len)
    assert made.shows_all
    parts = ["standing", "text", "fact", "fact", "argument", "argument", "why"]
    assert [each.part for each in made.lines] == parts


def test_what_explains_makes_room_for_what_is_signed() -> None:
    made = laid_out(replace(MESSAGE, detail="y" * 5_000), 1_000, len)
    assert made.shows_all
    assert next(each for each in made.lines if each.part == "why").value.endswith("…")
    assert made.lines[-1].value == NOT_ALL


def test_what_cannot_be_shown_in_full_can_only_be_refused_or_opened() -> None:
    assert labels(MESSAGE) == ["Approve", "Deny"]
    assert labels(LONG) == ["Deny"]
    assert labels(replace(MESSAGE, text="z" * 5_000)) == ["Deny"]
    assert labels(replace(MESSAGE, facts=(Fact("Impact", "z" * 5_000),))) == ["Deny"]


def test_there_is_a_button_for_what_may_be_decided_and_no_other() -> None:
    assert labels(replace(MESSAGE, ask=replace(ASK, decisions=("deny", "respond")))) == ["Deny"]
    assert labels(replace(MESSAGE, ask=replace(ASK, decisions=()))) == []
    assert labels(replace(MESSAGE, ask=replace(ASK, needs_sign_in=True))) == []
    assert labels(replace(MESSAGE, outcome="Approved by Ana")) == []
    assert labels(replace(MESSAGE, ask=None)) == []


def test_few_choices_are_buttons_and_many_are_made_in_the_app() -> None:
    assert labels(asking("Blue", "", "x" * 100)) == ["Blue", "Answer 2", "x" * 59 + "…"]
    assert labels(asking(*"abcdefgh")) == list("abcdefgh")
    assert labels(asking(*"abcdefghi")) == []
    assert "9 answers" in laid_out(asking(*"abcdefghi"), ROOM, len).lines[-1].value


def test_what_stands_behind_a_choice_is_said() -> None:
    message = asking("Blue", "Red")
    assert message.ask
    described = replace(message, ask=replace(message.ask, choices=(Choice(0, "Blue", "like the sea"),)))
    assert any(each.value == "Blue: like the sea" for each in laid_out(described, ROOM, len).lines)


def test_words_are_taken_where_the_chat_can_take_them() -> None:
    assert labels(MESSAGE, takes_text=True) == ["Approve", "Deny", "Reply"]
    assert labels(asking(), takes_text=True) == ["Answer"]
    assert labels(asking()) == []


def test_a_link_that_no_chat_takes_stands_in_words() -> None:
    local = replace(MESSAGE, open_url="http://localhost:8400/asks/1", links=(Link("Retry", "https://x.example/r"),))
    assert [each.url for each in link_buttons(local)] == ["https://x.example/r"]
    assert laid_out(local, ROOM, len).lines[-1].value == "http://localhost:8400/asks/1"
    personal = replace(MESSAGE, answer_url="https://x.example/a/ans_1")
    assert [each.label for each in link_buttons(personal)] == ["Open", "Answer without signing in"]


def test_a_digest_lists_what_it_gathers() -> None:
    items = tuple(replace(MESSAGE, title=f"Thing {number}") for number in range(30))
    made = laid_out(Message(id=MESSAGE.id, kind="digest", title="30 things", items=items), ROOM, len)
    assert [each.value for each in made.lines][:2] == ["Thing 0", "Thing 1"]
    assert made.lines[-1].value == "and 15 more"


@given(MESSAGES)
def test_it_never_takes_more_room_than_there_is(message: Message) -> None:
    made = laid_out(message, 1_500, len)
    assert len(made.title) + sum(len(each.label) + len(each.value) + len(each.url) for each in made.lines) <= 1_500


@given(MESSAGES)
def test_who_can_approve_has_every_argument_before_their_eyes(message: Message) -> None:
    made = laid_out(message, 1_500, len)
    if message.ask and made.shows_all:
        shown = [(each.label, each.value) for each in made.lines if each.part == "argument"]
        assert shown == [(each.label, each.value) for each in message.ask.arguments]
