"""What people approved again and again, as the narrowest pattern that the record speaks for. Pure."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from signoff.asks.answers.similar_decisions import Decided
from signoff.insights.arguments_seen import Seen, seen_in
from signoff.insights.boxes import Box, largest_box
from signoff.kit.jsons import exact
from signoff.policy.argument_kinds import FREE, Leaf, leaves
from signoff.policy.call import ProposedCall
from signoff.policy.format.triggers import Threshold
from signoff.policy.impact import impact_words
from signoff.policy.path_patterns import Place
from signoff.policy.patterns.derive import addresses, holds_things, places_of, reads, understood
from signoff.policy.patterns.free_text import free_paths, last_step
from signoff.policy.patterns.pattern import BadPattern, Pattern
from signoff.policy.risk import Risk
from signoff.policy.targets import is_measure

# Fewer decisions are no evidence, and neither are many with too many objections among them.
ENOUGH, SURE = 10, 0.7
MOST_CUTS = 10
# Of one shape, the newest so many are learnt from.
MOST_LEARNT_FROM = 500
# One of many alike things may be left out by its name, where so many others were approved.
APPROVED_FOR_EACH = 15
_Z = 1.959964


@dataclass(frozen=True)
class Learnt:
    """A pattern, and the decisions within it."""

    pattern: Pattern
    risks: frozenset[Risk]
    approved: int
    # Within it, with other words or figures that the pattern leaves open.
    edited: int
    # What the approved calls did, as rules say it: what does more asks.
    impact: tuple[str, ...] = ()
    # Single things that were refused and that it leaves out.
    exceptions: int = 0

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
    shapes = defaultdict[str, list[_Approved]](list)
    for each in decided:
        shape = _shape(each.call) if each.fate == "approved" else None
        if shape is not None:
            shapes[shape].append(_Approved(each.call, leaves(each.call.arguments) or {}))
    objections = [each for each in decided if each.fate != "approved"]
    for approved in sorted(shapes.values(), key=len, reverse=True):
        learnt = _separated(approved[:MOST_LEARNT_FROM], objections)
        if learnt is not None:
            yield learnt


@dataclass(frozen=True, eq=False)
class _Approved:
    call: ProposedCall
    arguments: Mapping[str, Leaf]


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
    return exact([_only_reads(call), call.assessment.level, list(impact_words(call.assessment.impact)), shape])


def _only_reads(call: ProposedCall) -> bool:
    """By its tool's word, or by the method that it names, which is then the same in all of its shape.

    One page that was fetched says nothing about its neighbours; ten that people approved do.
    """
    return reads(call) or call.arguments.get("method") in ("GET", "HEAD")


def _separated(approved: list[_Approved], objections: Sequence[Decided]) -> Learnt | None:
    """The pattern of what was approved, with less and less of it, until nothing that was refused is within."""
    found, exceptions = _pattern(approved), 0
    for _ in range(MOST_CUTS):
        if found is None:
            return None
        pattern, inside = found.pattern, found.box.inside
        risks = frozenset(each.call.assessment.level for each in approved)
        within = [each for each in objections if each.call.assessment.level in risks and pattern.holds(each.call)]
        against = next((each for each in within if each.fate == "refused" or not _only_words(pattern, each)), None)
        if against is None:
            does = impact_words(approved[0].call.assessment.impact)
            learnt = Learnt(pattern, risks, inside, len(within), does, exceptions)
            return learnt if lower_bound(learnt.approved, learnt.decided + exceptions) >= SURE else None
        but_one = found.but_for(against.call) if (exceptions + 1) * APPROVED_FOR_EACH <= inside else None
        if but_one is not None:
            found, exceptions = but_one, exceptions + 1
        else:
            approved = _without(approved, against.call)
            found, exceptions = _pattern(approved), 0
    return None


@dataclass(frozen=True)
class _Found:
    """A box, and the pattern that holds what is in it."""

    seen: Seen
    box: Box
    pattern: Pattern

    def but_for(self, refused: ProposedCall) -> "_Found | None":
        """The same without the one file or order of many that was refused; None where it was approved, too."""
        given = leaves(refused.arguments) or {}
        path = self.seen.one_of_many(given)
        if path is None or any(call[path].values == given[path].values for call in self.seen.calls):
            return None
        without = Threshold(field=path, operator="!=", value=given[path].values[0])
        return replace(self, pattern=replace(self.pattern, where=(*self.pattern.where, without)))


def _pattern(approved: Sequence[_Approved]) -> _Found | None:
    """The largest box that enough of these are in, as conditions on every argument."""
    if len(approved) < ENOUGH:
        return None
    calls = [each.arguments for each in approved]
    seen = seen_in(calls, reading=_only_reads(approved[0].call))
    box = largest_box([seen.point(call) for call in calls]) if seen else None
    if seen is None or box is None or box.inside < ENOUGH:
        return None
    return _Found(seen, box, seen.pattern(box))


def _only_words(pattern: Pattern, edited: Decided) -> bool:
    """Whether somebody changed no more than what the pattern leaves open."""
    before, after = leaves(edited.call.arguments), leaves(edited.approved or {})
    if before is None or after is None or before.keys() != after.keys():
        return False
    changed = [path for path in before if before[path].values != after[path].values]
    return all(pattern.arguments.get(path) in FREE for path in changed)


def _without(approved: list[_Approved], refused: ProposedCall) -> list[_Approved]:
    """What remains when one argument has to differ from what was refused: the one that costs least."""
    best, most = list[_Approved](), 0
    given = leaves(refused.arguments) or {}
    free = free_paths(given)
    for path, leaf in given.items():
        if path in free:
            continue
        apart = _apart(path, leaf)
        rest = [each for each in approved if apart(each.arguments[path])]
        found = _pattern(rest) if len(rest) >= ENOUGH else None
        if found is not None and found.box.inside > most and not found.pattern.holds(refused):
            best, most = rest, found.box.inside
    return best


def _apart(path: str, refused: Leaf) -> Callable[[Leaf], bool]:
    """Tells values that are on the safe side of one that was refused."""
    if refused.kind == "number" and is_measure(last_step(path)):
        lowest = min(cast("list[float]", refused.values))
        return lambda leaf: max(cast("list[float]", leaf.values)) < lowest
    places = places_of(path, refused, reads=True)
    if places:
        folders = {_folder(place) for place in places}
        return lambda leaf: not folders & {_folder(place) for place in places_of(path, leaf, reads=True)}
    values = _values(refused)
    return lambda leaf: not values & _values(leaf)


def _folder(place: Place) -> str:
    return f"{place.root}{'/'.join(place.steps[:-1])}"


def _values(leaf: Leaf) -> set[str]:
    return {exact(address) for value in leaf.values for address in addresses(value)}
