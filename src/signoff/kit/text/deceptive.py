"""Text that could show something else than what it is.

Characters that cannot be seen or that turn the direction of writing, gaps that push the rest out of sight, and
addresses in letters that look like others. The lists are those of
`web/src/ui/text/deceptiveText.ts`; a test compares them.
"""

import re

from signoff.kit.text.lookalikes import latin, mixes_scripts

HIDDEN = (
    "0-8 b-1f 7f-9f ad 34f 61c 115f-1160 17b4-17b5 180b-180f 200a-200f 2028-202e 2060-206f 2800 3164 d800-dfff "
    "e000-f8ff fdd0-fdef fe00-fe0f feff ffa0 fff0-fffb fffe-ffff 1bca0-1bca3 1d159 1d173-1d17a e0000-10ffff"
)
# After these a variation selector, and between two of them a joiner, makes another picture.
EMOJI = "23 2a 30-39 a9 ae 203c-2bff 3030 303d 3297 3299 1f000-1faff"
# Who has seen so many warnings in one text needs no more of them, only to know that there would be.
MOST_WARNINGS = 50
NO_MORE_WARNINGS = "there are more addresses like this"


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
    return f"mixed letters: {written}" if any(mixes_scripts(word) for word in words) else None


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
