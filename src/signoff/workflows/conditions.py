"""Conditions in CEL: bounded, and without a word about Python."""

import re
from collections.abc import Iterator
from typing import Any, cast

from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.workflows.context import Context

LONGEST = 2_000
# Between two words there may be space and comments.
GAP = r"(?:\s|//[^\n]*(?:\n|$))*"
# Comprehensions inside of others have no bound that the library would hold.
COMPREHENSION = re.compile(rf"\b(?:all|exists|exists_one|existsOne|map|filter){GAP}\(")
MATCHES = re.compile(rf"\bmatches{GAP}\(")
PATHS = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")
# The library knows no end, and nothing else of the server goes on meanwhile: by the characters that it looks at, a
# second or two.
MOST_WORK = 200_000_000
# A pattern is made anew for each item, and is worth so many characters for each of its own.
PATTERN, MOST_OF_PATTERN = 4_000, 20_000_000
TOO_MUCH = "its condition goes through too much data. Let a step before it take what matters."
# The name that an item has inside of one.
_OF_A_LIST = re.compile(rf"\.{GAP}(?:all|exists|exists_one|existsOne|map|filter){GAP}\({GAP}(\w+){GAP},")
# Words of people, and what stands behind two slashes.
_TEXTS = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|//[^\n]*')
_STEPS = re.compile(r"(?<![\w.])steps\.(\w+)")
_STEPS_IN_BRACKETS = re.compile(r"""(?<![\w.])steps\[\s*["']([^"']*)["']\s*\]""")
TYPES = frozenset({"bool", "bytes", "double", "duration", "int", "list", "map", "string", "timestamp", "type", "uint"})


class ConditionError(Exception):
    """A condition cannot be read, or says neither yes nor no."""


def problem(when: str) -> str | None:
    """What is wrong with a condition as it is written."""
    if len(when) > LONGEST:
        return f"A condition has at most {LONGEST:,} characters."
    if len(COMPREHENSION.findall(when)) > 1:
        return "A condition may go through one list only, once."
    # The library loads its command line with it, and the server is to start without.
    import cel

    try:
        cel.compile(when)
    except Exception as error:  # noqa: BLE001 - the library raises whatever its parser does
        return f"It cannot be read: {error}"
    return None


def names_in(when: str) -> set[str]:
    """What a condition takes from the context; of one that cannot be read, nothing."""
    if problem(when) is not None:
        return set()
    import cel

    return set(cel.compile(when).variables()) - set(_OF_A_LIST.findall(when)) - TYPES


def steps_in(when: str) -> set[str]:
    """The steps whose outputs a condition looks at by their names."""
    return {*_STEPS.findall(_TEXTS.sub("''", when)), *_STEPS_IN_BRACKETS.findall(when)}


def holds(when: str, context: Context) -> bool:
    """Whether a condition is met."""
    wrong = problem(when)
    if wrong is not None:
        raise ConditionError(wrong)
    import cel

    program, there = cel.compile(when), context.names()
    # Only what it names is parsed; given by name, a null is a value, and what is not given is an error.
    named = {name: jsons.loads(there[name]) for name in program.variables() if name in there}
    if _work(when, named) > MOST_WORK:
        raise ConditionError(TOO_MUCH)
    try:
        result = program.execute(cel.Context(named))
    except Exception as error:  # noqa: BLE001 - as above
        raise ConditionError(f"its condition failed: {error}") from None
    if not isinstance(result, bool):
        raise ConditionError(f"its condition gave {type(result).__name__}, not true or false.")
    return result


def _work(when: str, named: JsonObject) -> int:
    """How many characters a condition may look at, at most: all that it names, each time it does, and again for each
    item of a list that it goes through."""
    sizes = dict[int, int]()
    # What is put together grows with each part.
    grows = 1 + when.count("+")
    # A repetition makes a pattern larger than it is written.
    pattern = len(when) * (100 if "{" in when else 1) if MATCHES.search(when) else 0
    work = sum(_size(named, path, sizes) for path in PATHS.findall(when)) * max(grows, pattern)
    walk = COMPREHENSION.search(when)
    if walk is None:
        return work
    around = sum(_size(named, path, sizes) for path in PATHS.findall(_inside(when[walk.end() :]))) * grows
    each = around + min(pattern * PATTERN, MOST_OF_PATTERN)
    return work + max(_longest(named), when.count(",")) * each


def _inside(rest: str) -> str:
    """What stands before the bracket that closes; all of it where a text or a comment may have brackets of its own."""
    depth = 1
    for at, sign in enumerate(rest):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return rest if any(each in rest[:at] for each in ("'", '"', "//")) else rest[:at]
    return rest


def _size(named: JsonObject, path: str, sizes: dict[int, int]) -> int:
    """How much stands at a path, or at the beginning of it that leads anywhere."""
    first, *rest = path.split(".")
    if first not in named:
        return 0
    value: Any = named[first]
    for part in rest:
        inside = cast(JsonObject, value) if isinstance(value, dict) else {}
        if part not in inside:
            break
        value = inside[part]
    found = cast(Any, value)
    if id(found) not in sizes:
        sizes[id(found)] = sum(len(each) if isinstance(each, str) else 1 for each in _all_in(found))
    return sizes[id(found)]


def _longest(value: Any) -> int:
    """How many items the longest list or object has."""
    return max(len(cast("list[Any] | JsonObject", each)) for each in _all_in(value) if isinstance(each, list | dict))


def _all_in(value: Any) -> Iterator[Any]:
    left = [value]
    while left:
        each = left.pop()
        yield each
        if isinstance(each, dict):
            left += cast(JsonObject, each).values()
        elif isinstance(each, list):
            left += cast(list[Any], each)
