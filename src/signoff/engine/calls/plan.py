"""Plan first: the agent lays out its steps, a person lets them through, and exactly these are carried out."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from signoff.asks import actions as asks
from signoff.asks.effects.previews import JUDGED
from signoff.asks.models import Ask
from signoff.asks.signatures.coverage import covers, lets_act
from signoff.asks.states import AskKind
from signoff.engine.calls.ask_builders import approval, so_far
from signoff.engine.calls.judge import (
    Grounds,
    PolicyContext,
    approved_before,
    as_used,
    editors,
    frozen_call,
    judge,
    mark_aim,
    signed,
    verdict_record,
    wants_others,
)
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.model.history import PLANNED
from signoff.kit import jsons
from signoff.kit.actor import Actor
from signoff.kit.errors import Invalid
from signoff.kit.jsons import JsonObject
from signoff.policy.evaluate import AskFirst, Deny
from signoff.policy.impact import NOT_KNOWN, Impact, together
from signoff.policy.risk import Risk
from signoff.runs.asking.open_ask import open_for_calls
from signoff.runs.calls import approve_call, finish_call, propose_call
from signoff.runs.models import Call, Message
from signoff.runs.states import ASKING, FINISHED, CallStatus
from signoff.runs.transcript.reading import result_text
from signoff.runs.workflow.start_by_rule import start_by_rules
from signoff.tools.registry import Tool

MOST_STEPS = 100
# Where the steps of a plan stand among the calls of their turn: after all that the model itself called.
FIRST_POSITION = 1_000
PROPOSE = "propose_plan"
RESULT_CHARACTERS = 4_000
NOT_REACHED = "Not run: a step before it did not come to a good end."


def plan_ask(context: PolicyContext, call: Call) -> Ask:
    """The plan as a person sees it; a step that could never run goes back to the model at once."""
    claimed, given = context.claimed, call.arguments
    listed: list[JsonObject] = given["steps"]
    if any(each.tool == PROPOSE and each.turn == call.turn and each.ask_id for each in claimed.calls):
        raise Invalid("One plan at a time: put all steps into one.")
    if not 1 <= len(listed) <= MOST_STEPS:
        raise Invalid(f"A plan has 1 to {MOST_STEPS} steps.")
    planned = [_step(context, index, step) for index, step in enumerate(listed, 1)]
    if len({step["id"] for step in planned}) < len(planned):
        raise Invalid("Two steps of the plan have the same id.")
    risk = max((Risk(step["risk"]) for step in planned), key=lambda level: level.rank)
    summary = jsons.clean_text(given.get("summary") or "")
    own = context.claimed.tool(call.tool)
    return claimed.ask(
        AskKind.PLAN,
        f"Plan of {len(planned)} step{'s' if len(planned) > 1 else ''}",
        call_id=call.id,
        description=summary
        or "The agent wants to carry out these steps. If you deny, it plans again with your reason.",
        plan={"summary": summary, "steps": planned},
        proposed_call=frozen_call(claimed, own, given) if own else None,
        risk_level=risk.value,
        risk_reasons=[f"{step['id']}. {step['tool']} is {step['risk']} risk" for step in planned],
        impact=together([Impact.from_json(step["impact"]) for step in planned]).to_json(),
        context=so_far(claimed),
        action_type="batch_operation",
        policy_version=context.policy.version or None,
    )


def _step(context: PolicyContext, number: int, given: JsonObject) -> JsonObject:
    name: str = given["tool"]
    arguments: JsonObject = given.get("arguments") or {}
    granted = {tool.name: tool for tool in context.claimed.tools if not tool.is_control}
    tool = granted.get(name)
    if tool is None:
        raise Invalid(f"Step {number}: there is no tool {name[:200]!r}. You have: {', '.join(granted)}.")
    wrong = tool.check(arguments)
    if wrong:
        raise Invalid(f"Step {number}: {wrong[0].path or 'arguments'}: {wrong[0].message}.")
    verdict = judge(context, as_used(context, tool, arguments), arguments, None)
    if isinstance(verdict, Deny):
        raise Invalid(f"Step {number} is not allowed: {'; '.join(verdict.reasons)}")
    return {
        "id": jsons.clean_text(str(given.get("id") or number))[:100],
        "tool": name,
        "arguments": arguments,
        "purpose": jsons.clean_text(str(given.get("purpose") or "")),
        "risk": verdict.risk.level.value,
        "operation_type": tool.operation_type,
        "estimated_cost_credits": tool.estimated_cost_credits,
        "schema": tool.schema,
        JUDGED: tool.identity,
        "impact": (verdict.risk.impact or NOT_KNOWN).to_json(),
    }


def approved_calls(session: Session, context: PolicyContext, plan: Call, ask: Ask) -> list[Call]:
    """The approved steps as calls. Where a rule names its own approvers, their word is still needed."""
    chosen: list[JsonObject] = (ask.answer or {}).get("steps") or []
    made, forbidden = list[Call](), False
    for offset, step in enumerate(chosen):
        proposed = next(each["arguments"] for each in (ask.plan or {})["steps"] if each["id"] == step["id"])
        named = (f"{PLANNED}{step['id']}", step["tool"], proposed)
        call = propose_call(context.claimed.run.id, plan.turn, FIRST_POSITION + offset, *named)
        call.edited_arguments = None if jsons.same(step["arguments"], proposed) else step["arguments"]
        mark_aim(context.claimed, call)
        approve_call(call)
        call.ask_id = ask.id
        still = _judge_step(context, call)
        forbidden = forbidden or call.judged == "deny"
        made.append(call)
        context.beside.append(call)
        if still is not None and not forbidden:
            forbidden = not ask_for(session, context, call, *still, step.get("purpose"))
    return made


def ask_for(
    session: Session, context: PolicyContext, call: Call, tool: Tool, verdict: AskFirst, purpose: str | None
) -> bool:
    """Ask for a call by itself, unless the run has flooded people already."""
    own = approval(context.claimed, call, tool, verdict, context.policy.version, Grounds(purpose))
    own.edited_by = editors(call, signed(context, call.ask_id) if call.ask_id else None)
    run, made = context.claimed.run, context.claimed.calls
    error = open_for_calls(session, context.engine.settings, run, made, own, [call], verdict)
    if error is not None:
        call.judged, call.verdict = "deny", call.verdict | {"reasons": [error]}
    return error is None


def ask_again(session: Session, context: PolicyContext, call: Call, verdict: AskFirst) -> bool:
    """The rules want more for a call than let it through: nobody's earlier word counts for this ask."""
    tool = context.claimed.tool(call.tool)
    if tool is None:
        return False
    confidence = call.verdict.get("confidence")
    call.verdict = verdict_record(tool, verdict, confidence, context.policy.version)
    call.judged, call.rule = call.verdict["verdict"], verdict.rule
    start_by_rules(session, context.claimed.run, call, verdict)
    return ask_for(session, context, call, as_used(context, tool, call.arguments), verdict, None)


def _judge_step(context: PolicyContext, call: Call) -> tuple[Tool, AskFirst] | None:
    """Judge a step as it will run; returns why it needs an ask of its own."""
    tool = context.claimed.tool(call.tool)
    if tool is None:
        call.verdict = {"verdict": "ask", "reasons": ["part of an approved plan"], "rule": None, "risk": "high"}
        return None
    used = as_used(context, tool, call.arguments)
    verdict = judge(context, used, call.arguments, None)
    call.verdict = verdict_record(tool, verdict, None, context.policy.version)
    call.judged, call.rule = call.verdict["verdict"], verdict.rule
    start_by_rules(context.session, context.claimed.run, call, verdict)
    if isinstance(verdict, AskFirst) and verdict.rule is not None and wants_others(verdict):
        plan = signed(context, call.ask_id) if call.ask_id else None
        if plan is not None and lets_act(plan) and covers(plan, verdict):
            return None
        covering = approved_before(context, call, verdict)
        if covering is None:
            return used, verdict
        call.ask_id = covering.id
    return None


def is_step(call: Call) -> bool:
    return call.tool_call_id.startswith(PLANNED)


def held_back(claimed: ClaimedRun) -> set[str]:
    """Steps that must wait, since one before them does: a plan runs in its order."""
    found, waits = set[str](), False
    for call in claimed.unfinished:
        if is_step(call):
            if waits:
                found.add(call.id)
            waits = waits or call.status in ASKING
    return found


def give_up_rest(session: Session, claimed: ClaimedRun, stopped: Call) -> tuple[list[Call], list[Message]]:
    """A step of a plan did not come about: the agent must look before anything that builds on it happens."""
    if not is_step(stopped):
        return [], []
    rest = [
        call for call in claimed.unfinished if is_step(call) and call.turn == stopped.turn and call.id != stopped.id
    ]
    lines = [_not_reached(session, claimed, call) for call in rest]
    return rest, lines


def _not_reached(session: Session, claimed: ClaimedRun, call: Call) -> Message:
    """What was approved and did not run may be tried again as it is; what still waited for people was not approved."""
    if call.status not in ASKING:
        return finish_call(session, claimed.run, call, CallStatus.FAILED, error=NOT_REACHED)
    asks.withdraw(session, Actor.system(claimed.run.workspace_id), call.ask_id or "")
    return finish_call(session, claimed.run, call, CallStatus.DENIED, error=NOT_REACHED)


def plan_result(claimed: ClaimedRun, plan: Call) -> str:
    """What the model reads when its plan is through: each step and how it ended."""
    done = [call for call in claimed.calls if is_step(call) and call.turn == plan.turn and call.status in FINISHED]
    skipped = _left_out(plan, done)
    lines = [
        f"Step {call.tool_call_id.removeprefix(PLANNED)} ({call.tool}) {call.status}: {_short(call)}" for call in done
    ]
    ending = "Summarise what was done, and complete the task."
    return "\n".join(["The plan was approved and carried out.", *lines, *skipped, ending])


def _left_out(plan: Call, done: Sequence[Call]) -> list[str]:
    ran = {call.tool_call_id.removeprefix(PLANNED) for call in done}
    names = [str(step.get("id") or number) for number, step in enumerate(plan.arguments["steps"], 1)]
    return [f"Step {name} was left out by a person." for name in names if name not in ran]


def _short(call: Call) -> str:
    text = result_text(call)
    return text if len(text) <= RESULT_CHARACTERS else f"{text[:RESULT_CHARACTERS]}… [cut]"


def plan_in_text(text: str) -> JsonObject | None:
    """A plan that the model wrote as plain JSON instead of calling the tool."""
    body = text.strip().removeprefix("```json").removeprefix("```").removesuffix("```").strip()
    if not body.startswith("{"):
        return None
    try:
        content: JsonObject = jsons.loads(body)
    except jsons.BadJson:
        return None
    listed = content.get("steps", content.get("plan"))
    return {"steps": listed, "summary": str(content.get("summary", ""))} if isinstance(listed, list) else None
