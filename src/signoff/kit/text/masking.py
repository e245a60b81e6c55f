"""What a record keeps of arguments: all of it, but secrets only as a mask, and never more than a bound. Pure."""

import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import cast

from signoff.kit.crypto import PREFIXES
from signoff.kit.jsons import Json, JsonObject, dumps, whole_text

MOST_BYTES = 64 * 1024
# A longer text keeps its beginning. In a record that is too large all the same the largest values are only named.
LONG_TEXT, BEGINNING = 8 * 1024, 2_000
# The fingerprint of a short secret would tell it to whoever tries them all.
TELLING = 20

# Compared with a name's end, in small letters without separators: `X-Api-Key` and `stripe_api_key` are both `apikey`.
_NAMES = (
    *("password", "passwords", "passwd", "passphrase", "passcode", "pwd", "secret", "secrets", "secretkey"),
    *("token", "accesstokens", "authtokens", "apikey", "apikeys", "accesskey", "accesskeyid", "privatekey"),
    *("signingkey", "encryptionkey", "authorization", "cookie", "cookies", "credential", "credentials", "bearer"),
    *("sessionid", "connectionstring", "webhooksecret"),
)
# Too short to be looked for inside other names.
_WHOLE_NAMES = frozenset({"auth", "pin", "otp", "totp", "cvv", "cvc", "jwt", "pass"})
# Counts of tokens are no tokens.
_COUNTED = "token"

_WORD = r"(?<![A-Za-z0-9_-])"
_SHAPES = re.compile(
    "|".join(
        (
            _WORD + rf"(?:{'|'.join(PREFIXES)})_[A-Za-z0-9_-]{{20,}}",
            _WORD + r"(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}",
            _WORD + r"(?:sk|pk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}",
            _WORD + r"(?:gh[opsur]_|github_pat_|glpat-|npm_|pypi-|hf_|dop_v1_|shpat_)[A-Za-z0-9_-]{16,}",
            _WORD + r"xox[a-z]-[A-Za-z0-9-]{8,}",
            _WORD + r"(?:AKIA|ASIA)[A-Z0-9]{16}",
            _WORD + r"AIza[A-Za-z0-9_-]{30,}",
            _WORD + r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?",
            r"(?i:(?<=\bbearer )|(?<=\bbasic ))[A-Za-z0-9._~+/=-]{8,}",
            r"(?<=://)[^/\s:@]{0,200}:[^/\s@]{1,200}(?=@)",
            r"(?i:(?<=password=)|(?<=passwd=)|(?<=secret=)|(?<=token=)|(?<=api_key=)|(?<=apikey=))[^&\s\"']{1,500}",
        )
    )
)
# A text with none of these has nothing of the above: looking for them takes a fraction of the time.
_HINTS = (
    *(f"{prefix}_" for prefix in PREFIXES),
    *["sk-", "pk-", "rk-", "sk_", "pk_", "rk_", "whsec_", "xox", "akia", "asia", "aiza", "eyj"],
    *["ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_", "glpat-", "npm_", "pypi-", "hf_", "dop_v1_", "shpat_"],
    *[
        "private key-----",
        "bearer ",
        "basic ",
        "password=",
        "passwd=",
        "secret=",
        "token=",
        "api_key=",
        "apikey=",
    ],
)
_PEM, _PEM_END = "PRIVATE KEY-----", "-----END "


def masked(data: JsonObject) -> JsonObject:
    """The same with every secret masked, and no larger than a record may be."""
    # Bounded first: masking takes time for every letter.
    small, text = _bounded({name: _shortened(value) for name, value in data.items()})
    if not _hinted(text) and not any(map(names_a_secret, _names(small))):
        return small
    return {name: _masked_field(name, value, secret=False, numbers=False) for name, value in small.items()}


def mask(secret: str) -> str:
    """What stands for a secret: how long it is and, if that tells nothing, a fingerprint to recognise it by."""
    if len(secret) < TELLING:
        return f"•••• ({len(secret)} characters)"
    return f"•••• ({len(secret)} characters, sha256 {_fingerprint(secret)[:8]}…)"


def masked_text(text: str) -> str:
    """A text in which everything that looks like a key is masked."""
    if _PEM in text:
        text = _without_pem(text)
    return _SHAPES.sub(lambda found: mask(found[0]), text) if _hinted(text) else text


@lru_cache(maxsize=4_096)
def names_a_secret(name: str) -> bool:
    """Whether a field of this name has a secret for its value."""
    plain = "".join(letter for letter in name.lower() if letter.isalnum())
    return plain.endswith(_NAMES) or plain in _WHOLE_NAMES


def _hinted(text: str) -> bool:
    small = text.lower()
    # An address has a password only before an @.
    return ("@" in small and "://" in small) or any(hint in small for hint in _HINTS)


def _names(value: Json) -> Iterator[str]:
    """Every name in it, however deep."""
    if isinstance(value, dict):
        for name, each in cast("JsonObject", value).items():
            yield name
            if isinstance(each, dict | list):
                yield from _names(each)
    elif isinstance(value, list):
        for each in cast("list[Json]", value):
            yield from _names(each)


def _mask(value: Json, *, secret: bool, numbers: bool) -> Json:
    match value:
        case str():
            return mask(value) if secret and value else masked_text(value)
        case dict():
            return {
                name: _masked_field(name, each, secret=secret, numbers=numbers)
                for name, each in cast("JsonObject", value).items()
            }
        case list():
            return [_mask(each, secret=secret, numbers=numbers) for each in cast("list[Json]", value)]
        case bool() | None:
            return value
        case _:
            return mask(str(value)) if secret and numbers else value


def _masked_field(name: str, value: Json, *, secret: bool, numbers: bool) -> Json:
    if names_a_secret(name):
        return _mask(value, secret=True, numbers=not name.lower().endswith(_COUNTED))
    return _mask(value, secret=secret, numbers=numbers)


def _without_pem(text: str) -> str:
    """Key blocks from their first line to their last, or to the end of the text."""
    kept, at = list[str](), 0
    while (begin := text.find(_PEM, at)) >= 0:
        start = text.rfind("-----BEGIN", at, begin)
        if start < 0:
            kept.append(text[at : begin + len(_PEM)])
            at = begin + len(_PEM)
            continue
        end = text.find(_PEM_END, begin)
        close = text.find("-----", end + len(_PEM_END)) if end >= 0 else -1
        stop = close + len("-----") if close >= 0 else len(text)
        kept += [text[at:start], mask(text[start:stop])]
        at = stop
    return "".join([*kept, text[at:]])


def _shortened(value: Json) -> Json:
    match value:
        case str():
            if len(value) <= LONG_TEXT:
                return value
            # Masked before it is cut: half a key is no key any more, and would stay.
            return (
                f"{masked_text(value[:LONG_TEXT])[:BEGINNING]}… ({len(value)} characters, sha256 {_fingerprint(value)})"
            )
        case dict():
            return {name: _shortened(each) for name, each in cast("JsonObject", value).items()}
        case list():
            return [_shortened(each) for each in cast("list[Json]", value)]
        case _:
            return value


def _bounded(data: JsonObject) -> tuple[JsonObject, str]:
    """What a record has room for, and its text."""
    text = dumps(data)
    if len(text) <= MOST_BYTES // 4:
        return data, text
    sizes = {name: len(dumps(value).encode()) for name, value in data.items()}
    room, kept = MOST_BYTES - sum(sizes.values()), dict(data)
    for name in sorted(sizes, key=lambda each: sizes[each], reverse=True):
        if room >= 0:
            break
        kept[name] = {"too_large": True, "bytes": sizes[name], "sha256": _fingerprint(dumps(data[name]))}
        room += sizes[name]
    return kept, dumps(kept)


def _fingerprint(text: str) -> str:
    return hashlib.sha256(whole_text(text).encode()).hexdigest()
