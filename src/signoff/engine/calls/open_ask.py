"""The one place where a run opens asks: how many may wait, by when, who is notified, and what waits for them."""

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy.orm import Session

from signoff.asks import actions as asks
from signoff.asks.deadlines.timing import add_escalation, set_times
from signoff.asks.models import Ask
from signoff.asks.signatures.conditions import set_conditions
from signoff.asks.states import AskKind
from signoff.engine.calls.ask_limit import ask_limit_error
from signoff.engine.calls.judge import Judged, JudgedCall
from signoff.engine.claimed_run import ClaimedRun
from signoff.kit.settings import Settings
from signoff.policy.evaluate import AskFirst
from signoff.runs.calls import wait_for_ask
from signoff.runs.models import Call


def open_for_calls(
    session: Session,
    settings: Settings,
    claimed: ClaimedRun,
    ask: Ask,
    calls: Sequence[Call],
    verdict: AskFirst | None = None,
) -> str | None:
    """Let calls wait for a person, as the rule wants it that asks. Returns why not: the run has asked too often."""
    error = ask_limit_error(session, claimed, settings)
    if error is not None:
        return error
    for call in calls:
        wait_for_ask(call, ask.id)
    if verdict is not None:
        apply_conditions(ask, verdict)
    asks.open_ask(session, claimed.actor, ask, recipients(claimed, ask, verdict))
    return None


def open_without_limit(session: Session, claimed: ClaimedRun, ask: Ask, notified: tuple[str, ...] = ()) -> None:
    """Open what the run cannot go on without: refused, it would hang, or end with an effect that nobody looked at.

    The limit cannot be got around by this: each has one place that holds at most one open ask, and is filled by what
    happened to the run, not by what the model wants. The run itself (`ask_id`: its model refuses, its money is used
    up), its quarantine (`aside_id`), and each call whose end is unknown (`ask_id`, in place of its approval).
    """
    asks.open_ask(session, claimed.actor, ask, notified)


def recipients(claimed: ClaimedRun, ask: Ask, verdict: AskFirst | None) -> tuple[str, ...]:
    """Whom the rule that asks wants notified; an agent's own question is for who started the run."""
    if verdict is not None:
        return verdict.conditions.recipients
    starter, is_question = claimed.run.created_by, ask.kind in (AskKind.QUESTION.value, AskKind.CLARIFICATION.value)
    return (starter,) if is_question and "@" in starter else ()


def apply_conditions(ask: Ask, verdict: AskFirst) -> None:
    """Freeze what the rule wants: who signs, by when, and who is notified on the way."""
    conditions, named = verdict.conditions, ask.approvers
    set_conditions(ask, conditions)
    if not conditions.stages:
        # A question that lets the agent act has its approvers, whoever else a rule is silent about.
        ask.approvers = ask.approvers or named
    if conditions.timeout_seconds is None and ask.deadline is not None:
        add_escalation(ask, conditions.escalation)
        return
    if conditions.timeout_seconds is not None:
        # A rule's timeout without a word about it fails the run.
        ask.on_timeout = conditions.on_timeout or "fail"
    set_times(ask, conditions.timeout_seconds, conditions.escalation, conditions.remind_before_seconds)


def alike(proposals: Sequence[JudgedCall]) -> list[list[JudgedCall]]:
    """Calls of one reply that a rule wants decided together."""
    groups = defaultdict[tuple[str, str | None], list[JudgedCall]](list)
    for proposal in proposals:
        if not isinstance(proposal.fate, Judged):
            continue
        verdict = proposal.fate.verdict
        if isinstance(verdict, AskFirst) and verdict.conditions.batch_alike:
            groups[proposal.call.tool, verdict.rule].append(proposal)
    return [group for group in groups.values() if len(group) > 1]
