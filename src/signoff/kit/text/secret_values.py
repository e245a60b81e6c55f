"""Secrets that are known by their value, taken out of what somebody else said, however it is escaped there."""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, cast
from urllib.parse import urlsplit

from signoff.kit.errors import FieldError
from signoff.kit.text.escapes import LONGEST_ESCAPE, Reading, readings

HIDDEN = "••••"
# What is shorter may be a part of any word.
SHORTEST_SECRET, TELLING_PART = 6, 12
TOO_SHORT = (
    f"has fewer than {SHORTEST_SECRET} characters, too few to be hidden where the other side repeats it. "
    "Choose a longer one. What is no secret, such as a port, belongs in the settings"
)
# The first and the last line of a key in PEM stand in every such key.
_FRAME = "-----"
_RUN = re.compile("[A-Za-z0-9]+")
_URL_SAFE = str.maketrans("+/", "-_")


def too_short(secrets: Mapping[str, str]) -> list[FieldError]:
    """Those of what somebody entered that could not be hidden. An empty one is none."""
    names = (name for name, value in secrets.items() if value and len(value.strip()) < SHORTEST_SECRET)
    return [FieldError(f"secrets.{name}", TOO_SHORT) for name in names]


def without_secrets(secrets: Iterable[str], text: str) -> str:
    """The same text, where the other side repeats what it was told: with none of these."""
    return _Known(secrets).hidden_in(text)


def without_secrets_inside(secrets: Iterable[str], value: Any) -> Any:
    """The same for every text of a JSON value, names of fields as well."""
    known = _Known(secrets)
    return known.hidden_inside(value) if known.forms else value


class _Known:
    """What to look for, made ready once for however many texts."""

    def __init__(self, secrets: Iterable[str]) -> None:
        # Where texts are read, a blank stands for every `+`.
        forms = {form.replace("+", " ") for secret in secrets for form in _forms(secret)}
        self.forms = {form for form in forms if len(form) >= SHORTEST_SECRET}
        # No notation writes plain letters and digits otherwise: without them no secret can be there, nor its beginning.
        self._runs = {_longest_run(form) for form in self.forms}
        self._first_runs = {_longest_run(form[:SHORTEST_SECRET]) for form in self.forms}
        self._room = LONGEST_ESCAPE * max(map(len, self.forms), default=0)

    def hidden_inside(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.hidden_in(value)
        if isinstance(value, list):
            return [self.hidden_inside(each) for each in cast("list[Any]", value)]
        if isinstance(value, dict):
            fields = cast("dict[str, Any]", value)
            return {self.hidden_in(name): self.hidden_inside(each) for name, each in fields.items()}
        return value

    def hidden_in(self, text: str) -> str:
        start = self._first_to_read(text)
        kept, done = list[str](), 0
        for begin, end in sorted(self._places(text[start:])) if start < len(text) else ():
            if begin + start > done or not kept:
                kept += (text[done : begin + start], HIDDEN)
            done = max(done, end + start)
        return "".join([*kept, text[done:]]) if kept else text

    def _first_to_read(self, text: str) -> int:
        """Before that there is no secret. One that was cut may be at the end of a text that has no whole one."""
        if len(text) < SHORTEST_SECRET:
            return len(text)
        if any(run in text for run in self._runs):
            return 0
        start = max(0, len(text) - self._room)
        end = text[start:]
        return start if any(run in end for run in self._first_runs) else len(text)

    def _places(self, text: str) -> set[tuple[int, int]]:
        """Where secrets begin and end in it."""
        return {
            place
            for reading in readings(text)
            for form in self.forms
            if form[:SHORTEST_SECRET] in reading.text
            for place in _places(form, reading)
        }


def _longest_run(form: str) -> str:
    return max(_RUN.findall(form), key=len, default="")


def _places(form: str, reading: Reading) -> Iterator[tuple[int, int]]:
    """Where it is in the text that was read, whole or as far as the text goes."""
    text = reading.text
    at = text.find(form)
    while at >= 0:
        yield reading.span(at, at + len(form))
        at = text.find(form, at + len(form))
    beginning = form[:SHORTEST_SECRET]
    at = text.find(beginning, max(0, len(text) - len(form) + 1))
    while at >= 0:
        if form.startswith(text[at:]):
            yield reading.span(at, len(text))
            return
        at = text.find(beginning, at + 1)


def _forms(secret: str) -> Iterator[str]:
    """As it is and in base64, its telling parts and its lines, each as it reads with its own escapes resolved, too."""
    for plain in {secret, secret.strip()}:
        yield from _in_base64(plain)
    for plain in {secret, secret.strip(), *_parts(secret)}:
        for reading in readings(plain, is_cut=False):
            yield reading.text
            yield from _lines(reading.text)


def _parts(secret: str) -> Iterator[str]:
    """Of an address, or of a token behind a name."""
    _, is_address, rest = secret.partition("://")
    host = None
    if is_address:
        with suppress(ValueError):
            host = urlsplit(secret).hostname
    yield from (secret.removeprefix("whsec_"), rest.partition("/")[2])
    parts = re.split(r"[/?&=@:#]+", rest) if is_address else secret.split(":")
    yield from (part for part in parts if len(part) >= TELLING_PART and part.lower() != host)


def _lines(text: str) -> Iterator[str]:
    lines = [line.strip() for line in text.splitlines()]
    if len(lines) > 1:
        yield from (line for line in lines if len(line) >= TELLING_PART and not line.startswith(_FRAME))


def _in_base64(secret: str) -> Iterator[str]:
    """Wherever it begins among other bytes: the characters that are its own alone."""
    content = secret.encode("utf-8", "replace")
    for before, shared in ((0, 0), (1, 2), (2, 3)):
        coded = b64encode(bytes(before) + content).decode().rstrip("=")
        own = (before + len(content)) * 8 // 6
        for form in (coded[shared:], coded[shared:own]):
            yield from (form, form.translate(_URL_SAFE))
