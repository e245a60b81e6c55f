"""Around a verdict: what a rule allowed is recorded, who is told, what is decided together, how many may wait."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy.orm import Session

from signoff.asks import actions as asks
from signoff.asks.queries import open_by_run
from signoff.asks.states import AskStatus
from signoff.audit.actions import record
from signoff.engine.calls.ask_builders import approval
from signoff.engine.calls.judge import Judged, JudgedCall
from signoff.engine.claimed_run import ClaimedRun
from signoff.kit import clock, jsons
from signoff.kit.actor import Actor
from signoff.kit.settings import Settings
from signoff.notifications.actions import notify
from signoff.policy.evaluate import Allow, AskFirst, Deny
from signoff.runs import fenced_writes
from signoff.runs.models import Call
from signoff.runs.states import CallStatus
from signoff.tools.registry import Tool


def told(verdict: AskFirst) -> tuple[str, ...]:
    """Whom a rule wants told when it asks."""
    return verdict.conditions.recipients


def alike(proposals: Sequence[JudgedCall]) -> list[list[JudgedCall]]:
    """Calls of one answer that a rule wants decided together."""
    groups = defaultdict[tuple[str, str | None], list[JudgedCall]](list)
    for proposal in proposals:
        if not isinstance(proposal.fate, Judged):
            continue
        verdict = proposal.fate.verdict
        if isinstance(verdict, AskFirst) and verdict.conditions.batch_alike:
            groups[proposal.call.tool, verdict.rule].append(proposal)
    return [group for group in groups.values() if len(group) > 1]


def ask_limit_error(session: Session, claimed: ClaimedRun, settings: Settings) -> str | None:
    """Why this run may not open another ask now."""
    waiting = len({call.ask_id for call in claimed.calls if call.status == CallStatus.WAITING.value})
    if any(
        call.ask_id and call.tool == "ask_question" and call.status not in fenced_writes.ASKING
        for call in claimed.calls
    ):
        # Questions that did not block may be open still, and only their rows know.
        waiting = open_by_run(session, [claimed.run.id]).get(claimed.run.id, 0)
    if waiting >= settings.max_open_asks:
        return f"{waiting} asks of this run wait already, and more are not allowed. Wait for their answers."
    hour_ago = clock.now() - timedelta(hours=1)
    lately = len({call.ask_id for call in claimed.calls if call.ask_id and call.created_at > hour_ago})
    if lately >= settings.max_asks_per_hour:
        return f"This run has asked {lately} times within an hour, and more is not allowed. Go on without asking."
    return None


def record_allowed(session: Session, claimed: ClaimedRun, proposal: JudgedCall, tool: Tool, verdict: Allow) -> None:
    """What a rule let through is on the record; where the rule says so also in the inbox, or told."""
    if verdict.rule is None:
        return
    call, run = proposal.call, claimed.run
    seen = {"tool": call.tool, "rule": verdict.rule, "digest": jsons.digest(call.arguments)}
    record(session, Actor.system(run.workspace_id), "call.auto_approved", call.id, seen, run_id=run.id)
    if verdict.log:
        by_rule = AskFirst(verdict.reasons, verdict.risk, verdict.rule)
        version = call.verdict.get("policy_version", 0)
        ask = approval(claimed, call, tool, by_rule, version, proposal.reasoning, proposal.confidence)
        ask.status, ask.settled_by, ask.settled_at = AskStatus.AUTO_APPROVED.value, f"rule: {verdict.rule}", clock.now()
        asks.log_decision(session, ask)
    if verdict.notify:
        text = f"Auto-approved by the rule {verdict.rule!r}: {tool.headline(call.arguments)}"
        channel = ", ".join(verdict.channels) or "asks"
        notify(session, run.workspace_id, run.id, channel, "signoff", jsons.clean_text(text))


def record_denied(session: Session, claimed: ClaimedRun, call: Call, verdict: Deny) -> None:
    """What a rule forbade is on the record, too."""
    seen = {"tool": call.tool, "rule": verdict.rule, "digest": jsons.digest(call.arguments)}
    record(session, Actor.system(claimed.run.workspace_id), "call.denied", call.id, seen, run_id=claimed.run.id)
