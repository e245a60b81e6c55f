"""What the model proposes: checked, then judged by policy."""

from dataclasses import dataclass, field, replace
from typing import TypeAlias

from sqlalchemy.orm import Session

from signoff.asks.covering import covers, lets_act
from signoff.asks.models import Ask
from signoff.engine.held import Desk, Held
from signoff.engine.prompts import PLANNED
from signoff.kit import clock, jsons
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject
from signoff.policy.compiled import Policy
from signoff.policy.evaluate import Allow, AskFirst, Deny, ProposedCall, Verdict, evaluate
from signoff.policy.risk import READING, Risk, assess
from signoff.rules import queries as rules
from signoff.runs.models import Call
from signoff.runs.states import CallStatus, Phase
from signoff.tools.registry import Tool

FAILURES_ALLOWED = 3
COVERED = "The same call was approved before; its retry is covered"
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
    # Calls of the same answer or plan that were judged before this one.
    beside: list[Call] = field(default_factory=list[Call])

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
        tool = _as_used(bench, tool, arguments)
        fate = Judged(tool, judge(bench, tool, arguments, confidence))
    call = new_call(held, turn, position, tool_call_id, name, arguments)
    if isinstance(fate, Judged) and isinstance(fate.verdict, AskFirst):
        covering = approved_before(bench, call, fate.verdict)
        if covering is not None:
            call.ask_id = covering.id
            fate = Judged(fate.tool, Allow((COVERED,), fate.verdict.risk))
    call.verdict = _verdict(fate, name, confidence, bench.policy.version)
    if isinstance(fate, Judged) and not fate.tool.own_means:
        call.judged, call.rule = VERDICTS[type(fate.verdict)], fate.verdict.rule
    bench.beside.append(call)
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
    wanted = proposed(bench, tool, arguments, confidence)
    verdict = evaluate(wanted, held.stance, policy, at)
    if not isinstance(verdict, AskFirst):
        return verdict
    if verdict.rule is None:
        # Only now: most calls need no look at allowances.
        run = held.run
        given = rules.allowed(bench.session, run.workspace_id, run.agent, run.id, tool.name)
        verdict = evaluate(wanted, replace(held.stance, allowances=given), policy, at) if given else verdict
    return verdict


def proposed(bench: Bench, tool: Tool, arguments: JsonObject, confidence: float | None) -> ProposedCall:
    """A call as policy sees it. A rollout goes by run and content, so that trying again changes nothing."""
    run = bench.held.run
    tool = _as_used(bench, tool, arguments)
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
        schema=tool.schema,
        fields={"input": run.input, "created_by": run.created_by, "title": run.title, "mode": run.mode},
    )


def _as_used(bench: Bench, tool: Tool, arguments: JsonObject) -> Tool:
    """Some calls of a tool that reads send something out."""
    return tool.used_for(arguments, bench.held.reach(bench.desk)) if tool.sends else tool


def approved_before(bench: Bench, call: Call, verdict: AskFirst) -> Ask | None:
    """The approval under which this very call failed in this run, or was not reached. It covers one more try.

    Only a known failure is covered: what may have happened needs its signatures anew. So does what the rules of today
    want more for than was signed, and what was approved in another run.
    """
    before = [each for each in (*bench.held.calls, *bench.beside) if each.id != call.id]
    same = [each for each in before if each.tool == call.tool and jsons.same(each.arguments, call.arguments)]
    # A try that waits, is under way or ended well has used the approval up.
    last = same[-1] if same else None
    if last is None or last.status != CallStatus.FAILED.value or last.ask_id is None:
        return None
    if last.attempt == 0 and not last.tool_call_id.startswith(PLANNED):
        return None
    ask = signed(bench, last.ask_id)
    if ask is None or ask.run_id != bench.held.run.id or not lets_act(ask):
        return None
    return ask if covers(ask, verdict.conditions) else None


def signed(bench: Bench, ask_id: str) -> Ask | None:
    """An ask that was settled; most often it was taken in by this worker a moment ago."""
    return bench.held.signed.get(ask_id) or bench.session.get(Ask, ask_id)


def editors(call: Call, before: Ask | None) -> list[str]:
    """Who made a call's arguments what they are: where four eyes are wanted, theirs are not the other pair."""
    if before is None or call.edited_arguments is None:
        return []
    return list(dict.fromkeys([*before.edited_by, *([before.settled_by] if before.settled_by else [])]))


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


def judge_now(bench: Bench, call: Call) -> Verdict | None:
    """What the rules of this moment say to a call that is about to start; None: its tool is gone."""
    tool = bench.desk.registry.get(call.tool)
    if tool is None:
        return None
    confidence = call.verdict.get("confidence")
    wanted = proposed(bench, tool, call.arguments, confidence)
    verdict = evaluate(wanted, bench.held.stance, bench.policy, clock.now())
    if not isinstance(verdict, AskFirst):
        return verdict
    ask = signed(bench, call.ask_id) if call.ask_id else None
    if ask is not None and lets_act(ask) and covers(ask, verdict.conditions):
        return Allow((f"Approved by {ask.settled_by}",), verdict.risk)
    return judge(bench, tool, call.arguments, confidence)
