"""Comparing one value of a call with what a rule says: true, false, or cannot tell (None)."""

import operator
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias, cast, get_args

from signoff.kit.jsons import Json
from signoff.policy.item_patterns import ItemPattern, read_item_pattern
from signoff.policy.path_patterns import PathPattern, read_pattern

Ternary: TypeAlias = bool | None
Comparator: TypeAlias = Callable[[Json], Ternary]

Order: TypeAlias = Literal[">", ">=", "<", "<=", "==", "!="]
Operator: TypeAlias = Literal[Order, "in", "not_in", "contains", "starts_with", "ends_with", "like", "exists"]

ORDERS: tuple[Order, ...] = get_args(Order)
OPERATORS: tuple[Operator, ...] = get_args(Operator)
COMPARING = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}
SEARCHING: dict[str, Callable[[str, str], bool]] = {
    "contains": operator.contains,
    "starts_with": str.startswith,
    "ends_with": str.endswith,
}
_NUMERIC = re.compile(r"\s*[+-]?[0-9]{1,300}(\.[0-9]{1,300})?([eE][+-]?[0-9]{1,3})?\s*", re.ASCII)


def comparator(word: Operator, expected: Json) -> Comparator:
    """Compares a present value with `expected` by any operator but `exists`."""
    match word:
        case "==":
            return _equal(expected)
        case "!=":
            return _opposite(_equal(expected))
        case "in":
            return _one_of(expected)
        case "not_in":
            return _opposite(_one_of(expected))
        case "contains" | "starts_with" | "ends_with":
            search = SEARCHING[word]
            return lambda value: search(value, expected) if type(value) is str else None
        case "like":
            return _like(expected)
        case _:
            return _ordered(COMPARING[word], expected)


def number(value: Json) -> int | float | None:
    """The number that a value is or spells. A boolean is none, and neither is NaN."""
    if type(value) is int:
        return value
    if type(value) is float:
        return value if value == value else None
    if type(value) is str and _NUMERIC.fullmatch(value):
        # Whole numbers stay exact: two long account numbers must not become equal.
        return float(value) if any(sign in value for sign in ".eE") else int(value)
    return None


def moment(value: Json) -> datetime | None:
    """The date or time that a text spells; without a zone it counts as UTC."""
    if type(value) is not str:
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _ordered(compare: Callable[[Any, Any], bool], expected: Json) -> Comparator:
    bound = number(expected)
    if bound is not None:

        def against_number(value: Json) -> Ternary:
            found = value if type(value) is int else number(value)
            return None if found is None else compare(found, bound)

        return against_number
    limit = moment(expected)

    def against_moment(value: Json) -> Ternary:
        found = moment(value)
        return None if found is None or limit is None else compare(found, limit)

    return against_moment


def _equal(expected: Json) -> Comparator:
    as_it_stands, wanted = isinstance(expected, str | bool), number(expected)

    def compare(value: Json) -> Ternary:
        # Two texts are compared as they stand: "007" is not "7".
        if as_it_stands and type(value) is type(expected):
            return value == expected
        found = number(value)
        return None if found is None or wanted is None else found == wanted

    return compare


def _one_of(expected: list[Json]) -> Comparator:
    comparators = [_equal(each) for each in expected]

    def compare(value: Json) -> Ternary:
        found = [each(value) for each in comparators]
        if True in found:
            return True
        # A list of mixed kinds is judged by the entries that can be compared.
        return False if False in found else None

    return compare


def read_like(text: Json) -> PathPattern | ItemPattern | None:
    """What `like` compares with: a place, or which of many alike things; None when it is neither."""
    return (read_item_pattern(text) or read_pattern(text)) if isinstance(text, str) else None


def _like(expected: Json) -> Comparator:
    written = cast("list[Json]", expected) if isinstance(expected, list) else [expected]
    patterns = [pattern for each in written if (pattern := read_like(each))]

    def compare(value: Json) -> Ternary:
        found = [pattern.holds(value) for pattern in patterns]
        return True if True in found else False if False in found else None

    return compare


def _opposite(inner: Comparator) -> Comparator:
    def compare(value: Json) -> Ternary:
        found = inner(value)
        return None if found is None else not found

    return compare
