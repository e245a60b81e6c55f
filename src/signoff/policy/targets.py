"""What a call is aimed at: where it goes and whom it reaches, by the names and the shapes of its arguments.

Two calls of one tool with the same targets do the same to the same place; they differ in what they say or how much.
What is not understood counts wholly: a target may be too narrow, never too wide.
"""

import re
from typing import Any, cast

from signoff.kit import jsons
from signoff.kit.jsons import Json, JsonObject
from signoff.policy.argument_kinds import CALLS_ALL
from signoff.policy.matching.mail_addresses import compares_addresses, split_addresses

# By its last word, what an argument says is no place: prose, quantities, times, pages of a list.
_PROSE = """text body content message subject title headline caption description summary note comment reason rationale
    explanation why markdown html paragraph question answer reply feedback greeting excerpt abstract"""
_QUANTITIES = """amount price cost total subtotal sum quantity qty count credit cent fee tax discount percent percentage
    rate score rating weight duration second minute hour"""
_COUNTED = "amount total subtotal sum quantity qty count credit cent"
_TIMES = "date time timestamp deadline due day week month year"
_PAGES = "limit offset cursor page"
CONTENT = frozenset(" ".join((_PROSE, _QUANTITIES, _TIMES, _PAGES)).split())
LESS_WHEN_SMALLER = frozenset(_COUNTED.split())
PROSE = frozenset(_PROSE.split())
# Which of many alike things it is about, within the place that other arguments name.
_ITEMS = (
    """ticket issue task case order invoice payment transaction booking record row item entry message comment post"""
)
ITEMS = frozenset(_ITEMS.split())
_REFERENCES = frozenset({"id", "uuid", "number", "no", "key", "ref", "reference"})
_PATHS = frozenset({"path", "file", "filename", "filepath", "pathname"})

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_URL = re.compile(
    r"(https?)://([a-z0-9-]+(?:\.[a-z0-9-]+)*(?::[0-9]{1,5})?)(?:[/?#][^\s\\]*)?", re.IGNORECASE | re.ASCII
)
# What a shell, another system or another folder would make something else of is no plain path.
_PLAIN_PATH = re.compile(r"[^\x00-\x1f\\:*?\[\]{}~$]+")
_FILE = re.compile(r"[^\s]*/[^\s]*\.[A-Za-z][A-Za-z0-9]{0,5}", re.ASCII)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:.]+(Z|[+-][0-9:]+)?)?", re.ASCII)


def targets(arguments: JsonObject) -> JsonObject:
    """{argument: target}: a folder, a host, addresses, or the value as it stands. Dots lead into objects."""
    found = JsonObject()
    for name, value in arguments.items():
        key = _step(name)
        if isinstance(value, dict) and value:
            inner = targets(cast("JsonObject", value))
            found |= {f"{key}.{path}": target for path, target in inner.items()}
            continue
        aimed = _of_list(name, cast("list[Any]", value)) if isinstance(value, list) and value else _of(name, value)
        if aimed:
            found[key] = _once_each(aimed)
    return found


def _of_list(name: str, values: list[Any]) -> list[Json]:
    if all(isinstance(each, dict) for each in values):
        # Each by itself: who gets what belongs together.
        return [each for each in map(targets, values) if each]
    if any(isinstance(each, dict | list) for each in values):
        return [values]
    return [target for each in values for target in _of(name, each)]


def _of(name: str, value: Json) -> list[Json]:
    """What one value aims at; nothing for what only says what, how much or when."""
    if isinstance(value, str):
        known = _by_shape(value)
        if known:
            return known
    if _is_content(name):
        return sorted({each.lower() for each in CALLS_ALL.findall(value)}) if isinstance(value, str) else []
    if not isinstance(value, str):
        return [value]
    if _last_words(name)[0] in _PATHS or _FILE.fullmatch(value):
        return [folder(value) or value]
    return [] if _DATE.fullmatch(value) else [value]


def _by_shape(value: str) -> list[Json]:
    if "@" in value:
        addresses = split_addresses(value)
        return addresses if compares_addresses("==", addresses) else []
    found = host(value)
    return [] if found is None else [found]


def host(value: str) -> str | None:
    """`example.com` of an https address, `http://example.com` of one that is not safe; None for any other text."""
    url = _URL.fullmatch(value)
    if url is None:
        return None
    scheme, place = url[1].lower(), url[2].lower()
    return place if scheme == "https" else f"{scheme}://{place}"


def folder(path: str) -> str | None:
    """`drafts/` of `drafts/a.md`, `./` of `a.md`; None for a path that leads up or that is no plain one."""
    steps = [step for step in path.split("/") if step not in ("", ".")]
    if not steps or ".." in steps or not _PLAIN_PATH.fullmatch(path):
        return None
    within = "".join(f"{step}/" for step in steps[:-1])
    return f"/{within}" if path.startswith("/") else within or "./"


def is_prose_name(name: str) -> bool:
    """Whether an argument of this name only says something."""
    return _last_words(name)[0] in PROSE


def is_less_when_smaller(name: str) -> bool:
    """Whether half of it does half as much. Half a price, a rate or a discount does something else."""
    return _last_words(name)[0] in LESS_WHEN_SMALLER


def is_measure(name: str) -> bool:
    """Whether an argument of this name says how much, when, or which part of a list."""
    return _last_words(name)[0] in CONTENT - PROSE


def is_path(name: str) -> bool:
    return _last_words(name)[0] in _PATHS


def is_item(name: str) -> bool:
    """Whether an argument of this name says which of many alike things is meant: `order_id`."""
    last, before = _last_words(name)
    return last in ITEMS or (last in _REFERENCES and before in ITEMS)


def _is_content(name: str) -> bool:
    last, before = _last_words(name)
    if last in _REFERENCES:
        return before in ITEMS
    return last in CONTENT or last in ITEMS or (last == "at" and before != "")


def words_of(name: str) -> frozenset[str]:
    """The words that a name consists of: `queryText` is about a query and a text."""
    return frozenset(word.lower() for word in _WORDS.findall(name))


def _last_words(name: str) -> tuple[str, str]:
    """The word that says what an argument is, and the one before: `customerIds` is about ids of a customer."""
    words = ["", "", *(_singular(word.lower()) for word in _WORDS.findall(name))]
    return words[-1], words[-2]


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and word[:-1] in _KNOWN else word


_KNOWN = CONTENT | ITEMS | _REFERENCES | _PATHS


def _step(key: str) -> str:
    """A key that would read as several steps is written as JSON."""
    return jsons.dumps(key) if not key or set(key) & set('."') else key


def _once_each(values: list[Json]) -> Json:
    """In one order: who is named first makes no difference."""
    distinct = {jsons.exact(value): value for value in values}
    ordered = [distinct[text] for text in sorted(distinct)]
    return ordered if len(ordered) > 1 else ordered[0]
