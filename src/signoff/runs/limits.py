"""How far a run may go. Pure: figures in, a word out."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import inf

from signoff.catalog.schemas import MOST_CREDITS, Limits
from signoff.kit.jsons import JsonObject
from signoff.kit.text.time_words import in_words
from signoff.runs.states import Reason

WARN_AT = 0.8
LEAST = 0.000001
RAISABLE = ("max_duration_hours", "max_cost_credits", "max_iterations")


@dataclass(frozen=True)
class Usage:
    """What a run has used so far."""

    iterations: int
    cost_credits: float
    seconds: float


@dataclass(frozen=True)
class Share:
    """One limit and how much of it is used."""

    limit: str
    reason: Reason
    used: float
    most: float

    @property
    def reached(self) -> bool:
        return self.used >= self.most

    @property
    def words(self) -> str:
        """The limit as people say it."""
        match self.limit:
            case "max_duration_hours":
                return f"time limit of {in_words(self.most * 3600)}"
            case "max_cost_credits":
                return f"cost limit of {self.most:g} credit{'' if self.most == 1 else 's'}"
            case _:
                return f"limit of {self.most:g} step{'' if self.most == 1 else 's'}"

    @property
    def close(self) -> bool:
        return self.used >= self.most * WARN_AT


def shares(limits: Limits, usage: Usage) -> list[Share]:
    """Every limit that is set; 0 hours or 0 credits mean that there is none."""
    found = [Share("max_iterations", Reason.MAX_ITERATIONS, usage.iterations, limits.max_iterations)]
    if limits.max_cost_credits:
        found.append(Share("max_cost_credits", Reason.MAX_COST, usage.cost_credits, limits.max_cost_credits))
    if limits.max_duration_hours:
        hours = usage.seconds / 3600
        found.append(Share("max_duration_hours", Reason.MAX_DURATION, hours, limits.max_duration_hours))
    return found


def seconds_left(limits: Limits, usage: Usage) -> float:
    """How long it may still work; a limit that was just reached leaves a moment."""
    return max(limits.max_duration_hours * 3600 - usage.seconds, 0.001) if limits.max_duration_hours else inf


def reached(limits: Limits, usage: Usage) -> Share | None:
    """The first limit that stops the run. A run that has spent nothing may always begin."""
    if usage.iterations == 0 and usage.seconds == 0:
        return None
    return next((share for share in shares(limits, usage) if share.reached), None)


def credits_left(limits: Limits, usage: Usage) -> float:
    """What may still be spent; a call is started while there is anything left."""
    return limits.max_cost_credits - usage.cost_credits if limits.max_cost_credits else inf


def remaining(limits: Limits, usage: Usage) -> Limits:
    """What another run may use of these: of money and time, whatever is left. Nothing left is not the same as no
    limit."""
    hours, credits = limits.max_duration_hours, limits.max_cost_credits
    return limits.model_copy(
        update={
            "max_cost_credits": max(credits - usage.cost_credits, LEAST) if credits else credits,
            "max_duration_hours": max(hours - usage.seconds / 3600, LEAST) if hours else hours,
            "max_iterations": 100_000,
        }
    )


def to_warn(limits: Limits, usage: Usage, warned: list[str]) -> list[Share]:
    """Limits that are at 80 % and were not spoken of yet."""
    return [share for share in shares(limits, usage) if share.close and share.most and share.limit not in warned]


def deadline(limits: Limits, started_at: datetime | None) -> datetime | None:
    """When a run must end by the clock: only where waiting counts, too."""
    if not limits.waiting_counts or not limits.max_duration_hours or started_at is None:
        return None
    return started_at + timedelta(hours=limits.max_duration_hours)


def raised(limits: Limits, more: JsonObject) -> Limits:
    """The limits with what was granted on top; no hours or credits mean no limit, and stay so."""
    hours, credits = limits.max_duration_hours, limits.max_cost_credits
    return limits.model_copy(
        update={
            "max_cost_credits": min(credits + (more.get("credits") or 0), MOST_CREDITS) if credits else credits,
            "max_duration_hours": min(hours + (more.get("hours") or 0), 24.0) if hours else hours,
            "max_iterations": min(limits.max_iterations + (more.get("iterations") or 0), 100_000),
        }
    )


def beyond(own: Limits, wanted: Limits) -> list[str]:
    """Which limits would let a run go further than the agent's own do."""
    # No limit is the highest one.
    most = {name: getattr(own, name) or inf for name in RAISABLE}
    found = [name for name in RAISABLE if (getattr(wanted, name) or inf) > most[name]]
    return found + (["waiting_counts"] if own.waiting_counts and not wanted.waiting_counts else [])


def within(own: Limits, wanted: Limits) -> Limits:
    """The wanted limits, but none beyond the agent's own."""
    return wanted.model_copy(update={name: getattr(own, name) for name in beyond(own, wanted)})
