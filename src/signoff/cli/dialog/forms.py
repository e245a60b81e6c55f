"""A form given by a JSON Schema, asked field by field until it fits."""

from typing import Any, cast

from signoff.cli.api_client import Failure
from signoff.cli.dialog.prompt import Prompt
from signoff.cli.terminal.ask_text import value_text
from signoff.cli.terminal.screen import complain, plain, say
from signoff.cli.terminal.typed_values import chosen, json_value, number, truth
from signoff.kit.errors import FieldError
from signoff.kit.jsons import JsonObject

KINDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "yes or no",
    "array": "comma-separated",
    "object": "JSON",
}
LEAVE_OUT = "-"
# Where a schema keeps what it refers to.
SHARED = ("$defs", "definitions")
# Nothing was given: not even null, which is a value.
ABSENT: Any = object()


def fill(prompt: Prompt, schema: JsonObject, given: JsonObject) -> JsonObject:
    """Ask for every field of an object, with what is known offered, until the whole fits its schema."""
    return _Form(prompt, schema).fill(_followed(schema, schema), given)


def skeleton(schema: JsonObject) -> JsonObject:
    """An object to fill in, with the fields that a form asks for."""
    empty: JsonObject = {"string": "", "number": 0, "integer": 0, "boolean": False, "array": [], "object": {}}
    return {name: field.get("default", empty.get(_kind(field))) for name, field in _fields(schema, schema).items()}


class _Form:
    def __init__(self, prompt: Prompt, root: JsonObject) -> None:
        self._prompt, self._root = prompt, root
        self._shared: JsonObject = {name: root[name] for name in SHARED if name in root}

    def fill(self, schema: JsonObject, given: JsonObject, within: str = "") -> JsonObject:
        fields, needed = _fields(schema, self._root), cast("list[str]", schema.get("required", []))
        if not fields:
            return self._field("answer", schema, True, given or ABSENT)
        filled, asked = dict(given), list(fields)
        while True:
            for name in asked:
                known = filled.pop(name, fields[name].get("default", ABSENT))
                value = self._field(within + name, fields[name], name in needed, known)
                filled |= {} if value is ABSENT else {name: value}
            wrong = _problems(schema | self._shared, filled)
            if not wrong:
                return filled
            complain("Not valid yet:", [_sentence(each) for each in wrong])
            asked = [name for name in fields if any(each.path.split(".")[0] == name for each in wrong)] or list(fields)

    def _field(self, name: str, field: JsonObject, needed: bool, known: Any) -> Any:
        """One field, asked again until it fits; ABSENT if it is left out."""
        if heading := " ".join(str(field[key]) for key in ("title", "description") if field.get(key)):
            say(f"[bold]{plain(heading)}[/]")
        if _kind(field) == "object" and field.get("properties"):
            return self._object(name, field, needed, known)
        choices = _choices(field)
        for place, choice in enumerate(choices, 1):
            say(f"  [bold]{place}[/]  {plain(choice['label'])}")
        question = f"{name} ({_hint(field, len(choices))}{_offer(needed, known)}): "
        while True:
            try:
                value = _taken(self._prompt.line(question), field, choices, needed, known)
            except Failure as failure:
                complain(failure.message)
                continue
            wrong = [] if value is ABSENT else _problems(field | self._shared, value)
            if not wrong:
                return value
            complain("; ".join(_sentence(each) for each in wrong))

    def _object(self, name: str, field: JsonObject, needed: bool, known: Any) -> Any:
        """Fields within a field; who does not need them is asked first."""
        if isinstance(known, dict):
            return self.fill(field, cast("JsonObject", known), f"{name}.")
        if not needed and not self._prompt.line(f"{name} (type anything to fill it in; Enter to skip): "):
            return ABSENT
        return self.fill(field, {}, f"{name}.")


def _fields(schema: JsonObject, root: JsonObject) -> dict[str, JsonObject]:
    """The fields of an object, with references followed."""
    return {name: _followed(field, root) for name, field in schema.get("properties", {}).items()}


def _followed(field: Any, root: JsonObject) -> JsonObject:
    """A field's schema; a reference within the form leads to what it names."""
    found = cast("JsonObject", field) if isinstance(field, dict) else {}
    section, _, name = str(found.get("$ref", "")).removeprefix("#/").partition("/")
    named = root.get(section, {}).get(name) if section in SHARED else None
    return {**named, **{key: value for key, value in found.items() if key != "$ref"}} if named else found


def _taken(text: str, field: JsonObject, choices: list[JsonObject], needed: bool, known: Any) -> Any:
    """What a line means for a field."""
    if text == LEAVE_OUT and not needed:
        return ABSENT
    if text:
        return chosen(choices, text) if choices else _value(text, field)
    if known is ABSENT and needed:
        raise Failure("This field is required.")
    return known


def _value(text: str, field: JsonObject) -> Any:
    match _kind(field):
        case "string":
            return text
        case "integer" | "number":
            return number(text)
        case "boolean":
            return truth(text)
        case "array" if _is_flat(field) and not text.startswith("["):
            return [_value(part.strip(), field["items"]) for part in text.split(",") if part.strip()]
        case _:
            return json_value(text, "This field")


def _kind(field: JsonObject) -> str:
    """The type of a field; of several the first that is not null."""
    given = field.get("type", "object" if "properties" in field else "")
    listed = cast("list[Any]", given if isinstance(given, list) else [given])
    return str(next((each for each in listed if each != "null"), ""))


def _is_flat(field: JsonObject) -> bool:
    items = field.get("items")
    return isinstance(items, dict) and _kind(cast("JsonObject", items)) in ("string", "integer", "number")


def _choices(field: JsonObject) -> list[JsonObject]:
    """What there is to choose from: an `enum`, or alternatives that are one value each."""
    if listed := cast("list[Any]", field.get("enum") or []):
        return [{"label": value_text(each), "value": each} for each in listed]
    among = cast("list[JsonObject]", field.get("oneOf") or field.get("anyOf") or [])
    if not among or not all("const" in each for each in among):
        return []
    return [{"label": each.get("title") or value_text(each["const"]), "value": each["const"]} for each in among]


def _hint(field: JsonObject, choices: int) -> str:
    if choices:
        return f"1-{choices}"
    kind = _kind(field)
    return "JSON" if kind == "array" and not _is_flat(field) else KINDS.get(kind, "JSON")


def _offer(needed: bool, known: Any) -> str:
    """What Enter alone does."""
    leave = "" if needed else f", {LEAVE_OUT} to leave it out"
    if known is not ABSENT:
        return f"; Enter: {' '.join(value_text(known).split())}{leave}"
    return "" if needed else "; Enter to skip"


def _problems(schema: JsonObject, value: Any) -> list[FieldError]:
    from signoff.kit.schema.check import problems

    return problems(schema, value)


def _sentence(error: FieldError) -> str:
    return f"{error.path}: {error.message}" if error.path else error.message
