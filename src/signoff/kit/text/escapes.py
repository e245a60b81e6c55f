"""A text as it reads once its escapes are resolved, and where each part of that stands in the text. Pure and linear."""

import html
import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

# How often one may be put into the next: JSON in JSON in JSON, else any two of them.
MOST_DEEP, MOST_DEEP_OF_ONE = 2, 3
# So many characters may stand for one, but for entities with long names: one above U+FFFF in an address in an address.
LONGEST_ESCAPE = 20
# As many may be left of one at the end.
LONGEST_HALF = 34
_SIGNS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


@dataclass(frozen=True, eq=False)
class Notation:
    """One way to write a character as something else. Each match stands for one character."""

    # Without it there is nothing to resolve.
    sign: str
    escape: re.Pattern[str]
    # What the text ends with where it was cut in the middle of an escape.
    half: re.Pattern[str]
    resolve: Callable[[str], str]


@dataclass(frozen=True, eq=False)
class Reading:
    """The text, and from where to where its parts stand in the one that it was read from."""

    text: str
    source: "Reading | None" = None
    # Of each escape: where it begins and ends here, and where it does in the source.
    starts: list[int] = field(default_factory=list[int])
    stops: list[int] = field(default_factory=list[int])
    begins: list[int] = field(default_factory=list[int])
    ends: list[int] = field(default_factory=list[int])

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Where this part stands in the text as it was given, escapes whole."""
        if self.source is None:
            return start, stop
        # What is left of a cut escape belongs to the end.
        end = len(self.source.text) if stop == len(self.text) else self._place(stop - 1)[1]
        return self.source.span(self._place(start)[0], end)

    def _place(self, at: int) -> tuple[int, int]:
        """From where to where the character stands in the source."""
        before = bisect_right(self.starts, at) - 1
        if before < 0:
            return at, at + 1
        if at < self.stops[before]:
            return self.begins[before], self.ends[before]
        behind = self.ends[before] + at - self.stops[before]
        return behind, behind + 1


def readings(text: str, *, is_cut: bool = True) -> Iterator[Reading]:
    """The text as it is, and as it reads with its escapes resolved, where it has some. A blank stands for every `+`, as
    in addresses. Of a text that may have been cut, half an escape at its end is left out."""
    yield from _readings(Reading(text.replace("+", " ")), (), is_cut)


def _readings(reading: Reading, behind: tuple[Notation, ...], is_cut: bool) -> Iterator[Reading]:
    yield reading
    for notation in NOTATIONS:
        of_one = all(each is BACKSLASHES for each in (*behind, notation))
        if len(behind) < (MOST_DEEP_OF_ONE if of_one else MOST_DEEP):
            resolved = _resolved(reading, notation, is_cut)
            if resolved is not None:
                yield from _readings(resolved, (*behind, notation), is_cut)


def _resolved(source: Reading, notation: Notation, is_cut: bool) -> Reading | None:
    text = source.text
    if notation.sign not in text:
        return None
    reading, pieces = Reading("", source), list[str]()
    known = dict[str, str]()
    done = size = 0
    for found in notation.escape.finditer(text):
        written = found[0]
        said = known.get(written)
        if said is None:
            said = known[written] = notation.resolve(written).replace("+", " ")
        begin, end = found.span()
        size += begin - done
        reading.starts.append(size)
        size += len(said)
        reading.stops.append(size)
        reading.begins.append(begin)
        reading.ends.append(end)
        pieces += (text[done:begin], said)
        done = end
    half = notation.half.search(text, max(done, len(text) - LONGEST_HALF)) if is_cut else None
    if not pieces and half is None:
        return None
    pieces.append(text[done : half.start() if half else len(text)])
    return Reading("".join(pieces), source, reading.starts, reading.stops, reading.begins, reading.ends)


def _of_backslashes(written: str) -> str:
    sign = written[1]
    if sign in "ux":
        # Two of them are the halves of one character.
        codes = [int(each, 16) for each in written[2:].split("\\u")]
        return chr(codes[0]) if len(codes) == 1 else chr(0x10000 + (codes[0] - 0xD800) * 0x400 + codes[1] - 0xDC00)
    return _SIGNS.get(sign, sign)


def _of_entities(written: str) -> str:
    if written[1] != "#":
        return html.unescape(written)
    code = int(written[3:-1], 16) if written[2] in "xX" else int(written[2:-1])
    return chr(code) if code <= sys.maxunicode else written


def _of_address(written: str) -> str:
    try:
        return unquote_to_bytes(written).decode()
    except UnicodeDecodeError:
        return written


_HEX, _LOW = "[0-9a-fA-F]", "u[dD][c-fC-F]"
_HIGH = f"u[dD][89abAB]{_HEX}{{2}}"
# The first of two halves, as far as the text goes.
_CUT_PAIR = rf"{_HIGH}(?:\\(?:u{_HEX}{{0,3}})?)?\Z"
_MORE = f"%[89abAB]{_HEX}"
# JSON, and what programs print: JavaScript, Python, C.
BACKSLASHES = Notation(
    "\\",
    re.compile(rf"""\\(?:["'\\/bfnrt]|{_HIGH}\\{_LOW}{_HEX}{{2}}|(?!{_CUT_PAIR})u{_HEX}{{4}}|x{_HEX}{{2}})"""),
    re.compile(rf"\\(?:{_CUT_PAIR}|u{_HEX}{{0,3}}\Z|x{_HEX}?\Z|\Z)"),
    _of_backslashes,
)
ENTITIES = Notation(
    "&",
    re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"),
    re.compile(r"&(?:#[0-9]{0,7}|#[xX][0-9a-fA-F]{0,6}|[A-Za-z][A-Za-z0-9]{0,31})?\Z"),
    _of_entities,
)
ADDRESS = Notation(
    "%",
    re.compile(
        rf"%[0-7]{_HEX}|%[cCdD]{_HEX}{_MORE}|%[eE]{_HEX}(?:{_MORE}){{2}}|%[fF][0-4](?:{_MORE}){{3}}", re.IGNORECASE
    ),
    re.compile(rf"%(?:[c-fC-F]{_HEX}(?:{_MORE}){{0,2}}(?:%{_HEX}?)?|{_HEX})?\Z"),
    _of_address,
)
NOTATIONS = (BACKSLASHES, ENTITIES, ADDRESS)
