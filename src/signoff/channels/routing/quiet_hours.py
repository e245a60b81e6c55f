"""When somebody wants to be left alone. Pure."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from signoff.workspaces.schemas import QuietHours


def quiet_until(hours: QuietHours | None, at: datetime) -> datetime | None:
    """When the quiet time that this moment lies in is over; None: nobody sleeps."""
    if hours is None or hours.start == hours.end:
        return None
    local = at.astimezone(ZoneInfo(hours.timezone))
    for day in (local.date() - timedelta(days=1), local.date()):
        begin, end = (_on(local, day, each) for each in (hours.start, hours.end))
        if end <= begin:
            end = _on(local, day + timedelta(days=1), hours.end)
        if begin <= local < end:
            return end.astimezone(at.tzinfo)
    return None


def _on(local: datetime, day: object, time: str) -> datetime:
    """The clock on the wall at that day, whatever summer time does to it."""
    text = f"{day}T{time}"
    return datetime.fromisoformat(text).replace(tzinfo=local.tzinfo)
