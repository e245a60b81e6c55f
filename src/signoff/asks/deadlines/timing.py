"""When the clock has something to do with an ask, and what. Pure."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Literal

from signoff.asks.models import NEVER, Ask
from signoff.asks.states import AskKind
from signoff.kit.waiting_time import WaitingMinutes
from signoff.policy.evaluate import EscalationStep

# Defaults, in minutes, of what an agent asks, and the bounds of what it may ask for.
QUESTION_MINUTES, APPROVAL_MINUTES, RECOVERY_MINUTES = 30.0, 15.0, 10.0
LEAST_MINUTES, MOST_MINUTES = 5.0, 24 * 60.0
# A reminder when a fifth of the time is left, unless the whole time is too short for one.
REMIND_AT, WORTH_REMINDING = 0.8, 300.0

AtExpiry = Literal["default", "deny", "cancel", "fail"]


def question_minutes(given: float | None, usual: float, *settings: WaitingMinutes | None) -> float | None:
    """How long a question waits: what it asks for within the bounds, else the first setting, else what is usual.
    None: for as long as it takes."""
    if given is not None:
        return min(max(given, LEAST_MINUTES), MOST_MINUTES)
    setting = next((each for each in settings if each is not None), usual)
    return setting if isinstance(setting, int | float) else None


def set_times(
    ask: Ask, seconds: float | None, escalation: Sequence[EscalationStep] = (), remind: Sequence[float] = ()
) -> None:
    """Set an ask's deadline, reminders and escalations."""
    set_deadline(ask, ask.created_at + timedelta(seconds=seconds) if seconds is not None else None)
    entries = [_entry(ask.created_at, step.after_seconds, "escalate", step.tell) for step in escalation]
    if seconds is not None:
        entries += [_entry(ask.created_at, seconds - before, "remind") for before in remind if before < seconds]
        if not remind and seconds > WORTH_REMINDING:
            entries.append(_entry(ask.created_at, seconds * REMIND_AT, "remind"))
    ask.schedule = sorted(entries, key=lambda entry: entry["at"])
    ask.due_at = next_due(ask)


def add_escalation(ask: Ask, escalation: Sequence[EscalationStep]) -> None:
    """Tell others on the way; the ask keeps the time that it has."""
    entries = [_entry(ask.created_at, step.after_seconds, "escalate", step.tell) for step in escalation]
    ask.schedule = sorted([*ask.schedule, *entries], key=lambda entry: entry["at"])
    ask.due_at = next_due(ask)


def set_deadline(ask: Ask, at: datetime | None) -> None:
    ask.deadline, ask.waits_until = at, at or NEVER


def _entry(created_at: datetime, seconds: float, act: str, tell: Sequence[str] = ()) -> dict[str, Any]:
    return {"at": (created_at + timedelta(seconds=seconds)).isoformat(), "act": act, "tell": list(tell)}


def next_due(ask: Ask) -> datetime | None:
    """When to look at it again."""
    times = [datetime.fromisoformat(entry["at"]) for entry in ask.schedule]
    if ask.deadline is not None:
        times.append(ask.deadline)
    return min(times, default=None)


def split_due(ask: Ask, at: datetime) -> tuple[list[Any], list[Any]]:
    """What of the schedule is due, in order, and what is not yet."""
    due = [entry for entry in ask.schedule if datetime.fromisoformat(entry["at"]) <= at]
    return due, [entry for entry in ask.schedule if entry not in due]


def at_expiry(ask: Ask) -> AtExpiry:
    """What becomes of the run when nobody answers in time."""
    match ask.on_timeout:
        case "cancel" | "fail" as chosen:
            return chosen
        case "default" if ask.default is not None:
            return "default"
        case "default":
            return "fail"
        case "deny" | "escalate":
            return "deny"
        case _:
            return _unsaid(ask)


def _unsaid(ask: Ask) -> AtExpiry:
    """Without a word about it: a question uses its default, else the run fails; what was to be allowed is refused."""
    if AskKind(ask.kind) in (AskKind.QUESTION, AskKind.CLARIFICATION, AskKind.RECOVERY):
        return "default" if ask.default is not None else "fail"
    return "cancel" if ask.kind == AskKind.PLAN.value else "deny"
