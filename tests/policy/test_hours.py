"""Hours are read by the clock on the wall, also on the days when it is moved."""

from datetime import UTC, datetime

import pytest

from signoff.policy.evaluate import Allow, AskFirst, Deny
from tests.policy.trying import a_call, judge, one_rule

NEW_YORK = "timezone: America/New_York, "


def inside(hours: str, at: datetime | None, key: str = "hours") -> bool | None:
    verdict = judge(one_rule(f"{{{key}: {{{hours}}}}}", "deny"), a_call(), at)
    return {Deny: True, Allow: False, AskFirst: None}[type(verdict)]


def utc(year: int, month: int, day: int, hour: int, minute: int) -> datetime:
    return datetime(year, month, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        # Winter: nine in New York is 14:00 UTC.
        (utc(2026, 3, 6, 13, 59), False),
        (utc(2026, 3, 6, 14, 0), True),
        # The clocks go forward on Sunday, 8 March 2026; on Monday nine is 13:00 UTC.
        (utc(2026, 3, 9, 12, 59), False),
        (utc(2026, 3, 9, 13, 0), True),
        (utc(2026, 3, 9, 20, 59), True),
        (utc(2026, 3, 9, 21, 0), False),
        # They go back on Sunday, 1 November 2026.
        (utc(2026, 10, 30, 13, 0), True),
        (utc(2026, 11, 2, 13, 59), False),
        (utc(2026, 11, 2, 14, 0), True),
        (utc(2026, 11, 2, 21, 59), True),
        (utc(2026, 11, 2, 22, 0), False),
        # Weekends are closed unless they are named.
        (utc(2026, 3, 7, 15, 0), False),
        (utc(2026, 3, 8, 15, 0), False),
    ],
)
def test_office_hours_in_new_york_follow_the_clock_on_the_wall(at: datetime, expected: bool) -> None:
    office = NEW_YORK + "monday_friday: '09:00-17:00'"
    assert inside(office, at) is expected
    assert inside(office, at, "outside_hours") is not expected


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        # 01:30 stands twice on the wall on 1 November; both count.
        (utc(2026, 11, 1, 5, 30), True),
        (utc(2026, 11, 1, 6, 30), True),
        (utc(2026, 11, 1, 7, 0), False),
        # 02:30 does not exist on 8 March: 06:59 UTC is 01:59, a minute later it is 03:00.
        (utc(2026, 3, 8, 6, 59), True),
        (utc(2026, 3, 8, 7, 0), False),
    ],
)
def test_the_hour_that_comes_twice_counts_twice_and_the_missing_one_never(at: datetime, expected: bool) -> None:
    assert inside(NEW_YORK + "sunday: '01:00-02:00'", at) is expected


@pytest.mark.parametrize(
    ("hours", "at", "expected"),
    [
        ("monday: '22:00-06:00'", utc(2026, 1, 5, 21, 59), False),
        ("monday: '22:00-06:00'", utc(2026, 1, 5, 22, 0), True),
        ("monday: '22:00-06:00'", utc(2026, 1, 6, 5, 59), True),
        ("monday: '22:00-06:00'", utc(2026, 1, 6, 6, 0), False),
        ("monday: '22:00-06:00'", utc(2026, 1, 5, 3, 0), False),
        ("sunday: '22:00-06:00'", utc(2026, 1, 5, 3, 0), True),
        ("monday: '09:00-12:00, 13:00-17:00'", utc(2026, 1, 5, 12, 30), False),
        ("monday: '09:00-12:00, 13:00-17:00'", utc(2026, 1, 5, 13, 0), True),
        ("monday: '00:00-24:00'", utc(2026, 1, 5, 23, 59), True),
        ("monday: '00:00-24:00'", utc(2026, 1, 6, 0, 0), False),
        ("saturday_sunday: '10:00-11:00'", utc(2026, 1, 10, 10, 0), True),
        ("saturday_sunday: '10:00-11:00', saturday: disabled", utc(2026, 1, 10, 10, 0), False),
        ("saturday_sunday: '10:00-11:00', saturday: disabled", utc(2026, 1, 11, 10, 0), True),
        ("monday_friday: '09:00-17:00', friday: '09:00-13:00'", utc(2026, 1, 9, 14, 0), False),
    ],
)
def test_windows_may_cross_midnight_and_a_day_counts_before_its_group(hours: str, at: datetime, expected: bool) -> None:
    assert inside(hours, at) is expected


@pytest.mark.parametrize("at", [None, datetime(2026, 1, 5, 10, 0), datetime.min.replace(tzinfo=UTC)])  # noqa: DTZ001
def test_without_a_moment_hours_cannot_be_told(at: datetime | None) -> None:
    for key in ("hours", "outside_hours"):
        assert inside("timezone: America/New_York, monday_friday: '09:00-17:00'", at, key) is None
