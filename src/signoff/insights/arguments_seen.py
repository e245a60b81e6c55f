"""How each argument of alike calls is looked at: as it stands, as a place, as an amount, or as one of many."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from signoff.insights.boxes import MOST_VALUES, SEEN_EACH, Box, Point
from signoff.kit.jsons import Json, exact
from signoff.policy.argument_kinds import EMPTY, TEXT, WORD, Leaf, is_word
from signoff.policy.format.triggers import Threshold
from signoff.policy.item_patterns import item_pattern_of
from signoff.policy.path_patterns import Place
from signoff.policy.patterns.derive import addresses, beside, like, places_of
from signoff.policy.patterns.free_text import free_paths, last_step, prose_of
from signoff.policy.patterns.pattern import Pattern
from signoff.policy.targets import is_item, is_measure

Call = Mapping[str, Leaf]
# What stands for a value in a pattern, as JSON; those of one argument are compared as texts.
_Names = Callable[[Leaf], list[Json]]


@dataclass(frozen=True)
class Named:
    """An argument that is one of few things: by its value, or by what others like it have in common."""

    path: str
    names: _Names
    operator: str

    def cell(self, leaf: Leaf) -> str:
        return exact(sorted(map(exact, self.names(leaf))))

    def cells(self, leaf: Leaf) -> frozenset[str]:
        return frozenset(map(exact, self.names(leaf)))

    def condition(self, names: Sequence[Json]) -> Threshold:
        if self.operator == "like":
            return like(self.path, cast("list[str]", names))
        if len(names) == 1:
            return Threshold(field=self.path, operator="==", value=names[0])
        return Threshold(field=self.path, operator="in", value=list(names))


@dataclass(frozen=True)
class Seen:
    """The arguments of calls of one shape, each in its way. At most one is an amount, at most one a list."""

    calls: Sequence[Call]
    free: frozenset[str]
    # The same in all of them.
    same: Sequence[Named]
    fixed: Sequence[Named]
    amount: str | None
    members: Named | None
    # Numbers that count things up: any that is not below the first.
    counted: Sequence[str]

    def one_of_many(self, call: Call) -> str | None:
        """The argument that says which file or order this one is, where that has a single spelling."""
        for each in self.fixed:
            if each.operator == "like" and not _has_spellings(call[each.path], each.names):
                return each.path
        return next(iter(self.counted), None)

    def point(self, call: Call) -> Point:
        members = self.members
        return Point(
            fixed=tuple(each.cell(call[each.path]) for each in self.fixed),
            amount=_number(call[self.amount]) if self.amount else 0,
            members=members.cells(call[members.path]) if members else frozenset(),
            length=len(call[members.path].values) if members else 0,
        )

    def pattern(self, box: Box) -> Pattern:
        where = [each.condition(_once_each(each.names(self.calls[0][each.path]))) for each in self.same]
        where += [each.condition(self._names(each, cells)) for each, cells in zip(self.fixed, box.values, strict=True)]
        within = [call for call in self.calls if self._is_within(call, box)]
        prose = prose_of(self.calls[0])
        kinds = {path: prose if path in self.free else leaf.written for path, leaf in self.calls[0].items()}
        kinds |= {each.path: WORD for each in self.fixed if each.names is _alike_items}
        if self.amount:
            where += _between(self.amount, box.least, box.most)
        if self.members:
            where.append(self.members.condition(self._names(self.members, box.members)))
            kinds[self.members.path] = f"up to {box.length} {self.calls[0][self.members.path].kind}s"
        for path in self.counted:
            least = min(_number(call[path]) for call in within)
            where.append(Threshold(field=path, operator=">=", value=least))
        order = list(self.calls[0])
        return Pattern(tuple(sorted(where, key=lambda each: order.index(each.field))), kinds)

    def _is_within(self, call: Call, box: Box) -> bool:
        cells = zip(self.fixed, box.values, strict=True)
        return all(each.cell(call[each.path]) in wanted for each, wanted in cells)

    def _names(self, named: Named, cells: frozenset[str]) -> list[Json]:
        """What the cells stand for, in the order in which it was seen."""
        names = dict[str, Json]()
        for call in self.calls:
            leaf = call[named.path]
            if named is self.members or named.cell(leaf) in cells:
                names |= {exact(name): name for name in named.names(leaf)}
        return [name for key, name in names.items() if named is not self.members or key in cells]


def seen_in(calls: Sequence[Call], *, reading: bool) -> Seen | None:
    """Calls of one shape. Of several amounts only one is free to vary; of several lists that vary nothing is learnt."""
    free = free_paths(calls[0])
    said = [path for path, leaf in calls[0].items() if path not in free and leaf.kind != EMPTY]
    bound = {path: [call[path] for call in calls] for path in said}
    amounts = [path for path in bound if _is_amount(path, bound[path])]
    lists = [path for path in bound if calls[0][path].listed]
    amount = max(amounts, key=lambda path: len(_values(bound[path])), default=None)
    vary = [path for path in lists if len({exact(leaf.values) for leaf in bound[path]}) > 1]
    if len(vary) > 1:
        return None
    members = vary[0] if vary else None
    counted = [path for path in bound if _is_counted(path, bound[path])]
    named = {path: _named(path, bound[path], reading) for path in bound if path != amount and path not in counted}
    rest = [each for path, each in named.items() if path != members]
    same = [each for each in rest if len({exact(leaf.values) for leaf in bound[each.path]}) == 1]
    fixed = [each for each in rest if each not in same]
    return Seen(calls, free, same, fixed, amount, named[members] if members else None, counted)


def _named(path: str, seen: Sequence[Leaf], reading: bool) -> Named:
    """By its values where they are few; files by their folder, orders and tickets by what they have in common."""
    if _are_few(seen) or seen[0].kind != TEXT:
        return Named(path, _as_they_stand, "in")
    if all(place.steps for leaf in seen for place in places_of(path, leaf, reads=reading) or [_NOWHERE]):
        return Named(path, lambda leaf: [beside(place) for place in places_of(path, leaf, reads=reading)], "like")
    if is_item(last_step(path)) and not seen[0].listed and all(is_word(leaf.values[0]) for leaf in seen):
        return Named(path, _alike_items, "like")
    return Named(path, _as_they_stand, "in")


_NOWHERE = Place("", ())


def _has_spellings(leaf: Leaf, names: _Names) -> bool:
    """Whether the same thing could be written in other letters: a page, or a code."""
    if names is _alike_items:
        return any(mark in str(name) for name in names(leaf) for mark in ("{code}", "{uuid}"))
    return len(leaf.values) != 1 or "://" in str(leaf.values[0])


def _alike_items(leaf: Leaf) -> list[Json]:
    return [item_pattern_of(str(value)) for value in leaf.values]


def _as_they_stand(leaf: Leaf) -> list[Json]:
    return [address for value in leaf.values for address in addresses(value)]


def _once_each(names: Sequence[Json]) -> list[Json]:
    return list({exact(name): name for name in names}.values())


def _are_few(seen: Sequence[Leaf]) -> bool:
    count = len(_values(seen))
    return count <= MOST_VALUES and count * SEEN_EACH <= len(seen)


def _values(seen: Sequence[Leaf]) -> set[str]:
    return {exact(value) for leaf in seen for value in _as_they_stand(leaf)}


def _is_amount(path: str, seen: Sequence[Leaf]) -> bool:
    return _is_number(seen) and is_measure(last_step(path)) and len(_values(seen)) > 1


def _is_counted(path: str, seen: Sequence[Leaf]) -> bool:
    return _is_number(seen) and is_item(last_step(path)) and not _are_few(seen)


def _is_number(seen: Sequence[Leaf]) -> bool:
    return seen[0].kind == "number" and not seen[0].listed


def _number(leaf: Leaf) -> float:
    return cast("float", leaf.values[0])


def _between(path: str, least: float, most: float) -> list[Threshold]:
    if least == most:
        return [Threshold(field=path, operator="==", value=least)]
    return [
        Threshold(field=path, operator=">=", value=least),
        Threshold(field=path, operator="<=", value=most),
    ]
