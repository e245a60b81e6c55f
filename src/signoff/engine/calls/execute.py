"""A call is executed: the tool runs with exactly the approved arguments, and whatever it does becomes the result."""

import asyncio
import logging
import traceback
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from signoff.claims import actions as claims
from signoff.engine.calls.elicitation import given_input
from signoff.engine.calls.leave_undone import left_undone
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.kit import clock, jsons
from signoff.policy.risk import READING
from signoff.runs.limits import seconds_left
from signoff.runs.models import Call
from signoff.runs.workflow.limits import MOST_BYTES
from signoff.tools.hide_paths import without_paths
from signoff.tools.registry import FAILURES_ALLOWED, NeedsInput, Tool, ToolFailed

log = logging.getLogger(__name__)

# Calls that one worker watches after it gave up on them: each may hang for good.
MOST_WATCHED = 500
TOO_MANY_HANG = (
    f"{MOST_WATCHED} calls on this worker took too long and have not ended yet. If they hang, restarting it ends them."
)


def safe(tool: Tool | None) -> bool:
    """Whether it may run beside others: it only reads."""
    return tool is not None and tool.idempotent and tool.operation_type in READING


@dataclass(frozen=True)
class ToolOutcome:
    """How a tool ended, or that nobody knows."""

    call: Call
    result: Any = None
    error: str | None = None
    cost_credits: float = 0.0
    # What was seen of a call that may or may not have taken effect.
    unknown: str | None = None
    # The other side asks people for something first.
    question: NeedsInput | None = None
    # It is still running: how it ends, when it does.
    goes_on: "asyncio.Task[ToolOutcome] | None" = None


async def execute(engine: EngineContext, claimed: ClaimedRun, call: Call) -> ToolOutcome:
    """Run the tool with exactly the approved arguments. Whatever it raises becomes the result."""
    tool = claimed.tool(call.tool)
    if tool is None:
        return ToolOutcome(call, error=f"{call.tool} is not available any more.")
    if (words := await left_undone(engine, claimed, tool, call)) is not None:
        return ToolOutcome(call, result=words)
    if not tool.idempotent and len(engine.watching) >= MOST_WATCHED:
        return ToolOutcome(call, error=f"{call.tool} was not started: {TOO_MANY_HANG}")
    await engine.crash_point("tool")
    await _hold_on(engine, claimed)
    seconds = _time_for(engine, claimed)
    working = asyncio.create_task(_executed(engine, claimed, call, tool))
    await asyncio.wait({working}, timeout=seconds)
    if working.done():
        return await working
    if tool.idempotent:
        working.cancel()
        again = "It may still take effect; to run it again does no harm."
        return ToolOutcome(call, error=f"{call.tool} took longer than {seconds:g} seconds. {again}")
    # Cut off now, it would be a call whose end nobody ever knows.
    return ToolOutcome(
        call, unknown=f"It had not ended after {seconds:g} seconds, and may still go on.", goes_on=working
    )


def _time_for(engine: EngineContext, claimed: ClaimedRun) -> float:
    """How long a tool may take; one that is a step by itself has no more than the step."""
    seconds = engine.settings.tool_timeout_seconds
    return min(seconds, seconds_left(claimed.limits, claimed.usage)) if claimed.run.kind == "tool" else seconds


async def _executed(engine: EngineContext, claimed: ClaimedRun, call: Call, tool: Tool) -> ToolOutcome:
    given = await given_input(engine, claimed, call)
    context = claimed.context(engine, call, given)
    try:
        result = await tool.run(context, call.arguments)
    except NeedsInput as question:
        return ToolOutcome(call, question=question)
    except ToolFailed as error:
        return ToolOutcome(call, error=_for_model(engine, claimed, str(error)), cost_credits=sum(context.costs))
    except Exception as error:
        log.info("tool %s failed in run %s", call.tool, claimed.run.id, exc_info=True)
        shown = _for_model(engine, claimed, f"{type(error).__name__}: {error}")[:4000]
        claimed.traces[call.id] = _for_model(engine, claimed, "".join(traceback.format_exception(error))[-8000:])
        if tool.idempotent or tool.operation_type in READING:
            return ToolOutcome(call, error=shown, cost_credits=sum(context.costs))
        # A connection that breaks may break after the other side has acted.
        return ToolOutcome(call, unknown=f"It broke off with {shown}.")
    # What a step hands on by itself is read by no model.
    most = MOST_BYTES if claimed.run.kind == "tool" else engine.settings.max_message_bytes
    stored = storable(result, most)
    cost = sum(context.costs) if context.costs else tool.estimated_cost_credits or 0.0
    return ToolOutcome(call, result=stored, cost_credits=cost)


def _for_model(engine: EngineContext, claimed: ClaimedRun, text: str) -> str:
    settings = engine.settings
    return without_paths(jsons.clean_text(text), settings.runs_folder / claimed.run.id, settings.data)


async def _hold_on(engine: EngineContext, claimed: ClaimedRun) -> None:
    """Right before an effect: a worker that stood still may have been overtaken, and then nothing runs."""
    lease = timedelta(seconds=engine.settings.lease_seconds)
    if claimed.unsure(engine.settings.lease_seconds / 4):
        await engine.db.awrite(lambda s: claims.keep(s, claimed.claim, clock.now() + lease))


def storable(result: Any, most: int) -> Any:
    """A result as JSON; what is none, as text; what is too long, cut."""
    try:
        text = jsons.dumps(result)
    except (TypeError, ValueError, RecursionError):
        result = _as_text(result)
        text = jsons.dumps(result)
    if len(text) <= most:
        return jsons.whole(result)
    return f"{text[:most]}… [cut: {len(text):,} characters in all]"


def _as_text(result: Any) -> str:
    """The tool did its work: that its result cannot be written down (a number of thousands of digits) is no failure."""
    try:
        return str(result)
    except Exception:  # noqa: BLE001 - whatever the tool's own types do
        return f"[{type(result).__name__}: it cannot be shown]"


def failure_message(tool: str, error: str, failures: int) -> str:
    """What the model reads after the first, second and third failure in a row."""
    if failures >= FAILURES_ALLOWED:
        return f"{error}\n{tool} failed {failures} times in a row and is taken away. Find another way."
    hint = "You may retry." if failures == 1 else "Retry once more, or better try something else."
    return f"{error}\n(Failure {failures} of {FAILURES_ALLOWED} in a row. {hint})"
