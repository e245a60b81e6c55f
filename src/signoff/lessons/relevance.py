"""Which corrections matter for a proposal. Pure."""

import re
from collections.abc import Sequence
from typing import Any

from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.lessons.models import Lesson

WORD = re.compile(r"\w{3,}")
SHORT = 300
LOOKED_INTO = 4_000
# How much the same agent counts beside words in common (0 to 1).
SAME_AGENT = 0.5


def most_relevant(
    lessons: Sequence[Lesson], agent: str, arguments: JsonObject | None, most: int, known: dict[str, frozenset[str]]
) -> list[Lesson]:
    """The corrections nearest to what is proposed: the same agent, words in common, then the newest.

    `known` keeps each lesson's words, however many proposals it is held against.
    """
    words = _words(arguments)

    def nearness(lesson: Lesson) -> tuple[float, str]:
        if lesson.id not in known:
            known[lesson.id] = _words(lesson.original)
        theirs = known[lesson.id]
        common = len(words & theirs) / len(words | theirs) if words and theirs else 0.0
        return common + (SAME_AGENT if lesson.agent == agent else 0.0), lesson.id

    # Whoever said the same thing twice is quoted once.
    distinct = {(lesson.tool, lesson.kind, lesson.reason or lesson.id): lesson for lesson in lessons}
    return sorted(distinct.values(), key=nearness, reverse=True)[:most]


def sentence(lesson: Lesson) -> str:
    """A lesson in one line, for the agent and for the approver."""
    why = f" Reason: {_short(lesson.reason)}" if lesson.reason else ""
    match lesson.kind:
        case "edited":
            return f"{lesson.tool}: a person changed {_changes(lesson)}.{why}"
        case "redirected":
            return f"{lesson.tool}: instead of approving, a person said: {_short(lesson.reason)}"
        case _:
            return f"{lesson.tool} with {_short(lesson.original)} was refused.{why}"


def _changes(lesson: Lesson) -> str:
    before, after = lesson.original or {}, lesson.changed or {}
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return "; ".join(f"{name} from {_short(before.get(name))} to {_short(after.get(name))}" for name in names[:5])


def _words(value: Any) -> frozenset[str]:
    """The words of a proposal; the beginning of a long one says what it is about."""
    return frozenset(WORD.findall(jsons.dumps(value)[:LOOKED_INTO].lower())) if value else frozenset()


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else jsons.dumps(value)
    text = " ".join(text[: SHORT * 2].split())
    return text if len(text) <= SHORT else text[: SHORT - 1] + "…"
