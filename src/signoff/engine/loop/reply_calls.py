"""The calls of a reply, taken as far as the transaction that stores it can: judged, asked for, applied or refused."""

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy.orm import Session

from signoff.asks.answers.approve_by_rule import approve_at_once
from signoff.asks.models import Ask
from signoff.engine.calls import control_tools
from signoff.engine.calls.ask_builders import approval, batch_approval
from signoff.engine.calls.judge import Judged, JudgedCall, PolicyContext, Unjudgeable, propose
from signoff.engine.calls.plan import PROPOSE, plan_result
from signoff.engine.calls.record_verdict import record_allowed, record_denied
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.engine.loop import phases
from signoff.engine.model.history import SIGNAL
from signoff.engine.model.reply import ModelReply, RawCall
from signoff.engine.model.signals import signals
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject
from signoff.policy.evaluate import Allow, AskFirst, Deny
from signoff.runs.asking.judge_ask import judge_ask
from signoff.runs.asking.open_ask import open_for_calls
from signoff.runs.calls import approve_call, finish_call, wait_for_ask
from signoff.runs.models import Call, Message
from signoff.runs.states import CallStatus, Phase
from signoff.runs.transcript.messages import emit_message, new_message
from signoff.runs.workflow.start_by_rule import start_by_rules


def settle_calls(
    session: Session, engine: EngineContext, claimed: ClaimedRun, proposals: list[JudgedCall], lines: list[Message]
) -> JsonObject | None:
    """Take every proposed call as far as this transaction can. Returns the output, if one completes the run."""
    together = set[str]()
    for batch in _alike(proposals):
        calls = [each.call for each in batch]
        together |= {call.id for call in calls}
        fates = [each.fate for each in batch if isinstance(each.fate, Judged)]
        verdicts = [fate.verdict for fate in fates if isinstance(fate.verdict, AskFirst)]
        version = calls[0].verdict.get("policy_version", 0)
        ask = batch_approval(claimed, calls, fates[0].tool, verdicts, version)
        for call, verdict in zip(calls, verdicts, strict=True):
            start_by_rules(session, claimed.run, call, verdict)
        _wait_for(session, engine, claimed, calls, ask, lines, verdicts[0])
    completes: JsonObject | None = None
    # Completion comes last: it looks at how the other calls of the same reply ended.
    for proposal in sorted(proposals, key=lambda each: each.call.tool == "complete_task"):
        if proposal.call.id not in together:
            completes = _settle(session, engine, claimed, proposal, lines) or completes
    return completes


def _alike(proposals: Sequence[JudgedCall]) -> list[list[JudgedCall]]:
    """Calls of one reply that a rule wants decided together."""
    groups = defaultdict[tuple[str, str | None], list[JudgedCall]](list)
    for proposal in proposals:
        if not isinstance(proposal.fate, Judged):
            continue
        verdict = proposal.fate.verdict
        if isinstance(verdict, AskFirst) and verdict.conditions.batch_alike:
            groups[proposal.call.tool, verdict.rule].append(proposal)
    return [group for group in groups.values() if len(group) > 1]


def judge_calls(
    session: Session, engine: EngineContext, claimed: ClaimedRun, reply: ModelReply, turn: int
) -> list[JudgedCall]:
    written = [RawCall(f"{SIGNAL}{new_id()}", signal.tool, dict(signal.arguments)) for signal in signals(reply.text)]
    made = [*reply.calls, *written] or phases.written_calls(claimed.run, reply)
    if not made:
        return []
    if claimed.run.phase == Phase.CLARIFYING.value and any(each.tool in phases.BEYOND_CLARIFYING for each in made):
        # It hands something over or ends: then the task was clear.
        control_tools.leave_clarifying(claimed)
    context = PolicyContext.of(session, engine, claimed)
    return [
        propose(context, turn, position, each.tool_call_id, each.tool, each.arguments)
        for position, each in enumerate(made)
    ]


def _settle(
    session: Session, engine: EngineContext, claimed: ClaimedRun, proposal: JudgedCall, lines: list[Message]
) -> JsonObject | None:
    """Take one proposed call as far as this transaction can. Returns the output, if it completes the run."""
    call, fate = proposal.call, proposal.fate
    if isinstance(fate, Unjudgeable):
        _finish(session, claimed, call, CallStatus.FAILED, lines, error=fate.error)
    elif fate.tool.is_control:
        return apply_control(session, engine, claimed, call, lines)
    elif isinstance(fate.verdict, Allow):
        approve_call(call)
        record_allowed(session, claimed, proposal, fate.tool, fate.verdict)
    elif isinstance(fate.verdict, AskFirst):
        version = call.verdict.get("policy_version", 0)
        start_by_rules(session, claimed.run, call, fate.verdict)
        ask = approval(claimed, call, fate.tool, fate.verdict, version, proposal.grounds)
        _wait_for(session, engine, claimed, [call], ask, lines, fate.verdict)
    else:
        record_denied(session, claimed, call, fate.verdict)
        _finish(session, claimed, call, CallStatus.DENIED, lines, error="; ".join(fate.verdict.reasons))
    return None


def apply_control(
    session: Session, engine: EngineContext, claimed: ClaimedRun, call: Call, lines: list[Message]
) -> JsonObject | None:
    others = [each for each in claimed.unfinished if each.turn == call.turn and each.tool != call.tool]
    if call.tool == "complete_task" and others:
        # Wait for the other calls of this reply; `advance` comes back to it.
        approve_call(call)
        return None
    if call.tool == PROPOSE and call.status == CallStatus.APPROVED.value:
        _finish(session, claimed, call, CallStatus.SUCCEEDED, lines, result=plan_result(claimed, call))
        return None
    applied = control_tools.apply(session, engine, claimed, call)
    if applied.ask is not None:
        opened = _ask_by_rules(session, engine, claimed, call, applied.ask, lines)
        if opened and applied.result is not None:
            _finish(session, claimed, call, CallStatus.SUCCEEDED, lines, result=applied.result)
    elif applied.error is not None:
        _finish(session, claimed, call, CallStatus.FAILED, lines, error=applied.error)
    else:
        _finish(session, claimed, call, CallStatus.SUCCEEDED, lines, result=applied.result)
    return applied.completes


def _ask_by_rules(
    session: Session, engine: EngineContext, claimed: ClaimedRun, call: Call, ask: Ask, lines: list[Message]
) -> bool:
    """Put a plan, a milestone, a budget or a question before people, as the rules want it. True: it waits for them."""
    run = claimed.run
    verdict = judge_ask(session, run, ask, call.tool, call.arguments)
    if isinstance(verdict, AskFirst):
        return _wait_for(session, engine, claimed, [call], ask, lines, verdict if verdict.rule else None)
    if isinstance(verdict, Deny):
        record_denied(session, claimed, call, verdict)
        _finish(session, claimed, call, CallStatus.DENIED, lines, error="; ".join(verdict.reasons))
        return False
    approve_at_once(session, ask, verdict)
    wait_for_ask(call, ask.id)
    # It is taken in as a person's answer would be, in the next transaction.
    claimed.settled[ask.id] = ask
    return False


def _wait_for(
    session: Session,
    engine: EngineContext,
    claimed: ClaimedRun,
    calls: list[Call],
    ask: Ask,
    lines: list[Message],
    verdict: AskFirst | None = None,
) -> bool:
    """Open an ask for its calls, unless the run has flooded people already."""
    error = open_for_calls(session, engine.settings, claimed.run, claimed.calls, ask, calls, verdict)
    if error is not None:
        for call in calls:
            _finish(session, claimed, call, CallStatus.FAILED, lines, error=error)
    return error is None


def _finish(
    session: Session,
    claimed: ClaimedRun,
    call: Call,
    status: CallStatus,
    lines: list[Message],
    *,
    result: object = None,
    error: str | None = None,
) -> None:
    lines.append(finish_call(session, claimed.run, call, status, result=result, error=error))
    if error and call.tool_call_id.startswith(SIGNAL):
        # The model made no call that could get a result, so it reads the error as a note.
        lines.append(add_note(session, claimed, f"Your signal {call.tool} failed: {error}"))


def add_note(session: Session, claimed: ClaimedRun, text: str) -> Message:
    """A word of Signoff's own, which the model reads next time."""
    note = new_message(claimed.run, "system", None, text=text)
    emit_message(session, claimed.run, note)
    return note
