"""Cron expressions: when they are due, in a time zone, and what they mean in words."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice

from cronsim import CronSim, CronSimError

from signoff.policy.hours import zone

MOST_SIGNS = 200
SHORT = {"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *"}
FIELDS = ("minute", "hour", "day of month", "month", "day of week")
_EXAMPLE = "write for example `0 9 * * 1-5` (9:00 from Monday to Friday) or `@daily`"


def read_cron(text: str) -> str:
    """Five fields with one blank in between, with `@daily` and its like written out. Raises ValueError."""
    fields = SHORT.get(text.strip().lower(), text).split()
    if len(text) > MOST_SIGNS or len(fields) != len(FIELDS):
        raise ValueError(f"needs five fields: {', '.join(FIELDS)}; {_EXAMPLE}")
    cron = " ".join(fields)
    try:
        CronSim(cron, datetime.now(UTC))
    except CronSimError as error:
        raise ValueError(f"{str(error).lower()}; {_EXAMPLE}") from None
    if next(times_after(cron, "UTC", datetime.now(UTC)), None) is None:
        raise ValueError("never comes: no day is like that")
    return cron


def in_words(cron: str) -> str:
    return CronSim(cron, datetime.now(UTC)).explain()


def times_after(cron: str, timezone: str, at: datetime) -> Iterator[datetime]:
    """The times that come after this one, in UTC. A time that a change of clocks skips comes right after it, and one
    that it repeats comes once, as in Debian's cron."""
    for local in CronSim(cron, at.astimezone(zone(timezone))):
        found = local.astimezone(UTC)
        # Between two o'clock and two o'clock again, the first one is over.
        if found > at:
            yield found


def next_time(cron: str, timezone: str, at: datetime) -> datetime | None:
    return next(times_after(cron, timezone, at), None)


def next_times(cron: str, timezone: str, at: datetime, count: int) -> list[datetime]:
    return list(islice(times_after(cron, timezone, at), count))
