"""What one approved call stands for: exactly it, others to the same place, and a little more. Pure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from signoff.kit.jsons import Json, JsonObject
from signoff.kit.text.masking import masked_text, names_a_secret
from signoff.policy.argument_kinds import PROSE, TEXT, Leaf, is_prose, leaves
from signoff.policy.format.triggers import Threshold
from signoff.policy.matching.mail_addresses import compares_addresses, split_addresses
from signoff.policy.path_patterns import ANY, BELOW, QUERY, Place, read_pattern, read_place
from signoff.policy.patterns.pattern import BadPattern, Pattern
from signoff.policy.targets import is_path, is_prose_name, is_quantity

LONGEST_VALUE = 2_000


class NotRememberable(BadPattern):
    """No pattern can be made of these arguments."""


@dataclass(frozen=True)
class Choice:
    """One way to remember a call."""

    name: str
    pattern: Pattern


def choices(arguments: JsonObject) -> list[Choice]:
    """Narrowest first: exactly this; the same place, up to this amount; anywhere below that place."""
    found = understood(arguments)
    made = [
        Choice("exact", _pattern(found, _exactly)),
        Choice("alike", _pattern(found, _alike)),
        Choice("below", _pattern(found, _below)),
    ]
    distinct = {each.pattern.to_text(): each for each in reversed(made)}
    return list(reversed(distinct.values()))


def given(arguments: JsonObject, where: tuple[Threshold, ...]) -> Pattern:
    """A person's own conditions; every argument that they do not name is bound to what it was, but for prose."""
    found = understood(arguments)
    named = {each.field for each in where}
    stray = named - found.keys()
    if stray:
        raise BadPattern(f"where: there is no argument {min(stray)}; there are {', '.join(found)}")
    for each in where:
        if each.operator in ("!=", "not_in", "contains") or (each.operator == "exists" and each.value is False):
            raise BadPattern(f"where: {each.operator} leaves too much open; say what {each.field} must be")
    rest = [clause for path, leaf in found.items() if path not in named for clause in _alike(path, leaf)]
    # `exists` says: whatever it is. Its kind is bound all the same.
    bound = tuple(each for each in where if each.operator != "exists")
    kinds = {path: _kind(path, leaf, path not in named) for path, leaf in found.items()}
    return Pattern((*bound, *rest), kinds)


def is_free(path: str, leaf: Leaf) -> bool:
    """Whether an argument only says something, to nobody in particular."""
    return leaf.kind == TEXT and not leaf.listed and is_prose_name(last_step(path)) and is_prose(leaf.values[0])


def understood(arguments: JsonObject) -> dict[str, Leaf]:
    """Each argument, when all of them can be told apart and none is a secret."""
    found = leaves(arguments)
    if found is None:
        raise NotRememberable("its arguments are too many or cannot be told apart")
    for path, leaf in found.items():
        if any(names_a_secret(step) for step in path.split(".")) or any(_is_secret(each) for each in leaf.values):
            raise NotRememberable(f"{path} holds a secret, which is not kept in an allowance")
        too_long = any(isinstance(each, str) and len(each) > LONGEST_VALUE for each in leaf.values)
        if too_long and not is_free(path, leaf):
            raise NotRememberable(f"{path} is too long to be compared")
    return found


def _is_secret(value: Json) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_VALUE and masked_text(value) != value


_Rule = Callable[[str, Leaf], list[Threshold]]


def _pattern(found: dict[str, Leaf], rule: _Rule) -> Pattern:
    where = [clause for path, leaf in found.items() for clause in rule(path, leaf)]
    return Pattern(tuple(where), {path: _kind(path, leaf, free=True) for path, leaf in found.items()})


def _kind(path: str, leaf: Leaf, free: bool) -> str:
    return PROSE if free and is_free(path, leaf) else leaf.written


def _exactly(path: str, leaf: Leaf) -> list[Threshold]:
    if leaf.kind == "empty" or is_free(path, leaf):
        return []
    values = _distinct(address for each in leaf.values for address in addresses(each))
    if len(values) == 1:
        return [Threshold(field=path, operator="==", value=values[0])]
    return [Threshold(field=path, operator="in", value=values)]


def _alike(path: str, leaf: Leaf) -> list[Threshold]:
    """The same folder and kind of file, up to the same amount; everything else as it was."""
    places = places_of(path, leaf)
    if places and all(place.steps for place in places):
        return [like(path, [beside(place) for place in places])]
    if leaf.kind == "number" and is_quantity(last_step(path)):
        numbers = cast("list[int | float]", leaf.values)
        if min(numbers) >= 0:
            return [
                Threshold(field=path, operator=">=", value=0),
                Threshold(field=path, operator="<=", value=max(numbers)),
            ]
    return _exactly(path, leaf)


def _below(path: str, leaf: Leaf) -> list[Threshold]:
    """Any file below the folder, anything on the host."""
    places = places_of(path, leaf)
    wider = [below(place) for place in places]
    return [like(path, [each for each in wider if each])] if places and all(wider) else _alike(path, leaf)


def places_of(path: str, leaf: Leaf) -> list[Place]:
    """Files and web addresses; a word that only could be a path is none."""
    found = [read_place(each) for each in leaf.values]
    known = [place for place in found if place is not None]
    if leaf.kind != TEXT or len(known) < len(found) or any(_is_hidden(place) for place in known):
        return []
    named = is_path(last_step(path))
    return known if all(place.root.startswith("http") or (named and place.steps) for place in known) else []


def _is_hidden(place: Place) -> bool:
    return any(step.startswith(".") for step in place.steps)


def beside(place: Place) -> str:
    """Files of the same kind in the same folder. A file of no kind stands for itself, a page for its neighbours."""
    *folder, name = place.steps
    stem, dot, kind = name.rpartition(".")
    ending = f".{kind}" if stem and dot else ""
    known = ending or place.root.startswith("http")
    last = f"{ANY}{ending}" if known else name
    written = f"{place.root}{'/'.join([*folder, last])}{QUERY if place.asks else ''}"
    # A name in signs that a pattern has no room for stands for itself, too.
    return written if read_pattern(written) else f"{place.root}{'/'.join(place.steps)}"


def below(place: Place) -> str | None:
    """Everything in the same folder and below; on the web, on the same host. Never the whole of the run's folder."""
    if place.root.startswith("http"):
        return within(place.root, (), asks=place.asks)
    return within(place.root, place.steps[:-1]) if len(place.steps) > 1 else None


def within(root: str, folder: Sequence[str], *, asks: bool = False) -> str:
    """A folder with all that is below it."""
    return f"{root}{'/'.join([*folder, BELOW])}{QUERY if asks else ''}"


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


def last_step(path: str) -> str:
    return path.rpartition(".")[2]
