"""Conditions in CEL: bounded, and without a word about Python."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, cast

from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.workflows.condition_words import unreadable
from signoff.workflows.context import Context
from signoff.workflows.templates import TemplateError, Work

LONGEST = 2_000
# Between two words there may be space and comments.
GAP = r"(?:\s|//[^\n]*(?:\n|$))*"
# Comprehensions inside of others have no bound that the library would hold.
COMPREHENSION = re.compile(rf"\b(?:all|exists|exists_one|existsOne|map|filter){GAP}\(")
MATCHES = re.compile(rf"\bmatches{GAP}\(")
# The library knows no end, and nothing else of the server goes on meanwhile: by the characters that it looks at, a
# second or two.
MOST_WORK = 200_000_000
# So many are worth as much as one step of a template; to measure them costs more than to look at them.
CHARACTERS_OF_ONE, CHARACTERS_MEASURED = 200, 8
# A pattern is made anew for each item, and is worth so many characters for each of its own.
PATTERN, MOST_OF_PATTERN = 4_000, 20_000_000
# So is a value that is copied: the library does so with whatever a path leads through, and what a list is made of.
VALUE = 10
TOO_MUCH = "its condition goes through too much data. Let a step before it take what matters."
# Texts and comments, in which nothing is read.
_RAW = r"""(?:\"{3}[\s\S]*?\"{3}|'{3}[\s\S]*?'{3}|"[^"\n]*"|'[^'\n]*')"""
_PLAIN = r"""(?:\"{3}(?:\\[\s\S]|[^\\])*?\"{3}|'{3}(?:\\[\s\S]|[^\\])*?'{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
_NO_CODE = re.compile(rf"//[^\n]*|(?:[rR][bB]?|[bB][rR]){_RAW}|[bB]?{_PLAIN}")
_AROUND_DOTS = re.compile(r"\s*([.\[])\s*")
# A path with its indices, one part of it, and what follows anything else.
_PATHS = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?:\.\w+|\[[^\[\]]*\])*")
_PARTS = re.compile(r"\[[^\[\]]*\]|\w+")
_BEHIND = re.compile(r"(?<=[)\]}])(?:\.\w+)+\(?")
_LAST_PATH = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?:\.\w+)*(?=\.$)")
_WORDS = re.compile(r"\w+")
_MAKES_ONE = re.compile(r"[{+]|(?:^|[^\w\])}]|\bin)\[")
_NOWHERE = object()
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
        return unreadable(error)
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


def holds(when: str, context: Context, work: Work | None = None) -> bool:
    """Whether a condition is met. `work` is what it may do together with others; else only its own bound counts."""
    wrong = problem(when)
    if wrong is not None:
        raise ConditionError(wrong)
    import cel

    program, there = cel.compile(when), context.names()
    # Only what it names is parsed; given by name, a null is a value, and what is not given is an error.
    texts = {name: there[name] for name in program.variables() if name in there}
    try:
        if work is not None:
            work.count(sum(map(len, texts.values())) // CHARACTERS_MEASURED)
        named = {name: jsons.loads(each) for name, each in texts.items()}
        units = _work(when, named)
        if work is not None:
            work.count(units // CHARACTERS_OF_ONE)
    except TemplateError:
        raise ConditionError(TOO_MUCH) from None
    if units > MOST_WORK:
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
    code = _AROUND_DOTS.sub(r"\1", _NO_CODE.sub(" ", when))
    walk = COMPREHENSION.search(code)
    maps = walk is not None and walk[0].startswith("map")
    data = _Data(named, copied=maps or _MAKES_ONE.search(code) is not None)
    # What is put together grows with each part.
    grows = 1 + code.count("+")
    # A repetition makes a pattern larger than it is written.
    pattern = len(when) * (100 if "{" in when else 1) if MATCHES.search(when) else 0
    work = data.size(named) + data.reads(code) * max(grows, pattern)
    if walk is None:
        return work
    inside = _inside(code[walk.end() :])
    items, size = data.walked(code[: walk.start()]) or (
        max(data.longest, code.count(",")) * grows,
        data.size(named) * grows,
    )
    words, around = len(_WORDS.findall(inside)), data.reads(inside) * grows
    work += words * size + items * (around + words * VALUE + min(pattern * PATTERN, MOST_OF_PATTERN))
    if walk[0].startswith("filter"):
        # Here as below, each list that is made is a copy of the one before, with one item more.
        work += items * size
    elif maps:
        work += items * (words * size + items * around)
    return work


def _inside(rest: str) -> str:
    """What stands before the bracket that closes."""
    depth = 1
    for at, sign in enumerate(rest):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return rest[:at]
    return rest


class _Data:
    """How much it is to read what a condition names."""

    def __init__(self, named: JsonObject, *, copied: bool) -> None:
        self._named = named
        # Whether what is only named is copied, too, or just looked at.
        self._weight = VALUE if copied else 1
        self._sizes = dict[int, tuple[int, int]]()

    @property
    def longest(self) -> int:
        """How many items the longest list or object has."""
        return max(len(cast("list[Any] | JsonObject", each)) for each in _all_in(self._named) if _has_items(each))

    def size(self, value: Any, weight: int = VALUE) -> int:
        if id(value) not in self._sizes:
            values = characters = 0
            for each in _all_in(value):
                values += 1 + (len(cast(JsonObject, each)) if isinstance(each, dict) else 0)
                characters += len(each) if isinstance(each, str) else 0
            self._sizes[id(value)] = values, characters
        values, characters = self._sizes[id(value)]
        return values * weight + characters

    def reads(self, code: str) -> int:
        """All that stands at the paths in it, and what they lead through."""
        behind = sum(each.count(".") - each.count("(") for each in _BEHIND.findall(_PATHS.sub("_", code)))
        return sum(map(self._reads_at, _PATHS.findall(code))) + behind * self.size(self._named)

    def walked(self, before: str) -> tuple[int, int] | None:
        """How many items the list has that stands last, and how large it is; None: it is no list of the data."""
        path = _LAST_PATH.search(before)
        if path is None:
            return None
        value: Any = self._named
        for part in path[0].split("."):
            value = cast(JsonObject, value).get(part) if isinstance(value, dict) else None
        return (len(value), self.size(value)) if _has_items(value) else None

    def _reads_at(self, path: str) -> int:
        first, *rest = _PARTS.findall(path)
        read = sum(self.reads(part[1:-1]) for part in rest if part.startswith("["))
        if first not in self._named:
            return read
        value: Any = self._named[first]
        for place, part in enumerate(rest):
            inside = _at(value, part)
            if inside is _NOWHERE and part.startswith("["):
                # Some item of it, and what that leads through.
                return read + max(map(self.size, _items(value)), default=0) * (len(rest) - place)
            if inside is _NOWHERE:
                break
            # The first step copies nothing.
            read += self.size(value) if place else 0
            value = inside
        return read + self.size(value, self._weight if value is self._named[first] else VALUE)


def _at(value: Any, part: str) -> Any:
    if isinstance(value, dict):
        # What stands in the brackets is a text that was taken out: some field of it.
        return _NOWHERE if part.startswith("[") else cast(JsonObject, value).get(part, _NOWHERE)
    index, items = part[1:-1].strip(), cast(list[Any], value) if isinstance(value, list) else []
    known = part.startswith("[") and index.isascii() and index.isdigit() and int(index) < len(items)
    return items[int(index)] if known else _NOWHERE


def _has_items(value: Any) -> bool:
    return isinstance(value, list | dict)


def _items(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return cast(JsonObject, value).values()
    return cast(list[Any], value) if isinstance(value, list) else ()


def _all_in(value: Any) -> Iterator[Any]:
    left = [value]
    while left:
        each = left.pop()
        yield each
        left += _items(each)
