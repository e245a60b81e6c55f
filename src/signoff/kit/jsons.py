"""JSON from outside: strict in, exact out. NaN never enters, half characters are mended, NUL survives."""

import hashlib
import json
import logging
import math
import re
from typing import Any, NoReturn, TypeAlias

# What crosses a boundary as JSON. Its inside is checked where it is read, never assumed.
Json: TypeAlias = Any
JsonObject: TypeAlias = dict[str, Any]

log = logging.getLogger(__name__)
MAX_DEPTH = 64
# Stands for what was stored and is no JSON.
UNREADABLE = "(cannot be read)"
# A text in JSON; one that does not end goes on to the last character, so that nothing is looked at twice.
_WRITTEN = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_TOO_LONG = "a number has more than 4,300 digits"


class Written(str):
    """JSON as somebody wrote it, to be stored to the letter: nobody parses it and makes it anew."""

    __slots__ = ()


class BadJson(ValueError):
    """Not JSON, too deep, or a number that JSON does not have."""


def dumps(value: Json) -> str:
    """Compact JSON that both databases store and every client reads: half a character becomes a question mark."""
    return whole_text(json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False))


def to_store(value: Json) -> str:
    """What a database is given."""
    return str(value) if isinstance(value, Written) else dumps(value)


def exact(value: Json) -> str:
    """Compact JSON of a value as it is, half characters as escapes: for what somebody checks by its fingerprint."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text if _is_whole(text) else json.dumps(value, separators=(",", ":"), allow_nan=False)


def loads(text: str | bytes, *, once: bool = False, most: int | None = None) -> Json:
    """Parse, refusing NaN, Infinity and anything nested deeper than 64 levels; half characters are mended.

    With `once`, a key that stands twice in an object is refused: two readers might believe two different values.
    With `most`, so is what has more values than that, before any of them is made.
    """
    try:
        text = text if isinstance(text, str) else text.decode(json.detect_encoding(text))
        if most is not None and _has_more_values(text, most):
            raise BadJson(f"it has more than {most:,} values")
        pairs = _without_twins if once else None
        value = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=pairs)
    except RecursionError:
        raise BadJson(f"nested deeper than {MAX_DEPTH} levels") from None
    except ValueError as error:
        raise BadJson(_TOO_LONG if "integer string conversion" in str(error) else str(error)) from None
    if depth(value) > MAX_DEPTH:
        raise BadJson(f"nested deeper than {MAX_DEPTH} levels")
    # Half a character comes as an escape, or in a text that could not be written as UTF-8 itself.
    return value if "\\u" not in text and _is_whole(text) else whole(value)


def stored(text: str | bytes) -> Json:
    """What a database gives back. A row from before half characters were mended must not break the list it is in.

    Nor must one that somebody spoilt. It does not become nothing, though: nobody named is not the same as anybody.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        log.error("a stored value is no JSON: %s", error)
        return UNREADABLE
    plain = text if isinstance(text, str) else text.decode("utf-8", "replace")
    return whole(value) if "\\ud" in plain or "\\uD" in plain else value


def _has_more_values(text: str, most: int) -> bool:
    """By the signs that stand before values; those inside of texts are looked for only where it could matter."""
    found = sum(text.count(sign) for sign in ",[{")
    if found <= most:
        return False
    for written in _WRITTEN.finditer(text):
        inside = written.group()
        found -= sum(inside.count(sign) for sign in ",[{")
        if found <= most:
            return False
    return True


def _without_twins(pairs: list[tuple[str, Json]]) -> JsonObject:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen = set[str]()
        twin = next(name for name, _ in pairs if name in seen or seen.add(name))
        raise BadJson(f"the key {whole_text(twin)[:80]!r} appears twice in one object")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise BadJson(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise BadJson(f"{text} is too large for a JSON number")
    return number


def depth(value: Json) -> int:
    """How many levels of objects and arrays; stops counting just past the limit."""
    level, layer = 0, [value]
    while level <= MAX_DEPTH:
        inside = list[Json]()
        for item in layer:
            if isinstance(item, dict):
                inside += item.values()
            elif isinstance(item, list):
                inside += item
        if not any(isinstance(item, dict | list) for item in layer):
            return level
        level, layer = level + 1, inside
    return level


def digest(value: Json) -> str:
    """A fingerprint of a JSON value; the order of keys does not matter."""
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def same(one: Json, other: Json) -> bool:
    """Whether two values are the same JSON. To Python 1, 1.0 and true are equal; to a tool they are not."""
    return one == other and digest(one) == digest(other)


def clean_text(text: str) -> str:
    """Text that both databases take: no NUL, no lone surrogates."""
    return whole_text(text.replace("\x00", ""))


def whole_text(text: str) -> str:
    """Text that can be written as UTF-8: half a character becomes a question mark."""
    return text if _is_whole(text) else text.encode("utf-8", "replace").decode()


def _is_whole(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def whole(value: Json) -> Json:
    """The same for every text inside a JSON value. Costs nothing more than a look when nothing is wrong."""
    text = json.dumps(value, ensure_ascii=False)
    return value if _is_whole(text) else json.loads(whole_text(text))
