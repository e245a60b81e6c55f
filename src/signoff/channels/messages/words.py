"""Agents' texts as messages show them: clean, without secrets, nothing hidden, and bounded. Pure."""

from typing import Any

from signoff.kit import jsons
from signoff.kit.jsons import JsonObject, clean_text
from signoff.kit.text.deceptive import visible
from signoff.kit.text.masking import masked, masked_text

LONGEST_TITLE, LONGEST_VALUE, LONGEST_TEXT, MOST_ARGUMENTS = 200, 600, 1_500, 20


def shown(text: str, most: int = LONGEST_TEXT) -> str:
    plain = visible(masked_text(clean_text(text))).strip()
    return plain if len(plain) <= most else plain[: most - 1] + "…"


def title(text: str) -> str:
    return " ".join(shown(text, LONGEST_TITLE).split())


def arguments(given: JsonObject) -> list[tuple[str, str]]:
    """Each argument as a text, in the order they came. More than a screen of them is cut, and says so."""
    safe = masked(given)
    found = [(shown(name, LONGEST_TITLE), shown(_value(value), LONGEST_VALUE)) for name, value in safe.items()]
    left = len(found) - MOST_ARGUMENTS
    return found if left <= 0 else [*found[:MOST_ARGUMENTS], ("…", f"{left} more")]


def is_whole(given: JsonObject | None, told: list[tuple[str, str]]) -> bool:
    """Whether the arguments stand in the message in full: nothing cut, masked or left out."""
    plain = [(name, _value(value).strip()) for name, value in (given or {}).items()]
    return plain == told


def are_whole(heading: str, text: str) -> bool:
    """Whether a title and a text stand in the message in full."""
    return title(heading) == " ".join(heading.split()) and shown(text) == text.strip()


def _value(value: Any) -> str:
    return value if isinstance(value, str) else jsons.dumps(value)


def duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} seconds"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"
