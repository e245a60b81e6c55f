"""What a run puts before a person: one builder for each kind of ask. Nothing is opened here."""

from collections import Counter

from signoff.asks.answers.outcome import BUDGET
from signoff.asks.models import Ask
from signoff.asks.states import AskKind
from signoff.claims.actions import worker_name
from signoff.engine.calls.judge import Grounds, frozen_call
from signoff.engine.claimed_run import ClaimedRun
from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.policy.evaluate import AskFirst
from signoff.policy.impact import NOT_KNOWN, together
from signoff.policy.risk import Risk
from signoff.runs.models import Call
from signoff.runs.states import CallStatus
from signoff.tools.builtin.control import CONTROL_TOOLS
from signoff.tools.previews import as_batch
from signoff.tools.registry import Tool

OWN = frozenset(tool.name for tool in CONTROL_TOOLS)

NONE_GIVEN = Grounds()
IF_REFUSED = "The agent reads your reason and continues without it."


def approval(
    claimed: ClaimedRun,
    call: Call,
    tool: Tool,
    verdict: AskFirst,
    version: int,
    grounds: Grounds = NONE_GIVEN,
) -> Ask:
    """Everything an approver needs, frozen now."""
    return claimed.ask(
        AskKind.APPROVAL,
        tool.headline(call.arguments),
        headline=tool.title or None,
        call_id=call.id,
        description=tool.description,
        alternatives="\n\n".join(filter(None, [grounds.alternatives, IF_REFUSED])),
        supporting_data=grounds.supporting_data,
        tool=tool.name,
        action_type=tool.action_type,
        operation_type=tool.operation_type,
        arguments=call.arguments,
        arguments_schema=tool.schema,
        proposed_call=frozen_call(claimed, tool, call.arguments, grounds.confidence),
        risk_level=verdict.risk.level.value,
        risk_reasons=list(dict.fromkeys([*verdict.reasons, *verdict.risk.reasons])),
        impact=verdict.risk.impact.to_json() if verdict.risk.impact else None,
        preview=claimed.preview(tool, call.arguments),
        rule=verdict.rule,
        policy_version=version or None,
        confidence=grounds.confidence,
        reasoning=grounds.reasoning,
        context=so_far(claimed),
        estimated_cost_credits=tool.estimated_cost_credits,
    )


def batch_approval(claimed: ClaimedRun, calls: list[Call], tool: Tool, verdicts: list[AskFirst], version: int) -> Ask:
    """Many alike calls of one reply as one decision; `null` in the place of a call leaves it out."""
    gravest = max(verdicts, key=lambda verdict: verdict.risk.level.rank)
    ask = approval(claimed, calls[0], tool, gravest, version)
    ask.impact = together([verdict.risk.impact or NOT_KNOWN for verdict in verdicts]).to_json()
    if tool.preview is not None:
        ask.preview = as_batch([claimed.preview(tool, call.proposed_arguments) for call in calls])
    ask.proposed_call = {**(ask.proposed_call or {}), "each": [verdict.risk.to_json() for verdict in verdicts]}
    count = len(calls)
    ask.title = f"{tool.name}, {count} times"
    ask.description = (
        f"{claimed.definition.name} wants to use {tool.name} {count} times. "
        "Approve them together. To leave one out, put null in its place."
    )
    ask.action_type = "batch_operation"
    ask.call_ids = [call.id for call in calls]
    ask.arguments = {"calls": [call.proposed_arguments for call in calls]}
    each = {"anyOf": [{name: part for name, part in tool.schema.items() if name != "$defs"}, {"type": "null"}]}
    listed = {"type": "array", "minItems": count, "maxItems": count, "items": each}
    shared = {"$defs": tool.schema["$defs"]} if "$defs" in tool.schema else {}
    ask.arguments_schema = {"type": "object", "properties": {"calls": listed}, "required": ["calls"], **shared}
    return ask


def so_far(claimed: ClaimedRun) -> str | None:
    """What the run has done, in its own words where it reported them, else by the calls that were made."""
    steps: list[str] = (claimed.run.progress or {}).get("completed_steps") or []
    done = Counter(call.tool for call in claimed.calls if call.status == CallStatus.SUCCEEDED.value)
    made = [name if count == 1 else f"{name} ({count} times)" for name, count in done.items() if name not in OWN]
    listed = steps or made
    return jsons.clean_text(f"Done so far: {'; '.join(listed)}.") if listed else None


def recovery(claimed: ClaimedRun, call: Call, seen: str) -> Ask:
    """A call was started and nobody knows whether it happened: a person decides."""
    return claimed.ask(
        AskKind.RECOVERY,
        f"Did {call.tool} happen?",
        call_id=call.id,
        description=(
            f"{known_of(call)} {seen} It may have happened. "
            "Running it again needs the same signatures as the call itself."
        ),
        tool=call.tool,
        arguments=call.arguments,
        risk_level=call.verdict["risk"],
        risk_reasons=["the call may have taken effect; running it again could do it twice"],
        response_type="choice",
        options=[
            option("retry", "Run it again", "It did not happen, or doing it twice does no harm."),
            option("skip", "Skip it", "The agent continues, knowing that it may or may not have happened."),
            option("done", "It happened", "Count it as done and continue."),
        ],
    )


def known_of(call: Call) -> str:
    """What is known about a call that was started, for whoever looks it up on the other side."""
    by = f" by the worker {worker_name(call.worker)}" if call.worker else ""
    at = f" at {call.started_at:%Y-%m-%d %H:%M:%S} UTC" if call.started_at else ""
    return f"{call.tool} was started{at}{by}: attempt {call.attempt}, idempotency key {call.id}."


def option(value: str, label: str, description: str | None = None) -> JsonObject:
    return {"id": value, "label": label, "value": value, "description": description}


def milestone(claimed: ClaimedRun, call: Call) -> Ask:
    """The agent stops between two phases for a review."""
    given = call.arguments
    then = f"\n\nNext: {given['next']}" if given.get("next") else ""
    return claimed.ask(
        AskKind.MILESTONE,
        jsons.clean_text(f"Review: {given['phase']}")[:300],
        call_id=call.id,
        description=jsons.clean_text(f"{given['summary']}{then}"),
        context=so_far(claimed),
        action_type="tool_call",
    )


def budget(claimed: ClaimedRun, call: Call | None, wanted: JsonObject, why: str) -> Ask:
    """The run needs more credits, hours or iterations."""
    names = {"credits": "credits", "hours": "hours", "iterations": "steps"}
    listed = " and ".join(f"{wanted[name]:g} {word}" for name, word in names.items() if name in wanted)
    usage, limits = claimed.usage, claimed.limits
    most = f" of {limits.max_cost_credits:g}" if limits.max_cost_credits else ""
    used = f"Used so far: {usage.cost_credits:.4g}{most} credits, {usage.iterations} steps."
    return claimed.ask(
        AskKind.BUDGET,
        f"{claimed.definition.name} asks for {listed} more",
        call_id=call.id if call else None,
        description=jsons.clean_text(why),
        alternatives="The run ends when its limit is reached. Everything is kept.",
        context=" ".join(filter(None, [used, so_far(claimed)])),
        risk_level=Risk.MEDIUM.value,
        action_type="cost_threshold",
        schema=BUDGET,
        default=wanted,
    )
