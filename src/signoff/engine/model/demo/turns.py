"""What a demo script sees and gives: the conversation so far, and what is said and done next."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from signoff.kit import jsons

Call = tuple[str, dict[str, Any]]
MARK = (
    "> **Demo.** A script wrote this, not an AI, and whatever it claims is made up. "
    "For the real thing, connect a model: Settings → Models.\n"
)


@dataclass(frozen=True)
class Past:
    """The conversation so far: the task, which tools there are, and how the last call of each ended."""

    task: str
    tools: frozenset[str]
    # How often each tool was called.
    calls: Mapping[str, int] = field(default_factory=dict[str, int])
    results: Mapping[str, tuple[str, bool]] = field(default_factory=dict[str, tuple[str, bool]])

    def may(self, tool: str, times: int = 1) -> bool:
        """Whether a tool is there and was called less often than this."""
        return tool in self.tools and self.calls.get(tool, 0) < times

    def worked(self, tool: str) -> bool:
        return self.results.get(tool, ("", False))[1]

    def result(self, tool: str) -> str:
        """What came back, as words; empty where nothing did."""
        text = self.results.get(tool, ("", False))[0]
        try:
            value = jsons.loads(text)
        except jsons.BadJson:
            return text.strip()
        if isinstance(value, dict):
            value = cast("jsons.JsonObject", value).get("answer")
        return value.strip() if isinstance(value, str) else "" if value is None else text.strip()


@dataclass(frozen=True)
class DemoTurn:
    text: str
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True)
class Document:
    """What a script writes about the task, whichever way it gets there."""

    path: str
    title: str
    content: str


Script = Callable[[Past], DemoTurn]


def progress(now: str, steps: list[str], percentage: float) -> Call:
    """`now` is one of the steps: those before it are done."""
    place = steps.index(now)
    told = {"current_step": now, "completed_steps": steps[:place], "remaining_steps": steps[place + 1 :]}
    return ("report_progress", told | {"percentage": percentage})


def all_done(steps: list[str]) -> Call:
    told = {"current_step": steps[-1], "completed_steps": steps, "remaining_steps": [], "percentage": 100}
    return ("report_progress", told)


def hand_over(name: str, content: str, description: str, kind: str = "markdown") -> Call:
    return ("create_deliverable", {"name": name, "type": kind, "content": content, "description": description})


def complete(summary: str, *findings: str) -> Call:
    return ("complete_task", {"summary": summary} | ({"key_findings": list(findings)} if findings else {}))


def finish(summary: str) -> DemoTurn:
    return DemoTurn(summary, (complete(summary),))


def hand_on(text: str, summary: str, output: Mapping[str, Any]) -> DemoTurn:
    """The end of a workflow's step, with what the next one gets."""
    return DemoTurn(text, (("complete_task", {"summary": summary, "output": output}),))
