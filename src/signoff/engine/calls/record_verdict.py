"""What policy decided without asking anybody is on the record."""

from sqlalchemy.orm import Session

from signoff.asks import actions as asks
from signoff.audit.actions import record
from signoff.engine.calls.ask_builders import approval
from signoff.engine.calls.judge import JudgedCall
from signoff.engine.claimed_run import ClaimedRun
from signoff.kit import jsons
from signoff.kit.actor import Actor
from signoff.kit.jsons import JsonObject
from signoff.notifications.actions import notify
from signoff.notifications.models import NoticeKind
from signoff.policy.evaluate import Allow, AskFirst, Deny
from signoff.runs.models import Call, Run
from signoff.runs.workflow.start_by_rule import start_by_rules
from signoff.tools.registry import Tool


def record_allowed(session: Session, claimed: ClaimedRun, proposal: JudgedCall, tool: Tool, verdict: Allow) -> None:
    """What a rule or an allowance let through is on the record; a rule may want it in the inbox or told, too."""
    start_by_rules(session, claimed.run, proposal.call, verdict)
    if verdict.rule is None and verdict.allowance is None:
        return
    call, run = proposal.call, claimed.run
    why = {"rule": verdict.rule} if verdict.rule else {"allowance": verdict.allowance}
    seen = {"tool": call.tool, **why, "digest": jsons.digest(call.arguments)}
    record(session, Actor.system(run.workspace_id), "call.auto_approved", call.id, seen, run_id=run.id)
    if verdict.rule is None:
        return
    if verdict.log:
        by_rule = AskFirst(verdict.reasons, verdict.risk, verdict.rule)
        version = call.verdict.get("policy_version", 0)
        ask = approval(claimed, call, tool, by_rule, version, proposal.grounds)
        asks.log_decision(session, ask, verdict.rule)
    facts: JsonObject = {"tool": call.tool, "operation_type": tool.operation_type}
    facts |= {"confidence": proposal.grounds.confidence, "call_id": call.id}
    notify_of_approval(session, run, verdict, tool.headline(call.arguments), facts)


def notify_of_approval(session: Session, run: Run, verdict: Allow, what: str, facts: JsonObject) -> None:
    """Tell people of what a rule let through, where the rule wants that."""
    if not verdict.notify:
        return
    why = {"rule": verdict.rule, "risk": verdict.risk.level.value, "reasons": list(verdict.reasons)}
    notify(
        session,
        run.workspace_id,
        run.id,
        ", ".join(verdict.channels) or "asks",
        "signoff",
        jsons.clean_text(f"Auto-approved by the rule {verdict.rule!r}: {what}"),
        kind=NoticeKind.AUTO_APPROVED,
        channels=verdict.channels,
        facts=why | facts,
    )


def record_denied(session: Session, claimed: ClaimedRun, call: Call, verdict: Deny) -> None:
    """What a rule forbade is on the record, too."""
    start_by_rules(session, claimed.run, call, verdict)
    seen = {"tool": call.tool, "rule": verdict.rule, "digest": jsons.digest(call.arguments)}
    record(session, Actor.system(claimed.run.workspace_id), "call.denied", call.id, seen, run_id=claimed.run.id)
