"""Calls whose end nobody has seen: a person is asked, unless the end comes after all."""

from sqlalchemy.orm import Session

from signoff.asks import actions as asks
from signoff.asks.models import Ask
from signoff.asks.risk import set_risk
from signoff.asks.signatures.conditions import tighten
from signoff.asks.states import AskKind
from signoff.engine.calls.ask_builders import recovery
from signoff.engine.calls.judge import PolicyContext, as_used, editors, frozen_call, judge, signed
from signoff.engine.claimed_run import ClaimedRun
from signoff.engine.context import EngineContext
from signoff.kit.actor import Actor
from signoff.kit.jsons import JsonObject
from signoff.policy.evaluate import AskFirst
from signoff.runs.asking.open_ask import open_without_limit
from signoff.runs.calls import audit_call, finish_call, mark_unknown
from signoff.runs.models import Call, Message
from signoff.runs.states import CallStatus

# Approved: a person wants it again, a pause came between, and meanwhile its end became known.
_OPEN = frozenset({CallStatus.STARTED, CallStatus.UNKNOWN, CallStatus.APPROVED})


def ask_what_happened(session: Session, engine: EngineContext, claimed: ClaimedRun, call: Call, seen: str) -> None:
    """Nobody knows whether it took effect. To run it again takes the signatures that the call itself takes."""
    ask = recovery(claimed, call, seen)
    context = PolicyContext.of(session, engine, claimed)
    before = signed(context, call.ask_id) if call.ask_id else None
    if before is not None:
        ask.approvals_required, ask.approvers = before.approvals_required, list(before.approvers)
        ask.stages, ask.four_eyes = before.stages, before.four_eyes
        ask.edited_by = editors(call, before)
        ask.follows = before.follows if before.kind == AskKind.RECOVERY.value else before.id
    tool, confidence = claimed.tool(call.tool), call.verdict.get("confidence")
    if tool is not None:
        used = as_used(context, tool, call.arguments)
        ask.proposed_call = frozen_call(claimed, used, call.arguments, confidence)
        verdict = judge(context, used, call.arguments, confidence)
        if isinstance(verdict, AskFirst):
            tighten(ask, verdict.conditions)
            set_risk(ask, verdict.risk)
    mark_unknown(call, ask.id)
    audit_call(session, claimed.run, call)
    open_without_limit(session, claimed.run, ask)


def ended_late(claimed: ClaimedRun) -> list[Call]:
    """Calls whose end came after all, before anybody's word on them was taken in."""
    return [call for call in claimed.unfinished if call.status in _OPEN and _known_end(call) is not None]


def _known_end(call: Call) -> CallStatus | None:
    late = call.late
    if late is None or late["attempt"] != call.attempt or late["status"] == CallStatus.UNKNOWN.value:
        return None
    return CallStatus(late["status"])


def late_end(late: JsonObject) -> JsonObject:
    """What a late end says, for the call that it is of."""
    given = {"result": late.get("result"), "error": late.get("error")}
    return given | {"cost_credits": late.get("cost_credits", 0.0)}


def take_late(session: Session, claimed: ClaimedRun, call: Call) -> Message:
    """The truth comes before anybody's guess: the ask is withdrawn, and an answer on its way comes to nothing."""
    late = call.late or {}
    end = CallStatus(late["status"])
    ask = session.get(Ask, call.ask_id) if call.ask_id else None
    if call.status == CallStatus.UNKNOWN.value and ask is not None:
        asks.withdraw(session, Actor.system(claimed.run.workspace_id), ask.id)
        claimed.settled.pop(ask.id, None)
        call.ask_id = ask.follows
    line = finish_call(session, claimed.run, call, end, **late_end(late))
    audit_call(session, claimed.run, call)
    return line
