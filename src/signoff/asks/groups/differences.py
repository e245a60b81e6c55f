"""What differs between calls that are alike. Pure."""

from collections.abc import Sequence
from typing import cast

from signoff.asks.groups.schemas import Difference
from signoff.kit import jsons
from signoff.kit.jsons import Json, JsonObject

SAMPLES = 3
LONGEST = 80
_MISSING = object()


def differences(calls: Sequence[JsonObject]) -> list[Difference]:
    """The arguments that are not the same in all of these calls, in the order in which they first stand."""
    flat = [_flat(call) for call in calls]
    paths = dict.fromkeys(path for each in flat for path in each)
    found = list[Difference]()
    for path in paths:
        values = dict.fromkeys(_text(each.get(path, _MISSING)) for each in flat)
        if len(values) > 1:
            sample = [text for text in values if text is not None][:SAMPLES]
            found.append(Difference(path=path, distinct=len(values), sample=[_short(text) for text in sample]))
    return found


def _flat(call: JsonObject, before: str = "") -> JsonObject:
    """Objects by their fields, `order.total`; lists stay whole."""
    found = JsonObject()
    for name, value in call.items():
        path = f"{before}{name}"
        if isinstance(value, dict) and value:
            found |= _flat(cast("JsonObject", value), f"{path}.")
        else:
            found[path] = value
    return found


def _text(value: Json) -> str | None:
    if value is _MISSING:
        return None
    return value if isinstance(value, str) else jsons.dumps(value)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"
