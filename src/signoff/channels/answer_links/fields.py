"""Arguments and forms as the fields of a plain HTML form, and back. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from signoff.kit import jsons
from signoff.kit.errors import FieldError, Invalid
from signoff.kit.jsons import JsonObject

ARGUMENT, FORM = "arg.", "field."
LONG = 60


@dataclass(frozen=True)
class Field:
    name: str
    label: str
    # text, long, number, boolean, choice, json.
    kind: str
    value: str = ""
    description: str = ""
    required: bool = False
    options: tuple[str, ...] = ()
    # The value is null, which an empty field stands for.
    is_null: bool = False


def argument_fields(given: JsonObject, schema: JsonObject) -> tuple[Field, ...]:
    """One field for each argument, those that were left out included."""
    shapes: JsonObject = schema.get("properties") or {}
    names = [*given, *(each for each in shapes if each not in given)]
    return tuple(_field(ARGUMENT, name, shapes.get(name) or {}, given.get(name), name in given) for name in names)


def schema_fields(schema: JsonObject) -> tuple[Field, ...]:
    shapes: JsonObject = schema.get("properties") or {}
    needed: Sequence[str] = schema.get("required") or ()
    found = [_field(FORM, name, shape, shape.get("default"), name in needed) for name, shape in shapes.items()]
    return tuple(found)


def _field(prefix: str, name: str, shape: JsonObject, value: Any, required: bool) -> Field:
    options = tuple(jsons.dumps(each) for each in shape.get("enum") or ())
    written = value if isinstance(value, str) else "" if value is None else jsons.dumps(value)
    kind = _kind(shape, value, written)
    if options:
        kind, written = "choice", jsons.dumps(value) if value is not None else ""
    label = str(shape.get("title") or name)
    is_null = value is None and required and prefix == ARGUMENT
    return Field(prefix + name, label, kind, written, str(shape.get("description") or ""), required, options, is_null)


def _kind(shape: JsonObject, value: Any, written: str) -> str:
    match shape.get("type"):
        case "boolean":
            return "boolean"
        case "integer" | "number":
            return "number"
        case "string":
            return "long" if len(written) > LONG or "\n" in written else "text"
        case _ if isinstance(value, str):
            return "long" if len(written) > LONG or "\n" in written else "text"
        case _:
            return "json"


def read_fields(fields: Sequence[Field], form: Mapping[str, str]) -> JsonObject:
    """What the fields say. A field that is empty and not needed is left out."""
    found: JsonObject = {}
    for each in fields:
        text = form.get(each.name)
        if each.is_null and not text:
            found[_bare(each.name)] = None
            continue
        if each.kind == "boolean" and not each.options:
            if text is not None or each.required:
                found[_bare(each.name)] = text in ("true", "on")
            continue
        if text is None or (text == "" and not (each.required and each.kind in ("text", "long"))):
            continue
        found[_bare(each.name)] = _value(each, text)
    return found


def _value(field: Field, text: str) -> Any:
    if field.kind in ("text", "long"):
        # Browsers send every line break as two characters.
        return text.replace("\r\n", "\n")
    try:
        return jsons.loads(text)
    except jsons.BadJson:
        what = "a number" if field.kind == "number" else "JSON"
        raise Invalid(
            f"{field.label} must be {what}.", errors=[FieldError(_bare(field.name), f"must be {what}")]
        ) from None


def _bare(name: str) -> str:
    return name.removeprefix(ARGUMENT).removeprefix(FORM)
