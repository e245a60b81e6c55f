"""What a call consists of: each argument by its path, with the kind of its value. Nothing beside them is given."""

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast

from signoff.kit.jsons import Json, JsonObject
from signoff.kit.text.masking import masked_text

# More of a text than its kind: one word of letters and digits, or words that reach nobody by themselves. A document,
# which goes into a file and is sent to nobody, may name its sources.
WORD, PROSE, DOCUMENT, TEXT, EMPTY = "word", "prose", "document", "text", "empty"
KINDS = (TEXT, WORD, PROSE, DOCUMENT, "number", "boolean", EMPTY)
FREE = (PROSE, DOCUMENT)
_SEVERAL = re.compile(r"up to ([1-9][0-9]{0,3}) (text|word|number|boolean)s")
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", re.ASCII)
# Words in a message that reach everybody in the room.
CALLS_ALL = re.compile(r"@(?:everyone|here|channel|all\b)|<[!@][\w&][^>\s]{0,80}", re.IGNORECASE)
# Texts of one line: a second one would be a header of its own.
_ONE_LINE = ("subject", "title", "headline", "caption")
# A link in a message is where its reader ends up: an address, or what a reader makes one of, but no file's name.
_LINK = re.compile(
    r"://|\bwww\.|\b(?:mailto|javascript|tel|data):\S|\]\(|(?<=[\w-])\.(?!(?:md|txt|csv|pdf|docx?|xlsx?|pptx?|png|jpe?g)\b)"
    r"[^\W\d_]{2,24}(?![\w-])",
    re.IGNORECASE,
)
# Dots and slashes that an address may be written with.
_MARKS = str.maketrans({"\u3002": ".", "\uff61": ".", "\u2024": ".", "\u2044": "/", "\u2215": "/"})
# What could be the number of a card; its last digit tells.
_CARD = re.compile(r"(?<![0-9])[0-9](?:[ .\u2010-\u2015-]?[0-9]){12,18}(?![0-9])")
# How texts begin that a machine reads, and pairs as a form sends them.
_FOR_MACHINES = ("{", "[", "<", "#!", "/", "!", "=")
# A longer text takes too long to look through for every rule and allowance, and nobody reads it.
LONGEST_PROSE = 100_000
_PAIRS = re.compile(r"[^\s=&]+=[^\s&]*(?:&[^\s=&]+=[^\s&]*)*")
MOST_PATHS, DEEPEST, LONGEST_PATH = 50, 10, 200
_RESERVED = frozenset({"arguments", "context"})


@dataclass
class Leaf:
    """The values that stand at one path; several where it leads through a list."""

    kind: str
    listed: bool
    values: list[Json] = field(default_factory=list[Any])

    @property
    def written(self) -> str:
        return f"up to {len(self.values)} {self.kind}s" if self.listed else self.kind


class _Unclear(Exception):
    """Which argument is which cannot be told."""


def is_kind(text: str) -> bool:
    return text in KINDS or _SEVERAL.fullmatch(text) is not None


def leaves(arguments: JsonObject) -> dict[str, Leaf] | None:
    """Every value by its path, lists opened; what is null is not there. None when two things could be meant."""
    found = dict[str, Leaf]()
    try:
        for name, value in arguments.items():
            if name in _RESERVED:
                return None
            _take(found, _step(name), value, listed=False, depth=0)
    except _Unclear:
        return None
    return found if len(found) <= MOST_PATHS else None


def fits(wanted: Mapping[str, str], arguments: JsonObject) -> bool | None:
    """Whether a call gives exactly these arguments, each of its kind."""
    found = leaves(arguments)
    if found is None:
        return None
    return found.keys() == wanted.keys() and all(_is_of(kind, found[path], path) for path, kind in wanted.items())


def _is_of(kind: str, leaf: Leaf, path: str) -> bool:
    several = _SEVERAL.fullmatch(kind)
    if leaf.listed:
        return several is not None and len(leaf.values) <= int(several[1]) and _all_are(several[2], leaf, path)
    return several is None and _all_are(kind, leaf, path)


def _all_are(kind: str, leaf: Leaf, path: str) -> bool:
    match kind:
        case "word":
            return leaf.kind == TEXT and all(is_word(value) for value in leaf.values)
        case "prose" | "document":
            name, links = path.rpartition(".")[2], kind == DOCUMENT
            return leaf.kind == TEXT and all(is_prose(value, name, links=links) for value in leaf.values)
        case _:
            return leaf.kind == kind


def is_word(value: Json) -> bool:
    return isinstance(value, str) and _WORD.fullmatch(value) is not None


def is_prose(value: Json, name: str = "", *, links: bool = False) -> bool:
    """Whether a text only says something: it calls nobody, leads nowhere, gives no secret away, tells no machine."""
    return isinstance(value, str) and len(value) <= LONGEST_PROSE and _only_says(value, name, links)


# Each of many rules and allowances looks at the same long text.
@lru_cache(maxsize=16)
def _only_says(value: str, name: str, links: bool) -> bool:
    text = unicodedata.normalize("NFKC", value).translate(_MARKS)
    if CALLS_ALL.search(text) or _is_for_machines(text) or _gives_away(text):
        return False
    if not links and _LINK.search(text):
        return False
    if text and text.splitlines() != [text] and any(word in name.lower() for word in _ONE_LINE):
        return False
    words = text.replace(",", " ").replace(";", " ").split()
    return not words or not all("@" in word or "://" in word for word in words)


def _gives_away(text: str) -> bool:
    return masked_text(text) != text or any(_is_card(found[0]) for found in _CARD.finditer(text))


def _is_card(text: str) -> bool:
    """By Luhn's sum: every second digit from the right is doubled."""
    digits = [int(each) for each in reversed(text) if each.isdecimal()]
    doubled = [sum(divmod(2 * each, 10)) for each in digits[1::2]]
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0


def _is_for_machines(text: str) -> bool:
    bare = text.strip().lstrip("\ufeff\u200b\u200c\u200d\u2060").lstrip()
    return bare.startswith(_FOR_MACHINES) or _PAIRS.fullmatch(bare) is not None or _is_json(bare)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _take(found: dict[str, Leaf], path: str, value: Json, *, listed: bool, depth: int) -> None:
    if depth > DEEPEST:
        raise _Unclear
    match value:
        case None:
            if listed:
                raise _Unclear
        case dict() if value:
            for name, inner in cast("JsonObject", value).items():
                _take(found, f"{path}.{_step(name)}", inner, listed=listed, depth=depth + 1)
        case list() if value:
            for inner in cast("list[Json]", value):
                _take(found, path, inner, listed=True, depth=depth + 1)
        case _:
            leaf = found.setdefault(path, Leaf(_kind(value), listed))
            if (listed and leaf.kind == EMPTY) or len(path) > LONGEST_PATH:
                raise _Unclear
            if leaf.kind != _kind(value) or leaf.listed is not listed or (leaf.values and not listed):
                raise _Unclear
            leaf.values.append(value)


def _kind(value: Json) -> str:
    match value:
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return TEXT
        case _:
            return EMPTY


def _step(name: str) -> str:
    """A name that would read as something else in a path makes the call unclear."""
    if not name.isprintable() or not name or set(name) & set(".*") or name.isdecimal() or name != name.strip():
        raise _Unclear
    return name
