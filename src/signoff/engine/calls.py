"""A call: judged, then asked for, refused or carried out."""

import asyncio
import logging
from dataclasses import dataclass
from typing import Any, TypeAlias

from signoff.asks.models import Ask
from signoff.asks.states import AskKind
from signoff.engine.held import Desk, Held
from signoff.kit import clock, jsons
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject
from signoff.policy.evaluate import Allow, AskFirst, Deny, ProposedCall, Verdict, evaluate
from signoff.policy.risk import READING, Risk, assess
from signoff.runs.models import Call
from signoff.runs.states import CallStatus
from signoff.tools.registry import Tool, ToolFailed

log = logging.getLogger(__name__)

FAILURES_ALLOWED = 3
SKIPPED = "The process stopped during this call. Nobody knows whether it happened; a person chose to skip it."
VERDICTS = {Allow: "allow", AskFirst: "ask", Deny: "deny"}


@dataclass(frozen=True)
class Refused:
    """It cannot even be judged: the model reads why."""

    error: str


@dataclass(frozen=True)
class Judged:
    tool: Tool
    verdict: Verdict


@dataclass(frozen=True)
class Proposal:
    """A call of the model's and what becomes of it."""

    call: Call
    fate: Refused | Judged
    reasoning: str | None = None
    confidence: float | None = None


Raw: TypeAlias = JsonObject | str


def propose(desk: Desk, held: Held, turn: int, position: int, tool_call_id: str, name: str, raw: Raw) -> Proposal:
    """Check and judge what the model wants. Pure but for the new id."""
    arguments = raw if isinstance(raw, dict) else {}
    reasoning, confidence = _take_off_extras(arguments)
    size = len(raw) if isinstance(raw, str) else len(jsons.dumps(arguments))
    tool = desk.registry.get(name)
    granted = {each.name for each in held.tools(desk)}
    fate = _fate(desk, held, tool if name in granted else None, name, raw, arguments, size)
    if isinstance(fate, Refused) and size > desk.settings.max_arguments_bytes:
        arguments = {}
    call = Call(
        id=new_id(),
        run_id=held.run.id,
        turn=turn,
        position=position,
        tool_call_id=jsons.clean_text(tool_call_id),
        tool=jsons.clean_text(name)[:200],
        proposed_arguments=arguments,
        verdict=_verdict(fate, name),
        status=CallStatus.PROPOSED.value,
        attempt=0,
        cost_credits=0.0,
        created_at=clock.now(),
    )
    return Proposal(call, fate, reasoning, confidence)


def _fate(
    desk: Desk, held: Held, tool: Tool | None, name: str, raw: Raw, arguments: JsonObject, size: int
) -> Refused | Judged:
    # What the agent hands over by its own means is bounded like any message; what people judge must be readable.
    own = tool is not None and tool.own_means
    most = desk.settings.max_message_bytes if own else desk.settings.max_arguments_bytes
    if size > most:
        return Refused(f"The arguments have {size:,} bytes; at most {most:,} are allowed. Send less at a time.")
    if tool is None:
        if held.run.tool_failures.get(name, 0) >= FAILURES_ALLOWED:
            return Refused(f"{name} was taken away after {FAILURES_ALLOWED} failures. Find another way.")
        names = ", ".join(each.name for each in held.tools(desk))
        return Refused(f"There is no tool {name[:200]!r}. You have: {names}.")
    if isinstance(raw, str):
        return Refused(f"The arguments of {name} are not a JSON object: {raw[:200]!r}. Send them again as valid JSON.")
    wrong = tool.check(arguments)
    if wrong:
        listed = "; ".join(f"{error.path or 'arguments'}: {error.message}" for error in wrong)
        return Refused(f"The arguments of {name} are not valid: {listed}. Correct them and call it again.")
    verdict = evaluate(ProposedCall(name, tool.assessment, tool.own_means), held.stance)
    if isinstance(verdict, AskFirst) and _approved_before(held, name, arguments):
        return Judged(tool, Allow(("The same call was approved before and failed; a retry is covered",), verdict.risk))
    return Judged(tool, verdict)


def _approved_before(held: Held, name: str, arguments: JsonObject) -> bool:
    """Whether the last such call was approved by a person, ran and failed. What may have happened is not covered."""
    same = [call for call in held.calls if call.tool == name and call.ask_id and call.arguments == arguments]
    last = same[-1] if same else None
    return last is not None and last.status == CallStatus.FAILED.value and last.attempt > 0 and last.error != SKIPPED


def _take_off_extras(arguments: JsonObject) -> tuple[str | None, float | None]:
    """The approver's two extra fields; anything odd in them is dropped, never an error."""
    reasoning, confidence = arguments.pop("_reasoning", None), arguments.pop("_confidence", None)
    sure = isinstance(confidence, int | float) and not isinstance(confidence, bool) and 0 <= confidence <= 1
    return (jsons.clean_text(reasoning) if isinstance(reasoning, str) else None), (float(confidence) if sure else None)


def _verdict(fate: Refused | Judged, name: str) -> JsonObject:
    if isinstance(fate, Refused):
        level = assess(name, None, "").level if name else Risk.HIGH
        return {"verdict": "deny", "reasons": [fate.error[:500]], "rule": None, "risk": level.value}
    verdict = fate.verdict
    told = {"reasons": list(verdict.reasons), "rule": verdict.rule, "risk": verdict.risk.level.value}
    return {"verdict": VERDICTS[type(verdict)], **told}


def approval(held: Held, proposal: Proposal, tool: Tool, verdict: Verdict) -> Ask:
    """Everything an approver needs, frozen now."""
    call = proposal.call
    done = [each for each in held.calls if each.status == CallStatus.SUCCEEDED.value]
    return held.ask(
        AskKind.APPROVAL,
        jsons.clean_text(tool.headline(call.proposed_arguments)),
        call_id=call.id,
        description=f"{held.definition.name} wants to use {tool.name}. If refused, it reads your reason and goes on.",
        tool=tool.name,
        action_type=tool.action_type,
        arguments=call.proposed_arguments,
        arguments_schema=tool.schema,
        risk_level=verdict.risk.level.value,
        risk_reasons=list(dict.fromkeys([*verdict.reasons, *verdict.risk.reasons])),
        rule=verdict.rule,
        confidence=proposal.confidence,
        reasoning=proposal.reasoning,
        context=f"Done so far: {len(done)} calls ({_recent(done)})." if done else "Nothing was done before this.",
        estimated_cost_credits=tool.estimated_cost_credits,
    )


def _recent(done: list[Call]) -> str:
    names = [call.tool for call in done[-5:]]
    return ("…, " if len(done) > 5 else "") + ", ".join(names)


def recovery(held: Held, call: Call) -> Ask:
    """A call was started and nobody knows whether it happened: a person decides."""
    return held.ask(
        AskKind.RECOVERY,
        f"Did {call.tool} happen?",
        call_id=call.id,
        description=(
            f"{call.tool} was started at {call.started_at:%H:%M:%S} UTC; the process stopped before its end was known. "
            "It may have happened."
        ),
        tool=call.tool,
        arguments=call.arguments,
        risk_level=call.verdict["risk"],
        risk_reasons=["the call may have taken effect; running it again could do it twice"],
        response_type="choice",
        options=RECOVERY_OPTIONS,
    )


RECOVERY_OPTIONS: list[Any] = [
    {
        "id": "retry",
        "label": "Run it again",
        "value": "retry",
        "description": "It did not happen, or twice does no harm.",
    },
    {
        "id": "skip",
        "label": "Skip it",
        "value": "skip",
        "description": "Leave it; the agent is told that it is unknown.",
    },
    {"id": "done", "label": "It happened", "value": "done", "description": "Count it as done and go on."},
]


def safe(tool: Tool | None) -> bool:
    """Whether it may run beside others: it only reads."""
    return tool is not None and tool.idempotent and tool.operation_type in READING


@dataclass(frozen=True)
class Returned:
    """How a tool ended."""

    call: Call
    result: Any = None
    error: str | None = None


async def carry_out(desk: Desk, held: Held, call: Call) -> Returned:
    """Run the tool with exactly the approved arguments. Whatever it raises becomes the result."""
    tool = desk.registry.get(call.tool)
    if tool is None:
        return Returned(call, error=f"{call.tool} is not available any more.")
    await desk.checkpoint("tool")
    try:
        async with asyncio.timeout(desk.settings.tool_timeout_seconds):
            result = await tool.run(held.context(desk, call), call.arguments)
        return Returned(call, result=_storable(result, desk.settings.max_message_bytes))
    except ToolFailed as error:
        return Returned(call, error=jsons.clean_text(str(error)))
    except TimeoutError:
        return Returned(call, error=f"{call.tool} took longer than {desk.settings.tool_timeout_seconds:g} seconds.")
    except Exception as error:
        log.info("tool %s failed in run %s", call.tool, held.run.id, exc_info=True)
        return Returned(call, error=jsons.clean_text(f"{type(error).__name__}: {error}")[:4000])


def _storable(result: Any, most: int) -> Any:
    """A result as JSON; what is none, as text; what is too long, cut."""
    try:
        text = jsons.dumps(result)
    except (TypeError, ValueError, RecursionError):
        result = str(result)
        text = jsons.dumps(result)
    if len(text) <= most:
        return jsons.whole(result)
    return f"{text[:most]}… [cut: {len(text):,} characters in all]"


def failure_message(tool: str, error: str, failures: int) -> str:
    """What the model reads after the first, second and third failure in a row."""
    if failures >= FAILURES_ALLOWED:
        return f"{error}\n{tool} failed {failures} times in a row and is taken away. Find another way."
    hint = "You may retry." if failures == 1 else "Retry once more, or better try something else."
    return f"{error}\n(Failure {failures} of {FAILURES_ALLOWED} in a row. {hint})"
