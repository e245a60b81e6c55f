"""Mail addresses as rules compare them: taken apart, in small letters, and never guessed."""

import re
import unicodedata
from typing import cast

from signoff.kit.jsons import Json
from signoff.policy.operators import Comparator, Ternary

_HOST = r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+"
# A local part that some server would send on elsewhere (`a%b`, `a!b`) or that hides another address is none of ours.
_ADDRESS = re.compile(rf"[^\s@\"(),:;<>\[\]\\%!]{{1,64}}@{_HOST}")
_DOMAIN = re.compile(rf"@{_HOST}")
_QUOTED = re.compile(r'"[^"@\\]*"')
LONGEST = 10_000


def compares_addresses(word: str, expected: Json) -> bool:
    """Whether a condition speaks of addresses: `ends_with "@acme.com"`, or equality with whole ones."""
    pattern = {"ends_with": _DOMAIN, "==": _ADDRESS, "!=": _ADDRESS, "in": _ADDRESS, "not_in": _ADDRESS}.get(word)
    return pattern is not None and all(
        isinstance(each, str) and pattern.fullmatch(each.lower()) for each in _listed(expected)
    )


def split_addresses(value: Json) -> list[Json]:
    """The addresses that a text names, each by itself; the text as it is, when that is not sure."""
    if type(value) is not str or len(value) > LONGEST:
        return [value]
    found = [_address(part) for part in _QUOTED.sub("", value).lower().split(",")]
    named = [each for each in found if each is not None]
    # An @ that belongs to no address is a trick: a name that looks like one, a comment, a second address.
    return [*named] if len(named) == len(found) == value.count("@") else [value]


def address_comparator(word: str, expected: Json) -> Comparator:
    """Compares one address with `expected`."""
    wanted = [each.lower() for each in _listed(expected) if isinstance(each, str)]
    negated = word in ("!=", "not_in")

    def compare(value: Json) -> Ternary:
        if type(value) is not str:
            return None
        text = value.lower()
        if "@" in unicodedata.normalize("NFKC", text) and not _ADDRESS.fullmatch(text):
            return None
        fits = text.endswith(wanted[0]) if word == "ends_with" else text in wanted
        return fits is not negated

    return compare


def _listed(expected: Json) -> list[Json]:
    return cast("list[Json]", expected) if isinstance(expected, list) else [expected]


def _address(part: str) -> str | None:
    """`ann@acme.com`, also out of `Ann <ann@acme.com>`."""
    text = part.strip(" ")
    if text.endswith(">"):
        name, opens, text = text[:-1].rpartition("<")
        if not opens or set(name) & set('<>"();:\\'):
            return None
    return text if _ADDRESS.fullmatch(text) else None
