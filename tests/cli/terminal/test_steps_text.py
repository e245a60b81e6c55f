"""What a call does and what was done before it, in a terminal."""

from typing import Any

import pytest

from signoff.cli.terminal.steps_text import impact_text, steps_text


def step(headline: str, status: str = "succeeded", seconds: float = 4) -> dict[str, Any]:
    return {"tool": "t", "headline": headline, "status": status, "seconds": seconds, "ended_at": ""}


@pytest.mark.parametrize(
    ("impact", "text"),
    [
        (None, ""),
        ({"kinds": [], "text": "Overwrites a.md", "first_time": False}, "Overwrites a.md"),
        ({"kinds": [], "text": "Pays", "first_time": True}, "Pays · First time this agent does this here"),
    ],
)
def test_an_impact_is_one_line(impact: dict[str, Any] | None, text: str) -> None:
    assert impact_text(impact) == text


def test_the_steps_before_an_ask_with_their_times_and_how_they_ended() -> None:
    steps = {"items": [step("Write [a]", seconds=0), step("Pay", "denied", 61)], "earlier": 3, "seconds": 7_300.0}
    assert steps_text(steps) == [
        "[dim]Before this:[/] 5 steps in 2h",
        "  [dim]… 3 earlier[/]",
        r"  Write \[a] [dim]0 s[/]",
        "  Pay [dim]1 min 1 s, denied[/]",
    ]
    assert steps_text({"items": [], "earlier": 0, "seconds": 0}) == []
