"""Which corrections matter for a proposal, and how they are put in words. Pure."""

import re
from collections.abc import Sequence
from typing import Any

from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.lessons.models import Lesson, Scope

WORD = re.compile(r"\w{3,}")
SHORT = 300
LOOKED_INTO = 4_000
MOST_FIELDS = 5
# How much the same agent counts beside words in common (0 to 1).
SAME_AGENT = 0.5


def reaches(lesson: Lesson, agent: str, tool: str) -> bool:
    """Whether a lesson is meant for this agent with this tool."""
    match Scope(lesson.scope):
        case Scope.AGENT_AND_TOOL:
            return lesson.agent == agent and lesson.tool == tool
        case Scope.ALL_AGENTS:
            return lesson.tool == tool
        case Scope.ALL_TOOLS:
            return lesson.agent == agent


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
    distinct = {(each.tool, each.kind, each.own_text or each.reason or each.id): each for each in lessons}
    return sorted(distinct.values(), key=nearness, reverse=True)[:most]


def sentence(lesson: Lesson) -> str:
    """A lesson in one line, for the agent."""
    if lesson.own_text is None:
        return text_of(lesson)
    return lesson.own_text if lesson.scope == Scope.ALL_TOOLS.value else f"{lesson.tool}: {lesson.own_text}"


def text_of(lesson: Lesson) -> str:
    """A lesson in one line, for people: what somebody wrote, else what can be said of the correction."""
    if lesson.own_text is not None:
        return lesson.own_text
    why = f" Reason: {_short(lesson.reason)}" if lesson.reason else ""
    match lesson.kind:
        case "edited":
            return f"{lesson.tool}: a person changed {_changes(lesson)}.{why}"
        case "redirected":
            return f"{lesson.tool}: instead of approving, a person said: {_short(lesson.reason)}"
        case _:
            return f"{lesson.tool} with {_short(lesson.original)} was denied.{why}"


def excerpt(lesson: Lesson) -> tuple[JsonObject | None, JsonObject | None]:
    """What was proposed and what became of it, cut to what fits beside an ask: the first fields that differ."""
    before, after = lesson.original or {}, lesson.changed
    names = list(before) if after is None else _differing(before, after)
    names = names[:MOST_FIELDS]
    shown = {name: _cut(before[name]) for name in names if name in before} or None
    return shown, None if after is None else {name: _cut(after[name]) for name in names if name in after}


def _changes(lesson: Lesson) -> str:
    before, after = lesson.original or {}, lesson.changed or {}
    names = _differing(before, after)[:MOST_FIELDS]
    return "; ".join(f"{name} from {_short(before.get(name))} to {_short(after.get(name))}" for name in names)


def _differing(before: JsonObject, after: JsonObject) -> list[str]:
    return [name for name in {**before, **after} if before.get(name) != after.get(name)]


def _words(value: Any) -> frozenset[str]:
    """The words of a proposal; the beginning of a long one says what it is about."""
    return frozenset(WORD.findall(jsons.dumps(value)[:LOOKED_INTO].lower())) if value else frozenset()


def _cut(value: Any) -> Any:
    """A value as it is, or the beginning of a long one as text."""
    return value if len(jsons.dumps(value)) <= SHORT else _short(value)


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else jsons.dumps(value)
    text = " ".join(text[: SHORT * 2].split())
    return text if len(text) <= SHORT else text[: SHORT - 1] + "…"
