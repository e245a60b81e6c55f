"""An open ask that a rule decides after all, at the word of the admin who put the rule in force."""

from sqlalchemy.orm import Session

from signoff.asks import actions
from signoff.asks.events import ASK_SETTLED, emit_changed
from signoff.asks.models import Ask
from signoff.asks.states import AskStatus
from signoff.kit.actor import Actor
from signoff.policy.verdict import Allow


def approve_by_rule(session: Session, actor: Actor, ask: Ask, verdict: Allow) -> None:
    """Settle it as auto-approved. Its calls are judged once more before they start, like all others."""
    by = f"rule: {verdict.rule}" if verdict.rule else "rules"
    given = {"decision": "approve", "note": verdict.reasons[0]}
    actions.wake_run(session, ask)
    actions.settle(session, actor, ask, AskStatus.AUTO_APPROVED, given, by=by)
    facts = {"rule": verdict.rule, "allowance": verdict.allowance, "why": verdict.reasons[0], "digest": ask.digest}
    actions.put_on_record(session, actor, "auto_approved", ask, **facts)
    emit_changed(session, ask, ASK_SETTLED)
