"""Check values against JSON Schemas, some of which come from outside.

Patterns run in linear time, nothing is ever fetched, and what a foreign schema and a value together would cost is
known before they meet: an agent's form must not be able to hold up everybody else.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias, cast

from jsonschema_rs import Draft202012Validator, RegexOptions, ValidationError, ValidationErrorKind

from signoff.kit import jsons
from signoff.kit.errors import FieldError
from signoff.kit.jsons import Json, JsonObject
from signoff.kit.schema.bounds import MOST_DEPTH, BadSchema, Weight, depth, number_size, weight
from signoff.kit.schema.unique_items import UniqueItems

Check: TypeAlias = Callable[[Any], list[FieldError]]

MOST_ERRORS = 20
MOST_SENTENCE = 300
# What one compiled pattern takes at most, and all those of a foreign schema together.
PATTERN_BYTES = 1 << 20
PATTERNS_BYTES = 4 << 20
# Foreign schemas that are kept compiled: a few, and no large ones.
MOST_KEPT = 32
MOST_KEPT_LENGTH = 16 * 1024
# A check takes some 25 nanoseconds and a step of a pattern seven: either is done within half a second.
MOST_WORK = 20_000_000
MOST_STEPS = 50_000_000
# A tool's own schema means no harm, but its arguments come from outside.
OURS_MORE = 10
# To list every error costs far more than to find that there is one.
MOST_LISTING = 20_000
UNUSABLE = (BadSchema, ValidationError, ValueError, RecursionError)
NO_LOOKING_BACK = "patterns cannot use look-around or back-references, and must not be too large, alone or together"


@dataclass(frozen=True)
class _Checker:
    validator: Draft202012Validator
    weight: Weight


def problems(schema: JsonObject, value: Any, root: str = "", *, ours: bool = False) -> list[FieldError]:
    """What is wrong with a value, and where. A schema that cannot be used is itself a problem.

    `ours` is a schema that a Python tool declares: it may be large and refer to itself.
    """
    return compiled(schema, root, ours=ours)(value)


def compiled(schema: JsonObject, root: str = "", *, ours: bool = False) -> Check:
    """`problems` of one schema, for whoever checks many values."""
    try:
        checker = _checker(jsons.dumps(schema), ours)
    except UNUSABLE as error:
        unusable = [_unusable(error, root)]
        return lambda _value: unusable

    def check(value: Any) -> list[FieldError]:
        try:
            return [_field_error(error, root) for error in _errors(checker, value, ours)]
        except UNUSABLE as error:
            return [_unusable(error, root)]

    return check


def _unusable(error: Exception, root: str) -> FieldError:
    return FieldError(root, f"the schema cannot be used: {_why(error)}")


def schema_problem(schema: JsonObject) -> str | None:
    """Why this is no JSON Schema that can be used, if it is none."""
    try:
        _checker(jsons.dumps(schema), False)
    except UNUSABLE as error:
        return _why(error)
    return None


def _checker(text: str, ours: bool) -> _Checker:
    if ours:
        return _ours(text)
    return _foreign(text) if len(text) <= MOST_KEPT_LENGTH else _compiled(text, False)


@lru_cache(maxsize=512)
def _ours(text: str) -> _Checker:
    return _compiled(text, True)


@lru_cache(maxsize=MOST_KEPT)
def _foreign(text: str) -> _Checker:
    return _compiled(text, False)


def _compiled(text: str, ours: bool) -> _Checker:
    schema = jsons.loads(text)
    if not isinstance(schema, dict):
        raise BadSchema("it is not an object")
    if not ours and depth(schema, MOST_DEPTH) > MOST_DEPTH:
        raise BadSchema(f"it is nested deeper than {MOST_DEPTH} levels")
    known = cast("JsonObject", schema)
    cost = weight(known, len(text.encode()), ours=ours)
    # Whatever name it goes by, its references lead into itself, by the rules of one draft.
    plain = {word: part for word, part in known.items() if word not in ("$id", "$schema")}
    share = PATTERN_BYTES if ours else min(PATTERN_BYTES, PATTERNS_BYTES // max(1, cost.patterns))
    options = RegexOptions(size_limit=share)
    validator = Draft202012Validator(
        plain, pattern_options=options, keywords={"uniqueItems": UniqueItems}, offline=True
    )
    return _Checker(validator, cost)


def _errors(checker: _Checker, value: Json, ours: bool) -> list[ValidationError]:
    parts, characters = _measure(value)
    work = checker.weight.checks * (parts + characters // 16)
    more = OURS_MORE if ours else 1
    if work > MOST_WORK * more or checker.weight.steps * characters > MOST_STEPS * more:
        raise BadSchema("the value is too large to be checked against it")
    if checker.validator.is_valid(value):
        return []
    if work > MOST_LISTING:
        return [_first(checker.validator, value)]
    errors = list(checker.validator.iter_errors(value))
    errors.sort(key=lambda error: [str(step) for step in error.instance_path])
    return errors[:MOST_ERRORS]


def _first(validator: Draft202012Validator, value: Json) -> ValidationError:
    try:
        validator.validate(value)
    except ValidationError as error:
        return error
    raise AssertionError("a value cannot be valid and not valid")


def _measure(value: Json) -> tuple[int, int]:
    """How many parts a value has, a long number as several, and how many characters its texts."""
    parts, characters, left = 0, 0, [value]
    while left:
        each = left.pop()
        parts += 1
        if isinstance(each, str):
            characters += len(each)
        elif isinstance(each, dict):
            inside = cast("JsonObject", each)
            characters += sum(map(len, inside))
            left += inside.values()
        elif isinstance(each, int | float):
            parts += number_size(each)
        elif isinstance(each, list):
            left += cast("list[Json]", each)
    return parts, characters


def _field_error(error: ValidationError, root: str) -> FieldError:
    steps = [root] if root else []
    return FieldError(".".join([*steps, *(str(step) for step in error.instance_path)]), _sentence(error))


def _sentence(error: ValidationError) -> str:
    match error.kind:
        case ValidationErrorKind.Required(name):
            return f"'{name}' is missing"
        case ValidationErrorKind.Type(types):
            return f"must be of type {' or '.join(sorted(types))}"
        case ValidationErrorKind.Pattern(pattern):
            return _short(f"must match the pattern {pattern}")
        case _:
            return _short(error.message)


def _short(message: str) -> str:
    return message if len(message) <= MOST_SENTENCE else message[: MOST_SENTENCE - 1] + "…"


def _why(error: Exception) -> str:
    reason = str(error) or type(error).__name__
    if 'is not a "regex"' in reason:
        return f"{reason.splitlines()[0][:MOST_SENTENCE]}: {NO_LOOKING_BACK}"
    return reason.splitlines()[0][:MOST_SENTENCE]
