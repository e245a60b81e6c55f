"""The machine of a delivery: its legal moves, listed once."""

from enum import StrEnum

from signoff.kit.states import Machine


class DeliveryStatus(StrEnum):
    QUEUED = "queued"
    # Somebody hands it over at this moment, or died while doing so.
    SENDING = "sending"
    SENT = "sent"
    # For good: it is sent again only when a person says so.
    FAILED = "failed"
    # Nobody needs it any more: its ask was settled before it went out.
    CANCELLED = "cancelled"


D = DeliveryStatus
# What a person may send again.
REPEATABLE = frozenset({D.FAILED, D.SENT})

DELIVERY = Machine[DeliveryStatus](
    {
        # To itself: a person wants it tried now, not when its time comes. Failed: its channel was switched off.
        D.QUEUED: frozenset({D.QUEUED, D.SENDING, D.FAILED, D.CANCELLED}),
        # To itself: whoever had it died. Queued: it is tried again. Cancelled: who had it died, and nobody needs it.
        D.SENDING: frozenset({D.SENDING, D.SENT, D.QUEUED, D.FAILED, D.CANCELLED}),
        D.SENT: frozenset({D.QUEUED}),
        D.FAILED: frozenset({D.QUEUED}),
        D.CANCELLED: frozenset(),
    }
)
