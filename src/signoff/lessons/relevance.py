"""Which corrections matter for a proposal, and how they are put in words. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from signoff.kit import jsons
from signoff.kit.jsons import JsonObject
from signoff.lessons.models import Lesson, Scope

WORD = re.compile(r"\w{3,}")
SHORT = 300
# How much of what is the same stands around a difference.
AROUND = 60
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
    if after is None:
        return {name: _cut(before[name]) for name in names} or None, None
    pairs = {name: _cut_both(before.get(name), after.get(name)) for name in names}
    shown = {name: pairs[name][0] for name in names if name in before} or None
    return shown, {name: pairs[name][1] for name in names if name in after}


def _changes(lesson: Lesson) -> str:
    before, after = lesson.original or {}, lesson.changed or {}
    pairs = {name: where_they_differ(before.get(name), after.get(name)) for name in _differing(before, after)}
    return "; ".join(f"{name} from {was} to {became}" for name, (was, became) in list(pairs.items())[:MOST_FIELDS])


def where_they_differ(before: Any, after: Any) -> tuple[str, str]:
    """Two values in short, each with what the other has not; of long ones, around their first difference."""
    was, became = _text(before), _text(after)
    start, same_end = 0, 0
    if max(len(was), len(became)) > SHORT:
        same_start = _common_start(was, became)
        start = max(same_start - AROUND, 0)
        same_end = max(_common_start(was[same_start:][::-1], became[same_start:][::-1]) - AROUND, 0)
    windows = [_Window(text, start, len(text) - same_end) for text in (was, became)]
    first, second = (window.shown() for window in windows)
    # Only blanks and line breaks differ: then they are written out.
    return (first, second) if first != second else (windows[0].exact(), windows[1].exact())


def _common_start(one: str, other: str) -> int:
    """How many letters two texts begin with alike; by halves, since texts are long and many."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if one[:middle] == other[:middle] else (least, middle - 1)
    return least


@dataclass(frozen=True)
class _Window:
    """A part of a text, with a mark where it goes on."""

    text: str
    start: int
    end: int

    def shown(self) -> str:
        return self._marked(" ".join(self._part().split()))

    def exact(self) -> str:
        return self._marked(jsons.dumps(self._part()))

    def _part(self) -> str:
        return self.text[self.start : min(self.end, self.start + SHORT)]

    def _marked(self, part: str) -> str:
        return f"{'…' if self.start else ''}{part}{'…' if min(self.end, self.start + SHORT) < len(self.text) else ''}"


def _differing(before: JsonObject, after: JsonObject) -> list[str]:
    return [name for name in {**before, **after} if before.get(name) != after.get(name)]


def _words(value: Any) -> frozenset[str]:
    """The words of a proposal; the beginning of a long one says what it is about."""
    return frozenset(WORD.findall(jsons.dumps(value)[:LOOKED_INTO].lower())) if value else frozenset()


def _cut(value: Any) -> Any:
    """A value as it is, or the beginning of a long one as text."""
    return value if len(jsons.dumps(value)) <= SHORT else _short(value)


def _cut_both(before: Any, after: Any) -> tuple[Any, Any]:
    """Two values as they are, or around their first difference as text."""
    short = max(len(jsons.dumps(value)) for value in (before, after)) <= SHORT
    return (before, after) if short else where_they_differ(before, after)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else jsons.dumps(value)


def _short(value: Any) -> str:
    text = " ".join(_text(value)[: SHORT * 2].split())
    return text if len(text) <= SHORT else text[: SHORT - 1] + "…"
