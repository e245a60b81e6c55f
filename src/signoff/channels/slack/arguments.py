"""Arguments of a call as texts that a person can change, and back. Pure."""

from typing import Any, cast

from signoff.kit import jsons
from signoff.kit.errors import FieldError, Invalid
from signoff.kit.jsons import Json, JsonObject

YES, NO = ("true", "yes"), ("false", "no")


def written(value: Json) -> str:
    """A value as a person edits it: words as they are, everything else as JSON."""
    return value if isinstance(value, str) else "" if value is None else jsons.dumps(value)


def edited(arguments: JsonObject, schema: JsonObject, texts: dict[str, str]) -> JsonObject:
    """The arguments with what was typed; what nobody touched stays what it is, to the letter."""
    properties = schema.get("properties")
    shapes = cast("JsonObject", properties) if isinstance(properties, dict) else {}
    found, wrong = dict(arguments), list[FieldError]()
    for name, text in texts.items():
        before = arguments[name]
        # An input gives back its own kind of line ends.
        if _lines(text) == _lines(written(before)):
            continue
        try:
            found[name] = _read(text, _types(shapes.get(name), before))
        except ValueError as error:
            wrong.append(FieldError(f"arguments.{name}", str(error)))
    if wrong:
        raise Invalid("This cannot be read.", errors=wrong)
    return found


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _types(shape: Any, before: Json) -> list[str]:
    """What it may be: as its schema says, else as it was."""
    found = _types_in(cast("JsonObject", shape)) if isinstance(shape, dict) else []
    return found or (["string"] if isinstance(before, str) else [])


def _types_in(shape: JsonObject) -> list[str]:
    """Those that it names itself, and those of its alternatives."""
    types, others = shape.get("type"), [*(shape.get("anyOf") or ()), *(shape.get("oneOf") or ())]
    own: list[Any] = cast("list[Any]", types) if isinstance(types, list) else [types] if types else []
    inner = [name for each in others if isinstance(each, dict) for name in _types_in(cast("JsonObject", each))]
    return [str(each) for each in own] + inner


def _read(text: str, types: list[str]) -> Json:
    plain = text.strip()
    if not plain and "null" in types:
        return None
    if "string" in types:
        return text
    if "boolean" in types and plain.lower() in YES + NO:
        return plain.lower() in YES
    try:
        return jsons.loads(plain)
    except jsons.BadJson:
        raise ValueError(_wanted(types)) from None


def _wanted(types: list[str]) -> str:
    if "boolean" in types:
        return "Write true or false."
    if "number" in types or "integer" in types:
        return "Write a number."
    return "Write valid JSON."
