"""What a step was given, as far as a script can read it. Pure."""

import json
import re
from typing import Any, cast

from signoff.kit.jsons import JsonObject

_INPUT = "Input:\n"
_WORD_OR_SPACE = re.compile(r"\s+")


def given(task: str) -> JsonObject:
    """The step's input; empty where somebody started the agent by itself."""
    _, found, after = task.partition(_INPUT)
    try:
        value: Any = json.JSONDecoder().raw_decode(after)[0] if found else {}
    except ValueError:
        return {}
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def text_in(value: Any, *path: str) -> str:
    """The text at a place; empty where there is none."""
    found = value_in(value, *path)
    return found if isinstance(found, str) else ""


def value_in(value: Any, *path: str) -> Any:
    for name in path:
        value = cast("JsonObject", value).get(name) if isinstance(value, dict) else None
    return value


def number(value: Any) -> float | None:
    """An amount, however a person wrote it."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    found = re.search(r"\d[\d,]*(?:\.\d+)?", value) if isinstance(value, str) else None
    return float(found[0].replace(",", "")) if found else None


def money(amount: float, currency: str) -> str:
    return f"${amount:,.2f}" if currency == "USD" else f"{amount:,.2f} {currency}"


def one_line(text: str) -> str:
    return _WORD_OR_SPACE.sub(" ", text).strip()
