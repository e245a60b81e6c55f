"""The largest set of alike calls whose every combination of values people have approved. Pure.

A service that is deployed to production and another that is deployed to staging say nothing about the other two ways,
and what was the right number of days for one folder is not lent to another.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod

# More values than this are no list that a person reads. What was approved less often than this, alone or together with
# something else, is no habit.
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
    found = defaultdict[_Combination, list[Point]](list)
    for point in points:
        found[point.fixed].append(point)
    seen = {each: _Group(tuple(some)) for each, some in found.items() if len(some) >= SEEN_EACH}
    common = sorted(seen, key=lambda each: len(seen[each].points), reverse=True)
    grown = [_grown(first, seen) for first in common[:BEGINNINGS]]
    return max((box for box in grown if box), key=lambda box: box.inside, default=None)


_Combination = tuple[str, ...]
_Values = tuple[frozenset[str], ...]


@dataclass(frozen=True)
class _Group:
    """The points of one combination."""

    points: tuple[Point, ...]

    @cached_property
    def least(self) -> float:
        return min(point.amount for point in self.points)

    @cached_property
    def most(self) -> float:
        return max(point.amount for point in self.points)

    @cached_property
    def is_listed(self) -> bool:
        return any(point.members for point in self.points)


_Groups = dict[_Combination, _Group]


def _grown(first: _Combination, seen: _Groups) -> Box | None:
    box = _box(tuple(frozenset({value}) for value in first), seen)
    if box is None:
        return None
    additions = _additions(seen)
    for _ in range(MOST_PASSES):
        before = box
        for place, value in additions:
            larger = _box(_with(box.values, place, value), seen) if value not in box.values[place] else None
            if larger is not None and larger.inside >= box.inside + SEEN_EACH:
                box = larger
        if box == before:
            break
    return box


def _additions(seen: _Groups) -> list[tuple[int, str]]:
    """The values that could be added at each place, the commonest first."""
    counts = Counter[tuple[int, str]]()
    for combination, group in seen.items():
        counts.update({(place, value): len(group.points) for place, value in enumerate(combination)})
    return [addition for addition, _ in counts.most_common(LOOKED_AT * len(next(iter(seen))))]


def _with(values: _Values, place: int, value: str) -> _Values:
    return (*values[:place], values[place] | {value}, *values[place + 1 :])


def _box(values: _Values, seen: _Groups) -> Box | None:
    """These values together, with what was approved for every one of them; None where a combination was not seen."""
    if any(len(each) > MOST_VALUES for each in values) or prod(map(len, values)) > MOST_COMBINATIONS:
        return None
    combinations = list(product(*values))
    if not all(each in seen for each in combinations):
        return None
    groups = [seen[each] for each in combinations]
    bounds = _Bounds(max(group.least for group in groups), min(group.most for group in groups))
    if any(group.is_listed for group in groups):
        bounds = _with_members(bounds, values, [point for group in groups for point in group.points])
    inside = sum(bounds.count(group) for group in groups)
    return Box(values, bounds.least, bounds.most, bounds.members, bounds.length, inside) if inside else None


@dataclass(frozen=True)
class _Bounds:
    least: float
    most: float
    members: frozenset[str] = frozenset()
    length: int = 0

    def count(self, group: _Group) -> int:
        if not group.is_listed and self.least <= group.least and group.most <= self.most:
            return len(group.points)
        return sum(map(self.hold, group.points))

    def hold(self, point: Point) -> bool:
        return self.least <= point.amount <= self.most and point.members <= self.members and point.length <= self.length


def _with_members(bounds: _Bounds, values: _Values, points: Sequence[Point]) -> _Bounds:
    """Who may be in the list: one after the other, the commonest first, as long as more is inside than without."""
    counts = Counter(member for point in points for member in point.members)
    everywhere = [member for member, count in counts.most_common(MOST_VALUES) if count >= SEEN_EACH]
    best, most = bounds, 0
    for member in everywhere:
        having = [point for point in points if member in point.members]
        if not all({point.fixed[place] for point in having} >= wanted for place, wanted in enumerate(values)):
            continue
        longest = max(point.length for point in having)
        larger = _Bounds(
            max(best.least, min(point.amount for point in having)),
            min(best.most, max(point.amount for point in having)),
            best.members | {member},
            longest if not best.members else min(best.length, longest),
        )
        inside = sum(map(larger.hold, points))
        if inside >= most:
            best, most = larger, inside
    return best
