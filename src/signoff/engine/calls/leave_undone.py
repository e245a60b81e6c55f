"""In a test, calls with effects outside are not made: what they would have done is their result."""

import asyncio
from typing import Any

from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.policy.impact import Impact, ImpactKind
from signoff.policy.risk import OWN_MEANS, READING, Risk, raised
from signoff.runs.models import Call
from signoff.runs.undoing.undo_calls import NOT_MADE, was_not_made
from signoff.tools.impact_statements import Statements
from signoff.tools.previews import make_preview
from signoff.tools.registry import Tool
from signoff.workflows.fields import sample

IN_ITS_FOLDER = frozenset({ImpactKind.STAYS_IN_FOLDER, ImpactKind.OVERWRITES, ImpactKind.CANNOT_BE_UNDONE})


async def left_undone(engine: EngineContext, claimed: ClaimedRun, tool: Tool, call: Call) -> str | None:
    """What a call of a test would have done; None: it may be made, for it only reads or stays in the run's folder."""
    if not claimed.run.test:
        return None
    return await asyncio.to_thread(_left_undone, engine, claimed, tool, call)


def _left_undone(engine: EngineContext, claimed: ClaimedRun, tool: Tool, call: Call) -> str | None:
    context = claimed.look_around(engine)
    used = tool.used_for(call.arguments, context.reach, Statements(context.folder))
    if _may_be_made(used):
        return None
    said = f"{NOT_MADE} It would have done this: {tool.headline(call.arguments).rstrip('.')}."
    summary = (make_preview(tool, context, call.arguments) or {}).get("summary")
    return f"{said} {summary.rstrip('.')}." if summary else said


def _may_be_made(tool: Tool) -> bool:
    risk = raised(tool.assessment)
    if tool.operation_type in READING and risk.level.rank < Risk.HIGH.rank:
        return True
    # What an agent keeps in mind stays with it, but not with this run.
    ours = tool.source == "builtin" and tool.operation_type != OWN_MEANS
    return ours and risk.impact is not None and _stays_in_folder(risk.impact)


def _stays_in_folder(impact: Impact) -> bool:
    return impact.stated and ImpactKind.STAYS_IN_FOLDER in impact.kinds and IN_ITS_FOLDER.issuperset(impact.kinds)


def stand_in(claimed: ClaimedRun, call: Call) -> Any:
    """What a step hands on whose tool was not called: something that fits its schema, else the words."""
    schema = claimed.definition.output_schema or claimed.run.output_schema
    left = claimed.run.test and was_not_made(call)
    return sample(schema) if left and schema is not None else call.result
