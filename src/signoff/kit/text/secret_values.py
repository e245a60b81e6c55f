"""Secrets that are known by their value, taken out of what somebody else said."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, cast
from urllib.parse import quote, unquote, urlsplit

HIDDEN = "••••"
# What is shorter may be a part of any word.
SHORTEST_SECRET, TELLING_PART = 6, 12


def without_secrets(secrets: Iterable[str], text: str) -> str:
    """The same text, where the other side repeats what it was told: with none of these."""
    for each in sorted({form for secret in secrets for form in _forms(secret)}, key=len, reverse=True):
        text = text.replace(each, HIDDEN)
        # What the other side said was cut somewhere, perhaps in the middle of a secret.
        for length in range(len(each) - 1, SHORTEST_SECRET - 1, -1):
            if text.endswith(each[:length]):
                text = text[:-length] + HIDDEN
                break
    return text


def without_secrets_inside(secrets: Iterable[str], value: Any) -> Any:
    """The same for every text of a JSON value, names of fields as well."""
    known = list(secrets)
    if not known:
        return value
    if isinstance(value, str):
        return without_secrets(known, value)
    if isinstance(value, list):
        return [without_secrets_inside(known, each) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return {without_secrets(known, name): without_secrets_inside(known, each) for name, each in fields.items()}
    return value


def _forms(secret: str) -> Iterator[str]:
    """As it is, as it stands in an address, and its telling parts: of an address, or of a token behind a name."""
    _, is_address, rest = secret.partition("://")
    host = urlsplit(secret).hostname if is_address else None
    parts = re.split(r"[/?&=@:#]+", rest) if is_address else secret.split(":")
    plain = [secret, secret.removeprefix("whsec_"), rest.partition("/")[2]]
    plain += [part for part in parts if len(part) >= TELLING_PART and part.lower() != host]
    for each in plain:
        if len(each) >= SHORTEST_SECRET:
            yield from (each, quote(each), quote(each, safe=""), quote(each, safe=":"), unquote(each))
