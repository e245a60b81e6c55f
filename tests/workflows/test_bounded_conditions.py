"""A condition is short, and how long it goes through data is bounded, too: while it does, nothing else goes on."""

import json

import pytest

from signoff.workflows.conditions import ConditionError, holds, problem
from signoff.workflows.context import Context

ITEMS = [{"id": str(each), "total": each} for each in range(20_000)]
DATA = json.dumps(
    {"[]": 1, "items": ITEMS, "words": ["a"] * 50_000, "text": "x" * 100_000, "limit": 5, "who": {"id": "7"}}
)


@pytest.mark.parametrize("gap", ["", " ", "\n\t", "// more\n"])
def test_a_walk_inside_of_another_is_refused_however_it_is_spelled(gap: str):
    assert "one list only" in str(problem(f"l.all{gap}(x, l.exists{gap}(y, x == y))"))


@pytest.mark.parametrize(
    "when",
    [
        'words.all(x, !text.contains("xy"))',
        'words.all(x, !("b" in words))',
        'words.all(x, x != ")" && !text.contains("xy"))',
        "words.all(x, x != text // )\n && x != text)",
        'words.all(// text\n x, !text.contains("xy"))',
        "size(words.map(x, text + text)) > 0",
        'words.all(x, !x.matches("(((a?b?){1,9}){1,9}){1,9}c"))',
        "size(items.filter(i, i.total > limit)) > 0",
        "items.map(i, i.id).size() > 0",
        "(items).filter(i, true) != []",
        "words.all(w, w != input.items[0].id)",
        "words.all(w, w != input // it's\n .items [0].id)",
        'words.all(w, r"\\" != w && w != input.items[0].id && "" != w)',
        "words.all(w, (input).who.id != items[0].id)",
        "words.all(w, [text, items].size() == 2)",
        'words.all(w, w != input["items"][0].id)',
        "size(" + " + ".join(["text"] * 280) + ") > 0",
        'text.matches("((x?y?){1,50}){1,50}z")',
    ],
)
def test_what_would_hold_up_everybody_is_an_error_of_the_step(when: str):
    assert problem(when) is None
    with pytest.raises(ConditionError, match="too much data"):
        holds(when, Context.start(DATA))


@pytest.mark.parametrize(
    "when",
    [
        "items.exists(i, i.total > limit && i.id == who.id)",
        'items.exists(i, i.id == input.who.id) && text.startsWith("x")',
        'text.matches("^x+$")',
        "words.all(w, w != items[0].id)",
        "[1, 2, 3].filter(n, n > limit).size() == 0",
        "size(items) == 20000 && items[0].total == 0",
        '[1, 2].exists(n, n == 2) && who.id.matches("^[0-9]{1,3}$")',
    ],
)
def test_what_people_write_works_on_large_data(when: str):
    assert holds(when, Context.start(DATA))
