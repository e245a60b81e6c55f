"""A run as it happens: what was said stays above, what goes on now is the line at the bottom."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from signoff.cli.asks import outcome
from signoff.cli.feed import BACK, LOST
from signoff.cli.screen import bare, complain, out, plain, say, size, span
from signoff.kit.jsons import JsonObject

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

# Each has an event of its own that says more than "the tool ran".
OWN_MEANS = ("report_progress", "create_deliverable", "ask_question", "complete_task")
MARKS = {"succeeded": "[green]✓[/]", "denied": "[yellow]⊘[/]", "failed": "[red]✗[/]", "unknown": "[red]?[/]"}
WAITS = {
    "queued": "Waiting for a worker",
    "waiting_approval": "Waiting for approval",
    "waiting_input": "Waiting for an answer",
    "paused": "Paused",
    "planning": "Planning",
    "clarifying": "Clarifying",
}


class View:
    """Shows events one after another. On a terminal, with a line at the bottom that lives."""

    def __init__(self, *, answered_here: set[str]) -> None:
        self._answered_here = answered_here
        self._said, self._partial, self._writing = "", "", (0, 0)
        self._status, self._progress = "queued", ""
        self._calls = dict[str, str]()
        self._percent: float | None = None
        self._lost = False
        self._since = time.monotonic()
        self._live: Live | None = None
        self._show: dict[str, Callable[[JsonObject], None]] = {
            "run.status": self._run_status,
            "run.progress": self._run_progress,
            "run.delta": self._run_delta,
            "run.message": self._run_message,
            "call.started": self._call_started,
            "call.finished": self._call_finished,
            "ask.settled": self._ask_settled,
            "deliverable.created": self._deliverable_created,
            "limit.warning": self._limit_warning,
            LOST: self._connection_lost,
            BACK: self._connection_back,
        }

    def show(self, event: JsonObject) -> None:
        if handler := self._show.get(event["type"]):
            handler(event["data"])

    @contextmanager
    def alive(self) -> Generator[None, None, None]:
        """Keep the bottom line moving, on a terminal."""
        if not out().is_terminal:
            yield
            return
        from rich.live import Live

        self._live = Live(get_renderable=self._bottom, console=out(), transient=True, refresh_per_second=8)
        try:
            with self._live:
                yield
        finally:
            self._live = None
            self._end_line()

    @contextmanager
    def aside(self) -> Generator[None, None, None]:
        """Take the bottom line away while something else has the terminal."""
        self._end_line()
        if self._live is None:
            yield
            return
        self._live.stop()
        try:
            yield
        finally:
            self._live.start()

    def _bottom(self) -> "RenderableType":
        from rich.console import Group
        from rich.spinner import Spinner
        from rich.text import Text

        working = WAITS.get(self._status) or self._progress or "Working"
        parts = [working, *(f"{tool} …" for tool in self._calls.values())]
        if self._percent is not None and self._status == "running":
            parts.append(f"{self._percent:.0f} %")
        parts.append(span(time.monotonic() - self._since))
        if self._lost:
            parts = ["Connection lost; trying again"]
        footer = Spinner("dots", Text.from_markup(f"[dim]{' · '.join(parts)}[/]", overflow="ellipsis"), style="cyan")
        return Group(Text(self._partial), footer) if self._partial else footer

    def _run_status(self, data: JsonObject) -> None:
        changed = data["status"] != self._status
        self._status = data["status"]
        # The bottom line says it; without one, a line has to.
        if self._live is None and changed and self._status in WAITS and self._status != "queued":
            self._print(f"[dim]{WAITS[self._status]}.[/]")

    def _run_progress(self, data: JsonObject) -> None:
        progress: JsonObject = data.get("progress") or {}
        step, self._percent = plain(progress.get("current_step") or ""), progress.get("percentage")
        percent = f" [dim]{self._percent:.0f} %[/]" if self._percent is not None else ""
        if step and step != self._progress:
            self._print(f"[cyan]▸[/] {step}{percent}")
        self._progress = step

    def _run_delta(self, data: JsonObject) -> None:
        writing = (data.get("turn") or 0, data.get("attempt") or 0)
        if writing != self._writing:
            if self._said and writing[0] == self._writing[0]:
                self._print("[dim]The model is asked again.[/]")
            self._end_line()
            self._said, self._writing = "", writing
        self._said += data["text"]
        self._write(data["text"])

    def _write(self, text: str) -> None:
        from rich.text import Text

        clean = bare(text)
        self._partial += clean
        if self._live is None:
            out().print(Text(clean), end="", soft_wrap=True)
            self._partial = self._partial.rpartition("\n")[2]
            return
        *whole, self._partial = self._partial.split("\n")
        for line in whole:
            out().print(Text(line))
        *full, last = Text(self._partial).wrap(out(), out().width) if self._partial else [Text()]
        for line in full:
            out().print(line)
        # Wrapping drops the space at the end, which the next word needs.
        if full:
            self._partial = last.plain + (" " if self._partial.endswith(" ") else "")

    def _run_message(self, data: JsonObject) -> None:
        message: JsonObject = data["message"]
        text = message.get("text") or ""
        if message["role"] == "user":
            self._print(f"[bold cyan]you:[/] [dim]{plain(text)}[/]")
        elif message["role"] == "assistant":
            said, self._said = self._said, ""
            # What was streamed is not said again, unless this is another text, or the end of it is missing.
            if not (text.startswith(said) or said.startswith(text.rstrip())):
                self._end_line()
                said = ""
            if rest := text[len(said) :]:
                self._write(rest)
            self._end_line()

    def _call_started(self, data: JsonObject) -> None:
        call: JsonObject = data["call"]
        if call["tool"] in OWN_MEANS:
            return
        self._calls[call["id"]] = plain(call["tool"])
        if self._live is None:
            self._print(f"[dim]→ {plain(call['tool'])}[/]")

    def _call_finished(self, data: JsonObject) -> None:
        call: JsonObject = data["call"]
        self._calls.pop(call["id"], None)
        if call["tool"] in OWN_MEANS and call["status"] == "succeeded":
            return
        error = f" [red]{plain(_first_line(call['error']))}[/]" if call.get("error") else ""
        word = f" {call['status']}" if call["status"] != "succeeded" else ""
        self._print(f"{MARKS.get(call['status'], '·')} {plain(call['tool'])}{word}{error}")

    def _ask_settled(self, data: JsonObject) -> None:
        ask: JsonObject = data["ask"]
        if ask["id"] not in self._answered_here:
            self._print(f"{outcome(ask)}: {plain(ask['title'])}")

    def _deliverable_created(self, data: JsonObject) -> None:
        deliverable: JsonObject = data["deliverable"]
        amount = f" [dim]{size(deliverable['size_bytes'])}[/]" if deliverable.get("size_bytes") is not None else ""
        self._print(f"[green]+[/] {plain(deliverable['name'])}{amount}")

    def _limit_warning(self, data: JsonObject) -> None:
        limit = plain(str(data["limit"]).replace("_", " "))
        self._print(f"[yellow]! {limit}: {_figure(data['used'])} of {_figure(data['max'])} used[/]")

    def _connection_lost(self, _: JsonObject) -> None:
        self._lost = True
        if self._live is None:
            complain("Connection lost; trying again.")

    def _connection_back(self, _: JsonObject) -> None:
        self._lost = False

    def _print(self, markup: str) -> None:
        self._end_line()
        say(markup)

    def _end_line(self) -> None:
        if self._live is None:
            if self._partial:
                say()
        elif self._partial:
            from rich.text import Text

            out().print(Text(self._partial))
        self._partial = ""


def _first_line(text: Any) -> str:
    return str(text).strip().split("\n")[0]


def _figure(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, int | float) else plain(value)
