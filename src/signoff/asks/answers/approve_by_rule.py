"""A rule's word in place of a person's: at once, or on an ask that waits already, at the word of an admin."""

from sqlalchemy.orm import Session

from signoff.asks import actions
from signoff.asks.answers.outcome import Answer, outcome
from signoff.asks.events import ASK_SETTLED, emit_changed
from signoff.asks.inbox.parts import keep_decided
from signoff.asks.models import Ask
from signoff.asks.states import AskStatus
from signoff.kit.actor import Actor
from signoff.policy.verdict import Allow


def approve_at_once(session: Session, ask: Ask, verdict: Allow) -> None:
    """Nobody is asked: all of it is approved, as it was asked for."""
    ask.answer = outcome(ask, Answer("approve")).answer
    actions.log_decision(session, ask, verdict.rule or "")
    _put_on_record(session, Actor.system(ask.workspace_id), ask, verdict)


def approve_open(session: Session, actor: Actor, ask: Ask, verdict: Allow) -> None:
    """Settle one that waits. Its calls are judged once more before they start, like all others.

    `ask.rule` stays the one that asked; the answer names the one that let it through, and who applied it.
    """
    by = f"rule: {verdict.rule}" if verdict.rule else "rules"
    given = {"decision": "approve", "note": verdict.reasons[0], "rule": verdict.rule, "applied_by": actor.label}
    actions.wake_run(session, ask)
    actions.settle(session, actor, ask, AskStatus.AUTO_APPROVED, given, by=by)
    keep_decided(session, ask, actor.label)
    _put_on_record(session, actor, ask, verdict)
    emit_changed(session, ask, ASK_SETTLED)


def _put_on_record(session: Session, actor: Actor, ask: Ask, verdict: Allow) -> None:
    let_through_by = {"rule": verdict.rule, "allowance": verdict.allowance, "why": verdict.reasons[0]}
    facts = {"kind": ask.kind, **let_through_by, "answer": ask.answer, "digest": ask.digest}
    actions.put_on_record(session, actor, "auto_approved", ask, **facts)
