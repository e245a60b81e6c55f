"""Which corrections matter for a proposal. Pure."""

import re
from collections.abc import Sequence
from typing import Any

from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.lessons.models import Lesson

WORD = re.compile(r"\w{3,}")
SHORT = 300
# How much the same agent counts beside words in common (0 to 1).
SAME_AGENT = 0.5


def most_relevant(lessons: Sequence[Lesson], agent: str, arguments: JsonObject | None, most: int) -> list[Lesson]:
    """The corrections nearest to what is proposed: the same agent, words in common, then the newest."""
    words = _words(arguments)

    def nearness(lesson: Lesson) -> tuple[float, str]:
        theirs = _words(lesson.original)
        common = len(words & theirs) / len(words | theirs) if words and theirs else 0.0
        return common + (SAME_AGENT if lesson.agent == agent else 0.0), lesson.id

    # Whoever said the same thing twice is quoted once.
    distinct = {(lesson.tool, lesson.kind, lesson.reason, jsons.dumps(lesson.changed)): lesson for lesson in lessons}
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


def _words(value: Any) -> set[str]:
    return set(WORD.findall(jsons.dumps(value).lower())) if value else set()


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else jsons.dumps(value)
    text = " ".join(text.split())
    return text if len(text) <= SHORT else text[: SHORT - 1] + "…"
