"""The one place where asks are opened: how many may wait, by when, who is notified, and what waits for them."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from signoff.asks import actions as asks
from signoff.asks.deadlines.timing import add_escalation, set_times
from signoff.asks.effects.veto import APPROVE, open_window, why_not
from signoff.asks.models import Ask
from signoff.asks.signatures.conditions import set_conditions
from signoff.asks.states import AskKind
from signoff.kit.actor import Actor
from signoff.kit.errors import TooMany
from signoff.kit.settings import Settings
from signoff.policy.evaluate import AskFirst, Conditions
from signoff.runs.asking.ask_limit import ask_limit_error, outside_limit_error
from signoff.runs.calls import wait_for_ask
from signoff.runs.models import Call, Run


def open_for_calls(
    session: Session,
    settings: Settings,
    run: Run,
    made: Sequence[Call],
    ask: Ask,
    calls: Sequence[Call],
    verdict: AskFirst | None = None,
) -> str | None:
    """Let calls wait for a person, as the rule wants it that asks. Returns why not: by the calls that the run has made
    so far it has asked too often."""
    error = ask_limit_error(session, settings, run.id, made)
    if error is not None:
        return error
    for call in calls:
        wait_for_ask(call, ask.id)
    if verdict is not None:
        apply_conditions(ask, verdict)
    asks.open_ask(session, run.actor, ask, recipients(run, ask, verdict), _channels(verdict))
    return None


def open_from_outside(
    session: Session, settings: Settings, actor: Actor, run: Run, ask: Ask, verdict: AskFirst | None
) -> None:
    """Ask about a run that does not wait for it. Too many are refused, and no rule lets silence end the run."""
    error = outside_limit_error(session, settings, run.id)
    if error is not None:
        raise TooMany(error)
    unanswered = ask.on_timeout
    if verdict is not None:
        apply_conditions(ask, verdict)
    if ask.on_timeout not in ("deny", "escalate"):
        ask.on_timeout, ask.veto = unanswered, None
    # Who asks knows of it.
    others = tuple(each for each in recipients(run, ask, verdict) if each != actor.label)
    asks.open_ask(session, actor, ask, others, _channels(verdict))


def open_without_limit(session: Session, run: Run, ask: Ask, notified: tuple[str, ...] = ()) -> None:
    """Open what the run cannot go on without: refused, it would hang, or end with an effect that nobody looked at.

    The limit cannot be got around by this: each has one place that holds at most one open ask, and is filled by what
    happened to the run, not by what the model wants. The run itself (`ask_id`: its model refuses, its money is used
    up), its quarantine (`aside_id`), and each call whose end is unknown (`ask_id`, in place of its approval).
    """
    asks.open_ask(session, run.actor, ask, notified)


def open_checkpoint_ask(session: Session, run: Run, ask: Ask, verdict: AskFirst) -> None:
    """Let a workflow wait at one of its checkpoints. Each step has one place for it, so no limit is needed."""
    apply_conditions(ask, verdict)
    asks.open_ask(session, run.actor, ask, recipients(run, ask, verdict), _channels(verdict))


def _channels(verdict: AskFirst | None) -> tuple[str, ...]:
    """By which channels the rule that asks wants people told."""
    return verdict.conditions.channels if verdict is not None else ()


def recipients(run: Run, ask: Ask, verdict: AskFirst | None) -> tuple[str, ...]:
    """Whom the rule that asks wants notified; a question without one is for who started the run."""
    if verdict is not None:
        return verdict.conditions.recipients
    starter, is_question = run.created_by, ask.kind in (AskKind.QUESTION.value, AskKind.CLARIFICATION.value)
    return (starter,) if is_question and "@" in starter else ()


def apply_conditions(ask: Ask, verdict: AskFirst) -> None:
    """Freeze what the rule wants: who signs, by when, and who is notified on the way."""
    conditions, named = verdict.conditions, ask.approvers
    set_conditions(ask, conditions)
    if not conditions.stages:
        # A question that lets the agent act has its approvers, whoever else a rule is silent about.
        ask.approvers = ask.approvers or named
    if conditions.on_timeout == APPROVE and conditions.timeout_seconds is not None:
        _let_silence_approve(ask, conditions)
        return
    if conditions.timeout_seconds is None and ask.deadline is not None:
        add_escalation(ask, conditions.escalation)
        return
    if conditions.timeout_seconds is not None:
        # A rule's timeout without a word about it fails the run.
        ask.on_timeout = conditions.on_timeout or "fail"
    set_times(ask, conditions.timeout_seconds, conditions.escalation, conditions.remind_before_seconds)


def _let_silence_approve(ask: Ask, conditions: Conditions) -> None:
    """It runs unless somebody objects, if that may be so for this call; else it simply waits."""
    set_times(ask, None, conditions.escalation)
    reason = why_not(ask, conditions.allow_irreversible)
    if reason is None:
        open_window(ask, conditions.timeout_seconds or 0, conditions.allow_irreversible)
    else:
        ask.risk_reasons = [*ask.risk_reasons, f"It does not run by itself: {reason[0].lower()}{reason[1:]}"]
