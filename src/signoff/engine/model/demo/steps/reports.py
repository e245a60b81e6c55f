"""The demo's monthly report: a section for each team's figures, then all of them in one."""

from typing import Any, cast

from signoff.engine.model.demo.steps.given import given, number, text_in, value_in
from signoff.engine.model.demo.turns import MARK, DemoTurn, Past, hand_on, hand_over
from signoff.kit.jsons import JsonObject

FILE = "monthly-report.md"


def report_writer(past: Past) -> DemoTurn:
    """One section, or the whole report if there are sections."""
    asked = given(past.task)
    sections: Any = asked.get("sections")
    if isinstance(sections, list):
        return _report(past, text_in(asked, "month"), cast("list[Any]", sections))
    return _section(asked)


def _section(asked: JsonObject) -> DemoTurn:
    figures = asked.get("figures")
    team = text_in(figures, "team") or "The team"
    opened, closed = (number(value_in(figures, name)) or 0 for name in ("opened", "closed"))
    left = opened - closed
    change = f"{left:.0f} more are open than before" if left > 0 else f"{-left:.0f} fewer are open than before"
    change = change if left else "as many are open as before"
    note = text_in(figures, "note").strip()
    text = f"{team} closed {closed:.0f} of {opened:.0f}: {change}.{f' {note}' if note else ''}"
    return hand_on(f"I look at the figures of {team}.", text, {"heading": team, "text": text})


def _report(past: Past, month: str, sections: list[Any]) -> DemoTurn:
    title = f"Report for {month}" if month else "Report"
    parts = [f"## {text_in(each, 'heading') or 'Section'}\n\n{text_in(each, 'text')}\n" for each in sections]
    count = "one section" if len(parts) == 1 else f"{len(parts)} sections"
    summary = f"{title}: {count}."
    done = hand_on("I put the sections together.", summary, {"title": title, "summary": summary})
    if not past.may("create_deliverable"):
        return done
    note = hand_over(FILE, "\n".join([f"# {title}\n", MARK, *parts]), f"All teams, {month}" if month else "All teams")
    return DemoTurn(done.text, (note, *done.calls))
