import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import plain, size, span, visible


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9b31mred", "red"),
        ("half \x1b", "half "),
        # What follows an unfinished sequence must not vanish with it.
        ("safe \x1b]0; rm -rf", "safe ]0; rm -rf"),
        ("bell\x07 back\x08 del\x7f", "bell back del"),
        ("over\rwritten", "over\nwritten"),
        ("two\r\nlines", "two\nlines"),
        ("left\u202eright\u2066", "leftright"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("lone \ud800", "lone ?"),
        ("👩‍👩‍👧 Grüße", "👩‍👩‍👧 Grüße"),
        ("[bold]not bold[/bold] [/] [red]", "[bold]not bold[/bold] [/] [red]"),
        (":smile: back\\slash", ":smile: back\\slash"),
        (12, "12"),
    ],
)
def test_untrusted_text_is_shown_as_harmless_text(given: object, shown: str):
    assert _printed(plain(given)) == shown


@given(st.text())
def test_nothing_that_moves_the_cursor_gets_through(text: str):
    assert not set(_printed(plain(text))) & {chr(n) for n in [*range(9), *range(11, 32), *range(127, 160)]}


def test_hidden_characters_of_what_will_run_are_shown_by_number():
    assert visible("a\x1b[2Kb\u202ec") == "a\\u001b[2Kb\\u202ec"


@pytest.mark.parametrize(
    ("seconds", "said"), [(0, "0s"), (59, "59s"), (119, "119s"), (150, "2m"), (7300, "2h"), (200_000, "2d"), (-5, "0s")]
)
def test_time_is_said_shortly(seconds: float, said: str):
    assert span(seconds) == said


def test_sizes_are_for_people():
    assert [size(n) for n in (12, 1500, 2_500_000, 3_000_000_000)] == ["12 B", "1.5 kB", "2.5 MB", "3.0 GB"]


def test_on_a_narrow_terminal_ids_and_states_stay_whole(monkeypatch: pytest.MonkeyPatch):
    console = Console(file=io.StringIO(), force_terminal=True, width=80, color_system=None)
    monkeypatch.setattr(screen, "out", lambda: console)
    row = [
        "01982c00-0000-7000-8000-000000000001",
        "A title that is long " * 4,
        "waiting_approval",
        "a-very-long-agent-name",
        "86s",
    ]
    screen.table(["ID", "TITLE", "STATUS", "AGENT", "AGE"], [row])
    lines = console.file.getvalue().splitlines()  # pyright: ignore[reportAttributeAccessIssue]
    assert max(map(len, lines)) <= 80
    assert row[0] in lines[-1]
    assert "waiting_approval" in lines[1]
    assert lines[1].rstrip().endswith("86s")


def test_an_error_is_one_line_under_its_row(monkeypatch: pytest.MonkeyPatch):
    console = Console(file=io.StringIO(), force_terminal=True, width=80, color_system=None)
    monkeypatch.setattr(screen, "out", lambda: console)
    ids = [f"01982c00-0000-7000-8000-00000000000{number}" for number in range(3)]
    rows = [[each, "Write report.md", "ada@example.org", "5m ago", "failed", "Mail"] for each in ids]
    screen.table(["ID", "WHAT", "TO", "WHEN", "STATUS", "CHANNEL"], rows, [None, "No:\nit [said] no. " * 9, None])
    lines = [each.rstrip() for each in console.file.getvalue().splitlines()]  # pyright: ignore[reportAttributeAccessIssue]
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["WHAT", "TO", "WHEN", "STATUS", "CHANNEL"]
    assert [lines[2], lines[4], lines[7]] == ids
    assert lines[5].startswith("  No: it [said] no. No:")
    assert lines[5].endswith("…")
    assert len(lines) == 8
    assert lines[6].index("failed") == lines[1].index("failed")


def _printed(markup: str) -> str:
    console = Console(file=io.StringIO(), emoji=False, highlight=False, width=1000)
    console.print(markup, end="", soft_wrap=True)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("begin", ["\x9d", "\x9b", "\x1b]", "\x1b[", "\x9dx", "\x1b[0"])
def test_a_text_of_many_begun_sequences_is_shown_at_once(begin: str) -> None:
    assert screen.bare(begin * 200_000 + "\n\nend").endswith("end")
