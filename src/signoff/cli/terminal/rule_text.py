"""Rules as text: in colour, and with a finger on what is wrong."""

from typing import TYPE_CHECKING

from signoff.cli.terminal.screen import out, plain, say
from signoff.kit.text.deceptive import with_numbers

if TYPE_CHECKING:
    from rich.text import Text

LEAST_WIDTH = 40


def highlighted(text: str) -> "Text":
    """YAML in the colours of the terminal."""
    from rich.syntax import Syntax

    syntax = Syntax("", "yaml", theme="ansi_dark", background_color="default")
    shown = syntax.highlight(with_numbers(text))
    shown.rstrip()
    return shown


def pointed(name: str, text: str, line: int, column: int, message: str, color: str = "red") -> None:
    """Say what is wrong as `FILE:LINE:COL: message`, and show the line with a caret under the place."""
    say(f"[bold]{plain(name)}:{line}:{column}:[/] [{color}]{plain(message)}[/]")
    lines = text.split("\n")
    wrong = lines[line - 1] if line <= len(lines) else ""
    room = max(out().width - len(str(line)) - 5, LEAST_WIDTH) if out().is_terminal else len(wrong)
    shown, before = cropped(wrong, column, room)
    say(f"  [dim]{line} |[/] {plain(shown)}")
    say(f"  [dim]{' ' * len(str(line))} |[/] {' ' * before}[bold {color}]^[/]")


def cropped(line: str, column: int, room: int) -> tuple[str, int]:
    """As much of a line as there is room for, and how many cells stand before the column in it."""
    from rich.cells import cell_len

    start, end = 0, len(line)
    if len(line) > room:
        start = max(0, min(column - 1 - room // 2, len(line) - room + 2))
        end = start + room - 2
    head, tail = "…" if start else "", "…" if end < len(line) else ""
    return head + _even(line[start:end]) + tail, cell_len(head + _even(line[start : column - 1]))


def _even(text: str) -> str:
    """Without what has no width or any width: the caret must stand under its place."""
    return with_numbers(text.replace("\t", " "))
