"""A veto window: it runs unless somebody objects in time. It starts once somebody who may object was reached."""

from datetime import datetime, timedelta

from signoff.asks.deadlines.timing import next_due, set_deadline
from signoff.asks.models import Ask
from signoff.asks.risk import impact_on
from signoff.asks.states import AskKind, AskStatus
from signoff.kit import clock
from signoff.kit.text.time_words import in_words
from signoff.policy.risk import Risk

APPROVE = "approve"
# Whose time stood still has at least so much left when it goes on, or the whole window: to object takes a moment.
LEAST_SECONDS = 60.0


def why_not(ask: Ask, allow_irreversible: bool) -> str | None:
    """Why silence cannot approve this; it then waits for a person."""
    impact = impact_on(ask)
    if ask.kind != AskKind.APPROVAL.value or ask.tool is None:
        return "Only calls run by themselves"
    if ask.approvals_required > 1 or ask.stages or ask.four_eyes:
        return "It needs more than one person"
    if ask.risk_level == Risk.CRITICAL.value:
        return "Its risk is critical"
    if not allow_irreversible and (impact is None or not impact.reversible):
        return "It cannot be undone"
    return None


def open_window(ask: Ask, seconds: float, allow_irreversible: bool) -> None:
    """Silence will approve it, this long after somebody who may object was reached."""
    ask.on_timeout = APPROVE
    ask.veto = {"seconds": seconds, "left": seconds, "allow_irreversible": allow_irreversible, "reached_at": None}
    set_deadline(ask, None)


def has_window(ask: Ask) -> bool:
    return ask.veto is not None and ask.on_timeout == APPROVE and ask.status == AskStatus.PENDING.value


def notice(ask: Ask) -> str:
    """What people are told of it first."""
    if ask.veto is None or not has_window(ask):
        return ask.title
    return f"{ask.title}. It will run in {in_words(ask.veto['seconds'])} unless someone objects."


def runs_at(ask: Ask) -> datetime | None:
    """When it runs by itself; None: never, or the time does not count yet."""
    return ask.deadline if has_window(ask) else None


def is_unreached(ask: Ask) -> bool:
    """Whether nobody who may object knows of it yet."""
    return has_window(ask) and (ask.veto or {})["reached_at"] is None


def is_suspended(ask: Ask) -> bool:
    """Whether its time had begun and stands still now."""
    return has_window(ask) and ask.deadline is None and not is_unreached(ask)


def reach(ask: Ask, held: bool) -> bool:
    """Somebody who may object knows of it. Returns whether the time counts from now on."""
    if ask.veto is None or not is_unreached(ask):
        return False
    ask.veto = ask.veto | {"reached_at": clock.now().isoformat()}
    if held:
        return False
    _count_down(ask)
    return True


def counts_since(ask: Ask) -> datetime:
    """Since when its time counts, of one whose time does."""
    return (ask.deadline or clock.now()) - timedelta(seconds=(ask.veto or {})["left"])


def hold_window(ask: Ask, at: datetime | None = None) -> bool:
    """Stop the time, as of then or now; what is left is kept, a moment at least. Returns whether it was running."""
    if ask.veto is None or not has_window(ask) or ask.deadline is None:
        return False
    left = (ask.deadline - (at or clock.now())).total_seconds()
    ask.veto = ask.veto | {"left": max(left, min(LEAST_SECONDS, ask.veto["seconds"]))}
    set_deadline(ask, None)
    ask.due_at = next_due(ask)
    return True


def go_on(ask: Ask, at: datetime | None = None) -> bool:
    """Let the time run on, from then or now. Returns whether it does."""
    if not is_suspended(ask):
        return False
    _count_down(ask, at)
    return True


def start_over(ask: Ask) -> None:
    """What is decided is another thing by now: people have the whole time for it again."""
    if ask.veto is None or not has_window(ask):
        return
    ask.veto = ask.veto | {"left": ask.veto["seconds"]}
    if ask.deadline is not None:
        _count_down(ask)


def close_window(ask: Ask) -> None:
    """From now on it waits for a person."""
    ask.veto, ask.on_timeout = None, None
    set_deadline(ask, None)
    ask.due_at = next_due(ask)


def _count_down(ask: Ask, at: datetime | None = None) -> None:
    left = (ask.veto or {})["left"]
    set_deadline(ask, (at or clock.now()) + timedelta(seconds=left))
    ask.due_at = next_due(ask)
