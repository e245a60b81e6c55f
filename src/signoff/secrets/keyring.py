"""Seals a secret with a key that lies outside the database, bound to the workspace and the row that it belongs to."""

import base64
import hashlib
import hmac
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from signoff.audit.seals import SEED_BYTES, BadKey, decode_key, encode_key
from signoff.kit import private_files
from signoff.kit.errors import CannotStart, SignoffError
from signoff.kit.settings import Settings

KEY_FILE = "secret.key"
NONCE_BYTES = 12
_VERSION = "v1"


class CannotOpen(SignoffError):
    """A sealed secret that no key of this server opens: the key is another one, or the row was changed."""

    code = "secret_cannot_be_opened"
    title = "A stored secret cannot be read"


class Keyring:
    """The key that seals, and those before it, which only open."""

    def __init__(self, read_keys: Callable[[], Sequence[bytes]]) -> None:
        self._read = read_keys
        self._keys = _by_id(read_keys())

    def seal(self, secret: str, *place: str) -> str:
        """The secret as it is stored. `place` is where it belongs: sealed for one row, it opens for no other."""
        # The key before a new one is deleted as soon as nothing is sealed with it.
        self._look_again()
        key_id, key = next(iter(self._keys.items()))
        nonce = os.urandom(NONCE_BYTES)
        sealed = nonce + AESGCM(key).encrypt(nonce, secret.encode(), _bound_to(place))
        return f"{_VERSION}.{key_id}.{base64.urlsafe_b64encode(sealed).decode()}"

    def open(self, sealed: str, *place: str) -> str:
        version, _, rest = sealed.partition(".")
        key_id, _, text = rest.partition(".")
        key = self._key(key_id) if version == _VERSION else None
        if key is None:
            raise CannotOpen("A stored secret was sealed with a key that this server does not have. Enter it again.")
        raw = base64.urlsafe_b64decode(text)
        try:
            return AESGCM(key).decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], _bound_to(place)).decode()
        except InvalidTag:
            raise CannotOpen("A stored secret was changed, or belongs elsewhere. Enter it again.") from None

    def fingerprint(self, data: bytes) -> str:
        """The same for the same data, and no help for who has only the database and tries what the data may be."""
        key = next(iter(self._keys.values()))
        return hmac.new(key, b"signoff fingerprint v1\n" + data, hashlib.sha256).hexdigest()

    def is_current(self, sealed: str) -> bool:
        """Whether the key of today sealed it."""
        return sealed.startswith(f"{_VERSION}.{next(iter(self._keys))}.")

    def _key(self, key_id: str) -> bytes | None:
        if key_id not in self._keys:
            self._look_again()
        return self._keys.get(key_id)

    def _look_again(self) -> None:
        """Another process may have made a new key. Those that were there open what was read before it did."""
        self._keys = _by_id(self._read()) | self._keys


def keyring_for(settings: Settings) -> Keyring:
    """The keys of this deployment: from the settings, or from the data folder, where the first start leaves one."""

    def read() -> list[bytes]:
        try:
            return [decode_key(each) for each in _written(settings)]
        except BadKey as error:
            raise CannotStart(
                f"SIGNOFF_SECRET_KEY, SIGNOFF_SECRET_RETIRED_KEYS or {KEY_FILE} has no valid key. {error}"
            ) from None

    return Keyring(read)


def begin_rotation(settings: Settings) -> None:
    """Put a new key before the one in the file. Where the settings have the key, they are changed by hand."""
    if not settings.secret_key:
        kept = [encode_key(os.urandom(SEED_BYTES)), *_written(settings)]
        private_files.put(settings.data / KEY_FILE, "\n".join(kept) + "\n")


def end_rotation(settings: Settings) -> None:
    """Everything is sealed anew: the keys before are forgotten."""
    if not settings.secret_key:
        private_files.put(settings.data / KEY_FILE, _lines(settings)[0] + "\n")


def _written(settings: Settings) -> list[str]:
    if settings.secret_key:
        return [settings.secret_key, *(each for each in settings.secret_retired_keys.split(",") if each.strip())]
    path = private_files.folder(settings.data) / KEY_FILE
    if not path.exists():
        private_files.put_once(path, encode_key(os.urandom(SEED_BYTES)) + "\n")
    return _lines(settings)


def _lines(settings: Settings) -> list[str]:
    return (settings.data / Path(KEY_FILE)).read_text().split()


def _by_id(keys: Sequence[bytes]) -> dict[str, bytes]:
    return {hashlib.sha256(b"signoff secret key\n" + key).hexdigest()[:12]: key for key in keys}


def _bound_to(place: Sequence[str]) -> bytes:
    return "\n".join(("signoff secret v1", *place)).encode()
