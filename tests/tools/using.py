"""Built-in tools as the engine uses them, without a run around."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from signoff.kit.settings import Settings
from signoff.policy.impact import Impact
from signoff.tools.builtin import builtin_registry
from signoff.tools.effects import Preview
from signoff.tools.egress import ANYWHERE, Reach
from signoff.tools.impact_statements import Statements
from signoff.tools.registry import Tool, ToolContext

REGISTRY = builtin_registry()


def found(name: str) -> Tool:
    tool = REGISTRY.get(name)
    assert tool is not None
    return tool


def context(folder: Path, settings: Settings | None = None, reach: Reach = ANYWHERE) -> ToolContext:
    return ToolContext("w", "r", "agent", "c", folder, settings or Settings(), SimpleNamespace(), reach=reach)  # pyright: ignore[reportArgumentType]


def use(
    name: str, folder: Path, /, *, settings: Settings | None = None, reach: Reach = ANYWHERE, **arguments: Any
) -> Any:
    assert found(name).check(arguments) == []
    return asyncio.run(found(name).run(context(folder, settings, reach), arguments))


def judged(name: str, folder: Path, /, *, reach: Reach = ANYWHERE, **arguments: Any) -> tuple[str, Impact]:
    """The risk and the impact of a call."""
    assessment = found(name).used_for(arguments, reach, Statements(folder)).assessment
    assert assessment.impact is not None
    return assessment.level.value, assessment.impact


def previewed(name: str, folder: Path, /, **arguments: Any) -> Preview:
    preview = found(name).preview
    assert preview is not None
    return preview(context(folder), arguments)
