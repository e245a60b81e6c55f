"""Check values against JSON Schemas, some of which come from outside."""

from functools import lru_cache
from typing import Any, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from referencing import Registry
from referencing.exceptions import Unresolvable

from signoff.kit import jsons
from signoff.kit.errors import FieldError
from signoff.kit.jsons import JsonObject

MOST_ERRORS = 20
# What a schema from outside can do to its validator: point at what is no schema, divide what cannot be divided.
UNUSABLE = (SchemaError, Unresolvable, RecursionError, AttributeError, TypeError, ValueError, ArithmeticError)
_NOTHING_REMOTE: Registry[Any] = Registry()


def problems(schema: JsonObject, value: Any, root: str = "") -> list[FieldError]:
    """What is wrong with a value, and where. A schema that cannot be used is itself a problem."""
    try:
        validator: Any = _validator(jsons.dumps(schema))
        errors = list[ValidationError](validator.iter_errors(value))
    except UNUSABLE as error:
        return [FieldError(root, f"the schema cannot be used: {(str(error) or type(error).__name__).splitlines()[0]}")]
    errors.sort(key=lambda error: [str(step) for step in error.absolute_path])
    return [FieldError(_path(root, error), _sentence(error)) for error in errors[:MOST_ERRORS]]


def schema_problem(schema: JsonObject) -> str | None:
    """Why this is no JSON Schema, if it is none."""
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return str(error.message)
    return None


@lru_cache(maxsize=512)
def _validator(text: str) -> Draft202012Validator:
    schema = jsons.loads(text)
    Draft202012Validator.check_schema(schema)
    # References are resolved inside the schema only: nothing is ever fetched.
    return Draft202012Validator(schema, registry=_NOTHING_REMOTE)


def _path(root: str, error: ValidationError) -> str:
    steps = [root] if root else []
    return ".".join([*steps, *(str(step) for step in error.absolute_path)])


def _sentence(error: ValidationError) -> str:
    message = str(error.message)
    if error.validator == "required":
        return f"{message.split(' is a required')[0]} is missing"
    if error.validator == "type":
        return f"must be of type {cast('object', error.validator_value)}"
    return message if len(message) <= 300 else message[:297] + "…"
