"""JSON from outside: strict in, exact out. NaN never enters; lone surrogates and NUL survive."""

import hashlib
import json
import math
from typing import Any, NoReturn, TypeAlias

# What crosses a boundary as JSON. Its inside is checked where it is read, never assumed.
Json: TypeAlias = Any
JsonObject: TypeAlias = dict[str, Any]

MAX_DEPTH = 64


class BadJson(ValueError):
    """Not JSON, too deep, or a number that JSON does not have."""


def dumps(value: Json) -> str:
    """Compact JSON that both databases store as it is."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text


def loads(text: str | bytes) -> Json:
    """Parse, refusing NaN, Infinity and anything nested deeper than 64 levels; half characters are mended."""
    try:
        value = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
    except RecursionError:
        raise BadJson(f"nested deeper than {MAX_DEPTH} levels") from None
    except ValueError as error:
        raise BadJson(str(error)) from None
    if depth(value) > MAX_DEPTH:
        raise BadJson(f"nested deeper than {MAX_DEPTH} levels")
    return whole(value)


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


def clean_text(text: str) -> str:
    """Text that both databases take: no NUL, no lone surrogates."""
    return whole_text(text.replace("\x00", ""))


def whole_text(text: str) -> str:
    """Text that can be written as UTF-8: half a character becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


def whole(value: Json) -> Json:
    """The same for every text inside a JSON value. Costs nothing more than a look when nothing is wrong."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.loads(whole_text(text))
    return value
