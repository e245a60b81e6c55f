"""What a call does and what its run had done before it, as text. Pure."""

from typing import Any

from signoff.cli.terminal.screen import plain, span
from signoff.kit.jsons import JsonObject

FIRST_TIME = "First time this agent does this here"


def impact_text(impact: JsonObject | None) -> str:
    """What a call does, in one line."""
    first = FIRST_TIME if impact and impact.get("first_time") else ""
    return " · ".join(filter(None, [impact["text"] if impact else "", first]))


def steps_text(steps: JsonObject) -> list[str]:
    """`Before this: 6 steps in 2 min 10 s`, and each of the last ones, as markup."""
    items: list[Any] = steps["items"]
    if not items:
        return []
    count = len(items) + steps["earlier"]
    said = f"{count} step{'' if count == 1 else 's'} in {_took(steps['seconds'])}"
    earlier = [f"  [dim]… {steps['earlier']} earlier[/]"] if steps["earlier"] else []
    return [f"[dim]Before this:[/] {said}", *earlier, *(_line(each) for each in items)]


def _line(step: JsonObject) -> str:
    ended = "" if step["status"] == "succeeded" else f", {step['status']}"
    return f"  {plain(step['headline'])} [dim]{_took(step['seconds'])}{ended}[/]"


def _took(seconds: float) -> str:
    """`4 s`, `2 min 10 s`, then as short as everywhere."""
    whole = max(0, round(seconds))
    if whole >= 3600:
        return span(whole)
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60} s"
