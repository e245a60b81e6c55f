"""The key to the record lies outside the database: who has the database alone can forge nothing."""

import base64
import binascii
import hashlib
from collections.abc import Iterable

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

SEED_BYTES = 32


class BadKey(ValueError):
    """Not 32 bytes in base64."""


def decode_key(text: str) -> bytes:
    """A key as people copy it: base64, with either alphabet, padded or not."""
    plain = "".join(text.split()).replace("-", "+").replace("_", "/").rstrip("=")
    try:
        key = base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except binascii.Error:
        raise BadKey("A key is 32 bytes in base64.") from None
    if len(key) != SEED_BYTES:
        raise BadKey(f"A key is 32 bytes in base64; this one has {len(key)}.")
    return key


def encode_key(key: bytes) -> str:
    return base64.b64encode(key).decode()


def id_of(public: bytes) -> str:
    """A short name for a key, to tell keys apart."""
    return hashlib.sha256(public).hexdigest()[:16]


def batch_text(key_id: str, first: int, number: int, fingerprint: str) -> bytes:
    """What an entry's seal says: this key wrote the entries `first` to `number`, and the last has this hash."""
    return f"signoff audit v1\n{key_id}\n{first}\n{number}\n{fingerprint}".encode()


def anchor_text(key_id: str, workspace_id: str, number: int, fingerprint: str, at: str) -> bytes:
    """What an anchor's seal says: at this time the record ended with this entry."""
    return f"signoff anchor v1\n{key_id}\n{workspace_id}\n{number}\n{fingerprint}\n{at}".encode()


class Keyring:
    """The public keys of a record, oldest first: the ones before the last are retired."""

    def __init__(self, publics: Iterable[str]) -> None:
        keys = [decode_key(public) for public in publics]
        self.newest = id_of(keys[-1]) if keys else None
        self._ranks = {id_of(key): rank for rank, key in enumerate(keys)}
        self._keys = {id_of(key): Ed25519PublicKey.from_public_bytes(key) for key in keys}

    def rank(self, key_id: str | None) -> int | None:
        """Which key this is, in the order of their use; None if it is not one of ours."""
        return self._ranks.get(key_id or "")

    def fits(self, key_id: str, text: bytes, seal: str | None) -> bool:
        """Whether the seal was made with this key over exactly this text."""
        key = self._keys.get(key_id)
        if key is None or not seal:
            return False
        try:
            key.verify(base64.b64decode(seal, validate=True), text)
        except (InvalidSignature, binascii.Error, ValueError):
            return False
        return True


class Sealer:
    """Whoever holds the key."""

    def __init__(self, seed: bytes, retired: Iterable[str] = ()) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        public = self._key.public_key().public_bytes_raw()
        self.key_id, self.public = id_of(public), encode_key(public)
        self.ring = Keyring([*(each for each in retired if decode_key(each) != public), self.public])

    def seal(self, text: bytes) -> str:
        return base64.b64encode(self._key.sign(text)).decode()
