"""A run as it happens: what has happened stays above, what goes on now lives at the bottom."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from signoff.cli.terminal.ask_text import outcome
from signoff.cli.terminal.event_feed import BACK, LOST
from signoff.cli.terminal.screen import bare, complain, out, plain, say, size, span
from signoff.kit.jsons import JsonObject

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

# Each has an event of its own that says more than "the tool ran".
CONTROL_TOOLS = ("report_progress", "create_deliverable", "ask_question", "complete_task")
MARKS = {"succeeded": "[green]✓[/]", "denied": "[yellow]⊘[/]", "failed": "[red]✗[/]", "unknown": "[red]?[/]"}
# How a step of a workflow stands.
STEP_MARKS = MARKS | {
    "running": "[cyan]▸[/]",
    "waiting": "[yellow]◆[/]",
    "skipped": "[dim]⊘[/]",
    "cancelled": "[dim]⊘[/]",
}
STEP_WORDS = {"running": "", "succeeded": "", "waiting": " waits for a person"}
WAITS = {
    "queued": "Waiting for a worker",
    "waiting_approval": "Waiting for approval",
    "waiting_input": "Waiting for an answer",
    "paused": "Paused",
    "planning": "Planning",
    "clarifying": "Clarifying",
}
# How much of the text that is being written is shown before it is whole.
DRAFT_LINES = 8


class View:
    """Shows events one after another. On a terminal, with a bottom that lives."""

    def __init__(self, *, answered_here: set[str]) -> None:
        self._answered_here = answered_here
        self._status, self._progress = "queued", ""
        self._percent: float | None = None
        self._calls = dict[str, str]()
        # Text on its way. It may begin in the middle, and break off: only the message that follows is the truth.
        self._draft = ""
        self._writing: tuple[int, int] = (0, 0)
        self._lost = False
        self._since = time.monotonic()
        self._live: Live | None = None
        self._show: dict[str, Callable[[JsonObject], None]] = {
            "run.status": self._run_status,
            "run.progress": self._run_progress,
            "run.step": self._run_step,
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
        if self._live and event["type"] != "run.delta":
            self._live.refresh()

    @contextmanager
    def alive(self) -> Generator[None, None, None]:
        """Keep the bottom moving, on a terminal."""
        self._start()
        try:
            yield
        finally:
            self._stop()

    @contextmanager
    def aside(self) -> Generator[None, None, None]:
        """Take the bottom away while something else has the terminal."""
        self._stop()
        try:
            yield
        finally:
            self._start()

    def _start(self) -> None:
        from rich.live import Live

        # A new one each time: a used one remembers how many lines it had, and would wipe out what was said since.
        if out().is_terminal:
            self._live = Live(get_renderable=self._bottom, console=out(), transient=True, refresh_per_second=8)
            self._live.start()

    def _stop(self) -> None:
        live, self._live = self._live, None
        if live:
            live.stop()

    def _bottom(self) -> "RenderableType":
        from rich.console import Group
        from rich.spinner import Spinner
        from rich.text import Text

        footer = Spinner("dots", Text.from_markup(f"[dim]{self._footer()}[/]", overflow="ellipsis"), style="cyan")
        if not self._draft:
            return footer
        lines = Text(bare(self._draft)).wrap(out(), out().width)[-DRAFT_LINES:]
        return Group(*lines, footer)

    def _footer(self) -> str:
        if self._lost:
            return "Connection lost; trying again"
        parts = [
            WAITS.get(self._status) or self._progress or "Working",
            *(f"{tool} …" for tool in self._calls.values()),
        ]
        if self._percent is not None and self._status == "running":
            parts.append(f"{self._percent:.0f} %")
        return " · ".join([*parts, span(time.monotonic() - self._since)])

    def _run_status(self, data: JsonObject) -> None:
        changed, self._status = data["status"] != self._status, data["status"]
        # The bottom says it; without one, a line has to.
        if self._live is None and changed and self._status in WAITS:
            say(f"[dim]{WAITS[self._status]}.[/]")

    def _run_progress(self, data: JsonObject) -> None:
        progress: JsonObject = data.get("progress") or {}
        step, self._percent = plain(progress.get("current_step") or ""), progress.get("percentage")
        percent = f" [dim]{self._percent:.0f} %[/]" if self._percent is not None else ""
        if step and step != self._progress:
            say(f"[cyan]▸[/] [bold]{step}[/]{percent}")
        self._progress = step

    def _run_step(self, data: JsonObject) -> None:
        """`✓ analyze 1 of 3`."""
        status, count = data["status"], f"{data['number']} of {data['of']}"
        # Events of before have no name.
        name = plain(data.get("name") or data["step"])
        self._percent = 100 * data["number"] / data["of"]
        if status == "pending":
            return
        if status == "running":
            self._progress = name
        words = STEP_WORDS.get(status, f" {status}")
        say(f"{STEP_MARKS.get(status, '·')} [bold]{name}[/]{plain(words)} [dim]{count}[/]")

    def _run_delta(self, data: JsonObject) -> None:
        writing = (data.get("turn") or 0, data.get("attempt") or 0)
        if writing != self._writing:
            self._draft, self._writing = "", writing
        self._draft += data["text"]

    def _run_message(self, data: JsonObject) -> None:
        message: JsonObject = data["message"]
        text = (message.get("text") or "").strip()
        if message["role"] == "user":
            say(f"[bold cyan]you:[/] {plain(text)}")
        elif message["role"] == "assistant":
            # The next turn's text may already be on its way.
            if self._writing[0] <= (message.get("turn") or self._writing[0]):
                self._draft = ""
            if text:
                say(plain(text))

    def _call_started(self, data: JsonObject) -> None:
        call: JsonObject = data["call"]
        if call["tool"] in CONTROL_TOOLS:
            return
        self._calls[call["id"]] = plain(call["tool"])
        if self._live is None:
            say(f"[dim]→ {plain(call['tool'])}[/]")

    def _call_finished(self, data: JsonObject) -> None:
        call: JsonObject = data["call"]
        self._calls.pop(call["id"], None)
        if call["tool"] in CONTROL_TOOLS and call["status"] == "succeeded":
            return
        # A refusal's text is for the model; the person knows.
        reason = call.get("error") if call["status"] != "denied" else None
        error = f" [dim]{plain(_first_line(reason))}[/]" if reason else ""
        word = f" {plain(call['status'])}" if call["status"] != "succeeded" else ""
        say(f"{MARKS.get(call['status'], '·')} {plain(call['tool'])}{word}{error}")

    def _ask_settled(self, data: JsonObject) -> None:
        ask: JsonObject = data["ask"]
        if ask["id"] not in self._answered_here:
            say(f"{outcome(ask)}: {plain(ask['title'])}")

    def _deliverable_created(self, data: JsonObject) -> None:
        deliverable: JsonObject = data["deliverable"]
        amount = f" [dim]{size(deliverable['size_bytes'])}[/]" if deliverable.get("size_bytes") is not None else ""
        say(f"[green]+[/] {plain(deliverable['name'])}{amount}")

    def _limit_warning(self, data: JsonObject) -> None:
        limit = plain(str(data["limit"]).replace("_", " "))
        say(f"[yellow]! {limit}: {_figure(data['used'])} of {_figure(data['max'])} used[/]")

    def _connection_lost(self, _: JsonObject) -> None:
        self._lost = True
        if self._live is None:
            complain("Connection lost; trying again.")

    def _connection_back(self, _: JsonObject) -> None:
        self._lost = False


def _first_line(text: Any) -> str:
    return str(text).strip().split("\n")[0]


def _figure(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, int | float) else plain(value)
