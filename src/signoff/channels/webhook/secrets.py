"""The secrets that a webhook is signed with: the one of today and, for a day after a change, the one before."""

import base64
import os

SECRET, PREVIOUS = "secret", "previous_secret"
SECRET_BYTES, PREFIX = 32, "whsec_"
NOT_BASE64 = "must be whsec_ with base64 behind it; leave it out when you add the webhook, and one is made for you"


def new_signing_secret() -> str:
    return PREFIX + base64.b64encode(os.urandom(SECRET_BYTES)).decode()


def is_signing_secret(text: str) -> bool:
    """Whether every character of it counts: in signing, what is no base64 would be passed over in silence."""
    try:
        return bool(base64.b64decode(text.removeprefix(PREFIX), validate=True))
    except ValueError:
        return False
