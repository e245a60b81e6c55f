"""Words as people search for them: without accents and case, the same on every database. Pure."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# Letters and digits; where a script has no blanks between words, each character by itself.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
# What nobody wrote as a word: a key, a hash, a picture in base64.
LONGEST_WORD = 60
MOST_WORDS = 32
# Every page has them, so they find nothing.
FILLERS = frozenset(
    {"a", "about", "an", "and", "any", "are", "as", "at", "be", "by", "can", "did", "do", "does", "for", "from", "had"}
    | {"has", "have", "how", "i", "if", "in", "is", "it", "its", "may", "me", "my", "of", "on", "or", "our", "that"}
    | {"the", "their", "there", "they", "this", "to", "was", "we", "were", "what", "when", "where", "which", "who"}
    | {"why", "will", "with", "you", "your"}
)
# So much of a text stands around what was found.
SNIPPET = 240
# From so many letters on, a word also finds those that begin with it: invoice, invoices.
BEGINNING = 4


def fold(text: str) -> str:
    """One word as it is indexed."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(each for each in plain if each.isalnum())


def folded(text: str) -> str:
    """All words of a text, as they are indexed."""
    return " ".join(word for _, _, word in _words(text))


def wanted(query: str) -> list[str]:
    """The words that somebody looks for, each once; those that say nothing only where there are no others."""
    words = list(dict.fromkeys(word for _, _, word in _words(query)))
    return ([word for word in words if word not in FILLERS] or words)[:MOST_WORDS]


@dataclass(frozen=True)
class Snippet:
    """A piece of a text, and where in it the words stand that were looked for."""

    text: str
    hits: tuple[tuple[int, int], ...]


def snippet(text: str, looked_for: Sequence[str], size: int = SNIPPET) -> Snippet:
    """The piece of a text that has the most of these words."""
    found = [(start, end, word) for start, end, word in _words(text) if any(fits(word, each) for each in looked_for)]
    best, most = (found[0][0] if found else 0), 0
    for at, (start, _, _) in enumerate(found):
        near = {word for _, _, word in _until(found, at, start + size)}
        if len(near) > most:
            best, most = start, len(near)
    start = _at_a_blank(text, max(0, min(best - size // 4, len(text) - size)))
    end = min(len(text), start + size)
    before, after = ("…" if start else ""), ("…" if end < len(text) else "")
    moved = len(before) - start
    hits = tuple((first + moved, last + moved) for first, last, _ in found if start <= first and last <= end)
    # Line breaks become blanks one for one, so that the hits stay where they are.
    return Snippet(before + re.sub(r"\s", " ", text[start:end]) + after, hits)


def beginning(word: str) -> bool:
    """Whether a word that is looked for also finds longer ones."""
    return len(word) >= BEGINNING


def fits(word: str, looked_for: str) -> bool:
    """Whether a word of a text is one that is looked for, or a longer one."""
    return word == looked_for or (beginning(looked_for) and word.startswith(looked_for))


def _words(text: str) -> Iterator[tuple[int, int, str]]:
    for found in _WORD.finditer(text):
        if found.end() - found.start() <= LONGEST_WORD and (word := fold(found[0])):
            yield found.start(), found.end(), word


def _until(found: list[tuple[int, int, str]], at: int, end: int) -> Iterator[tuple[int, int, str]]:
    for each in found[at:]:
        if each[1] > end:
            return
        yield each


def _at_a_blank(text: str, at: int) -> int:
    """A little further on, where a word begins."""
    if at == 0:
        return 0
    blank = re.compile(r"\s").search(text, at, at + 40)
    return blank.end() if blank else at
