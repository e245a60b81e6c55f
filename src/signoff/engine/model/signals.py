"""Signals in text, for models that call tools badly: fenced `workflow-signal` blocks of JSON. Pure."""

import re
from dataclasses import dataclass

from signoff.kit import jsons
from signoff.kit.jsons import JsonObject

BLOCK = re.compile(r"```workflow-signal[^\S\n]*\n(.*?)```", re.DOTALL)
TOOL_OF = {
    "progress": "report_progress",
    "deliverable": "create_deliverable",
    "complete": "complete_task",
    "clarification_complete": "clarification_complete",
    "plan": "propose_plan",
}
FIELDS = {
    "clarification_complete": {"summary", "key_requirements"},
    "propose_plan": {"steps", "summary"},
    "report_progress": {"current_step", "completed_steps", "remaining_steps", "percentage", "message"},
    "create_deliverable": {"name", "type", "content", "path", "url", "description"},
    "complete_task": {"summary", "output", "key_findings"},
}


@dataclass(frozen=True)
class Signal:
    """A call that the model wrote down instead of making it."""

    tool: str
    arguments: JsonObject


def signals(text: str) -> list[Signal]:
    """Every well-formed signal of a text, in order. What is no signal stays text."""
    return [signal for block in BLOCK.findall(text) if (signal := _signal(block)) is not None]


def _signal(block: str) -> Signal | None:
    try:
        content = jsons.loads(block)
    except jsons.BadJson:
        return None
    if not isinstance(content, dict):
        return None
    given: JsonObject = dict(content)  # pyright: ignore[reportUnknownArgumentType]
    tool = TOOL_OF.get(str(given.pop("type", "")))
    if tool is None:
        return None
    if "deliverable_type" in given:
        given["type"] = given.pop("deliverable_type")
    return Signal(tool, {name: value for name, value in given.items() if name in FIELDS[tool]})
