"""What people approved again and again, as the narrowest pattern that the record speaks for. Pure."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from signoff.asks.answers.similar_decisions import Decided
from signoff.kit.jsons import Json, exact
from signoff.policy.argument_kinds import PROSE, TEXT, WORD, Leaf, is_word, leaves
from signoff.policy.call import ProposedCall
from signoff.policy.format.triggers import Threshold
from signoff.policy.impact import ImpactKind, in_order
from signoff.policy.path_patterns import Place
from signoff.policy.patterns.derive import (
    addresses,
    beside,
    holds_things,
    like,
    places_of,
    reads,
    understood,
    within,
)
from signoff.policy.patterns.free_text import ending, free_paths, last_step
from signoff.policy.patterns.pattern import BadPattern, Pattern
from signoff.policy.risk import Risk
from signoff.policy.targets import is_item, is_measure, is_quantity

# Fewer decisions are no evidence, and neither are many with too many objections among them.
ENOUGH, SURE = 10, 0.7
# More values than this are no list that a person reads; each was seen twice or oftener, on average.
MOST_VALUES, SEEN_EACH = 20, 2
# A folder stands for what is below it only when so many of its folders were seen.
SEVERAL = 3
MOST_CUTS = 20
_Z = 1.959964


@dataclass(frozen=True)
class Learnt:
    """A pattern, and the decisions within it."""

    pattern: Pattern
    risks: frozenset[Risk]
    approved: int
    # Within it, with other words or figures that the pattern leaves open.
    edited: int
    # All that the approved calls did, where their tool stated it: what does more asks.
    impact: tuple[ImpactKind, ...] = ()

    @property
    def decided(self) -> int:
        return self.approved + self.edited


def lower_bound(approved: int, decided: int) -> float:
    """The share that is approved at least, with 95 % confidence (Wilson)."""
    if decided == 0:
        return 0.0
    share, square = approved / decided, _Z * _Z / decided
    spread = _Z * math.sqrt(share * (1 - share) / decided + square / decided / 4)
    return (share + square / 2 - spread) / (1 + square)


def learn(decided: Sequence[Decided]) -> Iterator[Learnt]:
    """One pattern for each shape of arguments that there is enough evidence for; the one with most of it first."""
    shapes = defaultdict[str, list[Decided]](list)
    for each in decided:
        shape = _shape(each.call) if each.fate == "approved" else None
        if shape is not None:
            shapes[shape].append(each)
    objections = [each for each in decided if each.fate != "approved"]
    for approved in sorted(shapes.values(), key=len, reverse=True):
        learnt = _separated(approved, objections)
        if learnt is not None:
            yield learnt


def _shape(call: ProposedCall) -> str | None:
    """The same for calls that can have a pattern in common; None for what no pattern may be made of."""
    if holds_things(call.arguments):
        return None
    try:
        found = understood(call.arguments)
    except BadPattern:
        return None
    free = free_paths(found)
    shape = sorted([path, leaf.kind, leaf.listed, path in free] for path, leaf in found.items())
    return exact([_only_reads(call), bool(stated(call)), shape, _aims(found, free)])


def stated(call: ProposedCall) -> tuple[ImpactKind, ...]:
    """What a call does by its tool's own word; nothing where that is not known, or nothing changes."""
    impact = call.assessment.impact
    return impact.kinds if impact is not None and impact.stated else ()


def _only_reads(call: ProposedCall) -> bool:
    """By its tool's word, or by the method that it names, which is then the same in all of its shape.

    One page that was fetched says nothing about its neighbours; ten that people approved do.
    """
    return reads(call) or call.arguments.get("method") in ("GET", "HEAD")


def _aims(found: Mapping[str, Leaf], free: frozenset[str]) -> Json:
    """Where it goes, when it says how much: the bound of one target is not lent to another."""
    if not any(leaf.kind == "number" and is_quantity(last_step(path)) for path, leaf in found.items()):
        return None
    bound = [path for path in sorted(found.keys() - free) if not _is_counted(path, found[path])]
    return [[path, *sorted({exact(value) for value in _values(found[path])})] for path in bound]


def _is_counted(path: str, leaf: Leaf) -> bool:
    """What a pattern gives a range or a beginning: how much, when, which of many alike things."""
    if leaf.kind == "number":
        return _is_amount(path)
    return not leaf.listed and is_item(last_step(path)) and all(is_word(value) for value in leaf.values)


def _separated(approved: list[Decided], objections: Sequence[Decided]) -> Learnt | None:
    """The pattern of what was approved, with less and less of it, until nothing that was refused is within."""
    for _ in range(MOST_CUTS):
        pattern = _pattern(approved) if len(approved) >= ENOUGH else None
        if pattern is None:
            return None
        risks = frozenset(each.call.assessment.level for each in approved)
        inside = [each for each in objections if each.call.assessment.level in risks and pattern.holds(each.call)]
        against = next((each for each in inside if each.fate == "refused" or not _only_words(pattern, each)), None)
        if against is None:
            does = in_order(kind for each in approved for kind in stated(each.call))
            found = Learnt(pattern, risks, len(approved), len(inside), does)
            return found if lower_bound(found.approved, found.decided) >= SURE else None
        approved = _without(approved, against.call)
    return None


def _only_words(pattern: Pattern, edited: Decided) -> bool:
    """Whether somebody changed no more than what the pattern leaves open."""
    before, after = leaves(edited.call.arguments), leaves(edited.approved or {})
    if before is None or after is None or before.keys() != after.keys():
        return False
    changed = [path for path in before if before[path].values != after[path].values]
    return all(pattern.arguments.get(path) == PROSE for path in changed)


def _without(approved: list[Decided], refused: ProposedCall) -> list[Decided]:
    """What remains when one argument has to differ from what was refused: the one that costs least."""
    best = list[Decided]()
    found = leaves(refused.arguments) or {}
    free = free_paths(found)
    for path, leaf in found.items():
        if path in free:
            continue
        apart = _apart(path, leaf)
        rest = [each for each in approved if apart((leaves(each.call.arguments) or {})[path])]
        if len(rest) > max(len(best), ENOUGH - 1) and (pattern := _pattern(rest)) and not pattern.holds(refused):
            best = rest
    return best


def _apart(path: str, refused: Leaf) -> Callable[[Leaf], bool]:
    """Tells values that are on the safe side of one that was refused."""
    if refused.kind == "number" and _is_amount(path):
        lowest = min(cast("list[float]", refused.values))
        return lambda leaf: max(cast("list[float]", leaf.values)) < lowest
    places = places_of(path, refused, reads=True)
    if places:
        folders = {_folder(place) for place in places}
        return lambda leaf: not folders & {_folder(place) for place in places_of(path, leaf, reads=True)}
    values = {exact(value) for value in _values(refused)}
    return lambda leaf: not values & {exact(value) for value in _values(leaf)}


def _pattern(approved: Sequence[Decided]) -> Pattern | None:
    """Conditions on every argument that all of these satisfy; None when one of them has no end of values."""
    shapes = [leaves(each.call.arguments) or {} for each in approved]
    where, kinds = list[Threshold](), dict[str, str]()
    free, reading = free_paths(shapes[0]), _only_reads(approved[0].call)
    for path, first in shapes[0].items():
        if path in free:
            kinds[path] = PROSE
            continue
        seen = [shape[path] for shape in shapes]
        found = _conditions(path, seen, reading)
        if found is None:
            return None
        where += found
        kinds[path] = _kind(path, first, seen)
    return Pattern(tuple(where), kinds)


def _kind(path: str, first: Leaf, seen: Sequence[Leaf]) -> str:
    kind = WORD if first.kind == TEXT and is_item(last_step(path)) and _are_words(seen) else first.kind
    return f"up to {max(len(leaf.values) for leaf in seen)} {kind}s" if first.listed else kind


def _are_words(seen: Sequence[Leaf]) -> bool:
    return all(is_word(value) for leaf in seen for value in leaf.values)


def _conditions(path: str, seen: Sequence[Leaf], reading: bool) -> list[Threshold] | None:
    """The narrowest first: a few values, a range, a place, one of many alike things."""
    if seen[0].kind == "empty":
        return []
    values = {exact(value): value for leaf in seen for value in _values(leaf)}
    if len(values) == 1:
        return [Threshold(field=path, operator="==", value=next(iter(values.values())))]
    if seen[0].kind == "number" and _is_amount(path):
        numbers = [cast("float", value) for value in values.values()]
        return [
            Threshold(field=path, operator=">=", value=min(numbers)),
            Threshold(field=path, operator="<=", value=max(numbers)),
        ]
    if len(values) <= MOST_VALUES and len(values) * SEEN_EACH <= len(seen):
        return [Threshold(field=path, operator="in", value=list(values.values()))]
    return _open_ended(path, seen, list(values.values()), reading)


def _open_ended(path: str, seen: Sequence[Leaf], values: Sequence[Json], reading: bool) -> list[Threshold] | None:
    """Values that keep coming: files in known folders, pages on a known host, orders and tickets."""
    places = [places_of(path, leaf, reads=reading) for leaf in seen]
    if all(places):
        found = _places([place for each in places for place in each])
        return None if found is None else [like(path, found)]
    alike = not seen[0].listed and is_item(last_step(path)) and _are_words(seen)
    return _beginning(path, [str(value) for value in values]) if alike else None


def _beginning(path: str, values: Sequence[str]) -> list[Threshold]:
    """`ORD-` of `ORD-17` and `ORD-4`: up to the last mark that all of them have."""
    first, last = min(values), max(values)
    count = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    letters = first[:count].rstrip("0123456789")
    return [Threshold(field=path, operator="starts_with", value=letters)] if letters else []


def _places(places: Sequence[Place]) -> list[str] | None:
    """Known folders, each with its kinds of file; one folder for all when several of its folders were seen."""
    beside_each = list(dict.fromkeys(beside(place) for place in places if place.steps))
    if len(beside_each) <= MOST_VALUES and len(beside_each) * SEEN_EACH <= len(places):
        return beside_each if all(place.steps for place in places) else None
    folders = {place.steps[:-1] for place in places}
    common = _common([place.steps[:-1] for place in places])
    roots = {place.root for place in places}
    if len(roots) > 1 or len(folders) < SEVERAL or (not common and not places[0].root.startswith("http")):
        return None
    web = places[0].root.startswith("http")
    kinds = {"" if web else ending(place.steps[-1]) for place in places}
    found = [within(places[0].root, common, kind) for kind in sorted(kinds)]
    known = [each for each in found if each is not None]
    return known if len(known) == len(found) else None


def _common(folders: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    first, last = min(folders), max(folders)
    count = next((at for at, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), None)
    return first[: min(len(first), len(last)) if count is None else count]


def _folder(place: Place) -> str:
    return f"{place.root}{'/'.join(place.steps[:-1])}"


def _values(leaf: Leaf) -> list[Json]:
    return [address for value in leaf.values for address in addresses(value)]


def _is_amount(path: str) -> bool:
    return is_measure(last_step(path))
