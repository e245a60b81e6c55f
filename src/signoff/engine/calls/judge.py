"""What the model proposes: checked, then judged by policy."""

from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from sqlalchemy.orm import Session

from signoff.asks.effects.previews import JUDGED, differs, identity_seen, part_for
from signoff.asks.models import Ask
from signoff.asks.signatures.coverage import covers, lets_act
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.engine.model.history import PLANNED
from signoff.kit import clock, jsons
from signoff.kit.jsons import JsonObject
from signoff.policy.compiled import Policy
from signoff.policy.evaluate import Allow, AskFirst, ProposedCall, Verdict, evaluate, with_agent_risk
from signoff.policy.impact import by_operation
from signoff.policy.risk import READING, Risk
from signoff.rules import queries as rules
from signoff.runs.calls import propose_call
from signoff.runs.large_values import value_of
from signoff.runs.models import Call
from signoff.runs.rule_inputs.first_time import aim, is_first
from signoff.runs.rule_inputs.policy_inputs import policy_inputs, rules_for
from signoff.runs.states import CallStatus, Phase
from signoff.runs.workflow.limits import MOST_BYTES
from signoff.tools.egress import ANYWHERE
from signoff.tools.impact_statements import Statements
from signoff.tools.registry import EXTRAS, FAILURES_ALLOWED, Tool

# How much an agent may say for its call, in characters.
MOST_WORDS, MOST_DATA = 4_000, 20_000
# What may stand beside the output that ends a step.
MOST_BESIDE = 100_000
MOVED = "It was approved, but it would change something else by now than was shown"
COVERED = "The same call was approved before, so this retry is covered"
Raw: TypeAlias = JsonObject | str


@dataclass(frozen=True)
class Unjudgeable:
    """It cannot even be judged: the model reads why."""

    error: str


@dataclass(frozen=True)
class Judged:
    tool: Tool
    verdict: Verdict


@dataclass(frozen=True)
class Grounds:
    """What the agent says to whoever may have to approve its call."""

    reasoning: str | None = None
    confidence: float | None = None
    # What it would do instead.
    alternatives: str | None = None
    supporting_data: Any = None


@dataclass(frozen=True)
class JudgedCall:
    """A call of the model's and what becomes of it."""

    call: Call
    fate: Unjudgeable | Judged
    grounds: Grounds = Grounds()


@dataclass(frozen=True)
class PolicyContext:
    """What a judgement needs beside the call: the run, its tools, and the rules as they are now."""

    session: Session
    engine: EngineContext
    claimed: ClaimedRun
    policy: Policy
    # Calls of the same reply or plan that were judged before this one.
    beside: list[Call] = field(default_factory=list[Call])
    # What the tools say about their calls, within the time that there is.
    statements: Statements = field(kw_only=True)

    @classmethod
    def of(cls, session: Session, engine: EngineContext, claimed: ClaimedRun) -> "PolicyContext":
        statements = claimed.statements or Statements(engine.settings.runs_folder / claimed.run.id)
        policy = rules_for(session, claimed.run)
        value_of(session, claimed.run, "input")
        return cls(session, engine, claimed, policy, statements=statements)


def propose(context: PolicyContext, turn: int, position: int, tool_call_id: str, name: str, raw: Raw) -> JudgedCall:
    """Check and judge what the model wants."""
    engine, claimed = context.engine, context.claimed
    arguments = raw if isinstance(raw, dict) else {}
    grounds = _take_off_grounds(arguments)
    confidence = grounds.confidence
    size = len(raw) if isinstance(raw, str) else len(jsons.dumps(arguments))
    granted = {each.name for each in claimed.tools}
    tool = claimed.tool(name) if name in granted else None
    wrong = _problem(engine, claimed, tool, name, raw, arguments, size)
    if tool is None or wrong is not None:
        fate = Unjudgeable(wrong or f"There is no tool {name!r}.")
        arguments = {} if size > engine.settings.max_arguments_bytes else arguments
    else:
        tool = as_used(context, tool, arguments)
        fate = Judged(tool, judge(context, tool, arguments, confidence))
    call = propose_call(claimed.run.id, turn, position, tool_call_id, name, arguments)
    if isinstance(fate, Judged) and isinstance(fate.verdict, AskFirst):
        covering = approved_before(context, call, fate.verdict)
        if covering is not None:
            call.ask_id = covering.id
            fate = Judged(fate.tool, Allow((COVERED,), fate.verdict.risk))
    call.verdict = _verdict(fate, confidence, context.policy.version)
    if isinstance(fate, Judged) and not fate.tool.is_control:
        call.judged, call.rule = fate.verdict.word, fate.verdict.rule
        call.aim = aim(claimed.run, name, fate.tool.operation_type, arguments)
        call.allowance_id = fate.verdict.allowance if isinstance(fate.verdict, Allow) else None
    context.beside.append(call)
    return JudgedCall(call, fate, grounds)


def _problem(
    engine: EngineContext, claimed: ClaimedRun, tool: Tool | None, name: str, raw: Raw, arguments: JsonObject, size: int
) -> str | None:
    """Why a call cannot even be judged."""
    # What the agent hands over by a control tool is bounded like any message; what people judge must be readable.
    own = tool is not None and tool.is_control
    most = engine.settings.max_message_bytes if own else engine.settings.max_arguments_bytes
    if name == "complete_task" and claimed.run.step is not None:
        # The output of a step is checked by itself, and may be larger than a message; a word may go with it.
        most = max(most, MOST_BYTES + MOST_BESIDE)
    if size > most:
        return f"The arguments have {size:,} bytes; at most {most:,} are allowed. Send less at a time."
    if tool is None:
        return _missing(claimed, name)
    if isinstance(raw, str):
        return f"The arguments of {name} are not a JSON object: {raw[:200]!r}. Send them again as valid JSON."
    wrong = tool.check(arguments)
    if wrong:
        listed = "; ".join(f"{error.path or 'arguments'}: {error.message}" for error in wrong)
        return f"The arguments of {name} are not valid: {listed}. Correct them and call it again."
    return None if own else too_early(claimed, tool)


def too_early(claimed: ClaimedRun, tool: Tool) -> str | None:
    """Before the work begins nothing acts."""
    if claimed.run.phase == Phase.CLARIFYING.value:
        return f"{tool.name} has to wait: the task is not clear yet. Ask, or call clarification_complete first."
    if claimed.run.phase == Phase.PLANNING.value and tool.operation_type not in READING:
        return f"{tool.name} acts, and no plan is approved yet. Put it as a step into propose_plan."
    return None


def _missing(claimed: ClaimedRun, name: str) -> str:
    if claimed.run.tool_failures.get(name, 0) >= FAILURES_ALLOWED:
        return f"{name} was taken away after {FAILURES_ALLOWED} failures. Find another way."
    names = ", ".join(each.name for each in claimed.tools)
    return f"There is no tool {name[:200]!r}. You have: {names}."


def judge(context: PolicyContext, tool: Tool, arguments: JsonObject, confidence: float | None) -> Verdict:
    """Risk, autonomy and rules, of a tool as it is used here; then what people allowed before."""
    claimed, policy, at = context.claimed, context.policy, clock.now()
    wanted = build_proposed_call(claimed, tool, arguments, confidence)
    verdict = evaluate(wanted, claimed.stance, policy, at)
    if not isinstance(verdict, AskFirst):
        return verdict
    if verdict.rule is None and not tool.is_changed:
        # Only now: most calls need no look at allowances.
        run = claimed.run
        given = rules.allowed(context.session, run.workspace_id, run.agent_subject.slug, run.id, tool.name, at)
        verdict = evaluate(wanted, replace(claimed.stance, allowances=given), policy, at) if given else verdict
    return _with_first_time(context, tool, arguments, verdict) if isinstance(verdict, AskFirst) else verdict


def _with_first_time(context: PolicyContext, tool: Tool, arguments: JsonObject, verdict: AskFirst) -> AskFirst:
    """Only what asks says whether the agent does it for the first time: that takes a look at what it did before."""
    mark, impact = aim(context.claimed.run, tool.name, tool.operation_type, arguments), verdict.risk.impact
    if mark is None or impact is None:
        return verdict
    known = replace(impact, first_time=is_first(context.session, mark))
    return replace(verdict, risk=replace(verdict.risk, impact=known))


def build_proposed_call(
    claimed: ClaimedRun, tool: Tool, arguments: JsonObject, confidence: float | None = None
) -> ProposedCall:
    """A call as policy sees it, of a tool as it is used here."""
    return ProposedCall(
        tool=tool.name,
        assessment=tool.assessment,
        is_control=tool.is_control,
        operation_type=tool.operation_type,
        arguments=arguments,
        confidence=confidence,
        cost=tool.estimated_cost_credits,
        schema=tool.schema,
        **policy_inputs(claimed.run, claimed.run.id),
    )


def frozen_call(claimed: ClaimedRun, tool: Tool, arguments: JsonObject, confidence: float | None = None) -> JsonObject:
    """The same for an ask to keep, with the risk that the agent's settings give the tool, and which tool it is."""
    kept = with_agent_risk(build_proposed_call(claimed, tool, arguments, confidence), claimed.stance).to_json()
    return kept if tool.identity is None else {**kept, JUDGED: tool.identity}


def mark_aim(claimed: ClaimedRun, call: Call) -> None:
    """What a call is aimed at, once its arguments are other ones."""
    tool = claimed.tool(call.tool)
    call.aim = aim(claimed.run, call.tool, tool.operation_type, call.arguments) if tool else None


def as_used(context: PolicyContext, tool: Tool, arguments: JsonObject) -> Tool:
    """Some calls of a tool that reads send something out, and what a call does depends on its arguments."""
    if not tool.differs_by_arguments:
        return tool
    reach = context.claimed.reach(context.engine) if tool.sends else ANYWHERE
    return tool.used_for(arguments, reach, context.statements)


def approved_before(context: PolicyContext, call: Call, verdict: AskFirst) -> Ask | None:
    """The approval under which this very call failed in this run, or was not reached. It covers one more try.

    Only a known failure is covered: what may have happened needs its signatures anew. So does what the rules of today
    want more for than was signed, and what was approved in another run.
    """
    before = [each for each in (*context.claimed.calls, *context.beside) if each.id != call.id]
    same = [each for each in before if each.tool == call.tool and jsons.same(each.arguments, call.arguments)]
    # A try that waits, is under way or ended well has used the approval up.
    last = same[-1] if same else None
    if last is None or last.status != CallStatus.FAILED.value or last.ask_id is None:
        return None
    if last.attempt == 0 and not last.tool_call_id.startswith(PLANNED):
        return None
    ask = signed(context, last.ask_id)
    if ask is None or ask.run_id != context.claimed.run.id or not lets_act(ask):
        return None
    return ask if covers(ask, verdict) else None


def signed(context: PolicyContext, ask_id: str) -> Ask | None:
    """An ask that was settled; most often it was taken in by this worker a moment ago."""
    return context.claimed.signed.get(ask_id) or context.session.get(Ask, ask_id)


def editors(call: Call, before: Ask | None) -> list[str]:
    """Who made a call's arguments what they are: where four eyes are wanted, theirs are not the other pair."""
    return list(before.edited_by) if before is not None and call.edited_arguments is not None else []


def wants_others(verdict: AskFirst) -> bool:
    """Whether a rule asks for more than any one approver, so that a plan's approval cannot stand for it."""
    conditions = verdict.conditions
    several = conditions.approvals > 1 or conditions.approvers or conditions.stages
    return bool(several or conditions.four_eyes or conditions.sign_in)


def _take_off_grounds(arguments: JsonObject) -> Grounds:
    """The approver's extra fields; anything odd or overlong in them is dropped, never an error."""
    reasoning, confidence, alternatives, data = (arguments.pop(name, None) for name in EXTRAS)
    sure = isinstance(confidence, int | float) and not isinstance(confidence, bool) and 0 <= confidence <= 1
    return Grounds(
        jsons.clean_text(reasoning) if isinstance(reasoning, str) else None,
        float(confidence) if sure else None,
        jsons.clean_text(alternatives)[:MOST_WORDS] if isinstance(alternatives, str) and alternatives.strip() else None,
        data if data and len(jsons.dumps(data)) <= MOST_DATA else None,
    )


def _verdict(fate: Unjudgeable | Judged, confidence: float | None, version: int) -> JsonObject:
    if isinstance(fate, Unjudgeable):
        return {"verdict": "deny", "reasons": [fate.error[:500]], "rule": None, "risk": Risk.HIGH.value}
    return verdict_record(fate.tool, fate.verdict, confidence, version)


def verdict_record(tool: Tool, verdict: Verdict, confidence: float | None, version: int) -> JsonObject:
    """A verdict with all that went into it, for the record and for replaying other rules over it."""
    record: JsonObject = {
        "verdict": verdict.word,
        "reasons": list(verdict.reasons),
        "rule": verdict.rule,
        "risk": verdict.risk.level.value,
    }
    if tool.is_control:
        return record
    seen = {"operation_type": tool.operation_type, "confidence": confidence, "cost": tool.estimated_cost_credits}
    record |= {name: value for name, value in seen.items() if value is not None}
    impact = verdict.risk.impact
    if impact is not None and impact != by_operation(tool.operation_type):
        record["impact"] = impact.to_json()
    return record | ({"policy_version": version} if version else {})


def judge_now(context: PolicyContext, call: Call) -> Verdict | None:
    """What the rules of this moment say to a call that is about to start; None: its tool is gone."""
    tool = context.claimed.tool(call.tool)
    if tool is None:
        return None
    confidence = call.verdict.get("confidence")
    used = as_used(context, tool, call.arguments)
    wanted = build_proposed_call(context.claimed, used, call.arguments, confidence)
    verdict = evaluate(wanted, context.claimed.stance, context.policy, clock.now())
    if not isinstance(verdict, AskFirst):
        return verdict
    ask = signed(context, call.ask_id) if call.ask_id else None
    if ask is None or not lets_act(ask) or not covers(ask, verdict):
        return judge(context, used, call.arguments, confidence)
    if not has_moved(context.claimed, call, ask):
        return Allow((f"Approved by {ask.settled_by}",), verdict.risk)
    again = judge(context, used, call.arguments, confidence)
    return replace(again, reasons=(MOVED, *again.reasons)) if isinstance(again, AskFirst) else again


def has_moved(claimed: ClaimedRun, call: Call, ask: Ask) -> bool:
    """Whether a call that was approved would do something else by now. One that was begun may have done it already, but
    is made again by the same tool only."""
    tool, seen = claimed.tool(call.tool), identity_seen(ask, call.id, call.tool)
    if tool is not None and seen is not None and seen != tool.identity:
        return True
    if call.attempt > 0:
        return False
    return differs(part_for(ask, call.id), claimed.previews.get((call.tool, jsons.digest(call.arguments))))
