"""What is known about the fields of a context from schemas alone. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from signoff.kit.jsons import JsonObject
from signoff.workflows.definition import Step, WorkflowDefinition

_NOTHING = object()


@dataclass(frozen=True)
class Fields:
    """Fields by name, each with its schema, and whether these are all that there are."""

    names: Mapping[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    given: JsonObject | None = None
    steps: Mapping[str, JsonObject | None] = field(default_factory=dict[str, "JsonObject | None"])
    complete: bool = True

    @classmethod
    def of_input(cls, schema: JsonObject | None) -> "Fields":
        return cls(properties_of(schema), schema, complete=_says_all(schema))

    def with_step(self, step: Step, schema: JsonObject | None) -> "Fields":
        """With what a step makes laid over it."""
        own: dict[str, JsonObject]
        if step.each is not None:
            made: JsonObject = {"type": "array", "items": schema or {}}
            own, complete = {step.id: made}, True
        elif schema is not None and schema.get("type") not in (None, "object"):
            own, complete, made = {step.id: schema}, True, schema
        else:
            own, complete, made = properties_of(schema), _says_all(schema), schema or {}
        return Fields({**self.names, **own}, self.given, {**self.steps, step.id: made}, self.complete and complete)

    def find(self, path: str) -> JsonObject | None:
        """The schema at a path: empty where nothing is said, None where there is nothing."""
        first, *rest = path.split(".")
        schema: JsonObject | None
        if first == "input":
            schema = self.given or {}
        elif first == "steps" and rest:
            name = rest.pop(0)
            if name not in self.steps:
                return None
            schema = self.steps[name] or {}
        else:
            schema = self.names.get(first)
        for part in rest:
            if schema is None:
                return None
            schema = _inside(schema, part)
        return schema

    def is_nowhere(self, path: str) -> bool:
        """Whether it is certain that nothing stands there: a step that is not done before."""
        first, *rest = path.split(".")
        return first == "steps" and bool(rest) and rest[0] not in self.steps


def fields_of_step(
    step: Step, agents: Mapping[str, JsonObject | None], workflows: Mapping[str, WorkflowDefinition]
) -> JsonObject | None:
    """What a step's output fits: by its own word, else by its agent's."""
    return step.output_schema or (agents.get(step.agent) if step.agent else None)


def fits(found: JsonObject, wanted: JsonObject) -> bool:
    """Whether a value of one type may be of the other; what is not said may be anything."""
    one, other = types_of(found), types_of(wanted)
    if not one or not other:
        return True
    return bool(one & other) or ("integer" in one and "number" in other) or ("number" in one and "integer" in other)


def type_of(value: Any) -> JsonObject:
    """The schema of a value, as far as its type."""
    match value:
        case None:
            return {"type": "null"}
        case bool():
            return {"type": "boolean"}
        case int():
            return {"type": "integer"}
        case float():
            return {"type": "number"}
        case str():
            return {"type": "string"}
        case list():
            return {"type": "array"}
        case _:
            return {"type": "object"}


def sample(schema: JsonObject | None) -> Any:
    """A value that looks like what a schema wants, for people to see how data goes."""
    if not schema:
        return {}
    said = next(_said(schema), _NOTHING)
    if said is not _NOTHING:
        return said
    match next(iter(sorted(types_of(schema))), "object"):
        case "array":
            return [sample(_schema(schema.get("items")))]
        case "boolean":
            return True
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "string":
            return schema.get("title") or "text"
        case "null":
            return None
        case _:
            return {name: sample(each) for name, each in properties_of(schema).items()}


def _said(schema: JsonObject) -> Iterator[Any]:
    """The values that a schema names itself, the most certain first."""
    yield from (schema[name] for name in ("const", "default") if name in schema)
    for name in ("examples", "enum"):
        listed: Any = schema.get(name)
        yield from cast(list[Any], listed) if isinstance(listed, list) else ()


def _inside(schema: JsonObject, part: str) -> JsonObject | None:
    properties = properties_of(schema)
    if part in properties:
        return properties[part]
    if types_of(schema) and not types_of(schema) & {"object", "array"}:
        return None
    if part.isdigit() and "array" in (types_of(schema) or {"array"}):
        return _schema(schema.get("items"))
    if types_of(schema) == {"array"}:
        return None
    # An object that says all that it has does not have this.
    return None if properties and _says_all(schema) else {}


def properties_of(schema: JsonObject | None) -> dict[str, JsonObject]:
    given = (schema or {}).get("properties")
    if not isinstance(given, dict):
        return {}
    return {name: _schema(each) for name, each in cast(dict[str, Any], given).items()}


def _schema(given: Any) -> JsonObject:
    """A part of a schema as an object: a bare yes says nothing of the type."""
    return cast(JsonObject, given) if isinstance(given, dict) else {}


def _says_all(schema: JsonObject | None) -> bool:
    """A schema that names fields is taken at its word, though it may allow others."""
    return schema is not None and bool(properties_of(schema)) and not schema.get("additionalProperties")


def types_of(schema: JsonObject) -> set[str]:
    """What it says of the type. It may not be checked yet, and say anything."""
    given: Any = schema.get("type")
    listed = cast(list[Any], given) if isinstance(given, list) else [given]
    return {each for each in listed if isinstance(each, str)}
