"""What the model proposes: checked, then judged by policy."""

from dataclasses import dataclass, replace
from typing import TypeAlias

from sqlalchemy.orm import Session

from signoff.engine.held import Desk, Held
from signoff.engine.prompts import PLANNED
from signoff.kit import clock, jsons
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject
from signoff.policy.compiled import Policy
from signoff.policy.evaluate import Allow, AskFirst, Deny, ProposedCall, Verdict, evaluate
from signoff.policy.risk import READING, Assessment, Risk, assess
from signoff.rules import queries as rules
from signoff.runs.models import Call
from signoff.runs.states import CallStatus, Phase
from signoff.tools.registry import Tool

FAILURES_ALLOWED = 3
# A call that a crash left open and a person chose not to repeat: an approval of it is used up.
SKIPPED = "The process stopped during this call. Nobody knows whether it happened; a person chose to skip it."
VERDICTS = {Allow: "allow", AskFirst: "ask", Deny: "deny"}
Raw: TypeAlias = JsonObject | str


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


@dataclass(frozen=True)
class Bench:
    """What a judgement needs beside the call: the run, its tools, and the rules as they are now."""

    session: Session
    desk: Desk
    held: Held
    policy: Policy

    @classmethod
    def of(cls, session: Session, desk: Desk, held: Held) -> "Bench":
        return cls(session, desk, held, rules.in_force(session, held.run.workspace_id))


def propose(bench: Bench, turn: int, position: int, tool_call_id: str, name: str, raw: Raw) -> Proposal:
    """Check and judge what the model wants."""
    desk, held = bench.desk, bench.held
    arguments = raw if isinstance(raw, dict) else {}
    reasoning, confidence = _take_off_extras(arguments)
    size = len(raw) if isinstance(raw, str) else len(jsons.dumps(arguments))
    granted = {each.name for each in held.tools(desk)}
    tool = desk.registry.get(name) if name in granted else None
    wrong = _problem(desk, held, tool, name, raw, arguments, size)
    if tool is None or wrong is not None:
        fate = Refused(wrong or f"There is no tool {name!r}.")
        arguments = {} if size > desk.settings.max_arguments_bytes else arguments
    else:
        fate = Judged(tool, judge(bench, tool, arguments, confidence))
    call = new_call(held, turn, position, tool_call_id, name, arguments)
    call.verdict = _verdict(fate, name, confidence, bench.policy.version)
    if isinstance(fate, Judged) and not fate.tool.own_means:
        call.judged, call.rule = VERDICTS[type(fate.verdict)], fate.verdict.rule
    return Proposal(call, fate, reasoning, confidence)


def new_call(held: Held, turn: int, position: int, tool_call_id: str, name: str, arguments: JsonObject) -> Call:
    return Call(
        id=new_id(),
        run_id=held.run.id,
        turn=turn,
        position=position,
        tool_call_id=jsons.clean_text(tool_call_id),
        tool=jsons.clean_text(name)[:200],
        proposed_arguments=arguments,
        status=CallStatus.PROPOSED.value,
        attempt=0,
        cost_credits=0.0,
        created_at=clock.now(),
    )


def _problem(
    desk: Desk, held: Held, tool: Tool | None, name: str, raw: Raw, arguments: JsonObject, size: int
) -> str | None:
    """Why a call cannot even be judged."""
    # What the agent hands over by its own means is bounded like any message; what people judge must be readable.
    own = tool is not None and tool.own_means
    most = desk.settings.max_message_bytes if own else desk.settings.max_arguments_bytes
    if size > most:
        return f"The arguments have {size:,} bytes; at most {most:,} are allowed. Send less at a time."
    if tool is None:
        return _missing(desk, held, name)
    if isinstance(raw, str):
        return f"The arguments of {name} are not a JSON object: {raw[:200]!r}. Send them again as valid JSON."
    wrong = tool.check(arguments)
    if wrong:
        listed = "; ".join(f"{error.path or 'arguments'}: {error.message}" for error in wrong)
        return f"The arguments of {name} are not valid: {listed}. Correct them and call it again."
    return None if own else _too_early(held, tool)


def _too_early(held: Held, tool: Tool) -> str | None:
    """Before the work begins nothing acts."""
    if held.run.phase == Phase.CLARIFYING.value:
        return f"{tool.name} has to wait: the task is not clear yet. Ask, or call clarification_complete first."
    if held.run.phase == Phase.PLANNING.value and tool.operation_type not in READING:
        return f"{tool.name} acts, and no plan is approved yet. Put it as a step into propose_plan."
    return None


def _missing(desk: Desk, held: Held, name: str) -> str:
    if held.run.tool_failures.get(name, 0) >= FAILURES_ALLOWED:
        return f"{name} was taken away after {FAILURES_ALLOWED} failures. Find another way."
    names = ", ".join(each.name for each in held.tools(desk))
    return f"There is no tool {name[:200]!r}. You have: {names}."


def judge(bench: Bench, tool: Tool, arguments: JsonObject, confidence: float | None) -> Verdict:
    """Risk, autonomy and rules; then what people allowed before."""
    held, policy, at = bench.held, bench.policy, clock.now()
    wanted = proposed(held, tool, arguments, confidence)
    verdict = evaluate(wanted, held.stance, policy, at)
    if not isinstance(verdict, AskFirst):
        return verdict
    if verdict.rule is None:
        # Only now: most calls need no look at allowances.
        run = held.run
        given = rules.allowed(bench.session, run.workspace_id, run.agent, run.id, tool.name)
        verdict = evaluate(wanted, replace(held.stance, allowances=given), policy, at) if given else verdict
    if isinstance(verdict, AskFirst) and _approved_before(held, tool.name, arguments, verdict):
        return Allow(("The same call was approved before; its retry is covered",), verdict.risk)
    return verdict


def proposed(held: Held, tool: Tool, arguments: JsonObject, confidence: float | None) -> ProposedCall:
    """A call as policy sees it. A rollout goes by run and content, so that trying again changes nothing."""
    run = held.run
    return ProposedCall(
        tool=tool.name,
        assessment=tool.assessment,
        own_means=tool.own_means,
        operation_type=tool.operation_type,
        arguments=arguments,
        confidence=confidence,
        cost=tool.estimated_cost_credits,
        agent=run.agent,
        key="" if tool.own_means else f"{run.id}:{tool.name}:{jsons.digest(arguments)}",
        fields={"input": run.input, "created_by": run.created_by, "title": run.title, "mode": run.mode},
    )


def _approved_before(held: Held, name: str, arguments: JsonObject, verdict: AskFirst) -> bool:
    """Whether a person approved this very call, and it failed or never ran. What may have happened is not covered."""
    same = [call for call in held.calls if call.tool == name and call.ask_id and call.arguments == arguments]
    last = same[-1] if same else None
    if last is None or last.status != CallStatus.FAILED.value or last.error == SKIPPED:
        return False
    # A plan's approval covers a step that was not reached, but never stands for people whom a rule names.
    return last.attempt > 0 or (last.tool_call_id.startswith(PLANNED) and not wants_others(verdict))


def wants_others(verdict: AskFirst) -> bool:
    """Whether a rule asks for more than any one approver, so that a plan's approval cannot stand for it."""
    conditions = verdict.conditions
    return bool(conditions.approvals > 1 or conditions.approvers or conditions.stages or conditions.four_eyes)


def _take_off_extras(arguments: JsonObject) -> tuple[str | None, float | None]:
    """The approver's two extra fields; anything odd in them is dropped, never an error."""
    reasoning, confidence = arguments.pop("_reasoning", None), arguments.pop("_confidence", None)
    sure = isinstance(confidence, int | float) and not isinstance(confidence, bool) and 0 <= confidence <= 1
    return (jsons.clean_text(reasoning) if isinstance(reasoning, str) else None), (float(confidence) if sure else None)


def _verdict(fate: Refused | Judged, name: str, confidence: float | None, version: int) -> JsonObject:
    if isinstance(fate, Refused):
        level = assess(name, None, "").level if name else Risk.HIGH
        return {"verdict": "deny", "reasons": [fate.error[:500]], "rule": None, "risk": level.value}
    return verdict_record(fate.tool, fate.verdict, confidence, version)


def verdict_record(tool: Tool, verdict: Verdict, confidence: float | None, version: int) -> JsonObject:
    """A verdict with all that went into it, for the record and for replaying other rules over it."""
    record: JsonObject = {
        "verdict": VERDICTS[type(verdict)],
        "reasons": list(verdict.reasons),
        "rule": verdict.rule,
        "risk": verdict.risk.level.value,
    }
    if tool.own_means:
        return record
    seen = {"operation_type": tool.operation_type, "confidence": confidence, "cost": tool.estimated_cost_credits}
    record |= {name: value for name, value in seen.items() if value is not None}
    return record | ({"policy_version": version} if version else {})


def denied_since(bench: Bench, call: Call) -> Deny | None:
    """A deny rule made since the approval still stops the call."""
    tool = bench.desk.registry.get(call.tool)
    if tool is None:
        return None
    known = Assessment(Risk(call.verdict["risk"]), ())
    wanted = replace(proposed(bench.held, tool, call.arguments, call.verdict.get("confidence")), assessment=known)
    return bench.policy.denial(wanted, clock.now())
