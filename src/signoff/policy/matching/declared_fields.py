"""Which fields a tool has, by its schema."""

from typing import Any, cast

from signoff.kit.jsons import JsonObject

# So many schemas are looked into at most for one path: references may lead in circles.
MOST = 200
INSIDE = ("anyOf", "oneOf", "allOf")


def declares(schema: JsonObject, path: list[str]) -> bool:
    """Whether a tool has the field at this path. An argument that takes any object has every field."""
    places, left = [cast("Any", schema)], MOST
    for depth, step in enumerate(path):
        found = list[Any]()
        while places and left:
            left -= 1
            place = places.pop()
            if isinstance(place, dict):
                within = cast("JsonObject", place)
                places += _elsewhere(schema, within, step)
                found += _at(within, step, is_open=depth > 0)
        if not found:
            return False
        places = found
    return True


def _elsewhere(schema: JsonObject, within: JsonObject, step: str) -> list[Any]:
    """Where else the same step may lead on from: other forms of it, what it refers to, the elements of a list."""
    found = [inner for name in INSIDE for inner in cast("list[Any]", within.get(name) or [])]
    if "$ref" in within:
        found.append(_target(schema, within["$ref"]))
    if "items" in within and not _is_element(step):
        found.append(within["items"])
    return found


def _at(within: JsonObject, step: str, *, is_open: bool) -> list[Any]:
    named: JsonObject = within.get("properties") or {}
    if step in named:
        return [named[step]]
    if _is_element(step):
        return [within["items"]] if "items" in within else list(named.values())
    takes_anything = within.get("type") == "object" and not named and within.get("additionalProperties") is not False
    return [{"type": "object"}] if is_open and takes_anything else []


def _is_element(step: str) -> bool:
    return step == "*" or step.isdecimal()


def _target(schema: JsonObject, reference: Any) -> Any:
    """What a reference within the same schema points at."""
    place: Any = schema if isinstance(reference, str) and reference.startswith("#/") else None
    for part in str(reference)[2:].split("/"):
        place = cast("JsonObject", place).get(part) if isinstance(place, dict) else None
    return place
