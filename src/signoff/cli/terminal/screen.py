"""What the terminal shows: clean of control characters, coloured for people, plain and whole when piped."""

import json
import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from signoff.kit.jsons import JsonObject
from signoff.kit.text import deceptive

if TYPE_CHECKING:
    from rich.console import Console

# No sequence reaches past the begin of another: a text of many begins and no end would take for ever.
_SEQUENCE = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c\x9d]*(?:\x07|\x1b\\|\x9c)")
GAP = 2
ELASTIC = ("AGENT", "NAME", "MODEL", "ACTOR", "USER", "RULE", "NOTE", "BY", "DENIED BY", "WHERE", "CHANNEL", "TO")
TONES = {
    "completed": "green",
    "approved": "green",
    "answered": "green",
    "succeeded": "green",
    "sent": "green",
    "running": "cyan",
    "waiting_approval": "yellow",
    "waiting_input": "yellow",
    "pending": "yellow",
    "queued": "yellow",
    "paused": "yellow",
    "timeout": "red",
    "failed": "red",
    "denied": "red",
    "refused": "red",
    "deny": "red",
    "ask": "yellow",
    "allow": "green",
    "critical": "bold red",
    "high": "red",
    "medium": "yellow",
}


def plain(text: object) -> str:
    """Text of unknown origin, made safe to print: no escape sequences, no controls, no rich markup."""
    from rich.markup import escape

    return escape(bare(str(text)))


def bare(text: str) -> str:
    """The same for text that is printed as it is, not as markup."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return deceptive.without_hidden(_SEQUENCE.sub("", lines).encode("utf-8", "replace").decode())


def visible(text: str) -> str:
    """What will run must be seen as it is: a hidden character is shown by its number, not left out."""
    return deceptive.visible(text)


def in_a_line(values: dict[str, Any] | None, most: int = 70) -> str:
    """Names and values as one line, with what is hidden made visible; what is too long is cut."""
    pairs = [f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in (values or {}).items()]
    line = visible(" ".join(pairs))
    return line if len(line) <= most else line[: most - 1] + "…"


def toned(word: str) -> str:
    """A status or risk level in its colour."""
    tone = TONES.get(word)
    return f"[{tone}]{plain(word)}[/]" if tone else plain(word)


def test_mark(shown: JsonObject) -> str:
    """Before the title of a run, or of an ask of one, that only tries things out."""
    return "[cyan]TEST[/] " if shown.get("test") else ""


@cache
def out() -> "Console":
    return _console(stderr=False)


@cache
def err() -> "Console":
    return _console(stderr=True)


def _console(*, stderr: bool) -> "Console":
    from rich.console import Console

    return Console(stderr=stderr, emoji=False, highlight=False)


def say(markup: str = "", *, end: str = "\n", to_stderr: bool = False) -> None:
    """Print one piece of markup; parts that came from elsewhere must have gone through `plain`."""
    console = err() if to_stderr else out()
    # A pipe has no width: whoever reads it wants whole lines.
    console.print(markup, end=end, soft_wrap=not console.is_terminal)


def say_lines(lines: Sequence[str]) -> None:
    """Print lines of markup; what is too long goes on under its own beginning."""
    from rich.padding import Padding

    console = out()
    for line in lines:
        indent = len(line) - len(line.lstrip(" "))
        if console.is_terminal and indent:
            console.print(Padding(line[indent:], (0, 0, 0, indent)))
        else:
            say(line)


def hint(text: str, command: str, *, to_stderr: bool = False) -> None:
    """Say what to do next. The command stays in one piece, so that it can be copied."""
    (err() if to_stderr else out()).print(f"[dim]{text}[/] {command}", soft_wrap=True)


def complain(message: str, details: Sequence[str] = ()) -> None:
    say(f"[red]{plain(message)}[/]", to_stderr=True)
    for detail in details:
        say(f"[red]  {plain(detail)}[/]", to_stderr=True)


def show_json(value: Any) -> None:
    """For programs: ASCII only, so that nothing in it can move the cursor."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], errors: Sequence[str | None] = ()) -> None:
    """A list whose first column is the id and whose second is a name. People see the id, whole, under the name.

    What went wrong with a row stands under it, cut to one line; in a pipe it is the last column, whole.
    """
    if out().is_terminal:
        _rich_table(heads, rows, errors)
    elif any(errors):
        told = [plain(each or "") for each in errors]
        _plain_table([*heads, "ERROR"], [[*row, error] for row, error in zip(rows, told, strict=True)])
    else:
        _plain_table(heads, rows)


def _rich_table(heads: Sequence[str], rows: Sequence[Sequence[str]], errors: Sequence[str | None]) -> None:
    from rich.table import Table

    cells = [[*row[1:]] for row in rows]
    widths = _widths(heads[1:], cells, out().width, 36 if heads[0] else 12)

    def begin(*, with_heads: bool) -> Table:
        grid = Table(box=None, padding=(0, GAP, 0, 0), header_style="dim", show_header=with_heads)
        grid.add_column(heads[1], overflow="fold", width=widths[0])
        for head, width in zip(heads[2:], widths[1:], strict=True):
            grid.add_column(head, overflow="ellipsis", no_wrap=True, width=width)
        return grid

    grid = begin(with_heads=True)
    for row, error in zip_longest(rows, errors):
        under = f"\n[dim]{row[0]}[/]" if row[0] else ""
        grid.add_row(row[1] + under, *row[2:])
        if error:
            out().print(grid)
            # It has the width of the screen, so the table goes on below it.
            out().print(f"  [red]{plain(' '.join(error.split()))}[/]", no_wrap=True, overflow="ellipsis")
            grid = begin(with_heads=False)
    if grid.row_count:
        out().print(grid)


def _widths(heads: Sequence[str], cells: Sequence[Sequence[str]], room: int, least: int) -> list[int]:
    """Where room is short, first the main column gives way down to its least, then names; never a state or a time."""
    from rich.markup import render

    wanted = [
        max(len(head), *(render(row[column], emoji=False).cell_len for row in cells))
        for column, head in enumerate(heads)
    ]
    wanted[0] = max(wanted[0], least)
    over = sum(wanted) + GAP * len(wanted) - room
    for column in [0, *(number for number, head in enumerate(heads) if head in ELASTIC)]:
        given = min(max(over, 0), wanted[column] - (least if column == 0 else 8))
        wanted[column] -= max(given, 0)
        over -= max(given, 0)
    return wanted


def _plain_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.markup import render

    texts = [[render(cell, emoji=False).plain.replace("\n", " ") for cell in row] for row in rows]
    shown = [list(heads), *texts] if heads[0] else [list(heads)[1:], *(row[1:] for row in texts)]
    widths = [max(len(row[column]) for row in shown) for column in range(len(shown[0]))]
    for row in shown:
        sys.stdout.write("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() + "\n")


def span(seconds: float) -> str:
    """A length of time, as short as it can be said."""
    whole = max(0, int(seconds))
    for unit, size in (("d", 86_400), ("h", 3_600), ("m", 60)):
        if whole >= size * 2:
            return f"{whole // size}{unit}"
    return f"{whole}s"


def since(moment: str | None) -> str:
    """How long ago."""
    return span((datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds()) if moment else "-"


def until(moment: str) -> str:
    left = (datetime.fromisoformat(moment) - datetime.now(UTC)).total_seconds()
    return f"in {span(left)}" if left > 0 else "now"


def clock_time(moment: str) -> str:
    """A time of day here, with the date when it is not today's."""
    then, now = datetime.fromisoformat(moment).astimezone(), datetime.now(UTC).astimezone()
    return then.strftime("%H:%M" if then.date() == now.date() else "%Y-%m-%d %H:%M")


def local_time(moment: str | None) -> str:
    return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M") if moment else "-"


def size(count: int) -> str:
    """Bytes, for people."""
    amount = float(count)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def credits(run: dict[str, Any]) -> str:
    """What a run has cost."""
    known = run.get("cost_credits") or 0
    if not run.get("cost_incomplete"):
        return f"{known:.4g} credits"
    return f"at least {known:.4g} credits" if known else "cost unknown"
