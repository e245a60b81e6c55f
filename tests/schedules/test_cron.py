"""When a cron expression is due: never in the past, and once on days when clocks change."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from signoff.schedules.cron import in_words, next_time, next_times, read_cron

ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Sao_Paulo"]
MINUTES = st.one_of(st.integers(0, 59).map(str), st.sampled_from(["*", "*/15", "5,35", "10-20"]))
HOURS = st.one_of(st.integers(0, 23).map(str), st.sampled_from(["*", "*/2", "1-3", "0,12"]))
DAYS = st.sampled_from(["*", "1", "15", "L", "29"])
MONTHS = st.sampled_from(["*", "3", "10-11"])
WEEKDAYS = st.sampled_from(["*", "1-5", "SUN", "1#2", "5L"])
CRONS = st.tuples(MINUTES, HOURS, DAYS, MONTHS, WEEKDAYS).map(" ".join)
MOMENTS = st.datetimes(datetime(2024, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


@given(CRONS, st.sampled_from(ZONES), MOMENTS)
# Between two o'clock and two o'clock again.
@example("30 2 * * *", "Europe/Berlin", datetime(2026, 10, 25, 1, 10, tzinfo=UTC))
def test_the_next_time_is_always_ahead_and_times_are_in_order(cron: str, zone: str, at: datetime) -> None:
    times = next_times(read_cron(cron), zone, at, 6)
    assert times == sorted(set(times))
    assert all(each > at and each.tzinfo is UTC for each in times)
    assert times[0] == next_time(cron, zone, at)


@given(st.integers(0, 59), st.integers(0, 23), st.sampled_from(ZONES), st.integers(2024, 2032))
def test_what_runs_at_one_time_of_day_runs_once_on_every_day_of_a_year(
    minute: int, hour: int, zone: str, year: int
) -> None:
    begin = datetime(year, 1, 1, tzinfo=ZoneInfo(zone))
    days = (datetime(year + 1, 1, 1) - datetime(year, 1, 1)).days  # noqa: DTZ001
    times = next_times(f"{minute} {hour} * * *", zone, begin.astimezone(UTC) - timedelta(seconds=1), days)
    assert len({each.astimezone(ZoneInfo(zone)).date() for each in times}) == days


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        # There is no 02:30 on this day: clocks go from two to three.
        ("2026-03-28T12:00+00:00", ["2026-03-29T01:00+00:00", "2026-03-30T00:30+00:00"]),
        # And here it comes twice, of which the first one counts.
        ("2026-10-24T12:00+00:00", ["2026-10-25T00:30+00:00", "2026-10-26T01:30+00:00"]),
    ],
)
def test_half_past_two_in_berlin_when_clocks_change(after: str, expected: list[str]) -> None:
    found = next_times("30 2 * * *", "Europe/Berlin", datetime.fromisoformat(after), 2)
    assert found == [datetime.fromisoformat(each) for each in expected]


def test_it_is_said_in_words() -> None:
    assert in_words("0 9 * * 1-5") == "At 09:00 on Monday through Friday"


@given(st.text(alphabet="0123456789*/,-LW#@ abSUN", max_size=30))
def test_whatever_is_typed_is_read_or_refused(text: str) -> None:
    try:
        cron = read_cron(text)
    except ValueError:
        return
    assert len(cron.split()) == 5
    assert in_words(cron)
