"""Dotted paths into what a call carries: `order.items.0.price`, `to`, `arguments.amount`, `context.region`."""

from collections.abc import Callable
from typing import Any, TypeAlias, cast

from signoff.kit.jsons import Json
from signoff.policy.call import ProposedCall

# One value, or a list of all that stand at the path. None is a place left empty.
Reader: TypeAlias = Callable[[ProposedCall], Json]
ARGUMENTS, CONTEXT, EVERY = "arguments", "context", "*"
_NOTHING: list[Json] = [None]
_OBJECT: type[Any] = dict


def reader(path: str) -> Reader:
    """Reads what stands at a path: in the arguments, else in the context; a first word may name one of them."""
    first, *rest = path.split(".")
    if first == ARGUMENTS and rest:
        return lambda call: _reach(call.arguments, rest)
    if first == CONTEXT and rest:
        return lambda call: _reach(call.fields, rest)
    steps = [first, *rest]

    def read(call: ProposedCall) -> Json:
        found = _reach(call.arguments, steps)
        return _reach(call.fields, steps) if found is None and call.fields else found

    return read


def steps_into_arguments(path: str) -> list[str]:
    """The same path as steps from the arguments; none when it looks into the context alone."""
    first, *rest = path.split(".")
    if first in (ARGUMENTS, CONTEXT) and rest:
        return rest if first == ARGUMENTS else []
    return [first, *rest]


def _reach(root: dict[str, Json], steps: list[str]) -> Json:
    value: Json = root
    for step in steps:
        if type(value) is not _OBJECT or step == EVERY:
            return None if value is None else _walk(root, steps)
        value = value.get(step)
    return _one_or_all([value]) if type(value) is list else value


def _walk(root: dict[str, Json], steps: list[str]) -> Json:
    """The long way, through lists."""
    found: list[Json] = [root]
    for step in steps:
        found = [inner for value in found for inner in _inside(value, step)]
    return _one_or_all(found)


def _one_or_all(values: list[Json]) -> Json:
    flat = _flat(values)
    return flat if len(flat) > 1 else flat[0]


def _inside(value: Json, step: str) -> list[Json]:
    if isinstance(value, dict):
        return _of_object(cast("dict[str, Any]", value), step)
    if not isinstance(value, list) or not value:
        return _NOTHING
    elements = cast("list[Any]", value)
    if step == EVERY:
        return elements
    if step.isdecimal():
        return [elements[int(step)]] if int(step) < len(elements) else _NOTHING
    return [inner for each in _flat(elements) for inner in _inside(each, step)]


def _of_object(value: dict[str, Any], step: str) -> list[Json]:
    if step == EVERY:
        return list(value.values()) or _NOTHING
    return [value.get(step)]


def _flat(values: list[Json]) -> list[Json]:
    """The same with lists opened, however deep; an empty list leaves an empty place."""
    flat, waiting = list[Json](), values[::-1]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += cast("list[Any]", value)[::-1] or _NOTHING
        else:
            flat.append(value)
    return flat
