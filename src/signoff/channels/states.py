"""The machine of a delivery: its legal moves, listed once."""

from enum import StrEnum


class DeliveryStatus(StrEnum):
    QUEUED = "queued"
    # Somebody hands it over at this moment, or died while doing so.
    SENDING = "sending"
    SENT = "sent"
    # For good: it is sent again only when a person says so.
    FAILED = "failed"
    # Nobody needs it any more: its ask was settled before it went out.
    CANCELLED = "cancelled"


# What a person may send again.
REPEATABLE = frozenset({DeliveryStatus.FAILED, DeliveryStatus.SENT})
