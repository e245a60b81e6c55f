"""The one place that asks what time it is."""

from datetime import UTC, datetime


def now() -> datetime:
    """Server time, aware, in UTC. Server time counts everywhere."""
    return datetime.now(UTC)
