"""Calls whose end nobody has seen: a person is asked, unless the end comes after all."""

from sqlalchemy.orm import Session

from signoff.asks import actions as asks
from signoff.asks.models import Ask
from signoff.asks.signing import tighten
from signoff.asks.states import AskKind
from signoff.engine.asking import recovery
from signoff.engine.held import Desk, Held
from signoff.engine.judging import Bench, editors, judge, signed
from signoff.kit.actor import Actor
from signoff.policy.evaluate import AskFirst
from signoff.runs import steps
from signoff.runs.models import Call, Message
from signoff.runs.states import CallStatus

_OPEN = frozenset({CallStatus.STARTED.value, CallStatus.UNKNOWN.value})


def ask_what_happened(session: Session, desk: Desk, held: Held, call: Call, seen: str) -> None:
    """Nobody knows whether it took effect. To run it again takes the signatures that the call itself takes."""
    ask = recovery(held, call, seen)
    bench = Bench.of(session, desk, held)
    before = signed(bench, call.ask_id) if call.ask_id else None
    if before is not None:
        ask.approvals_required, ask.approvers = before.approvals_required, list(before.approvers)
        ask.stages, ask.four_eyes = before.stages, before.four_eyes
        ask.edited_by = editors(call, before)
        ask.follows = before.follows if before.kind == AskKind.RECOVERY.value else before.id
    tool = desk.registry.get(call.tool)
    verdict = judge(bench, tool, call.arguments, call.verdict.get("confidence")) if tool else None
    if isinstance(verdict, AskFirst):
        tighten(ask, verdict.conditions)
    call.status, call.ask_id = CallStatus.UNKNOWN.value, ask.id
    steps.audit_call(session, held.run, call)
    asks.open_ask(session, held.actor, ask)


def ended_late(held: Held) -> list[Call]:
    """Calls whose end came after all, before anybody's word on them was taken in."""
    return [call for call in held.unfinished if call.status in _OPEN and _known_end(call) is not None]


def _known_end(call: Call) -> CallStatus | None:
    late = call.late
    if late is None or late["attempt"] != call.attempt or late["status"] == CallStatus.UNKNOWN.value:
        return None
    return CallStatus(late["status"])


def take_late(session: Session, held: Held, call: Call) -> Message:
    """The truth comes before anybody's guess: the ask is withdrawn, and an answer on its way comes to nothing."""
    end, late = _known_end(call), call.late or {}
    ask = session.get(Ask, call.ask_id) if call.ask_id else None
    if call.status == CallStatus.UNKNOWN.value and ask is not None:
        asks.withdraw(session, Actor.system(held.run.workspace_id), ask.id)
        held.settled.pop(ask.id, None)
        call.ask_id = ask.follows
    status = end or CallStatus.UNKNOWN
    line = steps.finish_call(session, held.run, call, status, result=late.get("result"), error=late.get("error"))
    steps.audit_call(session, held.run, call)
    return line
