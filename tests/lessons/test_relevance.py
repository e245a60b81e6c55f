"""What a lesson says of an edit, however long the text and wherever in it the change."""

from typing import Any

import pytest

from signoff.lessons.models import Lesson
from signoff.lessons.relevance import SHORT, excerpt, text_of

LONG = "A line that nobody changed, about the quarter and its figures.\n" * 40


def edited(before: Any, after: Any) -> Lesson:
    return Lesson(
        kind="edited",
        tool="write_file",
        original={"path": "a", "content": before},
        changed={"content": after, "path": "a"},
    )


CHANGES = {
    "deep in a long text": (LONG + "Dear all" + LONG, LONG + "Dear Ann" + LONG, "Dear all", "Dear Ann"),
    "at its end": (LONG, LONG + "Regards", "figures.", "Regards"),
    "at its beginning": ("Dear all" + LONG, "Dear Ann" + LONG, "Dear all", "Dear Ann"),
    "a short one": ("Dear all", "Dear Ann", "from Dear all to", "to Dear Ann"),
    "long for short": (LONG, "Nothing", "A line", "to Nothing"),
    "within fields": ({"a": LONG, "b": 1, "c": LONG}, {"a": LONG, "b": 2, "c": LONG}, '"b":1', '"b":2'),
    "a line break": (LONG + "one two" + LONG, LONG + "one\ntwo" + LONG, "one two", r"one\ntwo"),
    "a word said twice": (LONG + "very " + LONG, LONG + "very very " + LONG, "very A", "very very A"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_the_agent_and_the_approver_read_what_changed(case: str) -> None:
    before, after, was, became = CHANGES[case]
    lesson = edited(before, after)
    said = text_of(lesson)
    assert was in said
    assert became in said
    assert len(said) < 3 * SHORT
    shown, changed = excerpt(lesson)
    assert shown is not None
    assert changed is not None
    assert list(shown) == list(changed) == ["content"]
    assert shown != changed
    assert max(len(str(shown)), len(str(changed))) < 2 * SHORT


def test_a_window_says_where_the_text_goes_on() -> None:
    shown, changed = excerpt(edited(LONG + "all" + LONG, LONG + "Ann" + LONG))
    for each in (shown, changed):
        content = (each or {})["content"]
        assert content.startswith("…")
        assert content.endswith("…")
    assert (changed or {})["content"].count("Ann") == 1
