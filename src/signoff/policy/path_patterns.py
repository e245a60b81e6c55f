"""Places as rules compare them: `reports/*.md`, `reports/**`, `https://api.example.com/v1/*`. Never guessed."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from signoff.kit.jsons import Json

_HOST = r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*"
_URL = re.compile(rf"(https?)://({_HOST}(?::[0-9]{{1,5}})?)(/[^\s\\?#]*)?(\?[^\s\\#]*)?", re.IGNORECASE | re.ASCII)
# What another system, a shell or a server would make something else of is no plain path.
_PLAIN = re.compile(r"[^\x00-\x1f\x7f\\:*?\[\]{}~$|<>\"%]+")
# Letters, digits and marks that need no such spelling, and what leads elsewhere.
_HIDES = re.compile(r"%(?:2[def5]|3[0-9]|[46][1-9a-f]|[57][0-9a]|5[cf]|7e|00)", re.IGNORECASE)
_LAST = re.compile(r"\*\*|\*(?:\.[A-Za-z0-9]{1,10})?")
LONGEST = 4_096
BELOW, ANY, QUERY = "**", "*", "?*"


@dataclass(frozen=True, slots=True)
class Place:
    """A path taken apart: where it begins (a host, `/`, or here), its steps, and whether it asks something."""

    root: str
    steps: tuple[str, ...]
    asks: bool = False


@dataclass(frozen=True, slots=True)
class PathPattern:
    """Steps as they stand, then maybe `**` for any depth, then a name, `*` or `*.md`. What is hidden must be named."""

    root: str
    steps: tuple[str, ...]
    last: str
    deep: bool
    asks: bool

    def holds(self, value: Json) -> bool | None:
        """Whether a path or an address lies there; None for what is no plain one."""
        place = read_place(value)
        if place is None:
            return None
        if place.root != self.root or (place.asks and not self.asks):
            return False
        count = len(self.steps)
        if place.steps[:count] != self.steps:
            return False
        rest = place.steps[count:]
        if self.last == BELOW:
            return _shown(rest)
        if len(rest) != 1 and not (rest and self.deep):
            return False
        *between, name = rest
        return _shown(between) and self._names(name)

    def _names(self, name: str) -> bool:
        if "*" not in self.last:
            return name == self.last
        return _shown([name]) and name.endswith(self.last[1:]) and len(name) > len(self.last) - 1


def read_pattern(text: str) -> PathPattern | None:
    """A pattern as it is written; None when it is none."""
    asks = text.endswith(QUERY)
    body = text.removesuffix(QUERY) if asks else text
    root, path = _split_pattern(body)
    steps = path.split("/")
    last, before = steps[-1], steps[:-1]
    deep = last == BELOW or (bool(before) and before[-1] == BELOW)
    if deep and last != BELOW:
        before = before[:-1]
    literals = before if "*" in last else [*before, last]
    if not all(_is_step(step) and _PLAIN.fullmatch(step) for step in literals) or (
        "*" in last and not _LAST.fullmatch(last)
    ):
        return None
    return PathPattern(root, tuple(before), last, deep, asks)


def read_place(value: Json) -> Place | None:
    """A plain path or web address; None for what leads up, hides something, or is written in letters that deceive."""
    if type(value) is not str or not value or len(value) > LONGEST or not value.isprintable():
        return None
    if not value.isascii() and unicodedata.normalize("NFKC", value) != value:
        return None
    url = _URL.fullmatch(value)
    if url is not None:
        path = (url[3] or "/")[1:].removesuffix("/")
        steps = tuple(path.split("/")) if path else ()
        plain = not _HIDES.search(path) and all(map(_is_step, steps))
        return Place(_origin(url), steps, url[4] is not None) if plain else None
    if "://" in value or not _PLAIN.fullmatch(value):
        return None
    root, path = ("/", value[1:]) if value.startswith("/") else ("", value)
    steps = tuple(path.split("/"))
    return Place(root, steps) if all(map(_is_step, steps)) else None


def _split_pattern(text: str) -> tuple[str, str]:
    url = re.match(rf"(https?)://({_HOST}(?::[0-9]{{1,5}})?)/", text)
    if url is not None:
        return _origin(url), text[url.end() :]
    return ("/", text[1:]) if text.startswith("/") else ("", text)


def _origin(url: re.Match[str]) -> str:
    scheme, place = url[1].lower(), url[2].lower()
    default = ":443" if scheme == "https" else ":80"
    return f"{scheme}://{place.removesuffix(default)}/"


def _is_step(step: str) -> bool:
    return bool(step) and step not in (".", "..") and step == step.strip() and not step.endswith(".")


def _shown(steps: Sequence[str]) -> bool:
    return not any(step.startswith(".") for step in steps)
