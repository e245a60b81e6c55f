"""What is wrong with a text of rules, where, and what to write instead."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

# Nobody reads more at once, and finding what was meant takes its time.
MOST_PROBLEMS = 100


@dataclass(frozen=True, slots=True, order=True)
class RuleProblem:
    """One mistake. Lines and columns count from 1."""

    line: int
    column: int
    message: str


class BadRules(Exception):
    """The rules cannot be used; every problem that was found, in the order of the text."""

    def __init__(self, problems: Iterable[RuleProblem]) -> None:
        self.problems = tuple(sorted(set(problems))[:MOST_PROBLEMS])
        super().__init__("; ".join(f"line {each.line}: {each.message}" for each in self.problems))


class Misfits(ValueError):
    """Keys of one block that do not go together: each with what to do about it."""

    def __init__(self, *found: tuple[str, str]) -> None:
        self.found = found
        super().__init__("; ".join(message for _, message in found))


def closest(word: str, words: Iterable[str]) -> str | None:
    """The one of `words` that was probably meant."""
    folded = {each.casefold(): each for each in words}
    longer = [each for each in folded if len(word) >= 4 and each.startswith(word.casefold())]
    near = longer or difflib.get_close_matches(word.casefold(), folded, 1, 0.6)
    return folded[near[0]] if near else None


def unknown(kind: str, word: str, words: Iterable[str]) -> str:
    """`word` is none of `words`: which one was meant, and all that would do."""
    known = list(words)
    meant = closest(word, known)
    guess = f"; did you mean `{meant}`?" if meant else "."
    return f"unknown {kind} `{word}`{guess} Use one of: {', '.join(known)}"
