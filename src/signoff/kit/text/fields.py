"""Text fields that come from outside, bounded and clean."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, StringConstraints

from signoff.kit.jsons import clean_text

MOST_SHOWN = 80


def filled(template: str, values: Mapping[str, Any], otherwise: str) -> str:
    """A template such as `Write {path}` with its values, each in a few words. Of several, with ` | ` between them, the
    first that has all its values."""
    short = {name: _short(value) for name, value in values.items() if value is not None}
    for each in template.split(" | ") if template else ():
        try:
            return clean_text(each.format_map(short))
        except (KeyError, IndexError, ValueError, AttributeError):
            continue
    return otherwise


def _short(value: Any) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 1] + "…"


_clean = AfterValidator(clean_text)

Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=500), _clean]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200), _clean]
LongText = Annotated[str, StringConstraints(max_length=1_000_000), _clean]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$", max_length=100)]
