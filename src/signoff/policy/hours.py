"""Hours of the week in a time zone, by the clock on the wall."""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TypeAlias
from zoneinfo import ZoneInfo, available_timezones

from signoff.policy.operators import Ternary
from signoff.policy.problems import closest

# Minutes of the day; an end before its begin is on the next day.
Window: TypeAlias = tuple[int, int]
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DISABLED = "disabled"
_WINDOW = re.compile(r"\s*([0-9]{1,2}):([0-9]{2})\s*[-–]\s*([0-9]{1,2}):([0-9]{2})\s*")  # noqa: RUF001
_DAY = 24 * 60


@dataclass(frozen=True, slots=True)
class Week:
    """The windows of each day, from Monday to Sunday."""

    zone: ZoneInfo
    days: tuple[tuple[Window, ...], ...]

    def open_at(self, at: datetime | None) -> Ternary:
        """Whether a moment is inside; without one, nobody can tell."""
        local = self.local(at)
        if local is None:
            return None
        minute, today = local.hour * 60 + local.minute, local.weekday()
        for begin, end in self.days[today]:
            if begin <= minute < (end if begin < end else _DAY):
                return True
        # What began yesterday evening may go on past midnight.
        return any(end <= begin and minute < end for begin, end in self.days[today - 1])

    def local(self, at: datetime | None) -> datetime | None:
        """The same moment on the wall; None when it is not known which moment is meant."""
        if at is None or at.tzinfo is None:
            return None
        try:
            return at.astimezone(self.zone)
        except OverflowError:
            return None


def windows(text: str) -> tuple[Window, ...]:
    """`09:00-12:00, 13:00-17:00`, or `disabled` for none. Raises ValueError saying what to write."""
    if text.strip() == DISABLED:
        return ()
    return tuple(_window(part) for part in text.split(","))


def zone(name: str) -> ZoneInfo:
    """A time zone by its name. Raises ValueError with a name that comes close."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        meant = closest(name, _zones())
        guess = f"did you mean `{meant}`?" if meant else "write a name such as `Europe/Berlin` or `UTC`"
        raise ValueError(f"unknown time zone `{name}`; {guess}") from None


@cache
def _zones() -> list[str]:
    return sorted(available_timezones())


def _window(text: str) -> Window:
    found = _WINDOW.fullmatch(text)
    if not found:
        raise ValueError(f'`{text.strip()}` is not a time range; write "09:00-17:00" or "disabled"')
    hours = [int(digits) for digits in found.groups()]
    begin, end = hours[0] * 60 + hours[1], hours[2] * 60 + hours[3]
    if max(hours[1], hours[3]) > 59 or begin >= _DAY or end > _DAY:
        raise ValueError(f"`{text.strip()}` is not a time of day; hours go from 00:00 to 24:00")
    if begin == end:
        raise ValueError(f'`{text.strip()}` is empty; for the whole day write "00:00-24:00"')
    return begin, end
