"""What a change of the rules would mean: replays over the past, and suggestions from it."""

import difflib
from collections.abc import Iterable
from datetime import datetime

from signoff.cli.terminal.screen import hint, in_a_line, plain, say, say_lines, since, table, toned, visible
from signoff.kit.jsons import JsonObject

TONES = {"+": "green", "-": "red", "@": "cyan"}


def show_replay(replay: JsonObject, start: datetime | None, limit: int) -> None:
    """A replay: the figures, every refusal that would be let through, then what else changes."""
    evaluated, before, after = replay["evaluated"], replay["asks_before"], replay["asks_after"]
    if not evaluated:
        return say("Nothing to try it on: no agent called a tool in that time.")
    when = f" since {start.astimezone():%Y-%m-%d %H:%M}" if start else ""
    say(f"Tried on [bold]{evaluated}[/] past call{'' if evaluated == 1 else 's'}{when}.")
    say(f"Asks: [bold]{before} → {after}[/] {_change(before, after)}")
    _show_let_through(replay["would_allow_denied"])
    return _show_changed(replay["changed"], replay["changed_count"], limit)


def show_suggestions(found: list[JsonObject]) -> None:
    """Each suggestion with its numbers and its change."""
    if not found:
        return say("No suggestions yet. They appear when people keep approving the same thing, or propose a rule.")
    for each in found:
        by = f" Proposed by {plain(each['proposed_by'])}." if each.get("proposed_by") else ""
        say(f"\n[bold]{plain(each['name'])}[/]")
        say(f"{plain(each['text'])}{_edits(each['edited'])}{by}")
        say_lines(_coloured(each["diff"].splitlines()[2:]))
        hint("To accept it:", f"signoff rules suggestions --accept {plain(each['id'])}")
    return None


def diff_text(before: str, after: str) -> list[str]:
    """What lies between two texts of rules, as lines of markup."""
    changes = difflib.unified_diff(before.splitlines(), after.splitlines(), n=2, lineterm="")
    return _coloured(list(changes)[2:])


def _coloured(lines: Iterable[str]) -> list[str]:
    return [f"[{TONES.get(line[:1], 'dim')}]{plain(visible(line))}[/]" for line in lines]


def _change(before: int, after: int) -> str:
    if after == before:
        return "(no change)"
    return f"[green]({before - after} saved)[/]" if after < before else f"[yellow]({after - before} more)[/]"


def _edits(count: int) -> str:
    return f" {count} of them edited." if count else ""


def _show_let_through(found: list[JsonObject]) -> None:
    if not found:
        return say("[green]✓[/] No denied call would be allowed.")
    say(f"\n[bold red]! {len(found)} denied before would be allowed:[/]")
    rows = [
        [
            each["run_id"],
            _call(each) + (f"\n[dim]“{plain(each['note'])}”[/]" if each.get("note") else ""),
            plain(each["refused_by"] or "a rule"),
            plain(each["rule"] or "-"),
            plain(each["agent"]),
            since(each["at"]),
        ]
        for each in found
    ]
    return table(["RUN", "CALL", "DENIED BY", "RULE", "AGENT", "AGE"], rows)


def _show_changed(found: list[JsonObject], count: int, limit: int) -> None:
    if not found:
        return say("No decision would change.")
    say(f"\n[bold]{count} decision{'' if count == 1 else 's'} would change:[/]")
    rows = [
        [
            each["run_id"],
            _call(each),
            f"{toned(each['before'])} → {toned(each['after'])}",
            plain(each["rule"] or "-"),
            plain(each["agent"]),
            since(each["at"]),
        ]
        for each in found[:limit]
    ]
    table(["RUN", "CALL", "CHANGE", "RULE", "AGENT", "AGE"], rows)
    if count > limit:
        say(f"[dim]… and {count - limit} more; --limit shows them, --json has the newest 500.[/]")
    return None


def _call(each: JsonObject) -> str:
    return f"{plain(each['tool'])} [dim]{plain(in_a_line(each['arguments']))}[/]"
