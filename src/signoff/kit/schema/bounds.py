"""How much work a JSON Schema is, known before it is compiled. Pure.

A reference costs what it leads to, every time: forty lines of references to references are a million checks.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import unquote

import re2  # pyright: ignore[reportMissingTypeStubs]

from signoff.kit.jsons import Json, JsonObject

MOST_BYTES = 64 * 1024
MOST_DEPTH = 32
MOST_REFERENCES = 100
MOST_CHECKS = 10_000
MOST_PATTERN = 1_000
MOST_PATTERNS = 200
# Where one reference leads to the next, in all.
MOST_LEVELS = 200

ONE = ("additionalProperties", "items", "contains", "propertyNames", "not", "if", "then", "else", "additionalItems")
UNEVALUATED = ("unevaluatedProperties", "unevaluatedItems")
SEVERAL = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
# These lead elsewhere depending on who asks, or out of the schema: none is needed for a form.
ELSEWHERE = ("$dynamicRef", "$recursiveRef", "$dynamicAnchor", "$recursiveAnchor", "$anchor", "$vocabulary")
STANDARD = ("http://json-schema.org/", "https://json-schema.org/")
# To look for repetitions takes this much longer than a plain check, and a division this much.
UNIQUE = 100
DIVISION = 5
# What a pattern counts when its size is not known.
UNKNOWN_SIZE = 20_000
# It comes without types.
_RE2: Any = re2


class BadSchema(ValueError):
    """The schema is too much, or leads out of itself; the message says what to change."""


@dataclass(frozen=True)
class Weight:
    """What checking one value costs: this many checks for each of its parts, this many steps for each character.

    And how many patterns there are to compile.
    """

    checks: int
    steps: int
    patterns: int = 0

    def __add__(self, other: "Weight") -> "Weight":
        return Weight(self.checks + other.checks, self.steps + other.steps, self.patterns + other.patterns)

    def __mul__(self, times: int) -> "Weight":
        return Weight(self.checks * times, self.steps * times, self.patterns)


def weight(schema: JsonObject, size: int, *, ours: bool = False) -> Weight:
    """What a schema of `size` bytes costs. Raises BadSchema when it goes too far; a schema of ours may."""
    if not ours and size > MOST_BYTES:
        raise BadSchema(f"it has {size:,} bytes; at most {MOST_BYTES:,} are allowed")
    return _Scales(schema, ours).weigh(schema, 0)


@dataclass
class _Scales:
    root: JsonObject
    ours: bool
    _known: dict[int, Weight] = field(default_factory=dict[int, Weight])
    _open: set[int] = field(default_factory=set[int])
    _references: int = 0
    _patterns: int = 0

    def weigh(self, node: Json, level: int) -> Weight:
        if not isinstance(node, dict):
            return Weight(1, 0)
        schema, key = cast("JsonObject", node), id(cast("object", node))
        if key in self._known:
            return self._known[key]
        if key in self._open:
            return self._itself()
        if level > MOST_LEVELS:
            raise BadSchema("it is nested too deeply")
        self._open.add(key)
        found = self._of_one(schema, level + 1)
        self._open.discard(key)
        if not self.ours and found.checks > MOST_CHECKS:
            raise BadSchema(f"it adds up to more than {MOST_CHECKS:,} checks")
        self._known[key] = found
        return found

    def _itself(self) -> Weight:
        if not self.ours:
            raise BadSchema("it refers to itself; write each level out")
        return Weight(1, 0)

    def _of_one(self, schema: JsonObject, level: int) -> Weight:
        if not self.ours:
            _refuse_elsewhere(schema, schema is self.root)
            _refuse_other_than_names(schema)
        total = Weight(1 + _plain_size(schema) + _slow(schema), 0) + self._of_patterns(_patterns(schema))
        for part in _parts(schema):
            total += self.weigh(part, level)
        if "$ref" in schema:
            total += self.weigh(self._target(schema["$ref"]), level)
        # Each of these evaluates all that stands beside it once more, within each other again and again.
        return total * 3 if any(word in schema for word in UNEVALUATED) else total

    def _of_patterns(self, patterns: list[str]) -> Weight:
        self._patterns += len(patterns)
        if not self.ours and self._patterns > MOST_PATTERNS:
            raise BadSchema(f"it has more than {MOST_PATTERNS} patterns")
        return Weight(0, sum(_pattern_size(each) for each in patterns), len(patterns))

    def _target(self, reference: Json) -> Json:
        self._references += 1
        if not self.ours and self._references > MOST_REFERENCES:
            raise BadSchema(f"it has more than {MOST_REFERENCES} references")
        if not isinstance(reference, str) or not (reference == "#" or reference.startswith("#/")):
            raise BadSchema(f"`$ref` must lead to a part of the same schema, such as `#/$defs/item`: {reference!s:.80}")
        place: Any = self.root
        for step in reference.split("/")[1:]:
            name = _unescaped(step)
            inside = _by_name(place)
            if name not in inside:
                raise BadSchema(f"`{reference:.80}` leads to nothing")
            place = inside[name]
        return place


def depth(value: Json, most: int) -> int:
    """How deeply a value nests, counted up to just past `most`."""
    level, layer = 0, [value]
    while layer and level <= most:
        layer = [inside for each in layer for inside in _inside(each)]
        level += 1
    return level


def _by_name(value: Json) -> JsonObject:
    if isinstance(value, list):
        return {str(index): each for index, each in enumerate(cast("list[Json]", value))}
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def _inside(value: Json) -> Iterator[Json]:
    if isinstance(value, dict):
        yield from cast("JsonObject", value).values()
    elif isinstance(value, list):
        yield from cast("list[Json]", value)


def _refuse_elsewhere(schema: JsonObject, is_root: bool) -> None:
    for word in ELSEWHERE:
        if word in schema:
            raise BadSchema(f"`{word}` is not supported; use `$ref` to refer to a part of the same schema")
    if "$id" in schema and not is_root:
        raise BadSchema("`$id` inside a schema is not supported")
    if "$schema" in schema and not str(schema["$schema"]).startswith(STANDARD):
        raise BadSchema("`$schema` must be one of json-schema.org, or be left out")


def _refuse_other_than_names(schema: JsonObject) -> None:
    """The validator would look for repetitions first, which takes long among large numbers."""
    needed = schema.get("dependentRequired")
    lists = list(cast("JsonObject", needed).values()) if isinstance(needed, dict) else []
    for names in (schema.get("required"), schema.get("type"), *lists):
        if isinstance(names, list) and not all(isinstance(name, str) for name in cast("list[Json]", names)):
            raise BadSchema("`required`, `type` and `dependentRequired` list names")


def _parts(schema: JsonObject) -> Iterator[Json]:
    for word in (*ONE, *UNEVALUATED):
        if isinstance(schema.get(word), dict):
            yield schema[word]
    for word in SEVERAL:
        if isinstance(schema.get(word), list):
            yield from schema[word]
    for word in NAMED:
        if isinstance(schema.get(word), dict):
            yield from schema[word].values()


def _plain_size(schema: JsonObject) -> int:
    """What is looked through one by one."""
    return sum(len(schema[word]) for word in ("enum", "required", "type") if isinstance(schema.get(word), list))


def _slow(schema: JsonObject) -> int:
    """What takes longer than a look."""
    divisor = schema.get("multipleOf")
    division = DIVISION + number_size(divisor) if isinstance(divisor, int | float) else 0
    return division + (UNIQUE if schema.get("uniqueItems") is True else 0)


def number_size(number: float) -> int:
    """How many plain checks it takes to reckon with a number: the square of its length, nothing for everyday ones."""
    length = number.bit_length() if isinstance(number, int) else abs(math.frexp(number)[1])
    return (length >> 6) ** 2


def _patterns(schema: JsonObject) -> list[str]:
    patterns = [schema["pattern"]] if isinstance(schema.get("pattern"), str) else []
    if isinstance(schema.get("patternProperties"), dict):
        patterns += schema["patternProperties"]
    return patterns


def _pattern_size(pattern: str) -> int:
    """How many places of a pattern may be looked at for each character."""
    if len(pattern) > MOST_PATTERN:
        raise BadSchema(f"a pattern has at most {MOST_PATTERN:,} characters")
    options = _RE2.Options()
    options.log_errors = False
    options.max_mem = 1 << 20
    try:
        return _RE2.compile(pattern, options).programsize
    except (_RE2.error, UnicodeEncodeError):
        return UNKNOWN_SIZE


def _unescaped(step: str) -> str:
    return unquote(step).replace("~1", "/").replace("~0", "~")
