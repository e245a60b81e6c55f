"""The largest set of alike calls whose every combination of values people have approved. Pure.

A service that is deployed to production and another that is deployed to staging say nothing about the other two ways,
and what was the right number of days for one folder is not lent to another.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import inf, prod

# More values than this are no list that a person reads; each lets so many more of the approved calls in, at least.
MOST_VALUES, SEEN_EACH = 20, 2
MOST_COMBINATIONS = 500
# So many of the commonest combinations are tried as a beginning, and so many of the commonest values are added.
BEGINNINGS, LOOKED_AT = 3, 40
MOST_PASSES = 5


@dataclass(frozen=True)
class Point:
    """One approved call: what has to be as it was, how much, and who is in its list."""

    fixed: tuple[str, ...]
    amount: float = 0
    members: frozenset[str] = frozenset()
    length: int = 0


@dataclass(frozen=True)
class Box:
    """Values for each fixed argument, all of which were seen with all others; and what was approved with each."""

    values: tuple[frozenset[str], ...]
    least: float
    most: float
    members: frozenset[str]
    length: int
    inside: int


def largest_box(points: Sequence[Point]) -> Box | None:
    """Grown from each of the commonest combinations in turn; the one that holds most of the points."""
    by_combination = defaultdict[tuple[str, ...], list[Point]](list)
    for point in points:
        by_combination[point.fixed].append(point)
    common = sorted(by_combination, key=lambda each: len(by_combination[each]), reverse=True)
    grown = [_grown(first, by_combination) for first in common[:BEGINNINGS]]
    return max((box for box in grown if box), key=lambda box: box.inside, default=None)


_Points = dict[tuple[str, ...], list[Point]]
_Values = tuple[frozenset[str], ...]


def _grown(first: tuple[str, ...], points: _Points) -> Box | None:
    values = tuple(frozenset({value}) for value in first)
    box = _box(values, points)
    if box is None:
        return None
    additions = list(_additions(points))
    for _ in range(MOST_PASSES):
        before = box
        for place, value in additions:
            larger = _box(_with(box.values, place, value), points) if value not in box.values[place] else None
            if larger is not None and larger.inside >= box.inside + SEEN_EACH:
                box = larger
        if box == before:
            break
    return box


def _additions(points: _Points) -> Iterator[tuple[int, str]]:
    """The values that could be added at each place, the commonest first."""
    counts = Counter[tuple[int, str]]()
    for combination, found in points.items():
        counts.update({(place, value): len(found) for place, value in enumerate(combination)})
    for addition, count in counts.most_common(LOOKED_AT * max(1, len(next(iter(points))))):
        if count >= SEEN_EACH:
            yield addition


def _with(values: _Values, place: int, value: str) -> _Values:
    return (*values[:place], values[place] | {value}, *values[place + 1 :])


def _box(values: _Values, points: _Points) -> Box | None:
    """These values together, with what was approved for every one of them; None where a combination was not seen."""
    if any(len(each) > MOST_VALUES for each in values) or prod(map(len, values)) > MOST_COMBINATIONS:
        return None
    combinations = list(product(*values))
    if not all(each in points for each in combinations):
        return None
    seen = [points[each] for each in combinations]
    least = max(min(point.amount for point in found) for found in seen)
    most = min(max(point.amount for point in found) for found in seen)
    members, length = _approved_with_each(values, [point for found in seen for point in found])
    inside = sum(
        least <= point.amount <= most and point.members <= members and point.length <= length
        for found in seen
        for point in found
    )
    return Box(values, least, most, members, length, inside) if inside else None


def _approved_with_each(values: _Values, points: Sequence[Point]) -> tuple[frozenset[str], int]:
    """Who was in a list, and how long lists were, with every single value."""
    members, length = frozenset[str]().union(*(point.members for point in points)), inf
    for place, wanted in enumerate(values):
        for value in wanted:
            found = [point for point in points if point.fixed[place] == value]
            members &= frozenset[str]().union(*(point.members for point in found))
            length = min(length, max(point.length for point in found))
    return members, int(length) if length < inf else max(point.length for point in points)
