"""What a button carries back, in the little room that chats leave: which message, what to do, what was shown. Pure.

Nothing of it is a secret or a proof: whoever presses is who the chat says, and may what that member may.
"""

import base64
import binascii
import uuid
from dataclasses import dataclass

from signoff.channels.port import Decision
from signoff.kit.errors import NotFound

APPROVE, DENY, REPLY, CHOOSE = "a", "d", "r", "c"
DECISIONS: dict[str, Decision] = {APPROVE: "approve", DENY: "deny", REPLY: "respond", CHOOSE: "respond"}
MOST_CHOICES = 1_000
# So much of a digest is kept: too much for anybody to find other arguments that begin alike.
DIGEST_BYTES = 16


class UnknownButton(NotFound):
    code = "unknown_button"


@dataclass(frozen=True)
class Carried:
    delivery_id: str
    action: str
    # The beginning of the digest of what was shown, in hexadecimal; empty: it has none.
    digest: str = ""
    # Of a choice: its number.
    number: int | None = None

    @property
    def decision(self) -> Decision:
        return DECISIONS[self.action]

    def fits(self, digest: str | None) -> bool:
        """Whether the button was made for what has this digest."""
        return _beginning(digest) == self.digest


def packed(delivery_id: str, action: str, digest: str | None, number: int | None = None) -> str:
    what = action if number is None else f"{action}{number}"
    return ".".join((what, _text(uuid.UUID(delivery_id).bytes), _text(bytes.fromhex(_beginning(digest)))))


def unpacked(text: str) -> Carried:
    """Raises UnknownButton: whoever pressed may have made it up."""
    try:
        what, delivery, digest = text.split(".")
        action, number = what[:1], what[1:]
        if action not in DECISIONS or (action == CHOOSE) != bool(number) or not (number or "0").isdecimal():
            raise ValueError
        chosen = int(number) if number else None
        if chosen is not None and chosen >= MOST_CHOICES:
            raise ValueError
        return Carried(str(uuid.UUID(bytes=_bytes(delivery))), action, _bytes(digest).hex(), chosen)
    except (ValueError, binascii.Error):
        raise UnknownButton("This button is not known here.") from None


def _beginning(digest: str | None) -> str:
    return (digest or "")[: 2 * DIGEST_BYTES]


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
