"""Who we are to push services: one key pair for the whole installation. The private key stays in the store."""

import base64
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlalchemy.orm import Session

from signoff.channels.port import ChannelError
from signoff.kit import clock
from signoff.secrets import store
from signoff.secrets.keyring import Keyring

# Where it lies, and what the channel calls it.
OWNER, NAME, SECRET = "vapid", "private_key", "vapid_private_key"
KEY_BYTES = 32
# Push services take no signature that is good for more than a day, by a clock that is not ours.
GOOD_FOR = timedelta(hours=12)
# Whom a push service could write to, where the server has no address of its own.
NOBODY = "mailto:signoff@localhost"


def make_key(session: Session, keyring: Keyring) -> None:
    """Make the pair, unless there is one: browsers subscribe to it, and another one would lose them all."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    store.put_once(session, keyring, store.INSTALLATION, OWNER, NAME, base64url(number.to_bytes(KEY_BYTES, "big")))


def vapid_private_key(session: Session, keyring: Keyring) -> str:
    """For whoever is about to sign with it; made at the first start."""
    return store.take(session, keyring, store.INSTALLATION, OWNER)[NAME]


def public_key(private_key: str) -> str:
    """What browsers know us by: the application server key."""
    number = int.from_bytes(from_base64url(private_key), "big")
    public = ec.derive_private_key(number, ec.SECP256R1()).public_key()
    return base64url(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def authorization(private_key: str, endpoint: str, our_address: str) -> str:
    """The header by which a push service knows us: for its origin alone, and not for long."""
    import py_vapid  # pyright: ignore[reportMissingTypeStubs]

    library: Any = py_vapid
    signer = library.Vapid.from_raw(private_key.encode())
    # Else the library takes only some of the addresses that its own standard allows.
    signer.conf = {"no-strict": True}
    expires = int((clock.now() + GOOD_FOR).timestamp())
    try:
        signed = signer.sign({"aud": origin(endpoint), "sub": _contact(our_address), "exp": expires})
    except library.VapidException:
        raise ChannelError(f"{origin(endpoint)} is no address of a push service.", permanent=True) from None
    return signed["Authorization"]


def _contact(our_address: str) -> str:
    return origin(our_address) if our_address.startswith("https://") else NOBODY


def origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def from_base64url(text: str) -> bytes:
    """Raises ValueError."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
