"""Text that could show something else than what it is.

Characters that cannot be seen or that turn the direction of writing, gaps that push the rest out of sight, and
addresses in letters that look like others. The lists are those of
`web/src/ui/text/deceptiveText.ts`; a test compares them.
"""

import re
import unicodedata

HIDDEN = (
    "0-8 b-1f 7f-9f ad 34f 61c 115f-1160 17b4-17b5 180b-180f 200a-200f 2028-202e 2060-206f 2800 3164 d800-dfff "
    "e000-f8ff fdd0-fdef fe00-fe0f feff ffa0 fff0-fffb fffe-ffff 1bca0-1bca3 1d159 1d173-1d17a e0000-10ffff"
)
# After these a variation selector, and between two of them a joiner, makes another picture.
EMOJI = "23 2a 30-39 a9 ae 203c-2bff 3030 303d 3297 3299 1f000-1faff"
# Letters and marks that look like a Latin one, or like a mark that ends a name.
LOOKS_LIKE = (
    "430:a 435:e 43e:o 440:p 441:c 443:y 445:x 44c:b 455:s 456:i 458:j 475:v 4af:y 4bb:h 4cf:l 501:d 51b:q 51d:w "
    "405:S 406:I 408:J 410:A 412:B 415:E 41a:K 41c:M 41d:H 41e:O 420:P 421:C 422:T 423:Y 425:X 4c0:I "
    "3b1:a 3b3:y 3b9:i 3ba:k 3bd:v 3bf:o 3c1:p 3c3:o 3c5:u 3c7:x 3f2:c 3f3:j "
    "391:A 392:B 395:E 396:Z 397:H 399:I 39a:K 39c:M 39d:N 39f:O 3a1:P 3a4:T 3a5:Y 3a7:X "
    "570:h 578:n 57d:u 581:g 585:o 131:i 237:j 251:a 261:g 269:i 1d04:c 1d0f:o 1d1c:u 1d20:v 1d21:w 1d22:z "
    "2044:/ 2215:/ 29f8:/ 3002:. ff61:."
)
# Beside Latin letters in one word, letters of these are there to deceive.
OTHER_SCRIPTS = "Arabic Armenian Cherokee Coptic Cyrillic Devanagari Georgian Greek Hebrew Lisu Myanmar Thai"

# Who has seen so many warnings in one text needs no more of them, only to know that there would be.
MOST_WARNINGS = 50
NO_MORE_WARNINGS = "more such addresses follow, without a warning each"


def _class(ranges: str) -> str:
    return re.sub(r"[0-9a-f]+", lambda found: f"\\U{found[0]:0>8}", ranges).replace(" ", "")


_HIDDEN = re.compile(f"[{_class(HIDDEN)}]")
_EMOJI = re.compile(f"[{_class(EMOJI)}]")
_BLANK = " \t\u00a0\u1680\u2000-\u2009\u202f\u205f\u3000"
_LINES = re.compile(rf"(?:^|\n)(?:[{_BLANK}\r]*\n){{3,}}")
_SPACES = re.compile(rf"\t{{6,}}|[{_BLANK}]{{41,}}")
# What may be in the name of a host or of a person at one, and what only looks as if it ended it.
_DOT = ".@\u2024\u3002\uff0e\uff20\uff61"
_SLASH = "\u2044\u2215\u29f8\uff0f"
_ADDRESS = re.compile(rf"[\w\u0300-\u036f{_DOT}{_SLASH}%+\-]{{3,320}}")
_IS_ADDRESS = re.compile(rf"[^{_DOT}][{_DOT}][^{_DOT}]")
_BETWEEN_WORDS = re.compile(rf"(?:[^\w\u0300-\u036f{_SLASH}]|_)+")
_IMITATES = re.compile(rf"[{_DOT[2:]}{_SLASH}\uff00-\uffef]")
_END = re.compile(r"[\s<>\"')\]]|$")
_ENCODED = re.compile(r"\bxn--([a-z0-9-]+)", re.IGNORECASE)
_OTHERS = tuple(OTHER_SCRIPTS.upper().split())
_LATIN = {int(pair.split(":")[0], 16): pair.split(":")[1] for pair in LOOKS_LIKE.split()}


def without_hidden(text: str, instead: str = "") -> str:
    return _HIDDEN.sub(lambda found: found[0] if _is_harmless(text, found) else instead, text)


def visible(text: str) -> str:
    """Everything as it is: what is hidden by its number, gaps counted, addresses that look like others marked."""
    return with_numbers(_SPACES.sub(_counted, _LINES.sub(_counted_lines, _with_warnings(text))))


def with_numbers(text: str) -> str:
    """The same text, line by line, with nothing in it that is hidden."""
    return _HIDDEN.sub(lambda found: found[0] if _is_harmless(text, found) else numbered(found[0]), text)


def numbered(character: str) -> str:
    code = ord(character)
    return f"\\U{code:08x}" if code > 0xFFFF else f"\\u{code:04x}"


def warning_about(address: str) -> str | None:
    """What is wrong with the letters of an address, if anything."""
    if not _IS_ADDRESS.search(address):
        return None
    decoded = _ENCODED.sub(_decoded, address)
    if decoded != address:
        return f"{warning_about(decoded) or 'in other letters'}, it reads {decoded}"
    if address.isascii():
        return None
    written = "".join(each if each.isascii() else numbered(each) for each in address)
    words = _BETWEEN_WORDS.split(address)
    if _IMITATES.search(address) or any(latin(word) != word and latin(word).isascii() for word in words):
        return f"looks like {latin(address)} but is not: {written}"
    return f"mixed letters: {written}" if any(_is_mixed(word) for word in words) else None


def latin(text: str) -> str:
    """What a text looks like to somebody who reads Latin letters."""
    return unicodedata.normalize("NFKC", text).translate(_LATIN)


def _is_harmless(text: str, found: re.Match[str]) -> bool:
    """The end of a Windows line, and what makes one emoji out of others."""
    character, at = found[0], found.start()
    if character == "\r":
        return text[at + 1 : at + 2] == "\n"
    if character not in "\ufe0f\u200d":
        return False
    if not _EMOJI.fullmatch(text[max(0, at - 4) : at].replace("\ufe0f", "")[-1:]):
        return False
    return character == "\ufe0f" or _EMOJI.fullmatch(text[at + 1 : at + 2]) is not None


def _is_mixed(word: str) -> bool:
    names = [unicodedata.name(letter, "") for letter in word if letter.isalpha()]
    return any(name.startswith("LATIN") for name in names) and any(name.startswith(_OTHERS) for name in names)


def _with_warnings(text: str) -> str:
    """A warning after each address that looks like another, up to a measure."""
    if text.isascii() and "xn--" not in text.lower():
        return text
    parts, start, count = list[str](), 0, 0
    for found in _ADDRESS.finditer(text):
        if warning := warning_about(found[0].rstrip(".-")):
            count += 1
            # After the whole address, with what follows the host; several may share one end.
            end = start if found.end() <= start else _end_after(text, found.end())
            parts += [text[start:end], f" [{warning if count <= MOST_WARNINGS else NO_MORE_WARNINGS}] "]
            start = end
            if count > MOST_WARNINGS:
                break
    return "".join([*parts, text[start:]])


def _end_after(text: str, at: int) -> int:
    after = _END.search(text, at)
    return after.start() if after else len(text)


def _counted_lines(found: re.Match[str]) -> str:
    lines = found[0].count("\n") - (found.start() > 0)
    before = "\n" if found.start() > 0 else ""
    return f"{before}[{lines:,} empty lines]\n"


def _counted(found: re.Match[str]) -> str:
    return f" [{len(found[0]):,} {'tabs' if found[0].startswith(chr(9)) else 'spaces'}] "


def _decoded(found: re.Match[str]) -> str:
    try:
        return found[1].encode().decode("punycode")
    except UnicodeError:
        return found[0]
