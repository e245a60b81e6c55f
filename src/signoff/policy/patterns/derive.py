"""What one approved call stands for: exactly it, others to the same place, and a little more. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

from signoff.kit.jsons import Json, JsonObject, digest
from signoff.kit.jsons import exact as exactly
from signoff.kit.text.masking import masked_text, names_a_secret
from signoff.policy.argument_kinds import TEXT, Leaf, leaves
from signoff.policy.call import ProposedCall
from signoff.policy.format.triggers import Threshold
from signoff.policy.matching.mail_addresses import compares_addresses, split_addresses
from signoff.policy.path_patterns import ANY, BELOW, Place, read_pattern, read_place
from signoff.policy.patterns.free_text import ending, free_paths, last_step, prose_of
from signoff.policy.patterns.pattern import BadPattern, Pattern
from signoff.policy.risk import READING
from signoff.policy.targets import is_less_when_smaller, is_path

LONGEST_VALUE, LONGEST_SHOWN = 2_000, 200


class NotRememberable(BadPattern):
    """No pattern can be made of these arguments."""


@dataclass(frozen=True)
class Choice:
    """One way to remember a call."""

    name: str
    pattern: Pattern


def choices(arguments: JsonObject, *, reads: bool = False) -> list[Choice]:
    """Narrowest first: exactly this; the same place, up to this amount; anywhere below that place.

    Neighbours of a web address are alike only for what `reads`.
    """
    found = understood(arguments)
    exact = Choice("exact", _exact(arguments, found))
    if holds_things(arguments):
        return [exact]
    free = free_paths(found)
    wider = [
        Choice("alike", _pattern(found, free, partial(_alike, reads=reads))),
        Choice("below", _pattern(found, free, partial(_below, reads=reads))),
    ]
    distinct = {exactly(each.pattern.to_json()["where"]): each for each in reversed([exact, *wider])}
    return list(reversed(distinct.values()))


def reads(call: ProposedCall) -> bool:
    return call.operation_type in READING


def given(arguments: JsonObject, where: tuple[Threshold, ...], *, reads: bool = False) -> Pattern:
    """A person's own conditions; every argument that they do not name is bound to what it was, but for prose."""
    found, offered = understood(arguments), choices(arguments, reads=reads)
    chosen = next((each.pattern for each in offered if each.pattern.where == where), None)
    if chosen is not None:
        return chosen
    if holds_things(arguments):
        raise NotRememberable("what stands together in its lists can only be remembered exactly")
    named = {each.field for each in where}
    stray = named - found.keys()
    if stray:
        raise BadPattern(f"where: there is no argument {min(stray)}; there are {', '.join(found)}")
    for each in where:
        if each.operator in ("!=", "not_in", "contains") or (each.operator == "exists" and each.value is False):
            raise BadPattern(f"where: {each.operator} leaves too much open; say what {each.field} must be")
    # What a text may say depends on where it goes: it is free no more where a person says other files than these.
    free = free_paths(found) - named if not any(is_path(last_step(path)) for path in named) else frozenset[str]()
    rest = [
        clause
        for path, leaf in found.items()
        if path not in named and path not in free
        for clause in _alike(path, leaf, reads=reads)
    ]
    # `exists` says: whatever it is. Its kind is bound all the same.
    bound = tuple(each for each in where if each.operator != "exists")
    # A list that is named as it was stays as it was.
    said = {path: [each for each in where if each.field == path] for path in found}
    kept = {path: leaf for path, leaf in found.items() if said[path] in ([], _exactly(path, leaf))}
    return Pattern((*bound, *rest), _kinds(found, free), _lists(kept))


def holds_things(value: Json) -> bool:
    """Whether a list somewhere holds more than plain values: which of them belong together, conditions cannot say."""
    if isinstance(value, dict):
        return any(map(holds_things, cast("JsonObject", value).values()))
    return isinstance(value, list) and any(isinstance(each, dict | list) for each in cast("list[Json]", value))


def understood(arguments: JsonObject) -> dict[str, Leaf]:
    """Each argument, when all of them can be told apart and none is a secret."""
    found = leaves(arguments)
    if found is None:
        raise NotRememberable("its arguments are too many or cannot be told apart")
    free = free_paths(found)
    for path, leaf in found.items():
        if any(names_a_secret(step) for step in path.split(".")) or any(_is_secret(each) for each in leaf.values):
            raise NotRememberable(f"{path} holds a secret, which is not kept in an allowance")
        too_long = any(isinstance(each, str) and len(each) > LONGEST_VALUE for each in leaf.values)
        if too_long and path not in free:
            raise NotRememberable(f"{path} is too long to be compared")
    return found


def _is_secret(value: Json) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_VALUE and masked_text(value) != value


_Rule = Callable[[str, Leaf], list[Threshold]]


def _exact(arguments: JsonObject, found: Mapping[str, Leaf]) -> Pattern:
    """All arguments as they are, by their fingerprint; the conditions say it in words."""
    where = [clause for path, leaf in found.items() for clause in _shown(path, leaf)]
    return Pattern(tuple(where), _kinds(found, frozenset()), digest=digest(arguments))


def _shown(path: str, leaf: Leaf) -> list[Threshold]:
    first = leaf.values[0]
    if isinstance(first, str) and len(first) > LONGEST_SHOWN and not leaf.listed:
        return [Threshold(field=path, operator="starts_with", value=first[:LONGEST_SHOWN])]
    return _exactly(path, leaf)


def _pattern(found: Mapping[str, Leaf], free: frozenset[str], rule: _Rule) -> Pattern:
    where = [clause for path, leaf in found.items() if path not in free for clause in rule(path, leaf)]
    return Pattern(tuple(where), _kinds(found, free), _lists(found))


def _kinds(found: Mapping[str, Leaf], free: frozenset[str]) -> dict[str, str]:
    prose = prose_of(found)
    return {path: prose if path in free else leaf.written for path, leaf in found.items()}


def _lists(found: Mapping[str, Leaf]) -> dict[str, str]:
    return {path: digest(leaf.values) for path, leaf in found.items() if leaf.listed}


def _exactly(path: str, leaf: Leaf) -> list[Threshold]:
    if leaf.kind == "empty":
        return []
    values = _distinct(address for each in leaf.values for address in addresses(each))
    if len(values) == 1:
        return [Threshold(field=path, operator="==", value=values[0])]
    return [Threshold(field=path, operator="in", value=values)]


def _alike(path: str, leaf: Leaf, *, reads: bool) -> list[Threshold]:
    """The same folder and kind of file, up to the same amount; everything else as it was."""
    places = [] if leaf.listed else places_of(path, leaf, reads=reads)
    if places and all(place.steps for place in places):
        return [like(path, [beside(place) for place in places])]
    if leaf.kind == "number" and not leaf.listed and is_less_when_smaller(last_step(path)):
        (most,) = cast("list[int | float]", leaf.values)
        if most >= 0:
            return [Threshold(field=path, operator=">=", value=0), Threshold(field=path, operator="<=", value=most)]
    return _exactly(path, leaf)


def _below(path: str, leaf: Leaf, *, reads: bool) -> list[Threshold]:
    """Any file of its kind below the folder, anything on the host."""
    places = [] if leaf.listed else places_of(path, leaf, reads=reads)
    wider = [below(place) for place in places]
    found = [each for each in wider if each]
    return [like(path, found)] if places and len(found) == len(places) else _alike(path, leaf, reads=reads)


def places_of(path: str, leaf: Leaf, *, reads: bool) -> list[Place]:
    """Files, and web addresses that are only read; a word that could be a path is none, nor is what asks something."""
    found = [read_place(each) for each in leaf.values]
    known = [place for place in found if place is not None]
    if leaf.kind != TEXT or len(known) < len(found) or any(_is_hidden(place) or place.asks for place in known):
        return []
    named = is_path(last_step(path))
    return known if all(reads if _is_web(place) else named and place.steps for place in known) else []


def _is_web(place: Place) -> bool:
    return place.root.startswith("http")


def _is_hidden(place: Place) -> bool:
    return any(step.startswith(".") for step in place.steps)


def beside(place: Place) -> str:
    """Files of the same kind in the same folder. A file of no kind stands for itself, a page for its neighbours."""
    *folder, name = place.steps
    kind = ending(name)
    last = f"{ANY}.{kind}" if kind else ANY if _is_web(place) else name
    written = f"{place.root}{'/'.join([*folder, last])}"
    # A name in signs that a pattern has no room for stands for itself, too.
    return written if read_pattern(written) else f"{place.root}{'/'.join(place.steps)}"


def below(place: Place) -> str | None:
    """Files of its kind in the same folder and below; on the web, all on the host. Never the run's whole folder."""
    if _is_web(place):
        return within(place.root, ())
    return within(place.root, place.steps[:-1], ending(place.steps[-1])) if len(place.steps) > 1 else None


def within(root: str, folder: Sequence[str], kind: str = "") -> str | None:
    """A folder with all that is below it, or all of one kind; of files that have none, only on the web."""
    if not kind and not root.startswith("http"):
        return None
    written = f"{root}{'/'.join([*folder, BELOW, *([f'{ANY}.{kind}'] if kind else [])])}"
    return written if read_pattern(written) else None


def like(path: str, patterns: list[str]) -> Threshold:
    values = _distinct(cast("list[Json]", patterns))
    return Threshold(field=path, operator="like", value=values[0] if len(values) == 1 else values)


def addresses(value: Json) -> list[Json]:
    if isinstance(value, str) and "@" in value:
        found = split_addresses(value)
        return found if compares_addresses("in", found) else [value]
    return [value]


def _distinct(values: Iterable[Json]) -> list[Json]:
    found = list[Json]()
    for each in values:
        if not any(type(each) is type(known) and each == known for known in found):
            found.append(each)
    return found
